/** States what changes in the definitions of custom kinds: their versions, their names, and their removal. */

import { wholeTree } from '../../compare/update-data.ts';
import { typedData } from '../../manifests/yaml/typed-data.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import type { Tree } from '../objects/objects-of-tree.ts';
import { counted } from '../output/counts.ts';
import { listed } from '../output/names.ts';
import type { Statement } from './model.ts';
import type { Pair } from './object-pairs.ts';

interface DefinedKind {
  readonly group: string;
  readonly kind: string;
  readonly served: readonly string[];
  readonly versions: readonly string[];
  /** The API server requires exactly one stored version. */
  readonly stored: readonly string[];
  readonly conversion: string;
}

/** Returns statements about changed definitions; `refused` are those because of which the API server rejects objects. */
export function changedDefinitions(
  trees: readonly [Tree, Tree],
  pairs: readonly Pair[],
): { readonly refused: readonly Statement[]; readonly changed: readonly Statement[] } {
  const [refused, changed]: [Statement[], Statement[]] = [[], []];
  for (const { named, before, after } of pairs) {
    if (named.kind !== 'CustomResourceDefinition' || before === undefined) continue;
    const was = definedIn(trees[0], before);
    if (was === undefined) continue;
    const name = shownName(named, false);
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
      const text = `If ${name} is deleted from the cluster, all objects of kind ${was.kind} are deleted with it${those}.`;
      changed.push({ text, count: 1 });
    } else if (is !== undefined) {
      const gone = was.served.filter((version) => !is.served.includes(version));
      const using = users(gone);
      if (gone.length > 0 && using.length > 0) {
        const text = `${name} no longer serves ${versionsIn(gone)}: the API server rejects ${listed(using.slice(0, mostNamed))}${using.length > mostNamed ? ` and ${using.length - mostNamed} more` : ''}.`;
        refused.push({ text, count: using.length });
      }
      if (is.stored.length !== 1 && was.stored.length === 1)
        refused.push({
          text: `${name} stores ${counted(is.stored.length, 'version')}: the API server rejects this.`,
          count: 1,
        });
      changed.push(...changesIn(name, was, is, using.length === 0 ? gone : []));
    }
  }
  return { refused, changed };
}

const mostNamed = 3;

function versionsIn(versions: readonly string[]): string {
  return `${versions.length === 1 ? 'the version' : 'the versions'} ${listed(versions)}`;
}

function changesIn(name: string, was: DefinedKind, is: DefinedKind, gone: readonly string[]): readonly Statement[] {
  const dropped = was.versions.filter((version) => !is.versions.includes(version));
  const rejected =
    dropped.length === 0 ? '' : '; the API server rejects this while `status.storedVersions` contains the version';
  return [
    ...(gone.length === 0 ? [] : [`${name} no longer serves ${versionsIn(gone)}${rejected}.`]),
    ...(gone.length === 0 && dropped.length > 0 ? [`${name} no longer has ${versionsIn(dropped)}${rejected}.`] : []),
    ...(is.stored.length !== 1 || was.stored.join() === is.stored.join()
      ? []
      : [`${name} stores objects as ${is.stored.join()} instead of ${listed(was.stored)}.`]),
    ...(was.kind === is.kind && was.group === is.group
      ? []
      : [`${name} defines the kind ${is.kind} of ${is.group} instead of ${was.kind} of ${was.group}.`]),
    ...(was.conversion === is.conversion ? [] : [`${name} converts objects between versions in another way.`]),
  ].map((text) => ({ text, count: 1 }));
}

function definedIn({ side }: Tree, applied: AppliedObject): DefinedKind | undefined {
  const tree = wholeTree({ side, applied });
  const spec = tree && fieldOf(typedData(tree), 'spec');
  if (spec === undefined) return undefined;
  const listedVersions = fieldOf(spec, 'versions');
  const all: readonly unknown[] = Array.isArray(listedVersions) ? listedVersions : [];
  const nameOf = (version: unknown) => textIn(version, 'name') ?? '';
  const old = textIn(spec, 'version');
  const versions = all.length === 0 && old !== undefined ? [old] : all.map(nameOf);
  const isServed = (version: unknown) => fieldOf(version, 'served') === true;
  const stored = all.filter((version) => fieldOf(version, 'storage') === true).map(nameOf);
  return {
    group: textIn(spec, 'group') ?? '',
    kind: textIn(fieldOf(spec, 'names'), 'kind') ?? '',
    versions,
    served: all.length === 0 ? versions : all.filter(isServed).map(nameOf),
    stored: all.length === 0 && old !== undefined ? [old] : stored,
    conversion: JSON.stringify(fieldOf(spec, 'conversion') ?? null),
  };
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, field)?.value : undefined;
}

function textIn(value: unknown, field: string): string | undefined {
  const found = fieldOf(value, field);
  return typeof found === 'string' ? found : undefined;
}
