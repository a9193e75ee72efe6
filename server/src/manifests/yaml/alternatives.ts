/** Joins the values that a template writes for one key in alternative branches: which of them exists is unknown. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { MapEntry, MapNode, Node } from './tree.ts';

/** Returns the entries of a map, in which the last of several entries with one key has the value of all branches if a condition decides about one of them. */
export function withAlternatives(entries: readonly MapEntry[]): readonly MapEntry[] {
  const byKey = entriesByKey(entries);
  return entries.map((entry) => {
    const all = entry.key.pattern === undefined ? (byKey.get(entry.key.text) ?? []) : [];
    if (all.length < 2 || all.at(-1) !== entry || !all.some(({ conditional }) => conditional)) return entry;
    const value = joined(all.map((each) => each.value));
    return value === undefined ? entry : { ...entry, value };
  });
}

/** Returns a collection that may contain the content of each of the given ones; undefined for anything but maps alone or lists alone. An absent value may be one that an action writes. */
function joined(all: readonly Node[]): Node | undefined {
  const values = all.filter((value) => value.kind !== 'scalar' || value.text !== '' || value.style !== 'plain');
  const maps = values.filter((value) => value.kind === 'map');
  const lists = values.filter((value) => value.kind === 'list');
  const [map, list] = [maps.at(-1), lists.at(-1)];
  if (map !== undefined && maps.length === values.length) {
    const entries = entriesOfAny(maps).map((entry) => ({ ...entry, conditional: true }));
    return { ...map, open: true, parts: [...(map.parts ?? []), ''], entries: withUnknownTexts(entries) };
  }
  if (list === undefined || lists.length < values.length) return undefined;
  return { ...list, open: true, items: lists.flatMap((each) => each.items) };
}

/** Returns the entries of some maps. Labels and requirements that some of the maps lack are left out, because an entry of a selector always requires something; the open map represents them. */
export function entriesOfAny(maps: readonly MapNode[]): readonly MapEntry[] {
  const all = maps.flatMap(({ entries }) => entries);
  if (all.some(({ value }) => value.kind !== 'scalar')) return all;
  const keys = maps.map(({ entries }) => new Set(entries.map(({ key }) => key.text)));
  return all.filter(({ key }) => keys.every((each) => each.has(key.text)));
}

/** Returns entries in which texts that branches set differently are unknown, and collections are joined. */
function withUnknownTexts(entries: readonly MapEntry[]): MapNode['entries'] {
  const byKey = entriesByKey(entries);
  const isChosen = ([first, ...others]: readonly MapEntry[]) =>
    others.some((other) => !areEqualTexts(first?.value, other.value));
  const chosen = new Set([...byKey].flatMap(([key, all]) => (isChosen(all) ? [key] : [])));
  const texts = entries.map((entry): MapEntry => {
    const { key, value } = entry;
    return value.kind === 'scalar' && chosen.has(key.text) ? { ...entry, value: { ...value, pattern: '*' } } : entry;
  });
  return withAlternatives(texts);
}

function areEqualTexts(one: Node | undefined, other: Node): boolean {
  if (one?.kind !== 'scalar' || other.kind !== 'scalar') return false;
  return one.text === other.text && one.type === other.type && one.pattern === other.pattern;
}

/** Returns the entries by the texts of their keys. */
function entriesByKey(entries: readonly MapEntry[]): ReadonlyMap<string, readonly MapEntry[]> {
  const byKey = new Map<string, MapEntry[]>();
  for (const entry of entries) getOrAdd(byKey, entry.key.text, () => []).push(entry);
  return byKey;
}
