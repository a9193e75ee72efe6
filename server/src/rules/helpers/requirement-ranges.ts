/** Finds the ranges of the requirements in a selector. */

import type { NodeSelectorTerm, Operator, Requirement } from '../../engine/index.ts';
import { fieldOf } from '../../engine/structured.ts';
import type { Expression, LabelEntry, SelectorSite } from '../../manifests/model.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import type { Span } from '../../text/span.ts';
import { termsOf } from '../../workspace/selection/effective-selector.ts';
import { spanInText } from './text-span.ts';

/** A requirement and its source: an entry of a map, a match expression, or a part of a selector string. */
export interface RequirementSite {
  readonly requirement: Requirement;
  /** The span of the key, at which findings about the requirement are shown. */
  readonly key: Span;
  /** The span of the value or values; if there are none, the span of the key. */
  readonly value: Span;
  readonly entry?: LabelEntry;
  readonly expression?: Expression;
  /** For a requirement in a selector string: its offsets in this string. */
  readonly piece?: Span;
}

/** Returns the requirements of a selector that was parsed successfully, in the order of the file. */
export function requirementSites(
  site: SelectorSite,
  isMeant: (requirement: Requirement) => boolean = () => true,
): readonly RequirementSite[] {
  const selector = site.selector?.ok ? site.selector.value : undefined;
  if (selector?.kind !== 'all' || !selector.requirements.some(isMeant)) return [];
  const written =
    site.text === undefined ? [...entrySites(site), ...expressionSites(site.expressions)] : textSites(site);
  return paired(selector.requirements, written)
    .filter(({ requirement }) => isMeant(requirement))
    .toSorted(byPosition);
}

function byPosition(a: RequirementSite, b: RequirementSite): number {
  return a.key.start - b.key.start;
}

/** A valid term of a node selector, with its requirements in the order of the file. The key of a requirement in `matchFields` is the name of the field. */
export interface TermSites {
  readonly term: NodeSelectorTerm;
  readonly places: readonly RequirementSite[];
  /** All expressions of the term, including invalid ones. */
  readonly expressions: readonly Expression[];
}

/** Returns the valid terms of a node selector, each with the ranges of its requirements. */
export function termSites(site: SelectorSite): readonly TermSites[] {
  const { data, fact, expressions } = site;
  const terms: unknown = fact.form === 'nodeSelectorTerm' ? [data] : fieldOf(data, 'nodeSelectorTerms');
  const sizes = Array.isArray(terms) ? terms.map(sizeOfTerm) : [];
  return termsOf(site).map((term) => {
    const start = sizes.slice(0, term.index).reduce((sum, size) => sum + size, 0);
    const own = expressions.slice(start, start + (sizes[term.index] ?? 0));
    const fields = term.fields.map(({ field, operator, value }): Requirement => {
      return { key: field, operator: operator === '=' ? 'in' : 'notin', values: [value] };
    });
    const places = paired([...term.labels, ...fields], expressionSites(own));
    return { term, places: places.toSorted(byPosition), expressions: own };
  });
}

function sizeOfTerm(term: unknown): number {
  const lists = [fieldOf(term, 'matchExpressions'), fieldOf(term, 'matchFields')];
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

type Written = Omit<RequirementSite, 'requirement'> & {
  /**
   * The key, operator and values of a requirement in one string, by which the requirement and its source are paired.
   */
  readonly described: string;
};

function paired(requirements: readonly Requirement[], written: readonly Written[]): readonly RequirementSite[] {
  const left = [...written];
  return requirements.flatMap((requirement) => {
    const described = saying(requirement);
    const at = left.findIndex((each) => each.described === described);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found === undefined) return [];
    const { described: _, ...place } = found;
    return [{ requirement, ...place }];
  });
}

function saying({ key, operator, values }: Requirement): string {
  return [key, operator, ...values.map((value) => (typeof value === 'string' ? value : value.unknown))].join('\n');
}

/** Returns the entries of a selector as requirements; for duplicate keys, only the last entry. */
function entrySites(site: SelectorSite): readonly Written[] {
  const last = new Map(site.entries.map((entry) => [entry.key.text, entry]));
  return [...last.values()].map((entry) => ({
    described: saying({
      key: entry.key.text,
      operator: '=',
      values: [entry.value.type === 'null' ? '' : entry.value.text],
    }),
    key: entry.key.span,
    value: entry.value.type === 'null' ? entry.key.span : entry.value.span,
    entry,
  }));
}

function expressionSites(expressions: readonly Expression[]): readonly Written[] {
  return expressions.flatMap((expression) => {
    const { key, operator, values } = expression;
    const meant = operators.get(operator?.text ?? '');
    if (key === undefined || meant === undefined) return [];
    const [first] = values;
    return [
      {
        described: saying({ key: key.text, operator: meant, values: values.map((value) => value.text) }),
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
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

function textSites({ text, fact }: SelectorSite): readonly Written[] {
  if (text === undefined) return [];
  return textTree(text.text, fact).requirements.flatMap(({ key, values, start, end, requirement }) => {
    if (key === undefined || requirement === undefined) return [];
    const span = spanInText(text, key);
    const [first] = values;
    const value = values.length === 1 && first !== undefined && first.end > first.start ? first : key;
    return [
      {
        described: saying(requirement),
        key: span,
        value: spanInText(text, value),
        piece: { start, end },
      },
    ];
  });
}
