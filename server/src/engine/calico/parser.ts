/** Parses Calico's selector language into a syntax tree, with a repair for each common mistake. */

import { excerpt } from '../messages.ts';
import { type CalicoCursor, isKeyText } from './cursor.ts';
import type { CalicoSymbol } from './lexer.ts';
import { operatorWords, parseComparison } from './parse-comparison.ts';
import type { CalicoNode, CalicoToken } from './types.ts';

/** Parses the whole text; returns undefined if an error prevents it. */
export function parseCalicoExpression(cursor: CalicoCursor): CalicoNode | undefined {
  if (cursor.is('end')) return { kind: 'all', start: 0, end: cursor.text.length };
  const root = parseOr(cursor);
  if (root && !cursor.is('end')) unexpectedAfter(cursor, 'the end of the selector');
  while (!cursor.is('end')) cursor.take('unexpected');
  return root;
}

function parseOr(cursor: CalicoCursor): CalicoNode | undefined {
  return parseChain(cursor, 'or', '||', parseAnd);
}

function parseAnd(cursor: CalicoCursor): CalicoNode | undefined {
  return parseChain(cursor, 'and', '&&', parseNegation);
}

function parseChain(
  cursor: CalicoCursor,
  kind: 'and' | 'or',
  symbol: '&&' | '||',
  part: (cursor: CalicoCursor) => CalicoNode | undefined,
): CalicoNode | undefined {
  const first = part(cursor);
  if (first === undefined) return undefined;
  const operands = [first];
  while (takeLogic(cursor, symbol)) {
    const next = part(cursor);
    if (next === undefined) return undefined;
    operands.push(next);
  }
  const last = operands.at(-1) ?? first;
  return operands.length === 1 ? first : { kind, operands, start: first.start, end: last.end };
}

/** Takes `&&` or `||`, also if it is misspelled. */
function takeLogic(cursor: CalicoCursor, symbol: '&&' | '||'): boolean {
  if (cursor.symbol === symbol) {
    cursor.take('logic');
    return true;
  }
  const { start, end } = cursor.lexeme;
  const written = cursor.textOf(cursor.lexeme);
  if (misspelledLogic.get(written.toLowerCase()) !== symbol) return false;
  const text = written === ',' ? ' &&' : symbol;
  const message = `expected '${symbol}', found '${written}' (position ${start + 1})`;
  cursor.problem('operator-expected', message, { start, end }, { start, end, text });
  cursor.take('logic');
  return true;
}

function parseNegation(cursor: CalicoCursor): CalicoNode | undefined {
  const { start } = cursor.lexeme;
  let count = 0;
  for (;;) {
    if (isWordNot(cursor)) {
      const range = cursor.lexeme;
      const message = `expected '!', found '${cursor.word}' (position ${range.start + 1})`;
      cursor.problem('operator-expected', message, range, { start: range.start, end: range.end, text: '!' });
    } else if (!cursor.is('!')) break;
    cursor.take('logic');
    count++;
  }
  const operand = parsePrimary(cursor);
  if (operand === undefined || count === 0) return operand;
  const { end } = operand;
  const negated: CalicoNode = { kind: 'not', operand, start, end };
  return count % 2 === 1 ? negated : { kind: 'not', operand: negated, start, end };
}

/** Whether the current word is `not` before a condition: a word follows that is no operator. */
function isWordNot(cursor: CalicoCursor): boolean {
  if (cursor.word.toLowerCase() !== 'not') return false;
  const next = cursor.peek(1);
  return next.symbol === 'word' && !operatorWords.has(cursor.textOf(next).toLowerCase());
}

function parsePrimary(cursor: CalicoCursor): CalicoNode | undefined {
  if (cursor.is('(')) return parseGroup(cursor);
  if (cursor.is('word')) return parseFromWord(cursor);
  if (cursor.is('string')) return parseFromString(cursor);
  return cursor.expected("a condition, such as app == 'web' or has(app)", 'key-expected');
}

function parseGroup(cursor: CalicoCursor): CalicoNode | undefined {
  const open = cursor.take('open');
  const inner = parseOr(cursor);
  if (inner === undefined) return undefined;
  if (cursor.is(')')) return { ...inner, start: open.start, end: cursor.take('close').end };
  if (cursor.is('end')) {
    notClosed(cursor, open);
    return inner;
  }
  unexpectedAfter(cursor, "')'");
  return undefined;
}

function parseFromWord(cursor: CalicoCursor): CalicoNode | undefined {
  const { word, lexeme } = cursor;
  const after = cursor.peek(1);
  const call = word.toLowerCase();
  if (after.symbol === '(' && (call === 'has' || call === 'all' || call === 'global')) return parseCall(cursor, call);
  if (endsCondition.has(after.symbol)) {
    const text = call === 'all' || call === 'global' ? `${call}()` : `has(${word})`;
    const message = `a key alone is not a condition: write '${excerpt(text)}'`;
    cursor.problem('operator-expected', message, lexeme, { start: lexeme.start, end: lexeme.end, text });
    const key = cursor.take('key');
    return cursor.comparison({ operator: 'has', key, values: [], start: key.start, end: key.end });
  }
  if (call === 'has' && after.symbol === 'word' && endsCondition.has(cursor.peek(2).symbol)) {
    const keyword = cursor.take('keyword');
    const key = cursor.take('key');
    const fix = { start: keyword.start, end: key.end, text: `has(${key.text})` };
    cursor.problem('operator-expected', `write the key in parentheses: '${excerpt(fix.text)}'`, fix, fix);
    return cursor.comparison({ operator: 'has', key, values: [], start: keyword.start, end: key.end });
  }
  return parseComparison(cursor, cursor.take('key'));
}

/** Parses `has(...)`, `all()` and `global()`. */
function parseCall(cursor: CalicoCursor, call: 'has' | 'all' | 'global'): CalicoNode | undefined {
  const { lexeme, word } = cursor;
  const open = cursor.peek(1);
  if (word !== call) {
    const message = `'${call}' must be in lower case, not '${word}'`;
    cursor.problem('operator-case', message, lexeme, { start: lexeme.start, end: lexeme.end, text: call });
  }
  if (open.start > lexeme.end) {
    const fix = { start: lexeme.end, end: open.start, text: '' };
    cursor.problem('unexpected-text', `'${call}(' must be written without a space`, lexeme, fix);
  }
  const keyword = cursor.take('keyword');
  cursor.take('open');
  const key = call === 'has' ? parseCalledKey(cursor) : undefined;
  if (call === 'has' && key === undefined) return undefined;
  if (!cursor.is(')') && !cursor.is('end')) return cursor.expected("')'", 'unexpected-text');
  if (cursor.is('end')) notClosed(cursor, open);
  const end = cursor.is(')') ? cursor.take('close').end : cursor.text.length;
  if (key) return cursor.comparison({ operator: 'has', key, values: [], start: keyword.start, end });
  return { kind: call === 'global' ? 'global' : 'all', start: keyword.start, end };
}

function parseCalledKey(cursor: CalicoCursor): CalicoToken | undefined {
  if (cursor.is('string')) {
    const key = cursor.take('key');
    const { start, end, text } = key;
    const fix = isKeyText(text) ? { start, end, text } : undefined;
    cursor.problem('key-expected', "the key in 'has()' must not have quotes", key, fix);
    return key;
  }
  return cursor.is('word') ? cursor.take('key') : cursor.expected("a key, as in 'has(app)'", 'key-expected');
}

function parseFromString(cursor: CalicoCursor): CalicoNode | undefined {
  const written = cursor.textOf(cursor.lexeme);
  const key = cursor.take('key');
  const { start, end, text } = key;
  const fix = isKeyText(text) ? { start, end, text } : undefined;
  cursor.problem('key-expected', `a key must not have quotes, found ${excerpt(written)}`, key, fix);
  return parseComparison(cursor, key);
}

function notClosed(cursor: CalicoCursor, open: { readonly start: number; readonly end: number }): void {
  const { length } = cursor.text;
  const fix = { start: length, end: length, text: ')' };
  cursor.problem('parenthesis-not-closed', "parenthesis must be closed: add ')'", open, fix);
}

function unexpectedAfter(cursor: CalicoCursor, closing: string): void {
  cursor.expected(`'&&', '||' or ${closing}`, 'unexpected-text');
}

/** What can follow a condition. */
const endsCondition: ReadonlySet<CalicoSymbol> = new Set(['end', '&&', '||', ')']);

const misspelledLogic: ReadonlyMap<string, '&&' | '||'> = new Map([
  ['&', '&&'],
  ['and', '&&'],
  [',', '&&'],
  ['|', '||'],
  ['or', '||'],
]);
