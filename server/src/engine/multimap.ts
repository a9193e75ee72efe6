/** How are many items kept under one name? */

/** The items under each name; a name without items is not there. Most have one, for which a set would be waste. */
export type Multimap<Name, Item extends object> = Map<Name, Item | Set<Item>>;

export function getOrAdd<Name, Item>(map: Map<Name, Item>, name: Name, create: () => Item): Item {
  const present = map.get(name);
  if (present !== undefined) return present;
  const created = create();
  map.set(name, created);
  return created;
}

export function addTo<Name, Item extends object>(map: Multimap<Name, Item>, name: Name, item: Item): void {
  const present = map.get(name);
  if (present === undefined) map.set(name, item);
  else if (present instanceof Set) present.add(item);
  else if (present !== item) map.set(name, new Set([present, item]));
}

export function removeFrom<Name, Item extends object>(map: Multimap<Name, Item>, name: Name, item: Item): void {
  const present = map.get(name);
  if (present instanceof Set) {
    present.delete(item);
    if (present.size === 0) map.delete(name);
  } else if (present === item) {
    map.delete(name);
  }
}

/** The items that stand under one name. */
export function itemsOf<Item extends object>(under: Item | Set<Item> | undefined): Iterable<Item> {
  if (under === undefined) return [];
  return under instanceof Set ? under : [under];
}

/** How many stand under one name. */
export function countOf<Item extends object>(under: Item | Set<Item> | undefined): number {
  if (under === undefined) return 0;
  return under instanceof Set ? under.size : 1;
}
