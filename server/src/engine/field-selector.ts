/** Parses field selectors and matches them against fields. */

import { excerpt } from './messages.ts';
import { parsed } from './problems.ts';
import type { FieldRequirement, FieldSelector, Parsed, Problem } from './types.ts';
import { compareBytes } from './utf8.ts';

/** The syntax node for one comma-separated part of the text. */
export interface FieldNode {
  readonly start: number;
  readonly end: number;
  readonly field: { readonly start: number; readonly end: number };
  readonly operator: { readonly start: number; readonly end: number };
  /** The span of the value as written, including its escapes. */
  readonly value: { readonly start: number; readonly end: number };
  /** The parsed requirement; absent if the text is not valid. */
  readonly requirement?: FieldRequirement;
}

export interface FieldTree {
  readonly requirements: readonly FieldNode[];
  readonly problems: readonly Problem[];
}

/** Parses a selector in the syntax of `--field-selector`. Reports the problems `operator-expected` and `escape-syntax`, each with its span; `partial` has the requirements without a problem. Does not check whether a kind supports the fields; the catalogue contains the supported fields. Defined by `ParseSelector` in k8s.io/apimachinery/pkg/fields. */
export function parseFieldSelector(text: string): Parsed<FieldSelector> {
  const { requirements: nodes, problems } = parseFieldTree(text);
  // Kubernetes sorts the parts in their written form, which determines the order in which it prints them.
  const sorted = nodes
    .map((node) => ({ node, piece: text.slice(node.start, node.end) }))
    .sort((a, b) => compareBytes(a.piece, b.piece));
  const requirements: FieldRequirement[] = [];
  for (const { node } of sorted) {
    const { requirement } = node;
    if (requirement && !(requirement.field === '' && requirement.value === '')) requirements.push(requirement);
  }
  return parsed(problems, { requirements }, requirements.length > 0);
}

/** Parses a field selector into its nodes with their spans, in the order of the text, and every problem. */
export function parseFieldTree(text: string): FieldTree {
  const requirements: FieldNode[] = [];
  const problems: Problem[] = [];
  let start = 0;
  while (start <= text.length) {
    const end = pieceEnd(text, start);
    if (end > start) {
      const node = pieceNode(text, start, end, problems);
      if (node) requirements.push(node);
    }
    start = end + 1;
  }
  return { requirements, problems };
}

/** Whether `fields` (field name to value) satisfy a field selector. An absent field has the empty string as its value. Defined by `Matches` of `Selector` in k8s.io/apimachinery/pkg/fields. */
export function matchesFields(selector: FieldSelector, fields: Readonly<Record<string, string>>): boolean {
  return selector.requirements.every(({ field, operator, value }) => {
    if (typeof value !== 'string') return false;
    const actual = Object.hasOwn(fields, field) ? (fields[field] ?? '') : '';
    return (actual === value) === (operator === '=');
  });
}

/** Returns the offset of the next comma that is not escaped by a backslash, or the length of the text if there is none. */
function pieceEnd(text: string, start: number): number {
  let index = start;
  while (index < text.length && text[index] !== ',') index += text[index] === '\\' ? 2 : 1;
  return Math.min(index, text.length);
}

/**
 * Splits a part at its first operator. No white space is trimmed, and a backslash before the operator belongs to the
 * field.
 */
function pieceNode(text: string, start: number, end: number, problems: Problem[]): FieldNode | undefined {
  const at = operatorAt(text, start, end);
  if (at === end) {
    const message = `expected '=' or '!=' and a value after '${excerpt(text.slice(start, end))}'`;
    problems.push({ code: 'operator-expected', message, start, end });
    return undefined;
  }
  const negated = text[at] === '!';
  const valueStart = negated || (text[at + 1] === '=' && at + 1 < end) ? at + 2 : at + 1;
  const value = withoutEscapes(text, valueStart, end, problems);
  const node: FieldNode = {
    start,
    end,
    field: { start, end: at },
    operator: { start: at, end: valueStart },
    value: { start: valueStart, end },
  };
  if (value === undefined) return node;
  return { ...node, requirement: { field: text.slice(start, at), operator: negated ? '!=' : '=', value } };
}

function operatorAt(text: string, start: number, end: number): number {
  for (let index = start; index < end; index++) {
    if (text[index] === '=' || (text[index] === '!' && text[index + 1] === '=' && index + 1 < end)) return index;
  }
  return end;
}

/** Returns a value without its escapes. If the value has invalid escapes, reports a problem for each of them and returns undefined. */
function withoutEscapes(text: string, start: number, end: number, problems: Problem[]): string | undefined {
  const before = problems.length;
  let value = '';
  for (let index = start; index < end; index++) {
    const character = text[index] ?? '';
    if (character === '=') {
      const message = "value must not contain a bare '=': write '\\='";
      problems.push({ code: 'escape-syntax', message, start: index, end: index + 1 });
    } else if (character === '\\') {
      const escaped = index + 1 < end ? (text[index + 1] ?? '') : '';
      if (escaped === '' || !'\\,='.includes(escaped)) {
        const message = "value must not contain a '\\' that is not followed by '\\', ',' or '=': write '\\\\'";
        problems.push({ code: 'escape-syntax', message, start: index, end: index + 1 });
      }
      value += escaped;
      index++;
    } else value += character;
  }
  return problems.length > before ? undefined : value;
}
