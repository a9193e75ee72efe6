/** Extracts names and labels from renderings, so that only renderings that contain a requested name or label are built again. */

import type { Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { EffectiveObject, Rendering, RenderingTerms, RequiredLabel } from '../model.ts';
import type { Files } from './inputs.ts';

/** Returns the term for the name of an object. */
export function renderedNameTerm(name: string): string {
  return `name ${name}`;
}

/** Returns the term for a label with a certain value. */
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
  }
  return { terms, objects: count };
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
