/** What does the catalogue know? The door to the facts on kinds, keys and fields. */

import { data } from './data.generated.ts';
import { unpackFields } from './fields.ts';
import { openKeys } from './keys.ts';
import { openTables, type Tables, unpackKind } from './kinds.ts';
import { type PackedCatalogue, type PackedKind, usualPlural } from './packed.ts';
import type { Catalogue, FieldsFact, GroupKind, KindFact } from './types.ts';

export type * from './types.ts';

/** The facts on every kind and key that we know; unpacked bit by bit, when first asked. */
export const catalogue: Catalogue = openCatalogue(() => JSON.parse(data) as PackedCatalogue); // our own generator wrote it

/** Opens a packed catalogue; `read` is called on the first question. */
export function openCatalogue(read: () => PackedCatalogue): Catalogue {
  const packed = once(read);
  const tables = once(() => openTables(packed()));
  const keys = once(() => openKeys(packed()));
  const names = once(() => indexNames(packed()));
  const kinds = new Map<string, KindFact | undefined>();
  const fields = new Map<string, FieldsFact>();
  return {
    kind: (group, version, kind) =>
      remember(kinds, `${group}/${version}/${kind}`, () => findKind(tables, { group, kind }, version)),
    key: (key) => keys().find(key),
    keys: () => keys().all,
    fields: (group, kind) =>
      remember(fields, `${group}/${kind}`, () => unpackFields(own(packed().fields, `${group}/${kind}`))),
    named: (word) => names().get(word.toLowerCase()) ?? [],
  };
}

/**
 * Finds a kind by its exact name; facts whose source had lost the capitals are found by the name without them. A group
 * whose kinds people invent (Gatekeeper's constraints) has a row `*` for all of them.
 */
function findKind(tables: () => Tables, asked: GroupKind, version: string): KindFact | undefined {
  const inGroup = own(tables().packed.kinds, asked.group);
  const packed = inGroup && (own(inGroup, asked.kind) ?? own(inGroup, asked.kind.toLowerCase()) ?? own(inGroup, '*'));
  return packed && unpackKind(tables(), asked, packed, version);
}

/** Lists, for every word that kubectl accepts, the kinds it may mean; the core groups come first, as in kubectl. */
function indexNames(packed: PackedCatalogue): ReadonlyMap<string, readonly GroupKind[]> {
  const index = new Map<string, GroupKind[]>();
  for (const [group, kinds] of Object.entries(packed.kinds)) {
    for (const [kind, row] of Object.entries(kinds)) {
      for (const word of new Set(wordsOf(kind, row))) {
        for (const spelled of [word, `${word}.${group}`]) {
          const meant = index.get(spelled);
          if (meant) meant.push({ group, kind });
          else index.set(spelled, [{ group, kind }]);
        }
      }
    }
  }
  return index;
}

function wordsOf(kind: string, [, , , plural = 0, shortNames = 0]: PackedKind): string[] {
  return [
    kind.toLowerCase(),
    plural === 0 ? usualPlural(kind) : plural,
    ...(shortNames === 0 ? [] : shortNames.split(' ')),
  ];
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function remember<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const known = memory.get(key);
  if (known !== undefined || memory.has(key)) return known as T; // it was put there as a T
  const made = make();
  memory.set(key, made);
  return made;
}
