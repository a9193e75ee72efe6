/**
 * Completion in a selector text: keys, operators and values in the syntax of `kubectl -l`, in a manifest, a shell
 * command or a scratch document.
 */

import {
  isLabelKey,
  isLabelValue,
  parseSelectorTree,
  type Requirement,
  type RequirementNode,
  type Token,
} from '../../engine/index.ts';
import type { Edit } from '../../text/edit.ts';
import type { Span } from '../../text/span.ts';
import { allOf, type Count, having, isWritten, lacking, type Reachable, type Tally, without } from './label-counts.ts';
import { marker } from './marker.ts';
import { mostFrequent } from './most-frequent.ts';

export interface SelectorTextItem {
  readonly kind: 'key' | 'operator' | 'value';
  /** The text that is shown. The edit can insert additional characters around it. */
  readonly label: string;
  /** The edit, with offsets relative to the selector text. */
  readonly edit: Edit;
  /** The offset in the inserted text at which to place the cursor; absent for the end of the text. */
  readonly cursor?: number;
  /** The number of objects that the selector would match with this item; absent if unknown. */
  readonly matches?: Count;
  /** Whether to trigger completion again after the item is inserted. */
  readonly goesOn: boolean;
}

/** Returns the completions at `offset`, the most useful first; empty if only punctuation is possible. Long lists of keys or values are limited by `mostFrequent`. */
export function completeSelectorText(text: string, offset: number, reachable: Reachable): readonly SelectorTextItem[] {
  const word = wordAt(text, offset);
  const typed = text.slice(word.start, offset);
  const target = targetAt(text, word);
  if (target === undefined) return [];
  const tally = reachable(allOf(target.others));
  switch (target.kind) {
    case 'key':
      return keyItems({ text, word, typed }, target, tally);
    case 'operator':
      return operatorItems(word, target.key, tally);
    case 'value':
      return valueItems({ word, typed }, target, tally);
  }
}

/** Matches a character that ends a word in the Kubernetes lexer: white space or a symbol. */
const wordEnd = /[ \t\r\n\0=!<>(),]/;

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && !wordEnd.test(text[start - 1] ?? '')) start--;
  while (end < text.length && !wordEnd.test(text[end] ?? '')) end++;
  return { start, end };
}

type CompletionTarget = {
  /** All requirements except the one at the cursor. */
  readonly others: readonly Requirement[];
} & (
  | { readonly kind: 'key'; readonly negated: boolean; readonly used: ReadonlySet<string>; readonly alone: boolean }
  | { readonly kind: 'operator'; readonly key: string }
  | {
      readonly kind: 'value';
      readonly key: string;
      readonly operator: string;
      readonly listed: readonly string[];
      readonly bare: boolean;
    }
);

function targetAt(text: string, word: Span): CompletionTarget | undefined {
  const tree = parseSelectorTree(text.slice(0, word.start) + marker + text.slice(word.end));
  const token = tree.tokens.find((each) => each.start === word.start && each.text === marker);
  const node = tree.requirements.find((each) => each.start <= word.start && word.start < each.end);
  if (token === undefined || node === undefined) return undefined;
  const next = tree.tokens[tree.tokens.indexOf(token) + 1];
  // An empty word before `in` or `notin` has no completions: without a key before it, `notin` is itself a key, and a
  // comma would be missing.
  const isParted = word.start < word.end || !/^(?:not)?in$/i.test(next?.text ?? '');
  if (next?.role === 'unexpected' || !isParted) return undefined;
  const rest = tree.requirements.filter((each) => each !== node);
  const others = rest.flatMap(({ requirement }) => requirement ?? []);
  const key = node.key?.text ?? '';
  if (token === node.key) {
    const used = new Set(rest.flatMap((each) => each.key?.text ?? []));
    const negated = node.operator?.text === '!';
    return { kind: 'key', others, negated, used, alone: node.operator === undefined && isLast(node, token) };
  }
  if (node.values.includes(token)) {
    const listed = node.values.filter((each) => each !== token && each.end > each.start).map((each) => each.text);
    return { kind: 'value', others, key, operator: node.operator?.text ?? '', listed, bare: false };
  }
  const before = tree.tokens[tree.tokens.indexOf(token) - 1];
  if (before === node.key && before !== undefined) return { kind: 'operator', others, key };
  const isList = before?.text === 'in' || before?.text === 'notin';
  if (before === undefined || before !== node.operator || !isList) return undefined;
  return { kind: 'value', others, key, operator: before.text, listed: [], bare: true };
}

function isLast(node: RequirementNode, token: Token): boolean {
  return node.end === token.end;
}

/** The text of a selector, the word at the cursor, and the part of this word before the cursor. */
interface TypedWord {
  readonly text: string;
  readonly word: Span;
  readonly typed: string;
}

function keyItems(
  { text, word, typed: before }: TypedWord,
  { used, negated, alone }: CompletionTarget & { readonly kind: 'key' },
  tally: Tally,
): readonly SelectorTextItem[] {
  const typed = text.slice(word.start, word.end);
  const isOffered = (key: string) => !used.has(key) && isWritten(tally, key) && isLabelKey(key);
  const keys = mostFrequent(tally.keys(), isOffered, before);
  const items = keys.map(([key, count]): SelectorTextItem => {
    const matches = negated ? without(tally.total, count) : count;
    const known = alone || negated ? counted(tally, matches) : {};
    return { kind: 'key', label: key, edit: { span: word, text: key }, ...known, goesOn: !negated };
  });
  const isKnown = alone && !negated && keys.some(([key]) => key === typed);
  if (!isKnown) return items;
  // A key alone is already a selector, so operators are offered in addition, to be inserted after the key.
  const behind = { start: word.end, end: word.end };
  const operators = operatorItems(behind, typed, tally).map((item): SelectorTextItem => {
    const operator = item.edit.text.startsWith('=') || item.edit.text.startsWith('!') ? '' : ' ';
    const edit = { span: word, text: `${typed}${operator}${item.edit.text}` };
    const cursor = item.cursor === undefined ? {} : { cursor: item.cursor + typed.length + operator.length };
    return { ...item, label: `${typed}${operator}${item.label}`, edit, ...cursor };
  });
  return [...items, ...operators];
}

function operatorItems(word: Span, key: string, tally: Tally): readonly SelectorTextItem[] {
  const hasValues = [...tally.keys()].some(([known]) => known === key);
  if (!hasValues) return [];
  return ['=', '!=', 'in ()', 'notin ()'].map((text) => ({
    kind: 'operator',
    label: text.replace(' ()', ''),
    edit: { span: word, text },
    ...(text.endsWith('()') && { cursor: text.length - 1 }),
    goesOn: true,
  }));
}

function valueItems(
  { word, typed }: Omit<TypedWord, 'text'>,
  { key, operator, listed, bare }: CompletionTarget & { readonly kind: 'value' },
  tally: Tally,
): readonly SelectorTextItem[] {
  const isAmount = operator === '<' || operator === '>';
  if (isAmount) return [];
  const excludes = operator === '!=' || operator === 'notin';
  const there = new Set(listed);
  const isOffered = (value: string) => value !== '' && !there.has(value) && isLabelValue(value);
  return mostFrequent(tally.values(key), isOffered, typed).map(([value]) => {
    const matches = (excludes ? lacking : having)(tally, key, [...listed, value]);
    const edit = { span: word, text: bare ? `(${value})` : value };
    return { kind: 'value', label: value, edit, ...counted(tally, matches), goesOn: false };
  });
}

function counted(tally: Tally, matches: Count): { readonly matches?: Count } {
  return tally.exact ? { matches } : {};
}
