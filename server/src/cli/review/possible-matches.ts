/** Finds changed matches between objects of GitOps objects that are possibly, but not certainly, in one cluster. */

import { evaluate, type LabelSet } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { Scope, Scopes } from '../../workspace/scopes/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { keyOf, shownName } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import type { Tree } from '../trees/tree.ts';
import type { Pair } from './pairs-of-trees.ts';

/** The maximum number of pairs of objects that are compared. */
const maximumComparisons = 200_000;

/** Returns a sentence about matches that change if some GitOps objects apply to one cluster, if there are any. `changed` contains the objects that differ. */
export function possibleMatches(
  trees: readonly [Tree, Tree],
  changed: readonly Pair[],
  all: readonly Pair[],
): readonly string[] {
  const isOfGitops = ({ before, after }: Pair) => (after ?? before)?.builtBy?.gitops !== undefined;
  const ofGitops = all.filter(isOfGitops);
  const wanted = new Set(changed.filter(isOfGitops));
  const mayShareCluster = sharing(trees, ofGitops);
  const found = new Set<string>();
  let left = maximumComparisons;
  for (const one of wanted)
    for (const other of ofGitops) {
      if (left-- < 0) return ['Too many objects changed: matches with other GitOps objects are not all compared.'];
      if (one === other || !mayShareCluster(one, other)) continue;
      if (changes(one, other)) found.add(`${shownName(one.named, false)} may select ${shownName(other.named, false)}`);
      if (!wanted.has(other) && changes(other, one))
        found.add(`${shownName(other.named, false)} may select ${shownName(one.named, false)}`);
    }
  const [first] = found;
  if (first === undefined) return [];
  const more = found.size > 1 ? ` (and ${counted(found.size - 1, 'similar case')})` : '';
  return [`${first}${more}, if both GitOps objects apply to one cluster.`];
}

/** Returns a function that determines whether two objects are possibly, but not certainly, in one cluster. GitOps objects that apply the same objects apply to different clusters. */
function sharing(trees: readonly [Tree, Tree], pairs: readonly Pair[]): (one: Pair, other: Pair) => boolean {
  const [old, fresh] = trees.map(({ session }) => session.snapshot().scopes());
  const objects = new Map<Scope, Set<string>>();
  for (const { named, before, after } of pairs)
    for (const applied of [before, after])
      if (applied?.builtBy !== undefined) {
        const { scope: _, builtBy: __, ...identity } = named;
        getOrAdd(objects, applied.builtBy, () => new Set()).add(keyOf(identity));
      }
  const known = new Map<Scope, Map<Scope, boolean>>();
  const areShared = (scopes: Scopes, a: Scope, b: Scope): boolean =>
    a !== b &&
    scopes.relationOf(a, b) === 'elsewhere' &&
    !scopes.shareCluster(a, b) &&
    ![...(objects.get(a) ?? [])].some((key) => objects.get(b)?.has(key));
  const may = (scopes: Scopes | undefined, a: Scope | undefined, b: Scope | undefined) =>
    scopes !== undefined &&
    a !== undefined &&
    b !== undefined &&
    getOrAdd(
      getOrAdd(known, a, () => new Map<Scope, boolean>()),
      b,
      () => areShared(scopes, a, b),
    );
  return (one, other) =>
    one.after !== undefined && other.after !== undefined
      ? may(fresh, one.after.builtBy, other.after.builtBy)
      : may(old, one.before?.builtBy, other.before?.builtBy);
}

/** Whether the selectors of an object match another object in one of two states only. */
function changes(owner: Pair, target: Pair): boolean {
  if (owner.named.namespace !== target.named.namespace && !selectsNamespaces(owner)) return false;
  return matchesOf(owner.before, target.before) !== matchesOf(owner.after, target.after);
}

function selectsNamespaces({ before, after }: Pair): boolean {
  return (after ?? before)?.object.selectorSites.some(({ fact: { reach } }) => typeof reach !== 'string') === true;
}

/** Returns the matches of the selectors of an object with another object, as a text. */
function matchesOf(owner: AppliedObject | undefined, target: AppliedObject | undefined): string {
  if (owner === undefined || target === undefined) return '';
  return owner.object.selectorSites
    .filter((site) => !site.fact.mustMatchTemplate && doesMatch(site, target))
    .map(({ path }) => path)
    .join('\n');
}

export function doesMatch(site: SelectorSite, { object }: AppliedObject): boolean {
  const selector = site.open ? undefined : effectiveSelector(site);
  if (selector === undefined) return false;
  return labeledObjectsOf(object).some(({ target, labels, open }) => {
    const isTarget = site.fact.targets.some((each) => kindKey(each) === kindKey(target));
    const set: LabelSet = { labels, open };
    return isTarget && evaluate(selector, set) !== 'no';
  });
}
