/** Repairs lines that prevent a YAML parser from parsing the text after them: an incomplete quote, bracket or key. Each repair has the same length as the text that it replaces, so offsets remain valid. */

import { Lexer, type ParsedNode, type YAMLParseError } from 'yaml';
import { lineEndAt } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { SyntaxProblem } from './parsed-document.ts';

interface Parsed {
  readonly contents: ParsedNode | null;
  readonly errors: readonly YAMLParseError[];
}

type Parse = (text: string) => Parsed;

export interface Repaired {
  readonly contents: ParsedNode | null;
  /** The original nodes of the scalars in `contents` that were replaced, by start offset. */
  readonly replaced: Map<number, ParsedNode>;
  /** The errors in the order of the text. */
  readonly problems: readonly SyntaxProblem[];
  /** Set if the tree contains all of the text in spite of errors. */
  readonly repaired?: true;
}

/** The maximum length of a text that is repaired, in UTF-16 code units. */
const maximumLength = 60_000;

/** Parses a text, and repeatedly repairs and parses it again while the parser makes progress. */
export function parseRepaired(text: string, parse: Parse, maximumAttempts: number): Repaired {
  let current = text;
  let parsed = parse(text);
  const replaced = new Map<number, ParsedNode>();
  const problems: SyntaxProblem[] = [];
  let attempts = text.length > maximumLength ? 0 : maximumAttempts;
  let isWhole = true;
  for (let error = parsed.errors[0]; error !== undefined && attempts > 0; error = parsed.errors[0]) {
    let isBetter = false;
    for (const obstacle of obstaclesBefore(current, error)) {
      if (attempts-- === 0) break;
      const { start, end, by, reason, hidesNothing } = obstacle;
      const next = current.slice(0, start) + by + current.slice(end);
      const outcome = parse(next);
      if (!isFurther(outcome.errors[0], error, end)) continue;
      const own = parse(' '.repeat(start) + text.slice(start, end)).contents;
      if (own !== null && own.range[0] === start) replaced.set(start, own);
      if (problems.every(({ at }) => at !== start)) problems.push({ at: start, reason });
      isWhole &&= hidesNothing;
      current = next;
      parsed = outcome;
      isBetter = true;
      break;
    }
    if (!isBetter) break;
  }
  const left = parsed.errors.map((error) => ({ at: offsetOf(current, error), reason: reasonOf(error) }));
  return {
    contents: parsed.contents,
    replaced,
    problems: [...problems, ...left].toSorted((a, b) => a.at - b.at),
    ...(isWhole && problems.length > 0 && left.length === 0 && { repaired: true }),
  };
}

/** Whether a parser now gets beyond a repair that ends at `end`: it reports no error or a later one. */
function isFurther(now: YAMLParseError | undefined, before: YAMLParseError, end: number): boolean {
  return now === undefined || (now.pos[0] > end && now.pos[0] !== before.pos[0]);
}

/** A range that stops the parser, and its replacement for the next attempt. */
interface Obstacle extends Span {
  readonly by: string;
  readonly reason: string;
  readonly hidesNothing: boolean;
}

/** Returns the ranges that may cause an error, most likely first. */
function obstaclesBefore(text: string, error: YAMLParseError): readonly Obstacle[] {
  const [start, end] = error.pos;
  const quotes: Obstacle[] = [];
  const brackets: { readonly at: number; readonly bracket: string }[] = [];
  for (const { at, token } of tokensOf(text)) {
    if (at > end) break;
    if (maySwallowLines(token)) quotes.unshift(openQuote(text, at, brackets.length > 0));
    if (at >= start) continue;
    if (token === '{' || token === '[') brackets.push({ at, bracket: token });
    else if (token === '}' || token === ']') {
      const opener = brackets.findLastIndex(({ bracket }) => closers[bracket] === token);
      if (opener !== -1) brackets.length = opener;
    }
  }
  const nearest = brackets.at(-1);
  const line = nearest === undefined ? 0 : text.lastIndexOf('\n', nearest.at) + 1;
  const onLine = brackets.find(({ at }) => at >= line);
  return [
    ...quotes.slice(0, 3),
    ...(onLine === undefined ? [] : [openBracket(text, onLine.at, onLine.bracket)]),
    ...(brackets.length === 0 && isBegunKey(error) ? [begunKey(text, start)] : []),
  ];
}

/** Whether a token is a quoted scalar that continues on the next line or is not closed. */
function maySwallowLines(token: string): boolean {
  const [first] = token;
  if (first !== '"' && first !== "'") return false;
  return token.includes('\n') || token.length === 1 || !token.endsWith(first);
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Whether a key has no colon. */
function isBegunKey({ code, message }: YAMLParseError): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY' || message.startsWith('Implicit map keys need');
}

/** Returns the range to replace for a quote that is not closed. In a flow collection, the scalar ends before the next separator. */
function openQuote(text: string, start: number, inFlow: boolean): Obstacle {
  const lineEnd = endOfLine(text, start);
  const separator = inFlow ? text.slice(start, lineEnd).search(/[,\]}]/) : -1;
  const end = separator === -1 ? lineEnd : start + separator;
  return { start, end, by: word(start, end), reason: localize`missing closing ${text[start]}`, hidesNothing: true };
}

function openBracket(text: string, start: number, bracket: string): Obstacle {
  const end = endOfLine(text, start);
  return {
    start,
    end,
    by: word(start, end),
    reason: localize`missing closing ${closers[bracket]}`,
    hidesNothing: true,
  };
}

function begunKey(text: string, start: number): Obstacle {
  const end = endOfLine(text, start);
  const by = end - start < 2 ? ' '.repeat(end - start) : `${word(start, end - 1)}:`;
  return { start, end, by, reason: localize`expected ':' after the key`, hidesNothing: false };
}

/** Returns a plain scalar with the length of a range. */
function word(start: number, end: number): string {
  return 'x'.repeat(end - start);
}

/** Returns the end of a line, before any blanks at its end. */
function endOfLine(text: string, start: number): number {
  return start + text.slice(start, lineEndAt(text, start)).trimEnd().length;
}

/** Matches empty lines and comments, up to the content of the next line. A line of tabs is an error itself. */
const linesBefore = /^(?: *(?:#[^\n]*)?\n){0,100}[ \t]*/;

/** Returns the offset at which an error is shown; it is neither in blank space or a comment nor at the end of the text. */
function offsetOf(text: string, { pos: [start] }: YAMLParseError): number {
  const isAtLineStart = start === 0 || text[start - 1] === '\n';
  const blanks = isAtLineStart ? linesBefore : /^[ \t]*/;
  const at = start + (blanks.exec(text.slice(start, start + 10_000))?.[0].length ?? 0);
  return at < text.length ? at : Math.max(0, text.trimEnd().length - 1);
}

/** Replacements for messages of the library that are hard to understand, by error code. */
const reasons: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  MULTILINE_IMPLICIT_KEY: "expected ':' after the key",
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed here',
};

function reasonOf({ code, message }: YAMLParseError): string {
  if (message.startsWith('Implicit map keys need')) return localize`expected ':' after the key`;
  const reason = reasons[code] ?? message.replace(/ (["'])quote/, ' $1');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** A token of a YAML text; `isScalar` is set if it is the text of a plain or block scalar. */
export interface Token {
  readonly at: number;
  readonly token: string;
  readonly isScalar: boolean;
}

export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    // Between the tokens of the text, the library yields control tokens that consist of one character.
    const isMark = token === '\u0002' || token === '\u0018' || token === '\u001f';
    if (isMark && !text.startsWith(token, at)) {
      isScalar = token === '\u001f';
      continue;
    }
    yield { at, token, isScalar };
    at += token.length;
    isScalar = false;
  }
}
