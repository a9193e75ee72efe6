/** Completion in the items of `matchExpressions`, and of the fields of the enclosing selector. */

import type { SelectorSite } from '../../manifests/model.ts';
import {
  type Draft,
  type DraftEntries,
  stop,
  typedEntries,
  typedEntry,
  typedValue,
} from '../../manifests/write/write-completion.ts';
import { english, localized } from '../../text/localize.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { type Completing, item, scalarItem, type TargetOf } from './completion-item.ts';
import { type Count, having, lacking, type Tally, without } from './label-counts.ts';
import type { Completion } from './model.ts';
import {
  aboutReached,
  countOf,
  fromWorkloads,
  reachableKeys,
  type Surroundings,
  selectorOfParts,
  surroundingsOf,
  valueItems,
  wholeSelectors,
} from './selector-completion.ts';

type InExpression = Completing<TargetOf<'expressionField' | 'expressionKey' | 'operator' | 'expressionValue'>>;

const always = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Returns the operators that the API server accepts at a selector site. */
function operatorsAt({ fact }: SelectorSite, onFields: boolean): readonly string[] {
  if (onFields) return ['In', 'NotIn'];
  return fact.form.startsWith('nodeSelector') ? [...always, 'Gt', 'Lt'] : always;
}

const aRequirement = { label: 'key, operator, values', kind: 'field', description: 'a requirement' } as const;

function requirement(site: SelectorSite, onFields: boolean): DraftEntries {
  return [
    ['key', onFields ? 'metadata.name' : stop()],
    ['operator', stop(...operatorsAt(site, onFields))],
    ['values', { list: [stop()] }],
  ];
}

/** Returns the fields of a selector, such as `matchLabels`; in an empty selector, also a complete selector for each workload. */
export function selectorFields(completing: Completing<TargetOf<'selectorField'>>): readonly Completion[] {
  const { view, cursorTarget, place } = completing;
  const { site, fields } = place;
  const items = fields.map((field): Completion => {
    const draft = cursorTarget.style.needsColon ? draftOf(site, field) : '';
    const typed = typedEntry(view.text, cursorTarget, field, draft);
    return item(
      completing,
      { label: field, kind: 'field', description: localized(descriptions[field] ?? ''), goesOn: true },
      typed,
    );
  });
  const isEmpty = site.fact.form === 'labelSelector' && fields.length === 2 && cursorTarget.style.needsColon;
  return isEmpty ? [...items, ...fromWorkloads(completing, surroundingsOf(completing), 'field')] : items;
}

const descriptions: Readonly<Record<string, string>> = {
  matchLabels: english`labels with their values`,
  matchExpressions: english`keys with operators`,
  matchFields: english`nodes by their names`,
  nodeSelectorTerms: english`one of them must match`,
};

function draftOf(site: SelectorSite, field: string): Draft {
  switch (field) {
    case 'matchLabels':
      return { map: [] };
    case 'nodeSelectorTerms':
      return { list: [{ map: [['matchExpressions', { list: [{ map: requirement(site, false) }] }]] }] };
    default:
      return { list: [{ map: requirement(site, field === 'matchFields') }] };
  }
}

/** Returns complete selectors or, in an empty `matchExpressions` field, a list with one requirement. */
export function wholes(completing: Completing<TargetOf<'selector'>>): readonly Completion[] {
  const { view, cursorTarget, place } = completing;
  if (place.part !== 'matchExpressions') return wholeSelectors(completing);
  const typed = typedValue(view.text, cursorTarget, { list: [{ map: requirement(place.site, false) }] });
  return [item(completing, { ...aRequirement, goesOn: true }, typed)];
}

/** Returns the fields that a requirement lacks: `key`, `operator`, `values`. */
export function expressionFields(completing: Completing<TargetOf<'expressionField'>>): readonly Completion[] {
  const { view, cursorTarget, place } = completing;
  const { site, fields, onFields, expression } = place;
  const drafts = new Map(requirement(site, onFields));
  const matchesNone = expression.operator?.text === 'Exists' || expression.operator?.text === 'DoesNotExist';
  const left = fields.filter((field) => field !== 'values' || !matchesNone);
  const single = left.map((field): Completion => {
    const typed = typedEntry(view.text, cursorTarget, field, drafts.get(field) ?? stop());
    return item(completing, { label: field, kind: 'field', ...(field !== 'values' && { goesOn: true }) }, typed);
  });
  if (left.length < 3 || !cursorTarget.style.needsColon) return single;
  const whole = typedEntries(view.text, cursorTarget, requirement(site, onFields));
  // The key is completed next, unless only one key is possible.
  return [item(completing, { ...aRequirement, goesOn: !onFields }, whole), ...single];
}

/** Returns the keys for a requirement, the most distinctive first. */
export function expressionKeys(completing: Completing<TargetOf<'expressionKey'>>): readonly Completion[] {
  const { view, place } = completing;
  if (place.onFields) return [scalarItem(completing, { label: 'metadata.name', kind: 'key' })];
  const around = surroundingsOf(completing);
  const tally = tallyBeside(completing, around);
  return reachableKeys(completing, around, tally).map(({ key, count }) => {
    const fact = view.catalogue.key(key);
    const description =
      count === undefined ? 'well-known' : countOf(around, matchedBy(completing, tally, key, count), key);
    const documentation = () => aboutReached(fact, around, key, undefined);
    return scalarItem(completing, { label: key, kind: 'key', description, documentation });
  });
}

/** Counts the labels of the objects that satisfy all other requirements of the selector. */
function tallyBeside({ place }: InExpression, { reachable }: Surroundings): Tally {
  return reachable(selectorOfParts(place.site.entries, place.beside));
}

/** Returns the number of objects that match if the requirement at the cursor has this key. */
function matchedBy({ place }: InExpression, tally: Tally, key: string, count: Count): Count {
  const { operator, values } = place.expression;
  const known = values.map(({ text }) => text);
  return matchedWith(tally, operator?.text ?? 'Exists', key, known, count);
}

function matchedWith(tally: Tally, operator: string, key: string, values: readonly string[], count: Count): Count {
  switch (operator) {
    case 'In':
      return values.length === 0 ? count : having(tally, key, values);
    case 'NotIn':
      return values.length === 0 ? count : lacking(tally, key, values);
    case 'DoesNotExist':
      return without(tally.total, count);
    default:
      return count;
  }
}

const meanings: Readonly<Record<string, string>> = {
  In: 'the value is one of these',
  NotIn: 'the value is none of these, or the key is absent',
  Exists: 'the key is present',
  DoesNotExist: 'the key is absent',
  Gt: 'the value is an integer greater than this',
  Lt: 'the value is an integer less than this',
};

/** Returns the operators that the API server accepts for a requirement. */
export function expressionOperators(completing: Completing<TargetOf<'operator'>>): readonly Completion[] {
  const { place } = completing;
  const { key, values } = place.expression;
  const operators = operatorsAt(place.site, place.onFields);
  // If the requirement has values, only operators that accept values are offered, so that the values stay valid.
  const fitting = values.length === 0 ? operators : operators.filter((each) => !/Exist/.test(each));
  const around = key === undefined || place.onFields ? undefined : surroundingsOf(completing);
  const tally = around && tallyBeside(completing, around);
  const matched = (operator: string): string | undefined => {
    const isKnown = /Exist/.test(operator) || (values.length > 0 && /In$/.test(operator));
    if (around === undefined || tally === undefined || key === undefined || !isKnown || around.elsewhere !== undefined)
      return undefined;
    const count = [...tally.keys()].find(([each]) => each === key.text)?.[1] ?? { certain: 0, maybe: 0 };
    const listed = values.map(({ text }) => text);
    return countOf(around, matchedWith(tally, operator, key.text, listed, count));
  };
  return fitting.map((operator) => {
    const count = matched(operator);
    return scalarItem(completing, {
      label: operator,
      kind: 'operator',
      detail: ` ${meanings[operator] ?? ''}`,
      ...(count !== undefined && { description: count }),
    });
  });
}

/** Returns the values for a requirement, except values that it already lists. */
export function expressionValues(completing: Completing<TargetOf<'expressionValue'>>): readonly Completion[] {
  const { view, cursorTarget, place } = completing;
  const { key, operator } = place.expression;
  if (operator !== undefined && !/In$/.test(operator.text)) return [];
  const listed = place.expression.values.map(({ text }) => text);
  const shown = place.onFields
    ? nodeNames(completing)
    : key === undefined
      ? []
      : valuesOf(completing, key.text, listed);
  const free = shown.filter(({ label }) => !listed.includes(label));
  if (!place.whole) return free.map((each) => scalarItem(completing, each));
  return free.map((each) => item(completing, each, typedValue(view.text, cursorTarget, { list: [each.label] })));
}

function valuesOf(completing: Completing<TargetOf<'expressionValue'>>, key: string, listed: readonly string[]) {
  const { place } = completing;
  const around = surroundingsOf(completing);
  const tally = tallyBeside(completing, around);
  const excludes = place.expression.operator?.text === 'NotIn';
  const matched = (value: string) => (excludes ? lacking : having)(tally, key, [...listed, value]);
  return valueItems(completing, around, tally, key, matched);
}

function nodeNames({ view, place }: Completing<TargetOf<'expressionValue'>>) {
  const names = new Set<string>();
  for (const target of place.site.fact.targets) {
    for (const { object } of view.workspace.find(kindKey(target), { kind: 'everything' })) {
      if (typeof object.name?.value === 'string') names.add(object.name.value);
    }
  }
  return [...names].map((label) => ({ label, kind: 'value' as const }));
}
