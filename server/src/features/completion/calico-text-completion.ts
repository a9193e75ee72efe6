/** Completion in selectors of Calico: keys, operators and values. */

import { type CalicoLexeme, calicoLexemes } from '../../engine/calico/lexer.ts';
import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { allOf, isWritten, type Reachable } from './label-counts.ts';
import { mostFrequent } from './most-frequent.ts';
import type { SelectorTextItem } from './selector-text-completion.ts';

/** The labels that Calico derives from the namespaces of pods. */
interface Derived {
  keys(typed: string): readonly string[];
  values(key: string): readonly string[];
}

/** Returns the completions at `offset`, the most useful first. `quote` is the quote for values that are inserted with quotes. */
export function completeCalicoText(
  text: string,
  offset: number,
  reachable: Reachable,
  quote: '"' | "'",
  derived: Derived,
): readonly SelectorTextItem[] {
  const word = wordAt(text, offset);
  const before = calicoLexemes(text.slice(0, word.start)).slice(0, -1);
  const last = before.at(-1);
  const textOf = ({ start, end }: CalicoLexeme) => text.slice(start, end);
  const typed = text.slice(word.start, offset);
  const tally = reachable(allOf([]));
  const values = (key: string, around: string): readonly SelectorTextItem[] => {
    const own = mostFrequent(tally.values(key), (value) => value !== '' && isLabelValue(value), typed);
    const known = own.length > 0 ? own.map(([value]) => value) : derived.values(key);
    return known.map((value) => ({
      kind: 'value',
      label: value,
      edit: { span: word, text: `${around}${value}${around}` },
      goesOn: false,
    }));
  };
  if (last?.symbol === 'unclosed') {
    // A value begins after its quote.
    const key = word.start === last.start + 1 ? keyOf(before.slice(0, -1), textOf) : undefined;
    return key === undefined ? [] : values(key, '');
  }
  if (last?.symbol === '==' || last?.symbol === '!=' || last?.symbol === '{' || last?.symbol === ',') {
    const key = keyOf(before, textOf);
    return key === undefined ? [] : values(key, quote);
  }
  if (last?.symbol === 'word') return operators(textOf(last), before.at(-2), word, quote, [...tally.keys()]);
  if (last !== undefined && !startsCondition.has(last.symbol)) return [];
  const keys = mostFrequent(tally.keys(), (key) => isWritten(tally, key) && isLabelKey(key), typed);
  const isInCall = last?.symbol === '(' && before.at(-2)?.symbol === 'word';
  const names = [...keys.map(([key]) => key), ...derived.keys(typed)];
  return names.map((key) => ({ kind: 'key', label: key, edit: { span: word, text: key }, goesOn: !isInCall }));
}

/** After these lexemes, and at the start, a condition begins. */
const startsCondition: ReadonlySet<string> = new Set(['&&', '||', '!', '(']);

function operators(
  key: string,
  before: CalicoLexeme | undefined,
  word: Span,
  quote: string,
  known: readonly (readonly [string, unknown])[],
): readonly SelectorTextItem[] {
  const isKey = before === undefined || startsCondition.has(before.symbol);
  if (!isKey || !known.some(([name]) => name === key)) return [];
  return ['==', '!=', 'in', 'not in'].map((label) => {
    const isSet = label.endsWith('in');
    const text = isSet ? `${label} {${quote}${quote}}` : `${label} ${quote}${quote}`;
    const cursor = text.length - (isSet ? 2 : 1);
    return { kind: 'operator', label, edit: { span: word, text }, cursor, goesOn: true };
  });
}

/** Returns the key of the condition whose value is expected after the given lexemes. */
function keyOf(before: readonly CalicoLexeme[], textOf: (lexeme: CalicoLexeme) => string): string | undefined {
  let at = before.length - 1;
  const open = before.findLastIndex(({ symbol }) => symbol === '{');
  const close = before.findLastIndex(({ symbol }) => symbol === '}');
  if (open > close) at = open - 1;
  const operator = before[at];
  if (operator?.symbol === 'word' && /^(?:in|notin)$/.test(textOf(operator))) {
    at--;
    const not = before[at];
    if (not?.symbol === 'word' && textOf(not) === 'not') at--;
  } else if (operator?.symbol === '==' || operator?.symbol === '!=') at--;
  else return undefined;
  const key = before[at];
  return key?.symbol === 'word' ? textOf(key) : undefined;
}

const wordPart = /[A-Za-z0-9_./-]/;

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (start > 0 && wordPart.test(text[start - 1] ?? '')) start--;
  while (end < text.length && wordPart.test(text[end] ?? '')) end++;
  return { start, end };
}
