/** Compact sets of objects: a single item, an array or a `Set`, depending on the number of items. */

/**
 * A set of items. Most sets have one item, and nearly all others a few: a `Set` for each would be most of the memory of
 * an index.
 */
export type Bag<Item extends object> = undefined | Item | Item[] | Set<Item>;

/** From here on, looking through an array costs more than a set does. */
const largestArray = 32;

/** The set with an item added. The given set may be changed and returned. */
export function withItem<Item extends object>(bag: Bag<Item>, item: Item): Bag<Item> {
  if (bag === undefined) return item;
  if (bag instanceof Set) return bag.add(item);
  if (!Array.isArray(bag)) return bag === item ? bag : [bag, item];
  if (bag.includes(item)) return bag;
  if (bag.length === largestArray) return new Set(bag).add(item);
  bag.push(item);
  return bag;
}

/** The set with an item removed. The given set may be changed and returned. */
export function withoutItem<Item extends object>(bag: Bag<Item>, item: Item): Bag<Item> {
  if (bag === item) return undefined;
  if (bag instanceof Set) {
    bag.delete(item);
    return bag.size === 0 ? undefined : bag;
  }
  if (!Array.isArray(bag)) return bag;
  takeOut(bag, item);
  return bag.length === 0 ? undefined : bag;
}

/** Removes an item from a list whose order has no meaning. */
export function takeOut<Item>(list: Item[], item: Item): void {
  const at = list.indexOf(item);
  if (at === -1) return;
  const last = list.pop();
  if (at < list.length && last !== undefined) list[at] = last;
}

export function itemsOf<Item extends object>(bag: Bag<Item>): Iterable<Item> {
  if (bag === undefined) return [];
  return bag instanceof Set || Array.isArray(bag) ? bag : [bag];
}

export function countOf<Item extends object>(bag: Bag<Item>): number {
  if (bag === undefined) return 0;
  if (bag instanceof Set) return bag.size;
  return Array.isArray(bag) ? bag.length : 1;
}

/** Adds an item to the set of a name. */
export function addTo<Name, Item extends object>(bags: Map<Name, Bag<Item>>, name: Name, item: Item): void {
  bags.set(name, withItem(bags.get(name), item));
}

/** Removes an item from the set of a name. A set that becomes empty is deleted from the map. */
export function removeFrom<Name, Item extends object>(bags: Map<Name, Bag<Item>>, name: Name, item: Item): void {
  const left = withoutItem(bags.get(name), item);
  if (left === undefined) bags.delete(name);
  else bags.set(name, left);
}
