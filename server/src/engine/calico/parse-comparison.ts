/** Parses a condition on one label: the operator and the values after its key. */

import { excerpt } from '../messages.ts';
import { type CalicoCursor, isKeyText } from './cursor.ts';
import type { CalicoNode, CalicoOperator, CalicoToken } from './types.ts';

/** Words that are operators, or parts of operators, after a key. */
export const operatorWords: ReadonlySet<string> = new Set([
  'in',
  'not',
  'notin',
  'contains',
  'starts',
  'startswith',
  'ends',
  'endswith',
]);

/** Parses what follows a key; returns undefined if an error prevents it. */
export function parseComparison(cursor: CalicoCursor, key: CalicoToken): CalicoNode | undefined {
  const operator = takeOperator(cursor, key);
  if (operator === undefined) return undefined;
  const values = operator === 'in' || operator === 'not in' ? takeSet(cursor, operator) : takeValue(cursor, operator);
  if (values === undefined) return undefined;
  const end = cursor.tokens.at(-1)?.end ?? key.end;
  return cursor.comparison({ operator, key, values, start: key.start, end });
}

function takeOperator(cursor: CalicoCursor, key: CalicoToken): CalicoOperator | undefined {
  const { lexeme } = cursor;
  const symbol = symbolOperator(cursor);
  if (symbol) return symbol;
  const words = wordOperator(cursor);
  if (words) {
    const { operator, count } = words;
    const written = cursor.text.slice(lexeme.start, cursor.peek(count - 1).end);
    if (written !== written.toLowerCase()) {
      const fix = { start: lexeme.start, end: lexeme.start + written.length, text: written.toLowerCase() };
      cursor.problem('operator-case', `operator must be in lower case: write '${fix.text}'`, fix, fix);
    }
    const taken = cursor.take('operator', count);
    if (words.isWithMissing) {
      const fix = { start: taken.end, end: taken.end, text: ' with' };
      cursor.problem('operator-expected', `write '${operator}', not '${excerpt(taken.text)}'`, taken, fix);
    }
    return operator;
  }
  return noOperator(cursor, key);
}

function symbolOperator(cursor: CalicoCursor): CalicoOperator | undefined {
  const { symbol, lexeme } = cursor;
  const next = cursor.peek(1);
  const isAdjacent = next.start === lexeme.end;
  let operator: '==' | '!=';
  let count = 1;
  if (symbol === '==' || symbol === '!=') {
    operator = symbol;
    if (isAdjacent && next.symbol === '=') count = 2;
  } else if (symbol === '=') {
    operator = isAdjacent && next.symbol === '!' ? '!=' : '==';
    if (isAdjacent && next.symbol === '!') count = 2;
    else if (isAdjacent && next.symbol === 'bad') return undefined;
  } else if (symbol === 'bad' && cursor.textOf(lexeme) === '<>') {
    operator = '!=';
  } else return undefined;
  const taken = cursor.take('operator', count);
  if (taken.text !== operator) {
    const fix = { start: taken.start, end: taken.end, text: operator };
    const message = `expected '${operator}', found '${taken.text}' (position ${taken.start + 1})`;
    cursor.problem('operator-expected', message, taken, fix);
  }
  return operator;
}

interface WordOperator {
  readonly operator: CalicoOperator;
  readonly count: number;
  readonly isWithMissing?: true;
}

function wordOperator(cursor: CalicoCursor): WordOperator | undefined {
  const second = cursor.peek(1).symbol === 'word' ? cursor.textOf(cursor.peek(1)).toLowerCase() : '';
  switch (cursor.word.toLowerCase()) {
    case 'in':
      return { operator: 'in', count: 1 };
    case 'notin':
      return { operator: 'not in', count: 1 };
    case 'not':
      return second === 'in' ? { operator: 'not in', count: 2 } : undefined;
    case 'contains':
      return { operator: 'contains', count: 1 };
    case 'startswith':
      return { operator: 'starts with', count: 1 };
    case 'endswith':
      return { operator: 'ends with', count: 1 };
    case 'starts':
      return second === 'with'
        ? { operator: 'starts with', count: 2 }
        : { operator: 'starts with', count: 1, isWithMissing: true };
    case 'ends':
      return second === 'with'
        ? { operator: 'ends with', count: 2 }
        : { operator: 'ends with', count: 1, isWithMissing: true };
    default:
      return undefined;
  }
}

function noOperator(cursor: CalicoCursor, key: CalicoToken): undefined {
  const { lexeme, symbol } = cursor;
  const written = cursor.textOf(lexeme);
  const next = cursor.peek(1);
  if (written === ':' && (next.symbol === 'string' || next.symbol === 'word') && next.start > lexeme.end) {
    const fix = { start: key.end, end: lexeme.end, text: ' ==' };
    cursor.problem('operator-expected', `expected '==', found ':' (position ${lexeme.start + 1})`, lexeme, fix);
    return undefined;
  }
  if (written.startsWith(':')) {
    const isSource = key.text === 'k8s' || key.text === 'any';
    const fix = isSource ? { start: key.start, end: lexeme.end, text: '' } : undefined;
    cursor.problem('key-expected', "a key must not contain ':'", { start: key.start, end: lexeme.end }, fix);
    return undefined;
  }
  if (symbol === '=') {
    cursor.problem('operator-expected', "'=~' is not an operator: there are no regular expressions", {
      start: lexeme.start,
      end: next.end,
    });
    return undefined;
  }
  return cursor.expected(operators, 'operator-expected');
}

const operators = "an operator ('==', '!=', 'in', 'not in', 'contains', 'starts with' or 'ends with') after the key";

/** Takes the string after an operator other than `in` and `not in`. */
function takeValue(cursor: CalicoCursor, operator: string): readonly CalicoToken[] | undefined {
  if (cursor.is('string')) return [cursor.take('value')];
  const unquoted = takeUnquoted(cursor);
  if (unquoted) return [unquoted];
  return noString(cursor, `a value in quotes after '${operator}'`);
}

/** Takes a word that lacks its quotes, or has other quotes, as a value; reports it. */
function takeUnquoted(cursor: CalicoCursor): CalicoToken | undefined {
  const { symbol, lexeme } = cursor;
  if (symbol === 'word') {
    const value = cursor.take('value');
    const fix = { start: value.start, end: value.end, text: `'${value.text}'` };
    cursor.problem('quotes-missing', `a value must be in quotes: write ${excerpt(fix.text)}`, value, fix);
    return value;
  }
  const [middle, close] = [cursor.peek(1), cursor.peek(2)];
  const hasOtherQuotes =
    symbol === 'bad' &&
    middle.symbol === 'word' &&
    otherQuotes.has(`${cursor.textOf(lexeme)}${cursor.textOf(close)}`) &&
    middle.start === lexeme.end &&
    middle.end === close.start;
  if (!hasOtherQuotes) return undefined;
  const text = cursor.textOf(middle);
  const written = cursor.take('value', 3);
  const value = { ...written, text };
  cursor.tokens[cursor.tokens.length - 1] = value;
  const fix = { start: value.start, end: value.end, text: `'${text}'` };
  cursor.problem('quotes-missing', `a value must be in straight quotes: write ${excerpt(fix.text)}`, value, fix);
  return value;
}

const otherQuotes: ReadonlySet<string> = new Set(['‘’', '“”', '``', '’’', '””', '‚‘', '„“', '´´']);

/** Reports that a string is missing or not closed. */
function noString(cursor: CalicoCursor, what: string): undefined {
  const { symbol, lexeme } = cursor;
  if (symbol !== 'unclosed') return cursor.expected(what, 'value-expected');
  const written = cursor.textOf(lexeme);
  const quote = written.slice(0, 1);
  const hasOther = /["']$/.test(written) && written.length > 1;
  const content = written.slice(1, hasOther ? -1 : undefined);
  const fix = isKeyText(content) ? { ...lexeme, text: `${quote}${content}${quote}` } : undefined;
  cursor.problem('string-not-closed', `string must be closed: add ${quote}; there are no escapes`, lexeme, fix);
  return undefined;
}

/** Takes the set after `in` and `not in`. */
function takeSet(cursor: CalicoCursor, operator: string): readonly CalicoToken[] | undefined {
  if (cursor.is('(')) return takeOtherSet(cursor);
  if (cursor.is('string') || cursor.is('word')) {
    const value = cursor.take('value');
    const fix = { start: value.start, end: value.end, text: `{${quoted(value.text)}}` };
    cursor.problem('list-expected', `a set must be in braces: write ${excerpt(fix.text)}`, value, fix);
    return [value];
  }
  if (!cursor.is('{')) return cursor.expected(`a set after '${operator}', such as {'a', 'b'}`, 'list-expected');
  const open = cursor.take('open');
  const values: CalicoToken[] = [];
  for (;;) {
    if (cursor.is('}')) {
      cursor.take('close');
      return values;
    }
    if (cursor.is('end')) return setNotClosed(cursor, open, values);
    const value = cursor.is('string') ? cursor.take('value') : takeUnquoted(cursor);
    if (value === undefined) return noString(cursor, "a value in quotes or '}'");
    values.push(value);
    if (cursor.is(',')) cursor.take('comma');
    else if (cursor.is('string')) commaMissing(cursor, value);
    else if (!cursor.is('}') && !cursor.is('end')) return cursor.expected("',' or '}'", 'unexpected-text');
  }
}

function setNotClosed(
  cursor: CalicoCursor,
  open: CalicoToken,
  values: readonly CalicoToken[],
): readonly CalicoToken[] | undefined {
  const { length } = cursor.text;
  const fix = values.length > 0 ? { start: length, end: length, text: '}' } : undefined;
  cursor.problem('list-not-closed', "set must be closed: add '}'", open, fix);
  return values;
}

function commaMissing(cursor: CalicoCursor, { end }: CalicoToken): void {
  const fix = { start: end, end, text: ',' };
  cursor.problem('unexpected-text', "values must be separated by ','", cursor.lexeme, fix);
}

/** Takes a set that is written in parentheses; the repair writes the whole set. */
function takeOtherSet(cursor: CalicoCursor): readonly CalicoToken[] | undefined {
  const open = cursor.take('open');
  const values: CalicoToken[] = [];
  while (cursor.is('string') || cursor.is('word')) {
    values.push(cursor.take('value'));
    if (!cursor.is(',')) break;
    cursor.take('comma');
  }
  if (!cursor.is(')')) {
    cursor.problem('list-expected', "a set must be in braces, such as {'a', 'b'}", open);
    return undefined;
  }
  const { end } = cursor.take('close');
  const fix = { start: open.start, end, text: `{${values.map(({ text }) => quoted(text)).join(', ')}}` };
  cursor.problem('list-expected', `a set must be in braces: write ${excerpt(fix.text)}`, fix, fix);
  return values;
}

function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`;
}
