/** States what changes in the definitions of custom kinds: their versions, their names, and their removal. */

import { wholeTree } from '../../compare/update-data.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { fieldOf } from '../../engine/structured.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { type Named, shownName } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import { listed } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';
import { type placesIn, statedIn } from './places.ts';

interface DefinedKind {
  readonly group: string;
  readonly kind: string;
  readonly served: readonly string[];
  readonly versions: readonly string[];
  /** The API server requires exactly one stored version. */
  readonly stored: readonly string[];
  readonly conversion: string;
}

/** What is said about a definition, by its name. */
interface Said {
  readonly named: Named;
  readonly count: number;
  readonly isRefused?: boolean;
  readonly sentence: (name: string) => string;
}

/** Returns statements about changed definitions; `refused` are those because of which the API server rejects objects. Equal changes in several scopes are one statement. */
export function changedDefinitions(
  trees: readonly [Tree, Tree],
  pairs: readonly Pair[],
  placesOf: ReturnType<typeof placesIn>,
): { readonly refused: readonly Statement[]; readonly changed: readonly Statement[] } {
  const groups = new Map<string, Said[]>();
  for (const pair of pairs)
    for (const said of saidAbout(trees, pair, pairs)) {
      const key = JSON.stringify([said.isRefused, said.sentence(shownName(said.named, true))]);
      getOrAdd(groups, key, () => []).push(said);
    }
  const [refused, changed]: [Statement[], Statement[]] = [[], []];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const count = group.reduce((sum, each) => sum + each.count, 0);
    const places = placesOf(group.map(({ named }) => named));
    const statement =
      group.length === 1
        ? { text: first.sentence(shownName(first.named, false)), count }
        : {
            text: statedIn(places, first.sentence(shownName(first.named, true))),
            count,
            places: places.names,
          };
    (first.isRefused ? refused : changed).push(statement);
  }
  return { refused, changed };
}

function* saidAbout(
  trees: readonly [Tree, Tree],
  { named, before, after }: Pair,
  pairs: readonly Pair[],
): Iterable<Said> {
  if (named.kind !== 'CustomResourceDefinition' || before === undefined) return;
  const was = definedIn(trees[0], before);
  if (was === undefined) return;
  const is = after && definedIn(trees[1], after);
  const users = (versions: readonly string[] | undefined) =>
    pairs.flatMap(({ named: object, after: fresh }) => {
      const isUser =
        fresh !== undefined &&
        fresh.object.group === was.group &&
        fresh.object.kind === was.kind &&
        versions?.includes(fresh.object.version) !== false;
      return isUser ? [shownName(object, false)] : [];
    });
  if (after === undefined) {
    const left = users(undefined);
    const those = left.length === 0 ? '' : ` (${counted(left.length, 'object')} in these manifests)`;
    const sentence = (name: string) =>
      `If ${name} is deleted from the cluster, all objects of kind ${was.kind} are deleted with it${those}.`;
    yield { named, count: 1, sentence };
  } else if (is !== undefined) {
    const gone = was.served.filter((version) => !is.served.includes(version));
    const using = users(gone);
    if (gone.length > 0 && using.length > 0) {
      const sentence = (name: string) =>
        `${name} no longer serves ${versionsIn(gone)}: the API server rejects ${listed(using.slice(0, mostNamed))}${using.length > mostNamed ? ` and ${using.length - mostNamed} more` : ''}.`;
      yield { named, count: using.length, isRefused: true, sentence };
    }
    if (is.stored.length !== 1 && was.stored.length === 1) {
      const sentence = (name: string) =>
        `${name} stores ${counted(is.stored.length, 'version')}: the API server rejects this.`;
      yield { named, count: 1, isRefused: true, sentence };
    }
    const changes = changesIn(was, is, using.length === 0 ? gone : []);
    for (const change of changes) yield { named, count: 1, sentence: (name) => `${name} ${change}.` };
  }
}

const mostNamed = 3;

function versionsIn(versions: readonly string[]): string {
  return `${versions.length === 1 ? 'the version' : 'the versions'} ${listed(versions)}`;
}

/** Returns what changed in a definition, as predicates. */
function changesIn(was: DefinedKind, is: DefinedKind, gone: readonly string[]): readonly string[] {
  const dropped = was.versions.filter((version) => !is.versions.includes(version));
  const rejected =
    dropped.length === 0 ? '' : '; the API server rejects this while `status.storedVersions` contains the version';
  return [
    ...(gone.length === 0 ? [] : [`no longer serves ${versionsIn(gone)}${rejected}`]),
    ...(gone.length === 0 && dropped.length > 0 ? [`no longer has ${versionsIn(dropped)}${rejected}`] : []),
    ...(is.stored.length !== 1 || was.stored.join() === is.stored.join()
      ? []
      : [`stores objects as ${is.stored.join()} instead of ${listed(was.stored)}`]),
    ...(was.kind === is.kind && was.group === is.group
      ? []
      : [`defines the kind ${is.kind} of ${is.group} instead of ${was.kind} of ${was.group}`]),
    ...(was.conversion === is.conversion ? [] : ['converts objects between versions in another way']),
  ];
}

/** Returns what a definition defines; undefined if it is unknown, or if the object is only a patch of a definition. */
function definedIn({ side }: Tree, applied: AppliedObject): DefinedKind | undefined {
  const tree = wholeTree({ side, applied });
  const spec = tree && fieldOf(typedData(tree), 'spec');
  const kind = textIn(fieldOf(spec, 'names'), 'kind');
  if (kind === undefined) return undefined;
  const listedVersions = fieldOf(spec, 'versions');
  const all: readonly unknown[] = Array.isArray(listedVersions) ? listedVersions : [];
  const nameOf = (version: unknown) => textIn(version, 'name') ?? '';
  const old = textIn(spec, 'version');
  const versions = all.length === 0 && old !== undefined ? [old] : all.map(nameOf);
  const isServed = (version: unknown) => fieldOf(version, 'served') === true;
  const stored = all.filter((version) => fieldOf(version, 'storage') === true).map(nameOf);
  return {
    group: textIn(spec, 'group') ?? '',
    kind,
    versions,
    served: all.length === 0 ? versions : all.filter(isServed).map(nameOf),
    stored: all.length === 0 && old !== undefined ? [old] : stored,
    conversion: JSON.stringify(fieldOf(spec, 'conversion') ?? null),
  };
}

function textIn(value: unknown, field: string): string | undefined {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : undefined;
}
