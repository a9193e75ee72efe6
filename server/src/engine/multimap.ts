/** How are many ids kept under one name? */

/** The ids under each name; a name without ids is not there. */
export type Multimap<Name, Id> = Map<Name, Set<Id>>;

export function getOrAdd<Name, Item>(map: Map<Name, Item>, name: Name, create: () => Item): Item {
  const present = map.get(name);
  if (present !== undefined) return present;
  const created = create();
  map.set(name, created);
  return created;
}

export function addTo<Name, Id>(map: Multimap<Name, Id>, name: Name, id: Id): void {
  const ids = map.get(name);
  if (ids) ids.add(id);
  else map.set(name, new Set([id]));
}

export function removeFrom<Name, Id>(map: Multimap<Name, Id>, name: Name, id: Id): void {
  const ids = map.get(name);
  ids?.delete(id);
  if (ids?.size === 0) map.delete(name);
}
