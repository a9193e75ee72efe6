/** Pairs the objects of two trees by their names. */

import { isUnknown } from '../../engine/index.ts';
import { type AppliedObject, aroundSelected } from '../objects/applied-objects.ts';
import { keyOf, type Named, type Names, nameOf } from '../objects/compared-names.ts';
import type { Tree } from '../trees/tree.ts';

/** An object, and its versions in the trees that contain it. */
export interface Pair {
  readonly named: Named;
  readonly before?: AppliedObject;
  readonly after?: AppliedObject;
}

/** Returns the compared objects of two trees by the keys of their names. */
export function pairsOf([before, after]: readonly [Tree, Tree], names: Names): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [named, applied] of namedIn(before, names)) pairs.set(keyOf(named), { named, before: applied });
  for (const [named, applied] of namedIn(after, { several: names.several })) {
    const key = keyOf(named);
    const { before: earlier } = pairs.get(key) ?? {};
    pairs.set(key, { named, ...(earlier && { before: earlier }), after: applied });
  }
  return pairs;
}

function* namedIn(tree: Tree, names: Parameters<typeof nameOf>[3]): Iterable<readonly [Named, AppliedObject]> {
  const { objects, isSelected } = aroundSelected(tree);
  for (const applied of objects)
    if (applied.object.name !== undefined && isSelected(applied, applied))
      yield [nameOf(tree.session, tree.root, applied, names), applied];
}

/** Whether labels or selectors of a changed object depend on values that are unknown, so that its matches may change. */
export function hasUnknownChange({ before: old, after: fresh }: Pair): boolean {
  if (old === undefined || fresh === undefined) return false;
  const unknowns = (applied: AppliedObject) => JSON.stringify(unknownsIn(applied.object));
  return unknowns(old) !== unknowns(fresh);
}

function unknownsIn({ labelSites, selectorSites }: AppliedObject['object']): readonly unknown[] {
  const labels = labelSites.flatMap(({ path, place, open, entries, parts }) => {
    const unknown = entries.filter(({ key, value }) => isUnknown(key.value) || isUnknown(value.value));
    if (place.holds !== 'labels' || (!open && unknown.length === 0)) return [];
    return [[path, parts, ...unknown.map(({ key, value }) => [key.text, value.text])]];
  });
  const selectors = selectorSites
    .filter(({ open, data }) => open || mentionsUnknown(data))
    .map(({ path, data, parts }) => [path, parts, data]);
  return [labels, selectors];
}

/** The maximum nesting depth of the data of a selector that is searched. */
const maximumDepth = 10;

function mentionsUnknown(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    depth > maximumDepth || isUnknown(value) || Object.values(value).some((each) => mentionsUnknown(each, depth + 1))
  );
}
