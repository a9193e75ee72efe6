/** Finds labels and selectors that violate what a team states about labels. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, LabelSite, ManifestObject } from '../../manifests/model.ts';
import { appliesTo, type LabelRegistry, type RegisteredLabel } from '../../settings/label-registry.ts';
import type { Span } from '../../text/span.ts';
import type { RuleContext } from '../framework/rule.ts';
import { type AllowedValues, allowedValues } from './allowed-values.ts';
import { isDemanded, type LabelPlace, labelPlaces } from './label-demands.ts';
import { isRelabelled } from './relabeled.ts';
import { requirementSites } from './requirement-ranges.ts';
import { isKnownMap } from './validated-labels.ts';

interface InMap<How> {
  readonly how: How;
  readonly site: LabelSite;
  readonly entry: LabelEntry;
}

/** A violation of an entry of the registry. `values` are the values that the entry allows, if it limits them. */
export type Violation = {
  readonly span: Span;
  readonly object: ManifestObject;
  readonly label: RegisteredLabel;
  readonly values?: AllowedValues;
} & (
  | { readonly how: 'missing'; readonly place: LabelPlace }
  | InMap<'forbidden'>
  | InMap<'value'>
  | InMap<'replaced'>
  /** A selector uses a label that selectors must not use. */
  | { readonly how: 'selector'; readonly path: string }
);

/** A violation by a label that is in a map. */
export type LabelViolation = Exclude<Violation, { readonly how: 'missing' | 'selector' }>;

/** Yields the labels of an object that violate the registry. */
export function* violationsInMaps(
  context: RuleContext,
  registry: LabelRegistry,
  object: ManifestObject,
): Generator<LabelViolation, void> {
  for (const site of object.labelSites.filter((each) => each.place.holds === 'labels' && isKnownMap(each))) {
    for (const label of registry.entries) if (isMeant(label, object, site)) yield* inMap(context, object, label, site);
    yield* replacedIn(context, registry, object, site);
  }
}

/** Yields the violations of the registry in an object. */
export function* violations(
  context: RuleContext,
  registry: LabelRegistry,
  object: ManifestObject,
): Generator<Violation, void> {
  const replacing = new Map<LabelSite, Set<RegisteredLabel>>();
  for (const found of violationsInMaps(context, registry, object)) {
    if (found.how === 'replaced') getOrAdd(replacing, found.site, () => new Set<RegisteredLabel>()).add(found.label);
    yield found;
  }
  // A label that is there under its old key is only reported as replaced.
  const isReplaced = ({ site }: LabelPlace, label: RegisteredLabel) =>
    site !== undefined && replacing.get(site)?.has(label) === true;
  if (!isRelabelled(context, object))
    for (const label of registry.entries)
      for (const found of missing(context, object, label)) if (!isReplaced(found.place, label)) yield found;
  yield* inSelectors(registry, object);
}

/** Whether an entry applies to an object or, for the labels of a template, to the kind of object that the template creates. */
function isMeant(label: RegisteredLabel, object: ManifestObject, site?: LabelSite): boolean {
  return appliesTo(label, site?.place.of?.kind ?? object.kind);
}

function* inMap(
  context: RuleContext,
  object: ManifestObject,
  label: RegisteredLabel,
  site: LabelSite,
): Generator<LabelViolation, void> {
  if (!label.forbidden && label.allowed === undefined) return;
  const entry = lastEntry(site, label.key);
  if (entry === undefined) return;
  if (label.forbidden) yield { span: entry.key.span, object, label, how: 'forbidden', site, entry };
  const { value, type, span } = entry.value;
  if (label.forbidden || label.allowed === undefined || typeof value !== 'string' || type === 'null') return;
  const values = allowedValues(context, label.allowed);
  if (values.allows(value) === false) yield { span, object, label, how: 'value', values, site, entry };
}

function lastEntry({ entries }: LabelSite, key: string): LabelEntry | undefined {
  return entries.findLast((entry) => entry.key.value === key && !entry.merged && !entry.conditional);
}

/** Yields the keys in a map that other keys replace, unless the map also has the other key. */
function* replacedIn(
  context: RuleContext,
  registry: LabelRegistry,
  object: ManifestObject,
  site: LabelSite,
): Generator<LabelViolation & InMap<'replaced'>, void> {
  for (const entry of site.entries) {
    const label = typeof entry.key.value === 'string' ? registry.replacementOf(entry.key.value) : undefined;
    if (label === undefined || entry.merged || entry.conditional || !isMeant(label, object, site)) continue;
    const mayHave =
      site.open || site.entries.some(({ key }) => key.text === label.key || typeof key.value !== 'string');
    if (mayHave || lastEntry(site, entry.key.text) !== entry) continue;
    const values = label.allowed && allowedValues(context, label.allowed);
    yield { span: entry.key.span, object, label, how: 'replaced', site, entry, ...(values && { values }) };
  }
}

type Missing = Violation & { readonly how: 'missing' };

/** Yields the places of an object that certainly lack a required label in the cluster. */
function* missing(context: RuleContext, object: ManifestObject, label: RegisteredLabel): Generator<Missing, void> {
  const { required, key } = label;
  if (required === undefined || label.forbidden) return;
  for (const place of labelPlaces(object)) {
    if (place.mayHaveMore || !isDemanded(context, required, place)) continue;
    if (place.entries.some((entry) => entry.key.text === key || typeof entry.key.value !== 'string')) continue;
    const values = label.allowed && allowedValues(context, label.allowed);
    yield { span: place.span, object, label, how: 'missing', place, ...(values && { values }) };
  }
}

/** Yields the requirements of selectors on labels that selectors must not use. */
function* inSelectors(registry: LabelRegistry, object: ManifestObject): Generator<Violation, void> {
  const unselectable = registry.entries.filter(({ selectable }) => !selectable);
  for (const site of unselectable.length === 0 ? [] : object.selectorSites) {
    if (site.state === 'ignored' || site.fact.targets.length === 0) continue;
    const labelOf = (key: string) =>
      unselectable.find((label) => label.key === key && site.fact.targets.some(({ kind }) => appliesTo(label, kind)));
    for (const { requirement, key, entry } of requirementSites(site, (each) => labelOf(each.key) !== undefined)) {
      const label = labelOf(requirement.key);
      if (label !== undefined && !entry?.merged) yield { span: key, object, label, how: 'selector', path: site.path };
    }
  }
}
