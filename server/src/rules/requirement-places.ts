/** Where is each requirement of a selector written? */

import { type Operator, parseSelectorTree, type Requirement, type Selector } from '../engine/index.ts';
import type { Expression, LabelEntry, SelectorSite } from '../manifests/manifest.ts';
import type { Span } from '../text/span.ts';
import { spanInText } from './text-span.ts';

/** One requirement and what it is written as: an entry of a map, an expression, a piece of a string. */
export interface RequirementPlace {
  readonly requirement: Requirement;
  /** What a finding about it marks: its key. */
  readonly key: Span;
  /** What it demands: the value, or the values; the key where it names none. */
  readonly value: Span;
  readonly entry?: LabelEntry;
  readonly expression?: Expression;
  /** In a selector that is written as a string: its offsets in that string. */
  readonly piece?: Span;
}

/** The requirements of a selector that was read without a problem, in the order of the file; those that are meant. */
export function requirementPlaces(
  site: SelectorSite,
  isMeant: (requirement: Requirement) => boolean = () => true,
): readonly RequirementPlace[] {
  const selector = site.selector?.ok ? site.selector.value : undefined;
  if (selector?.kind !== 'all' || !selector.requirements.some(isMeant)) return [];
  const written = site.text === undefined ? [...entryPlaces(site), ...expressionPlaces(site)] : textPlaces(site);
  return paired(selector, written)
    .filter(({ requirement }) => isMeant(requirement))
    .toSorted((a, b) => a.key.start - b.key.start);
}

type Written = Omit<RequirementPlace, 'requirement'> & {
  /** Key, operator and values as one text. */
  readonly said: string;
};

/** A requirement meets what is written for it. */
function paired(
  selector: Selector & { readonly kind: 'all' },
  written: readonly Written[],
): readonly RequirementPlace[] {
  const left = [...written];
  return selector.requirements.flatMap((requirement) => {
    const said = saying(requirement);
    const at = left.findIndex((each) => each.said === said);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found === undefined) return [];
    const { said: _, ...place } = found;
    return [{ requirement, ...place }];
  });
}

function saying({ key, operator, values }: Requirement): string {
  return [key, operator, ...values.map((value) => (typeof value === 'string' ? value : value.unknown))].join('\n');
}

/** Of a repeated key the last entry counts. */
function entryPlaces(site: SelectorSite): readonly Written[] {
  const last = new Map(site.entries.map((entry) => [entry.key.text, entry]));
  return [...last.values()].map((entry) => ({
    said: saying({ key: entry.key.text, operator: '=', values: [entry.value.type === 'null' ? '' : entry.value.text] }),
    key: entry.key.span,
    value: entry.value.type === 'null' ? entry.key.span : entry.value.span,
    entry,
  }));
}

function expressionPlaces(site: SelectorSite): readonly Written[] {
  return site.expressions.flatMap((expression) => {
    const { key, operator, values } = expression;
    const meant = operators.get(operator?.text ?? '');
    if (key === undefined || meant === undefined) return [];
    const [first] = values;
    return [
      {
        said: saying({ key: key.text, operator: meant, values: values.map((value) => value.text) }),
        key: key.span,
        value: values.length === 1 && first !== undefined ? first.span : key.span,
        expression,
      },
    ];
  });
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

function textPlaces({ text }: SelectorSite): readonly Written[] {
  if (text === undefined) return [];
  return parseSelectorTree(text.text).requirements.flatMap(({ key, values, start, end, requirement }) => {
    if (key === undefined || requirement === undefined) return [];
    const span = spanInText(text, key);
    const [first] = values;
    const value = values.length === 1 && first !== undefined && first.end > first.start ? first : key;
    return [
      {
        said: saying(requirement),
        key: span,
        value: spanInText(text, value),
        piece: { start, end },
      },
    ];
  });
}
