/** Completion of labels in a selector: the labels of the objects that it can select, each with the number of objects that the selector would then match. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { GroupKind, KeyFact } from '../../engine/catalogue/types.ts';
import {
  evaluate,
  fromLabelSelector,
  isLabelKey,
  isLabelValue,
  type Requirement,
  type Selector,
} from '../../engine/index.ts';
import type { Expression, LabelEntry, LabelSite, SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import {
  type DraftEntries,
  stop,
  typedEntries,
  typedEntry,
  typedValue,
} from '../../manifests/write/write-completion.ts';
import { needsQuotes } from '../../manifests/yaml/scalar-types.ts';
import { isSetByController } from '../../rules/helpers/controller-keys.ts';
import { localize } from '../../text/localize.ts';
import { shifted } from '../../text/span.ts';
import type { Candidate, Found } from '../../workspace/model.ts';
import { nearestCandidates, type Reach, reachOf } from '../../workspace/selection/candidates.ts';
import { targetsOf } from '../../workspace/selection/selection.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import { aboutKey } from '../presentation/key-text.ts';
import { code, escapeMarkdown } from '../presentation/markdown.ts';
import { objectName } from '../presentation/object-names.ts';
import { knownNamespaces } from '../selected/known-namespaces.ts';
import type { FileView } from '../view.ts';
import { completeCalicoText } from './calico-text-completion.ts';
import {
  type Completing,
  item,
  ownerOf,
  scalarItem,
  soundKeys,
  soundValues,
  type TargetOf,
} from './completion-item.ts';
import { derivedCalicoKeys, derivedValues } from './derived-labels.ts';
import { isCurrent } from './label-completion.ts';
import {
  type Count,
  countText,
  having,
  isWritten,
  type Reachable,
  type Tally,
  tallyOf,
  tallyOfCounts,
} from './label-counts.ts';
import type { Completion } from './model.ts';
import { type NearestLabels, nearestLabels } from './nearest-labels.ts';
import { completeSelectorText } from './selector-text-completion.ts';

type InSelector = Completing & { readonly place: { readonly site: SelectorSite } };

/** The objects that a selector can select, evaluated once. */
export interface Surroundings {
  readonly reach: Reach;
  readonly reachable: Reachable;
  /** The labels of the workload's own template; set if the selector must match this template. */
  readonly own?: LabelSite;
  /**
   * The order of labels from other scopes; set only if the selector's scope contains no object that the selector could
   * match.
   */
  readonly elsewhere?: NearestLabels;
}

/** Returns the objects that the selector at the cursor can select. */
export function surroundingsOf(completing: InSelector): Surroundings {
  const { view, place, cursorTarget } = completing;
  const { site } = place;
  const lead = appliedLead(view, ownerOf(completing));
  const reach = reachOf(lead.workspace, view.catalogue, lead.owner, site);
  const own = ownTemplate(cursorTarget.object.labelSites, site);
  const shared = { reach, ...(own && own.entries.length > 0 && { own }) };
  if (reach.labeledObjects.length > 0)
    return { ...shared, reachable: (chosen) => tallyOf(chosenFrom(reach.labeledObjects, chosen)) };
  const nearest = nearestCandidates(view.workspace, ownerOf(completing), site);
  const counts = targetsOf(view.workspace, site).map((target) => view.workspace.labelCounts(target));
  return {
    ...shared,
    reachable: nearest.length === 0 ? () => tallyOfCounts(counts) : (chosen) => tallyOf(chosenFrom(nearest, chosen)),
    elsewhere: nearestLabels(view, nearest),
  };
}

function ownTemplate(labelSites: readonly LabelSite[], { fact, path }: SelectorSite): LabelSite | undefined {
  const { mustMatchTemplate, templateLabelsAt } = fact;
  if (!mustMatchTemplate || templateLabelsAt === undefined) return undefined;
  const concrete = concretePath(templateLabelsAt, path);
  return labelSites.find((each) => each.path === concrete);
}

function* chosenFrom(labeledObjects: readonly Candidate[], chosen: Selector) {
  for (const reached of labeledObjects) {
    const answer = evaluate(chosen, reached.labelSet);
    if (answer === 'no' || (answer === 'maybe' && reached.labeledObject.guessed)) continue;
    yield { labelSet: reached.labelSet, answer: reached.answer === 'yes' ? answer : ('maybe' as const) };
  }
}

/** Returns the selector that consists of the given entries and expressions; invalid parts are ignored. */
export function selectorOfParts(entries: readonly LabelEntry[], expressions: readonly Expression[]): Selector {
  const read = fromLabelSelector({
    matchLabels: Object.fromEntries(entries.map(({ key, value }) => [key.text, value.value])),
    matchExpressions: expressions.flatMap(({ key, operator, values }) => {
      if (key === undefined || operator === undefined) return [];
      return [
        {
          key: key.value,
          operator: operator.text,
          ...(values.length > 0 && { values: values.map((each) => each.value) }),
        },
      ];
    }),
  });
  return read.ok ? read.value : (read.partial ?? { kind: 'everything' });
}

/** Returns the description of an item: the number of objects that the selector would match, or the location of the nearest object with the label. */
export function countOf({ elsewhere, reach }: Surroundings, count: Count, key = '', value?: string): string {
  if (elsewhere) return elsewhere.reasonOf(key, value);
  if (!reach.cut) return countText(count);
  const near = count.certain + count.maybe;
  return near === 0 ? localize`matches nothing nearby` : localize`matches ${near} or more`;
}

/** A key that the selector can require. The count is absent for a well-known key that no object has. */
interface ReachableKey {
  readonly key: string;
  readonly count?: Count;
}

/** Returns the keys that can be added to a selector, the most distinctive first. */
export function reachableKeys(
  { view, place, typed }: InSelector,
  around: Surroundings,
  tally: Tally,
): readonly ReachableKey[] {
  const { own } = around;
  const onOwn = own && new Set(own.entries.map((entry) => entry.key.text));
  const usable = ([key]: readonly [string, unknown]) =>
    isWritten(tally, key) && (onOwn === undefined || onOwn.has(key));
  const left = soundKeys(tally.keys(), typed).filter(usable);
  const matching = new Set(left.map(([key]) => key));
  const others = soundKeys(around.reachable({ kind: 'everything' }).keys(), typed).filter(usable);
  const unmatched = others.flatMap(([key]) => (matching.has(key) ? [] : [[key, noMatches] as const]));
  const farOf = (key: string) => around.elsewhere?.rankOf(key) ?? 0;
  const known = [...left.toSorted(([a], [b]) => poor(a) - poor(b) || farOf(a) - farOf(b)), ...unmatched];
  const there = new Set(known.map(([key]) => key));
  const wellKnown = wellKnownKeys(view.catalogue.keys(), place.site).filter(({ key }) => !there.has(key));
  return [...known.map(([key, count]) => ({ key, count })), ...wellKnown.map(({ key }) => ({ key }))];
}

function poor(key: string): number {
  return changing.has(key) ? 1 : 0;
}

const noMatches: Count = { certain: 0, maybe: 0 };

/** Keys whose values change with each release or are the same on all objects: they are valid in a selector but rarely useful. */
const changing: ReadonlySet<string> = new Set([
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
  'heritage',
]);

/** Returns the well-known node labels for a node selector, because manifests rarely contain Nodes. */
function wellKnownKeys(keys: readonly KeyFact[], { fact }: SelectorSite): readonly KeyFact[] {
  return fact.form.startsWith('nodeSelector') ? wellKnownOn(keys, fact.targets[0]?.kind) : [];
}

/** Returns the well-known labels of objects of a kind; labels of Kubernetes come first. */
export function wellKnownOn(keys: readonly KeyFact[], kind: string | undefined): readonly KeyFact[] {
  const ofKubernetes = ({ key }: KeyFact) => (/^[a-z.]*kubernetes\.io\//.test(key) ? 0 : 1);
  return keys
    .filter(
      ({ type, pattern, kinds }) => (type === 'label' || type === 'both') && !pattern && kinds.includes(kind ?? ''),
    )
    .filter(isCurrent)
    .toSorted((a, b) => ofKubernetes(a) - ofKubernetes(b));
}

/** Returns the keys that can be added to `matchLabels`, or to a selector that is a plain map. */
export function selectorKeys(completing: Completing<TargetOf<'label'> & { readonly site: SelectorSite }>) {
  const { view, cursorTarget, place } = completing;
  const around = surroundingsOf(completing);
  const tally = around.reachable(selectorOfParts(place.others, place.site.expressions));
  const there = new Set(place.others.map((entry) => entry.key.text));
  const keys = reachableKeys(completing, around, tally).filter(({ key }) => !there.has(key));
  const items = keys.map(({ key, count }): Completion => {
    const value = onlyValue(tally, key, around);
    const fact = view.catalogue.key(key);
    const isPair = cursorTarget.style.needsColon && value !== undefined;
    return item(
      completing,
      {
        label: key,
        kind: 'key',
        ...(isPair && { detail: `: ${value}` }),
        description:
          count === undefined ? 'well-known' : countOf(around, isPair ? having(tally, key, [value]) : count, key),
        ...(cursorTarget.style.needsColon && value === undefined && { goesOn: true }),
        documentation: () => aboutReached(fact, around, key, undefined),
      },
      typedEntry(view.text, cursorTarget, key, value ?? stop()),
    );
  });
  if (place.others.length > 0 || !cursorTarget.style.needsColon) return items;
  const written = new Set(items.map(({ edit }) => edit.text));
  return [...items, ...fromWorkloads(completing, around, 'entries').filter(({ edit }) => !written.has(edit.text))];
}

/** Returns the value of a key in the workload's own template, or else its value on the counted objects if all of them have the same value. */
function onlyValue(tally: Tally, key: string, { own }: Surroundings): string | undefined {
  const written = own?.entries.find((entry) => entry.key.text === key)?.value;
  if (written !== undefined)
    return typeof written.value === 'string' && written.type === 'string' ? written.text : undefined;
  const [first, ...others] = soundValues(tally.values(key), '');
  return others.length === 0 && tally.unknown(key) === 0 ? first?.[0] : undefined;
}

/** Returns the values for the key at the cursor in a selector. */
export function selectorValues(completing: Completing<TargetOf<'label'> & { readonly site: SelectorSite }>) {
  const { place } = completing;
  const around = surroundingsOf(completing);
  const tally = around.reachable(selectorOfParts(place.others, place.site.expressions));
  return valueItems(completing, around, tally, place.key ?? '', (value) => having(tally, place.key ?? '', [value])).map(
    (shown) => scalarItem(completing, shown),
  );
}

type ShownValue = Pick<Completion, 'label' | 'description' | 'documentation'> & { readonly kind: 'value' };

/** Returns the values of a key, the most frequent first; values with which the selector would match nothing come last. */
export function valueItems(
  completing: InSelector,
  around: Surroundings,
  tally: Tally,
  key: string,
  matched: (value: string) => Count,
): readonly ShownValue[] {
  const { view, place, typed } = completing;
  const written = around.own?.entries.find((entry) => entry.key.text === key)?.value.text;
  const farOf = (value: string) => around.elsewhere?.rankOf(key, value) ?? 0;
  const all = soundValues(around.reachable({ kind: 'everything' }).values(key), typed).toSorted(
    ([a], [b]) => farOf(a) - farOf(b),
  );
  const left = new Map(tally.values(key));
  const known = [...all.filter(([value]) => left.has(value)), ...all.filter(([value]) => !left.has(value))]
    .map(([value]) => value)
    .filter((value) => written === undefined || value === written);
  const others = otherValues(view, place.site, key);
  const shown = (value: string, description: string): ShownValue => ({
    label: value,
    kind: 'value',
    description,
    documentation: () => aboutReached(undefined, around, key, value),
  });
  return [
    ...known.map((value) => shown(value, countOf(around, matched(value), key, value))),
    ...[...others].filter(([value]) => !known.includes(value)).map(([value, why]) => shown(value, why)),
  ];
}

/** Returns values that do not depend on the objects in scope: well-known values of node labels, and known namespaces. */
function otherValues(view: FileView, site: SelectorSite, key: string): ReadonlyMap<string, string> {
  const { fact } = site;
  if (fact.form.startsWith('nodeSelector'))
    return new Map((view.catalogue.key(key)?.values ?? []).map((value) => [value, 'well-known']));
  const isOfNamespace = ({ group, kind }: GroupKind) =>
    view.catalogue.kind(group, '', kind)?.nameLabels?.includes(nameLabel) === true;
  return key === nameLabel && fact.targets.some(isOfNamespace) ? knownNamespaces(view) : derivedValues(view, site, key);
}

const mostNamed = 10;

/** Describes a label key, and lists the objects that have the key or the label. */
export function aboutReached(
  fact: KeyFact | undefined,
  { reach }: Surroundings,
  key: string,
  value: string | undefined,
): string {
  const carrying = reach.labeledObjects.filter(({ labelSet: { labels } }) => {
    return Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);
  });
  const names = carrying.slice(0, mostNamed).map((each) => `- ${code(objectName(each.object))}${inNamespace(each)}`);
  if (carrying.length > mostNamed) names.push(localize`- and ${carrying.length - mostNamed} more`);
  const what = value === undefined ? key : `${key}=${value}`;
  const list = names.length === 0 ? [] : [`**Carry** ${code(what)} (${carrying.length})\n${names.join('\n')}`];
  return [...(fact ? [aboutKey(fact)] : []), ...list].join('\n\n');
}

function inNamespace({ object }: Found): string {
  return object.namespace === undefined ? '' : localize` in ${code(object.namespace.text)}`;
}

/** Returns complete selectors for a field without a value. */
export function wholeSelectors(completing: Completing<TargetOf<'selector'>>): readonly Completion[] {
  const { place } = completing;
  const around = surroundingsOf(completing);
  if (place.part === 'matchExpressions') return [];
  const isNested = place.part === 'selector' && place.site.fact.form === 'labelSelector';
  return fromWorkloads(completing, around, isNested ? 'selector' : 'map');
}

const mostWorkloads = 30;
/** The maximum number of comparisons for counts in the list; beyond it, a count is computed when its item is resolved. */
const mostCompared = 3_000;

/** Returns a selector for each workload that can be selected. `shape` is the form of the inserted text: `entries` of an existing map, a `matchLabels` `field`, or the whole `map` or `selector` after the colon. */
export function fromWorkloads(
  completing: InSelector,
  around: Surroundings,
  shape: 'entries' | 'field' | 'map' | 'selector',
): readonly Completion[] {
  const { view, cursorTarget } = completing;
  const seen = new Set<string>();
  const items: Completion[] = [];
  const isCheap = around.reach.labeledObjects.length * mostWorkloads <= mostCompared;
  for (const found of around.reach.labeledObjects) {
    if (items.length === mostWorkloads) break;
    if (around.own !== undefined && !isItself(completing, found)) continue;
    const labels = identifying(found, around);
    const id = JSON.stringify(labels);
    if (labels.length === 0 || seen.has(id)) continue;
    seen.add(id);
    const requirements = labels.map(([key, value]): Requirement => ({ key, operator: '=', values: [value] }));
    const count = () =>
      countOf(around, tallyOf(chosenFrom(around.reach.labeledObjects, { kind: 'all', requirements })).total);
    const entries: DraftEntries = shape === 'field' ? [['matchLabels', { map: labels }]] : labels;
    const whole = shape === 'selector' ? { map: [['matchLabels', { map: labels }] as const] } : { map: labels };
    const isBehind = shape === 'map' || shape === 'selector';
    items.push(
      item(
        completing,
        {
          label: objectName(found.object),
          kind: 'selector',
          detail: ` ${labels.map(([key, value]) => `${key}=${value}`).join(',')}`,
          ...(isCheap && { description: count() }),
          documentation: () =>
            localize`Selects ${escapeMarkdown(labels.map(([key, value]) => `${key}=${value}`).join(', '))}: ${count()}.`,
        },
        isBehind ? typedValue(view.text, cursorTarget, whole) : typedEntries(view.text, cursorTarget, entries),
      ),
    );
  }
  return items;
}

function isItself({ view, cursorTarget }: InSelector, { file, object }: Found): boolean {
  return (
    file.uri === view.file.uri &&
    object.kind === cursorTarget.object.kind &&
    object.name?.text === cursorTarget.object.name?.text
  );
}

/** Returns the labels that identify an object: labels that its own selector requires, or else all labels with stable values. */
function identifying({ object, labeledObject }: Found, { own }: Surroundings): readonly (readonly [string, string])[] {
  const onOwn = own && new Map(own.entries.map(({ key, value }) => [key.text, value.text]));
  const selector = object.selectorSites.find(({ fact }) => fact.mustMatchTemplate && labeledObject.via !== undefined);
  const asked = new Set(selector?.entries.map((entry) => entry.key.text));
  const known = Object.entries(labeledObject.labels).filter(
    (label): label is [string, string] => typeof label[1] === 'string',
  );
  const sound = known.filter(([key, value]) => isLabelKey(key) && value !== '' && isLabelValue(value));
  const usable = sound.filter(([key, value]) => !isSetByController(key) && (!onOwn || onOwn.get(key) === value));
  const chosen = usable.filter(([key]) => asked.has(key));
  return chosen.length > 0 ? chosen : usable.filter(([key]) => !changing.has(key));
}

/** Returns the completions in a selector that is written as a single string. */
export function selectorText(completing: Completing<TargetOf<'selectorText'>>): readonly Completion[] {
  const { view, cursorTarget, offset } = completing;
  const inner = insideQuotes(view.text, cursorTarget.token);
  const text = view.text.slice(inner.start, inner.end);
  const isCalico = completing.place.site.fact.form === 'calicoSelector';
  const { quotes } = cursorTarget.style;
  const isEscaped = /\\/.test(text) || (text.includes("''") && (quotes === 'single' || !isCalico));
  if (isEscaped || offset < inner.start || offset > inner.end) return [];
  const around = surroundingsOf(completing);
  const at = offset - inner.start;
  const items = isCalico
    ? completeCalicoText(text, at, around.reachable, quotes === 'single' ? '"' : "'", {
        keys: (typed) => derivedCalicoKeys(view, completing.place.site, typed),
        values: (key) => [...derivedValues(view, completing.place.site, key).keys()],
      })
    : completeSelectorText(text, at, around.reachable);
  return items.map((found): Completion => {
    const after = text.slice(0, found.edit.span.start) + found.edit.text + text.slice(found.edit.span.end);
    const mustQuote =
      cursorTarget.style.quotes === 'plain' && needsQuotes(cursorTarget.style.flow ? after : after.replaceAll(',', ''));
    const isEmptyJson = cursorTarget.style.quotes === 'double' && inner.start === cursorTarget.token.start;
    const span = shifted(found.edit.span, inner.start);
    const edit =
      mustQuote || isEmptyJson
        ? { span: cursorTarget.token, text: JSON.stringify(after) }
        : { span, text: found.edit.text };
    const { cursor } = found;
    const canJump = cursor !== undefined && edit.span === span;
    return {
      label: found.label,
      kind: found.kind,
      ...(found.matches && { description: countOf(around, found.matches) }),
      ...(found.goesOn && { goesOn: true }),
      filter: view.text.slice(edit.span.start, span.start) + found.label,
      edit,
      ...(canJump && { snippet: `${edit.text.slice(0, cursor)}$1${edit.text.slice(cursor)}` }),
    };
  });
}

/** Returns the span of a scalar without its quotes; the closing quote may be missing. */
export function insideQuotes(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return { start, end };
  return { start: start + 1, end: end - 1 > start && text[end - 1] === quote ? end - 1 : end };
}
