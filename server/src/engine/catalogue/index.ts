/** Interface of the catalogue: facts on kinds, well-known keys and fields. */

import { BoundedMap, getOrAdd, once } from '../memoize.ts';
import { data } from './data.generated.ts';
import { deserializeKind, openTables, type Tables, versionsOf } from './deserialize-kind.ts';
import { openImmutableFields } from './immutable.ts';
import { immutableData } from './immutable-data.generated.ts';
import type { ImmutableData } from './immutable-facts.ts';
import { openKeys } from './keys.ts';
import { deserializeFields } from './selectable-field-facts.ts';
import { type SerializedCatalogue, type SerializedKind, usualPlural } from './serialized.ts';
import { structures } from './structures.generated.ts';
import { openStructures } from './structures.ts';
import type { Catalogue, FieldsFact, GroupKind, ImmutableChange, KeyReference, KindFact } from './types.ts';

export type * from './types.ts';
export type { EntryProblem } from './user-entry.ts';
export { withUserKinds } from './user-kinds.ts';

/** The built-in facts on kinds and keys. They are deserialized lazily, one kind at a time. */
export const catalogue: Catalogue = openCatalogue(
  () => JSON.parse(data) as SerializedCatalogue, // written by our own generator
  () => JSON.parse(immutableData) as ImmutableData, // also written by our own generator
  () => structures,
);

/** Returns the changes that the API server rejects in an update from `old` to `fresh`, two manifests as plain objects: fields that changed although they cannot change after creation. Values are compared as they are stored, with defaults and by structure, so a selector in a different but equivalent form is a change. The result is empty if the manifests describe different objects. Never throws. */
export function immutableChanges(old: unknown, fresh: unknown): readonly ImmutableChange[] {
  return catalogue.immutableChanges(old, fresh);
}

/** Opens a serialized catalogue. Each of the given functions is called lazily, by the first lookup that needs its data. */
export function openCatalogue(
  read: () => SerializedCatalogue,
  readImmutable: () => ImmutableData = () => ({ kinds: {}, types: {} }),
  readStructures: () => string = () => '0',
): Catalogue {
  const immutable = openImmutableFields(readImmutable);
  const serialized = once(read);
  const tables = once(() => openTables(serialized()));
  const keys = once(() => openKeys(serialized()));
  const keyReferences = once(() => indexKeyReferences(tables()));
  const names = once(() => indexNames(serialized()));
  // In some groups, every name is a kind. Nested maps, because joining three strings at each look-up takes longer.
  const kinds = new BoundedMap<string, Map<string, Map<string, KindFact>>>(10_000);
  const fields = openStructures(readStructures);
  return {
    kind: (group, version, kind) => {
      const known = kinds.get(kind)?.get(group)?.get(version);
      if (known) return known;
      const found = findKind(tables(), group, kind);
      if (!found) return undefined;
      const byGroup = getOrAdd(kinds, kind, () => new Map<string, Map<string, KindFact>>());
      const byVersion = getOrAdd(byGroup, group, () => new Map<string, KindFact>());
      const knownVersion = versionsOf(tables(), found).includes(version) ? version : '';
      return getOrAdd(byVersion, knownVersion, () => deserializeKind(tables(), { group, kind }, found, version));
    },
    key: (key, as = 'label') => keys().find(key, as),
    keys: () => keys().all,
    keyReferences,
    fields: (group, kind): FieldsFact => deserializeFields(own(serialized().fields, `${group}/${kind}`)),
    named: (word) => {
      const [name = '', ...group] = word.toLowerCase().split('.');
      const found = names().get(name) ?? [];
      return word.includes('.') ? found.filter((each) => each.group === group.join('.')) : found;
    },
    immutableChanges: immutable.changes,
    ignoredChanges: immutable.ignored,
    hasImmutableFields: immutable.has,
    isImmutable: immutable.covers,
    decidesImmutability: immutable.decides,
    structure: (group, version, kind) => fields.kind(group === '' ? version : `${group}/${version}`, kind),
    kindsOf: fields.names,
    structuresOf: fields.kinds,
    metadata: fields.metadata,
  };
}

/** Finds a kind by its exact name, or by its name in lower case if the source of the facts does not use capitals. A group with user-defined kinds (Gatekeeper's constraints) has a row `*` for all of them. */
function findKind(tables: Tables, group: string, kind: string): SerializedKind | undefined {
  const inGroup = own(tables.serialized.kinds, group);
  return inGroup && (own(inGroup, kind) ?? own(inGroup, kind.toLowerCase()) ?? own(inGroup, '*'));
}

/** Indexes the labels and annotations whose values refer to objects, by their keys. */
function indexKeyReferences({ serialized, objects }: Tables): ReadonlyMap<string, readonly KeyReference[]> {
  const index = new Map<string, KeyReference[]>();
  for (const line of serialized.keyReferences.split('\n')) {
    const [key = '', on, to = '', form = '', kinds = ''] = line.split('\t');
    getOrAdd(index, key, () => []).push({
      key,
      on: on === 'label' ? 'label' : 'annotation',
      to: to.split(',').flatMap((number) => objects[Number(number)] ?? []),
      ...(isReferenceForm(form) && { form }),
      ...(kinds !== '' && { kinds: kinds.split(',') }),
    });
  }
  return index;
}

function isReferenceForm(word: string): word is NonNullable<KeyReference['form']> {
  return ['namespacedName', 'dns', 'list', 'claim', 'kubernetescrd', 'pattern', 'account', 'meshHost'].includes(word);
}

/** Lists, for every name that kubectl accepts, the kinds that the name can refer to; built-in kinds come first. */
function indexNames(serialized: SerializedCatalogue): ReadonlyMap<string, readonly GroupKind[]> {
  const index = new Map<string, GroupKind[]>();
  const groups = Object.entries(serialized.kinds).sort(([a], [b]) => groupRank(a) - groupRank(b));
  for (const [group, kinds] of groups) {
    for (const [kind, row] of Object.entries(kinds)) {
      for (const word of new Set(wordsOf(kind, row))) getOrAdd(index, word, () => []).push({ group, kind });
    }
  }
  return index;
}

/** Returns the position of a group in the order: the core group, other groups without a dot, groups that end in `.k8s.io`, `extensions`, and then all other groups. */
function groupRank(group: string): number {
  if (group === '' || group === 'extensions') return group === '' ? 0 : 3;
  if (!group.includes('.')) return 1;
  return group.endsWith('.k8s.io') ? 2 : 4;
}

function wordsOf(kind: string, [, , , plural = 0, shortNames = 0]: SerializedKind): string[] {
  return [
    kind.toLowerCase(),
    plural === 0 ? usualPlural(kind) : plural,
    ...(shortNames === 0 ? [] : shortNames.split(' ')),
  ];
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
