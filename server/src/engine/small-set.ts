/** Compact sets of objects: a single item, an array or a `Set`, depending on the number of items. */

/**
 * A set of items. Most sets have one item, and nearly all others a few: a `Set` for each would be most of the memory of
 * an index.
 */
export type SmallSet<Item extends object> = undefined | Item | Item[] | Set<Item>;

/** Up to this size, a scan of an array is faster than a `Set`. */
const largestArray = 32;

/** Returns the set with an item added. The given set may be changed and returned. */
export function withItem<Item extends object>(set: SmallSet<Item>, item: Item): SmallSet<Item> {
  if (set === undefined) return item;
  if (set instanceof Set) return set.add(item);
  if (!Array.isArray(set)) return set === item ? set : [set, item];
  if (set.includes(item)) return set;
  if (set.length === largestArray) return new Set(set).add(item);
  set.push(item);
  return set;
}

/** Returns the set with an item removed. The given set may be changed and returned. */
export function withoutItem<Item extends object>(set: SmallSet<Item>, item: Item): SmallSet<Item> {
  if (set === item) return undefined;
  if (set instanceof Set) {
    set.delete(item);
    return set.size === 0 ? undefined : set;
  }
  if (!Array.isArray(set)) return set;
  takeOut(set, item);
  return set.length === 0 ? undefined : set;
}

/** Removes an item from an unordered list. */
export function takeOut<Item>(list: Item[], item: Item): void {
  const at = list.indexOf(item);
  if (at === -1) return;
  const last = list.pop();
  if (at < list.length && last !== undefined) list[at] = last;
}

/** Returns the items of a set. */
export function itemsOf<Item extends object>(set: SmallSet<Item>): Iterable<Item> {
  if (set === undefined) return [];
  return set instanceof Set || Array.isArray(set) ? set : [set];
}

/** Returns the number of items in a set. */
export function countOf<Item extends object>(set: SmallSet<Item>): number {
  if (set === undefined) return 0;
  if (set instanceof Set) return set.size;
  return Array.isArray(set) ? set.length : 1;
}

/** Adds an item to the set that the map contains under a name. */
export function addTo<Name, Item extends object>(sets: Map<Name, SmallSet<Item>>, name: Name, item: Item): void {
  sets.set(name, withItem(sets.get(name), item));
}

/** Removes an item from the set that the map contains under a name. A set that becomes empty is deleted from the map. */
export function removeFrom<Name, Item extends object>(sets: Map<Name, SmallSet<Item>>, name: Name, item: Item): void {
  const left = withoutItem(sets.get(name), item);
  if (left === undefined) sets.delete(name);
  else sets.set(name, left);
}
