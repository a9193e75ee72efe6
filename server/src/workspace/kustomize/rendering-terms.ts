/** Extracts names and labels from renderings, so that only renderings that contain a requested name or label are built again. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { LabelSet, Requirement, Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { kindKey } from '../index/file-outline.ts';
import type { EffectiveObject, Rendering, RenderingTerms, RequiredLabel } from '../model.ts';
import { alternativesOf, isUnevaluated } from '../selection/effective-selector.ts';
import { selectsInOwnNamespace } from '../selection/own-namespace.ts';
import type { Files } from './inputs.ts';

export function renderedNameTerm(name: string): string {
  return `${namePrefix}${name}`;
}

const namePrefix = 'name ';

/** Returns the terms of the names in the terms of a rendering. */
export function nameTermsIn(terms: ReadonlySet<string>): readonly string[] {
  return [...terms].filter((term) => term.startsWith(namePrefix));
}

export function labelTerm(key: string, value: string): string {
  return `${labelPrefix}${key}=${value}`;
}

/** The beginning of every term of a label. */
export const labelPrefix = 'label ';

/** Whether a rendering with these terms may contain an object whose labels a selector certainly matches. */
export function mayHoldLabels(terms: ReadonlySet<string>, selector: Selector): boolean {
  return hasOneOfEach(terms, alternativeTerms(selector));
}

/** Whether the terms contain one of each of the alternatives that `alternativeTerms` returned. */
export function hasOneOfEach(terms: ReadonlySet<string>, alternatives: ReturnType<typeof alternativeTerms>): boolean {
  return alternatives?.every((each) => each.some((term) => terms.has(term))) === true;
}

/** Returns, for each required label, the terms of which every rendering for which `mayHoldLabels` is true contains one; undefined if no rendering fulfills the condition. */
export function alternativeTerms(selector: Selector): readonly (readonly string[])[] | undefined {
  if (selector.kind !== 'all') return undefined;
  return requiredLabels(selector).map(({ key, values }) => values.map((value) => labelTerm(key, value)));
}

/** Returns the labels that every matching label set has. */
export function requiredLabels(selector: Selector): readonly RequiredLabel[] {
  if (selector.kind !== 'all') return [];
  return selector.requirements.flatMap(({ key, operator, values }) => {
    if (operator !== '=' && operator !== '==' && operator !== 'in') return [];
    return [{ key, values: values.filter((value) => typeof value === 'string') }];
  });
}

/** Extracts the terms of a rendering. `ownedBy` returns the term of an object that a GitOps object owns. */
export function termsOf(
  { objects }: Rendering,
  files: Files['files'],
  ownedBy?: (object: EffectiveObject) => string | undefined,
): RenderingTerms {
  const terms = new Set<string>();
  let count = 0;
  for (const built of objects) {
    const { file, object } = built;
    if (object.forCluster) count++;
    const owned = ownedBy?.(built);
    if (owned !== undefined) terms.add(owned);
    const written = files.get(file.uri)?.manifest.objects ?? [];
    for (const each of [object, ...written.filter(({ kindSpan }) => kindSpan.start === object.kindSpan.start)])
      if (each.name !== undefined) terms.add(renderedNameTerm(each.name.text));
    for (const { labels } of labeledObjectsOf(object))
      for (const [key, value] of Object.entries(labels))
        if (typeof value === 'string') terms.add(labelTerm(key, value));
    for (const term of relationTerms(object)) terms.add(term);
  }
  return { terms, objects: count };
}

/** The terms that determine whether objects of a rendering may match selectors, or its selectors other objects. */
const relation = {
  /** Some labels of an object are unknown, so that any selector may match them. */
  unknownLabels: 'unknown labels',
  /** The value of a label with a key is unknown, or a controller may add labels to an object that has the key. */
  unknownKey: (key: string) => `unknown ${key}`,
  /** An object is in a namespace; `?` if the namespace is unknown. */
  in: (namespace: string) => `in ${namespace}`,
  /** A selector requires a label; without a value, it requires a key with certain values. It matches objects only in its own namespace, or in other namespaces as well. */
  selects: (reach: 'own' | 'others', key: string, value?: string) =>
    `selects in ${reach} ${key}${value === undefined ? '' : `=${value}`}`,
  /** A selector may match objects with any labels in its own namespace; `?` if the namespace is unknown. */
  selectsIn: (namespace: string) => `selects in ${namespace}`,
  /** A selector may match objects of a kind with any labels, in any namespace; `*` means all kinds. */
  selectsAnywhere: (target: string) => `selects anywhere ${target}`,
};

const unknownNamespace = '?';

function* relationTerms(object: ManifestObject): Iterable<string> {
  const { value } = object.namespace ?? {};
  const namespace = typeof value === 'string' ? value : unknownNamespace;
  yield relation.in(namespace);
  for (const { labels, open, guessed } of labeledObjectsOf(object)) {
    if (open && !guessed) yield relation.unknownLabels;
    for (const [key, value] of Object.entries(labels))
      if (guessed || typeof value !== 'string') yield relation.unknownKey(key);
  }
  for (const site of object.selectorSites) {
    const isOwn = selectsInOwnNamespace(object, site);
    const { targets } = site.fact;
    const withAnyLabels = () =>
      isOwn ? [relation.selectsIn(namespace)] : (targets.length === 0 ? [anyKind] : targets).map(selectsAnywhere);
    if (isUnevaluated(site)) yield* withAnyLabels();
    for (const selector of alternativesOf(site)) {
      if (selector.kind === 'nothing') continue;
      const first = knownLabels(selector)[0];
      if (first !== undefined) {
        const reach = isOwn ? 'own' : 'others';
        yield relation.selects(reach, first.key);
        for (const each of first.values) yield relation.selects(reach, first.key, each);
      } else yield* withAnyLabels();
    }
  }
}

const anyKind = { group: '*', kind: '*' };

function selectsAnywhere(target: GroupKind): string {
  return relation.selectsAnywhere(target.kind === '*' ? '*' : kindKey(target));
}

function knownLabels(selector: Selector): readonly RequiredLabel[] {
  if (selector.kind !== 'all') return [];
  const isKnown = ({ values }: Requirement) => values.every((value) => typeof value === 'string');
  return requiredLabels({ kind: 'all', requirements: selector.requirements.filter(isKnown) });
}

/** Whether a rendering with these terms contains an object that is certainly in a namespace. */
export function hasObjectsIn(terms: ReadonlySet<string>, namespace: string): boolean {
  return terms.has(relation.in(namespace));
}

/** Whether a rendering with these terms may contain an object that a selector may match, in a namespace if it selects only there. */
export function mayMatchSelector(
  terms: ReadonlySet<string>,
  selector: Selector,
  namespace: string | undefined,
): boolean {
  if (selector.kind === 'nothing' || (namespace !== undefined && !mayBeIn(terms, namespace))) return false;
  if (terms.has(relation.unknownLabels)) return true;
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  if (requirements.some(({ key }) => terms.has(relation.unknownKey(key)))) return true;
  return knownLabels(selector).every(({ key, values }) => values.some((value) => terms.has(labelTerm(key, value))));
}

/** Whether a rendering with these terms may contain an object in a namespace. */
export function mayBeIn(terms: ReadonlySet<string>, namespace: string): boolean {
  return [namespace, unknownNamespace].some((each) => terms.has(relation.in(each)));
}

/** Whether a rendering with these terms may contain a selector that may match labels of an object in a namespace, if the namespace is known. `target` is the `kindKey` of the object. */
export function maySelectLabels(
  terms: ReadonlySet<string>,
  { labels, open, changeable }: LabelSet,
  target: string,
  namespace: string | undefined,
): boolean {
  if (open || changeable !== undefined || namespace === undefined) return true;
  if ([target, '*'].some((each) => terms.has(relation.selectsAnywhere(each)))) return true;
  if ([namespace, unknownNamespace].some((each) => terms.has(relation.selectsIn(each)))) return true;
  const reaches = mayBeIn(terms, namespace) ? (['own', 'others'] as const) : (['others'] as const);
  return Object.entries(labels).some(([key, value]) =>
    reaches.some((reach) => terms.has(relation.selects(reach, key, typeof value === 'string' ? value : undefined))),
  );
}

/** Returns the labels in the terms of a rendering: the values of each key. */
export function labelsIn(terms: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  return getOrAdd(labels, terms, () => {
    const found = new Map<string, string[]>();
    for (const term of terms) {
      const equals = term.indexOf('=');
      if (equals !== -1 && term.startsWith(labelPrefix))
        getOrAdd(found, term.slice(labelPrefix.length, equals), () => []).push(term.slice(equals + 1));
    }
    return found;
  });
}

const labels = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, readonly string[]>>();
