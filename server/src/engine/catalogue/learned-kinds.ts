/** Derives facts on kinds from their definitions or objects: the paths of labels and selectors. */

import { getOrAdd, once } from '../memoize.ts';
import { openImmutableFields } from './immutable.ts';
import type { ImmutableKind } from './immutable-facts.ts';
import { selectorRoleOf } from './selector-role.ts';
import { usualPlural } from './serialized.ts';
import { openSerialized, type Structure } from './structures.ts';
import type { Catalogue, GroupKind, KindFact, SelectorFact, TemplateFact } from './types.ts';

/** The facts that definitions contain about one kind, with paths in the catalogue's notation. */
export interface LearnedKind extends GroupKind {
  readonly namespaced?: boolean;
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly selectableFields?: readonly string[];
  readonly selectors: readonly string[];
  readonly templates: readonly string[];
}

/** Joins several definitions of one kind, in any order: the result has the facts that no definition contradicts. */
export function joinLearned(first: LearnedKind, others: readonly LearnedKind[]): LearnedKind {
  const all = [first, ...others];
  const { group, kind } = first;
  const agreed = <T>(values: readonly T[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const namespaced = agreed(all.map((each) => each.namespaced));
  const plural = agreed(all.map((each) => each.plural));
  const union = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].toSorted();
  const shortNames = union(all.map((each) => each.shortNames ?? []));
  const categories = union(all.map((each) => each.categories ?? []));
  const selectableFields = union(all.map((each) => each.selectableFields ?? []));
  return {
    group,
    kind,
    ...(namespaced !== undefined && { namespaced }),
    ...(plural !== undefined && { plural }),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(selectableFields.length > 0 && { selectableFields }),
    selectors: union(all.map((each) => each.selectors)),
    templates: union(all.map((each) => each.templates)),
  };
}

/** Returns the facts on a learned kind in the form of the catalogue. */
export function learnedFact({ selectors, templates, ...described }: LearnedKind): KindFact {
  return {
    ...described,
    plural: described.plural ?? usualPlural(described.kind),
    versions: [],
    selectors: selectors.map(selectorOfShape),
    templates: templates.map(templateOfShape),
    labels: templates.map((path) => ({ path: `${path}.metadata.labels`, holds: 'labels', of: pod })),
    labelKeys: [],
    references: [],
    // The API server validates the names of all custom resources by this rule.
    name: { rule: 'dns1123Subdomain', maxLength: 253 },
    learned: true,
  };
}

/** The fields of a kind according to its definitions. */
export interface LearnedFields {
  /** The serialized structure of the kind for each version. */
  readonly structures?: Readonly<Record<string, string>>;
  readonly immutable?: ImmutableKind;
}

/** Adds the fields of kinds, by `group/kind`, to a catalogue. */
export function withLearnedFields(
  catalogue: Catalogue,
  kinds: ReadonlyMap<string, { readonly fields: LearnedFields }>,
): Catalogue {
  if (kinds.size === 0) return catalogue;
  const opened = new Map<string, Structure | undefined>();
  const learned = {
    ...catalogue,
    structure: (group: string, version: string, kind: string) => {
      const known = catalogue.structure(group, version, kind);
      const versions = kinds.get(`${group}/${kind}`)?.fields.structures;
      if (known !== undefined || versions === undefined || !Object.hasOwn(versions, version)) return known;
      return getOrAdd(opened, `${group}/${version}/${kind}`, () => openSerialized(versions[version] ?? ''));
    },
  };
  const immutable: Record<string, ImmutableKind> = {};
  for (const [name, { fields }] of kinds) if (fields.immutable) immutable[name] = fields.immutable;
  return Object.keys(immutable).length === 0 ? learned : withImmutableFields(learned, immutable);
}

function withImmutableFields(catalogue: Catalogue, kinds: Readonly<Record<string, ImmutableKind>>): Catalogue {
  const learned = openImmutableFields(() => ({ kinds, types: {} }));
  return {
    ...catalogue,
    immutableChanges: (old, fresh, version) => [
      ...catalogue.immutableChanges(old, fresh, version),
      ...learned.changes(old, fresh, version),
    ],
    hasImmutableFields: (group, kind) => catalogue.hasImmutableFields(group, kind) || learned.has(group, kind),
    isImmutable: (...field) => catalogue.isImmutable(...field) || learned.covers(...field),
  };
}

/** Adds facts on learned kinds to a catalogue. The facts that the catalogue already has on a kind take precedence. The facts are indexed on first use, because most catalogues are replaced before they are used, while definitions are still being read. */
export function withLearnedKinds(catalogue: Catalogue, facts: readonly { readonly fact: KindFact }[]): Catalogue {
  if (facts.length === 0) return catalogue;
  const byName = once(() => new Map(facts.map(({ fact }) => [`${fact.group}/${fact.kind}`, fact])));
  const words = once(() => wordsOf(facts));
  return {
    ...catalogue,
    kind: (group, version, kind) => catalogue.kind(group, version, kind) ?? byName().get(`${group}/${kind}`),
    named: (word) => [...catalogue.named(word), ...(words().get(word.toLowerCase()) ?? [])],
  };
}

/** Returns the kinds by the names that commands use for them, in lower case. */
function wordsOf(facts: readonly { readonly fact: KindFact }[]): ReadonlyMap<string, readonly GroupKind[]> {
  const words = new Map<string, GroupKind[]>();
  for (const { fact } of facts) {
    const { group, kind, plural = '', shortNames = [], categories = [] } = fact;
    for (const word of new Set([kind.toLowerCase(), plural, ...shortNames, ...categories])) {
      for (const spelled of [word, `${word}.${group}`]) getOrAdd(words, spelled, () => []).push({ group, kind });
    }
  }
  return words;
}

const pod: GroupKind = { group: '', kind: 'Pod' };

/** Field names that have the same meaning in all Kubernetes APIs: `podSelector`, `clientPodSelector`, `namespaceSelector`. */
const targetsByName: readonly (readonly [RegExp, GroupKind])[] = [
  [/(?:^p|P)od(?:Label)?Selector$/, pod],
  [/(?:^n|N)amespace(?:Label)?Selector$/, { group: '', kind: 'Namespace' }],
  [/(?:^n|N)ode(?:Label)?Selector$/, { group: '', kind: 'Node' }],
];

/** Returns the facts on a selector of which only the shape is known. The selected kind is derived from the field name if possible. */
export function selectorOfShape(path: string): SelectorFact {
  const role = selectorRoleOf(path);
  const field = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
  return {
    path,
    form: 'labelSelector',
    targets: targetsByName.filter(([name]) => name.test(field)).map(([, target]) => target),
    reach: 'unknown',
    absent: 'unknown',
    null: 'unknown',
    empty: 'unknown',
    mustMatchTemplate: false,
    immutable: false,
    plain: false,
    ...(role === undefined ? {} : { role }),
  };
}

/** Returns the facts on a pod template of which only the shape is known. */
export function templateOfShape(path: string): TemplateFact {
  return { path, makes: pod, open: true };
}
