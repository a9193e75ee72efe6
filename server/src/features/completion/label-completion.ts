/** Completion of the labels of an object or template: labels that its selector requires, recommended labels, and labels of other objects. */

import type { GroupKind, KeyFact } from '../../engine/catalogue/types.ts';
import { isLabelValue, isReservedPrefix } from '../../engine/index.ts';
import type { LabelSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { type Draft, stop, typedEntry } from '../../manifests/write/write-completion.ts';
import { labelRegistryFor } from '../../rules/framework/team-settings.ts';
import { type AllowedValues, allowedValues } from '../../rules/helpers/allowed-values.ts';
import { isDemanded, labelPlaces } from '../../rules/helpers/label-demands.ts';
import { appliesTo, type RegisteredLabel } from '../../settings/label-registry.ts';
import { localize } from '../../text/localize.ts';
import { derivedLabel } from '../../workspace/derived-labels.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { usersByValue, usersOf } from '../../workspace/label-users.ts';
import { aboutKey } from '../presentation/key-text.ts';
import { statementsAbout, usersText } from '../presentation/label-statements.ts';
import { code, escapeMarkdown } from '../presentation/markdown.ts';
import type { FileView } from '../view.ts';
import { type ChartValue, chartValueOf } from './chart-values.ts';
import { type Completing, item, scalarItem, soundKeys, soundValues, type TargetOf } from './completion-item.ts';
import { type Tally, tallyOfCounts } from './label-counts.ts';
import type { Completion } from './model.ts';
import { mostItems } from './most-frequent.ts';

type InLabels = Completing<TargetOf<'label'> & { readonly site: LabelSite }>;

/** A label to offer, and the reason, which the item shows. */
interface Offer {
  readonly key: string;
  readonly value?: string;
  readonly why: string;
}

/** Returns the keys that can be added to a map of labels, required keys first. */
export function labelKeys(completing: InLabels): readonly Completion[] {
  const there = new Set(completing.place.others.map((entry) => entry.key.text));
  const items: Completion[] = [];
  for (const offer of offers(completing)) {
    if (there.has(offer.key)) continue;
    there.add(offer.key);
    items.push(keyItem(completing, offer));
  }
  return items;
}

function keyItem(completing: InLabels, { key, value, why }: Offer): Completion {
  const { view, cursorTarget } = completing;
  const draft: Draft = value ?? stop();
  const fact = view.catalogue.key(key);
  const withValue = cursorTarget.style.needsColon && value !== undefined;
  return item(
    completing,
    {
      label: key,
      kind: 'key',
      ...(withValue && { detail: `: ${value}` }),
      description: why,
      ...(cursorTarget.style.needsColon && value === undefined && { goesOn: true }),
      documentation: () => documentation(view, key, fact),
    },
    typedEntry(view.text, cursorTarget, key, draft),
  );
}

/** Describes a key: what the team states about it, its meaning in Kubernetes, and its users. */
function documentation(view: FileView, key: string, fact: KeyFact | undefined): string {
  const users = usersText(usersOf(view.workspace, key));
  return [
    ...statementsAbout({ ...view, uri: view.file.uri }, key).map(escapeMarkdown),
    ...(fact === undefined ? [] : [aboutKey(fact)]),
    ...(users === '' ? [] : [localize`On ${users} in this workspace.`]),
  ].join('\n\n');
}

/** Yields the labels that the object's own selector requires, that the label policy requires, that Kubernetes recommends, and that other objects have. */
function* offers(completing: InLabels): Iterable<Offer> {
  const { view, cursorTarget, place, typed } = completing;
  for (const [key, value] of demanded(completing)) yield { key, value, why: 'required by its selector' };
  const labels = registered(completing);
  const demands = demandedHere(completing);
  for (const label of labels) {
    if (!demands(label)) continue;
    const { listed, isComplete } = valuesOf(completing, label);
    const value = isComplete && listed.length === 1 ? listed[0] : undefined;
    yield { key: label.key, ...(value !== undefined && { value }), why: 'required by the label policy' };
  }
  const forbidden = new Set(labels.flatMap((label) => (label.forbidden ? label.key : [])));
  for (const { key, source } of labels)
    if (source === 'labels' && !forbidden.has(key)) yield { key, why: 'described by the team' };
  for (const { key } of view.catalogue.keys().filter(isRecommended)) {
    // In a template, the actions for the value are offered after the key.
    const value = chartValueOf(view, key) === undefined ? sensibleValue(completing, key) : undefined;
    if (!forbidden.has(key)) yield { key, ...(value !== undefined && { value }), why: 'recommended' };
  }
  const kind = place.site.place.of ?? cursorTarget.object;
  const [ours, theirs] = tallies(completing);
  for (const [key] of soundKeys(ours.keys(), typed)) {
    if (!forbidden.has(key) && !isSetAtRunTime(completing, key)) yield { key, why: `on other ${kind.kind} objects` };
  }
  for (const fact of wellKnownOf(completing, kind, theirs)) {
    const [only, ...others] = fact.values ?? [];
    const value = others.length === 0 ? only : undefined;
    if (!forbidden.has(fact.key)) yield { key: fact.key, ...(value !== undefined && { value }), why: 'well-known' };
  }
  for (const [key] of soundKeys(theirs.keys(), typed)) {
    if (!forbidden.has(key) && !isSetAtRunTime(completing, key)) yield { key, why: 'in this workspace' };
  }
}

/** Counts the labels on objects of the same kind, and on all objects. */
function tallies({ view, cursorTarget, place }: InLabels) {
  const kind = kindKey(place.site.place.of ?? cursorTarget.object);
  const all = [...view.workspace.targets()].map((target) => view.workspace.labelCounts(target));
  return [tallyOfCounts([view.workspace.labelCounts(kind)]), tallyOfCounts(all)] as const;
}

/** Returns the labels, with plain string values, that the map must have because a selector of the object must match it. */
function demanded({ cursorTarget, place }: InLabels): ReadonlyMap<string, string> {
  const asking = cursorTarget.object.selectorSites.filter(({ fact, path }) => {
    const { mustMatchTemplate, templateLabelsAt } = fact;
    return mustMatchTemplate && templateLabelsAt && concretePath(templateLabelsAt, path) === place.site.path;
  });
  const entries = asking.flatMap(({ entries: all }) => all);
  return new Map(
    entries.flatMap(({ key, value }): [string, string][] => {
      const isPlain = typeof key.value === 'string' && typeof value.value === 'string' && value.type === 'string';
      return isPlain && isLabelValue(value.text) ? [[key.text, value.text]] : [];
    }),
  );
}

/** Returns the statements of the team that apply to the kind with the labels. */
function registered({ view, cursorTarget, place }: InLabels): readonly RegisteredLabel[] {
  const kind = place.site.place.of?.kind ?? cursorTarget.object.kind;
  return labelRegistryFor({ ...view, uri: view.file.uri }).entries.filter((label) => appliesTo(label, kind));
}

/** Returns a function that decides whether a label is required in the map at the cursor. */
function demandedHere({ view, cursorTarget, place }: InLabels): (label: RegisteredLabel) => boolean {
  const here = labelPlaces(cursorTarget.object).find(({ site }) => site?.path === place.site.path);
  const context = { ...view, uri: view.file.uri };
  return ({ required }) => required !== undefined && here !== undefined && isDemanded(context, required, here);
}

function valuesOf({ view }: InLabels, { allowed }: RegisteredLabel): Pick<AllowedValues, 'listed' | 'isComplete'> {
  return allowed === undefined
    ? { listed: [], isComplete: false }
    : allowedValues({ ...view, uri: view.file.uri }, allowed);
}

function isRecommended(fact: KeyFact): boolean {
  return fact.status === 'recommended' && fact.type !== 'annotation';
}

/** Returns the well-known labels for a kind that have a fixed set of values: Kubernetes labels, and labels of other tools whose prefix occurs in the workspace. */
function wellKnownOf({ view }: InLabels, { kind }: GroupKind, used: Tally): readonly KeyFact[] {
  const prefixes = new Set([...used.keys()].map(([key]) => prefixOf(key)));
  return view.catalogue.keys().filter((fact) => {
    const isLabel = (fact.type === 'label' || fact.type === 'both') && !fact.pattern;
    const isMeant = isLabel && fact.kinds.includes(kind) && (fact.values?.length ?? 0) > 0 && isCurrent(fact);
    const prefix = prefixOf(fact.key);
    return isMeant && prefix !== '' && (isReservedPrefix(prefix) || prefixes.has(prefix));
  });
}

function prefixOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}

const outdated: ReadonlySet<string> = new Set(['deprecated', 'removed', 'nonexistent', 'non-functional', 'internal']);

/** Whether a key is current. Deprecated and removed keys are not offered. */
export function isCurrent(fact: KeyFact): boolean {
  return !outdated.has(fact.status);
}

/** Whether a well-known key is outdated, or is a key that controllers set (like `pod-template-hash`) and for which no file contains a value. */
function isSetAtRunTime({ view }: InLabels, key: string): boolean {
  const fact = view.catalogue.key(key);
  if (fact === undefined) return false;
  if (!isCurrent(fact)) return true;
  if (fact.status === 'recommended' || fact.status === 'convention') return false;
  for (const target of view.workspace.targets()) {
    for (const _ of view.workspace.labelCounts(target).values(key)) return false;
  }
  return true;
}

/** Returns the values for the key at the cursor: required values first, then the most frequent values. */
export function labelValues(completing: InLabels): readonly Completion[] {
  const { view, place, typed } = completing;
  const key = place.key ?? '';
  const values = new Map<string, string>();
  const add = (value: string | undefined, why: string) => {
    if (value !== undefined && isLabelValue(value) && !values.has(value)) values.set(value, why);
  };
  add(demanded(completing).get(key), 'required by its selector');
  for (const label of registered(completing))
    if (label.key === key)
      for (const value of valuesOf(completing, label).listed) add(value, 'allowed by the label policy');
  const ofChart = chartValueOf(view, key);
  add(ofChart?.literal, ofChart?.why ?? '');
  add(sensibleValue(completing, key), 'from this object');
  const fact = view.catalogue.key(key);
  const isConvention = fact?.status === 'convention';
  if (!isConvention) for (const value of fact?.values ?? []) add(value, 'well-known');
  const [ours, theirs] = tallies(completing);
  for (const tally of [ours, theirs]) {
    if (values.size <= mostItems)
      for (const [value] of soundValues(tally.values(key), typed)) add(value, 'in this workspace');
  }
  // Values in the workspace take precedence over conventions.
  if (isConvention) for (const value of fact.values ?? []) add(value, 'a convention');
  const items = [...values].map(([value, why]) =>
    scalarItem(completing, {
      label: value,
      kind: 'value',
      description: why,
      documentation: () => usedBy(completing, key, value),
    }),
  );
  return ofChart === undefined ? items : [actionItem(completing, ofChart), ...items];
}

/** Returns the item that writes a template action, in the quotes that are there. */
function actionItem(completing: InLabels, { action, why }: ChartValue): Completion {
  const { token, style } = completing.cursorTarget;
  const quote = style.quotes === 'plain' ? '' : style.quotes === 'double' ? '"' : "'";
  const text = quote === '' ? action : `${quote}${action.replace(' | quote', '')}${quote}`;
  return item(completing, { label: action, kind: 'value', description: why }, { edit: { span: token, text } });
}

function usedBy({ view }: InLabels, key: string, value: string): string {
  const users = usersByValue(view.workspace, key).get(value);
  if (users === undefined) return localize`No object in this workspace has ${code(`${key}=${value}`)} yet.`;
  return localize`${code(`${key}=${value}`)} is on ${usersText(users)} in this workspace.`;
}

/** Derives the probable value of a recommended label from the object and its scope. */
function sensibleValue({ view, cursorTarget: { object, root } }: InLabels, key: string): string | undefined {
  return derivedLabel(key, { object, root, scope: view.workspace.scopes().of(view.file.uri)[0] });
}
