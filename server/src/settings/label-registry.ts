/** The registry of labels: what a team states about label keys in `labels:`, `labelPolicy` and `recommendedLabels`, and the labels that Kubernetes recommends. */

import { getOrAdd } from '../engine/memoize.ts';
import { matcherOf } from '../manifests/go-pattern.ts';
import { globMatcher } from '../text/glob.ts';
import type { Kinds, ValueSource, WrittenDemand, WrittenLabel } from './label-shapes.ts';
import type { LabelPolicy, RecommendedLabels } from './settings.ts';

/** Where a label must be. */
export interface Demand {
  /** The kinds of the objects that need the label in their metadata; absent if objects do not need it. */
  readonly objects?: Kinds;
  /** The kinds of the objects whose pods need the label; absent if pods do not need it. */
  readonly pods?: Kinds;
  /** Whether Namespaces need the label. */
  readonly namespaces: boolean;
  /** The files in which the label is required, relative to the folder of the configuration; absent for all files. */
  readonly files?: { readonly globs: readonly string[]; includes(path: string): boolean };
}

/** The allowed values of a label. A value is allowed if one of the parts allows it. */
export interface Allowed {
  readonly values: readonly string[];
  /** A regular expression (RE2) for the whole value. */
  readonly pattern?: string;
  readonly from?: ValueSource;
}

/** The statements about one label key. A key may have several entries, which apply to different kinds. */
export interface RegisteredLabel {
  readonly key: string;
  /** The part of the configuration that contains the entry; `kubernetes` for a label that Kubernetes recommends. */
  readonly source: 'labels' | 'labelPolicy' | 'recommendedLabels' | 'kubernetes';
  readonly meaning?: string;
  readonly owner?: string;
  /** The kinds to which the entry applies; all kinds if the list is empty or contains `*`. */
  readonly kinds: readonly string[];
  /** Absent if all values are allowed. */
  readonly allowed?: Allowed;
  readonly required?: Demand;
  /** In `objects`, an empty list means every kind that creates pods. */
  readonly recommended?: Demand;
  readonly forbidden: boolean;
  /** A date such as `2026-03-01`. */
  readonly since?: string;
  readonly replaces: readonly string[];
  /** False if selectors must not use the label. */
  readonly selectable: boolean;
}

/** All statements about labels that apply to a file. */
export interface LabelRegistry {
  /** The entries that a team wrote, in their order. */
  readonly entries: readonly RegisteredLabel[];
  /** The entries that a team wrote, and those of the recommended labels of Kubernetes that it does not describe. */
  readonly all: readonly RegisteredLabel[];
  /** Returns the entries of a key, those of `labels:` first. */
  of(key: string): readonly RegisteredLabel[];
  /** Returns the entry with the label that replaces a key. */
  replacementOf(key: string): RegisteredLabel | undefined;
  /** Whether a team states anything that the rule `label-policy` checks. */
  readonly hasPolicy: boolean;
}

/** The parts of a configuration, or of the settings, that describe labels. */
export interface LabelStatements {
  readonly labels?: Readonly<Record<string, WrittenLabel>> | undefined;
  readonly labelPolicy?: readonly LabelPolicy[] | undefined;
  readonly recommendedLabels?: Partial<RecommendedLabels> | undefined;
}

/** The labels that Kubernetes recommends for all objects of an application. https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
export const recommendedKeys: readonly string[] = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/component',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/managed-by',
];

/** Recommended labels whose values change with releases or tools, so that they are unsuitable for selectors. */
const unstable: ReadonlySet<string> = new Set(['app.kubernetes.io/version', 'app.kubernetes.io/managed-by']);

/** Returns the registry of some statements. */
export function labelRegistry({ labels = {}, labelPolicy = [], recommendedLabels }: LabelStatements): LabelRegistry {
  const entries = [
    ...Object.entries(labels).map(([key, label]) => described(key, label)),
    ...labelPolicy.map(fromPolicy),
    ...(recommendedLabels?.keys ?? []).map((key) => fromRecommended(key, recommendedLabels?.kinds ?? [])),
  ];
  const byKey = new Map<string, RegisteredLabel[]>();
  for (const entry of entries) getOrAdd(byKey, entry.key, () => []).push(entry);
  const all = [...entries];
  for (const key of recommendedKeys) {
    if (byKey.get(key)?.some(({ source }) => source === 'labels')) continue;
    const entry = { ...plain(key, 'kubernetes'), selectable: !unstable.has(key) };
    all.push(entry);
    getOrAdd(byKey, key, () => []).push(entry);
  }
  const replacements = new Map(entries.flatMap((entry) => entry.replaces.map((old) => [old, entry] as const)));
  return {
    entries,
    all,
    of: (key) => byKey.get(key) ?? [],
    replacementOf: (key) => replacements.get(key),
    hasPolicy: entries.some(isPolicy),
  };
}

/** Whether the rule `label-policy` checks anything for an entry. */
function isPolicy({ source, required, forbidden, allowed, replaces, selectable }: RegisteredLabel): boolean {
  if (source === 'labelPolicy') return true;
  return required !== undefined || forbidden || allowed !== undefined || replaces.length > 0 || !selectable;
}

function plain(key: string, source: RegisteredLabel['source']): RegisteredLabel {
  return { key, source, kinds: [], forbidden: false, replaces: [], selectable: true };
}

function described(key: string, label: WrittenLabel): RegisteredLabel {
  const { meaning, owner, kinds = [], values, pattern, from, forbidden = false, since, replaces = [] } = label;
  const required = demandOf(label.required, kinds);
  const recommended = demandOf(label.recommended, kinds);
  const isLimited = values !== undefined || pattern !== undefined || from !== undefined;
  return {
    key,
    source: 'labels',
    kinds,
    ...(meaning !== undefined && { meaning }),
    ...(owner !== undefined && { owner }),
    ...(isLimited && {
      allowed: {
        values: values ?? [],
        ...(pattern !== undefined && { pattern }),
        ...(from !== undefined && { from }),
      },
    }),
    ...(required !== undefined && { required }),
    ...(recommended !== undefined && { recommended }),
    forbidden,
    ...(since !== undefined && { since }),
    replaces,
    selectable: label.selectable ?? true,
  };
}

/** Returns where a label is required; undefined if it is not required anywhere. */
function demandOf(written: WrittenDemand | undefined, kinds: readonly string[]): Demand | undefined {
  if (written === undefined || written === false) return undefined;
  if (written === true) return { objects: kindsOf(kinds), namespaces: false };
  const { objects = false, pods = false, namespaces = false, files } = written;
  if (objects === false && pods === false && !namespaces) return undefined;
  return {
    ...(objects !== false && { objects: objects === true ? kindsOf(kinds) : kindsOf(objects) }),
    ...(pods !== false && { pods: pods === true ? true : kindsOf(pods) }),
    namespaces,
    ...(files !== undefined && { files: { globs: files, includes: globMatcher(files) } }),
  };
}

function kindsOf(kinds: readonly string[]): Kinds {
  return kinds.length === 0 || kinds.includes('*') ? true : kinds;
}

/** An item of `labelPolicy` has the meaning of a description with the same keys. */
function fromPolicy({ key, kinds = [], required, forbidden = false, values }: LabelPolicy): RegisteredLabel {
  return {
    ...plain(key, 'labelPolicy'),
    kinds,
    forbidden,
    ...(values !== undefined && { allowed: { values } }),
    ...(required === true && !forbidden && { required: { objects: kindsOf(kinds), namespaces: false } }),
  };
}

function fromRecommended(key: string, kinds: readonly string[]): RegisteredLabel {
  return { ...plain(key, 'recommendedLabels'), recommended: { objects: kinds, namespaces: false } };
}

/** Whether an entry applies to a kind. */
export function appliesTo({ kinds }: Pick<RegisteredLabel, 'kinds'>, kind: string): boolean {
  return kinds.length === 0 || kinds.includes('*') || kinds.includes(kind);
}

/** Whether a demand includes a kind. */
export function includesKind(kinds: Kinds | undefined, kind: string): boolean {
  return kinds === true || kinds?.includes(kind) === true;
}

/** Whether a value is allowed. `fromSource` contains the values of the source; if the source is unknown, a value that no other part allows is unknown too (undefined). */
export function isAllowed(
  { values, pattern, from }: Allowed,
  value: string,
  fromSource: readonly string[] | undefined,
): boolean | undefined {
  if (values.includes(value)) return true;
  if (pattern !== undefined && matcherOf(pattern)?.(value) === true) return true;
  if (from === undefined) return false;
  return fromSource?.includes(value);
}
