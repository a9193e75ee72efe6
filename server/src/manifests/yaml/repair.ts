/** Repairs lines that hide the following text from a YAML parser: an incomplete quote, bracket or key. Offsets remain valid, because each repair has the length of the text that it replaces. */

import { Lexer, type ParsedNode, type YAMLParseError } from 'yaml';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { SyntaxProblem } from './parsed-document.ts';

/** The result of parsing a text. */
interface Parsed {
  readonly contents: ParsedNode | null;
  readonly errors: readonly YAMLParseError[];
}

type Parse = (text: string) => Parsed;

export interface Repaired {
  readonly contents: ParsedNode | null;
  /** The original nodes of the replaced scalars in `contents`, by start offset. */
  readonly replaced: Map<number, ParsedNode>;
  /** The errors, in text order. */
  readonly problems: readonly SyntaxProblem[];
  /** Whether the tree contains all of the written text. */
  readonly repaired?: true;
}

/** The maximum number of repairs, each of which requires parsing the text again. */
const maximumAttempts = 8;
const maximumLength = 60_000;

/** Parses a text, and parses it again with repairs as long as the parser makes progress. The text can be the end of a longer document: its limits are the limits of the whole document. */
export function parseRepaired(text: string, parse: Parse, documentLength = text.length): Repaired {
  let current = text;
  let parsed = parse(text);
  const replaced = new Map<number, ParsedNode>();
  const problems: SyntaxProblem[] = [];
  let attempts = documentLength > maximumLength ? 0 : maximumAttempts;
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

/** Whether a parser got beyond a repair that ends at `end`: it reports a later error or no error. */
function isFurther(now: YAMLParseError | undefined, before: YAMLParseError, end: number): boolean {
  return now === undefined || (now.pos[0] > end && now.pos[0] !== before.pos[0]);
}

/** A part of a line, and the text that replaces it for the parser. */
interface Obstacle extends Span {
  readonly by: string;
  readonly reason: string;
  readonly hidesNothing: boolean;
}

/** Returns the possible causes of an error, the most likely cause first. */
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
    ...(brackets.length === 0 && keyErrors.has(error.code) ? [begunKey(text, start)] : []),
  ];
}

/** Whether a quoted scalar continues after its line, or is not closed. */
function maySwallowLines(token: string): boolean {
  const [first] = token;
  if (first !== '"' && first !== "'") return false;
  return token.includes('\n') || token.length === 1 || !token.endsWith(first);
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const keyErrors: ReadonlySet<string> = new Set(['MULTILINE_IMPLICIT_KEY', 'MISSING_CHAR']);

/** Returns the obstacle for a quote that is not closed. In brackets, the scalar ends before the next separator. */
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

/** Returns a plain scalar that has the length of the range. */
function word(start: number, end: number): string {
  return 'x'.repeat(end - start);
}

/** Returns the end of a line without trailing blanks. */
function endOfLine(text: string, start: number): number {
  const lineEnd = text.indexOf('\n', start);
  return start + text.slice(start, lineEnd === -1 ? text.length : lineEnd).trimEnd().length;
}

/** Returns the position at which an error is shown, which is neither in blanks nor at the end of the text. */
function offsetOf(text: string, { pos: [start] }: YAMLParseError): number {
  const at = start + (/^[ \t]*/.exec(text.slice(start, start + 500))?.[0].length ?? 0);
  return at < text.length ? at : Math.max(0, text.trimEnd().length - 1);
}

/** Replacements for library messages that are hard to understand. */
const reasons: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  MULTILINE_IMPLICIT_KEY: "expected ':' after the key",
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed here',
};

function reasonOf({ code, message }: YAMLParseError): string {
  if (message.startsWith('Implicit map keys need')) return localize`expected ':' after the key`;
  const reason = reasons[code] ?? message.replace(/ (["'])quote/, ' $1');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** A token of a text; `isScalar` is set for the text of a plain or block scalar. */
export interface Token {
  readonly at: number;
  readonly token: string;
  readonly isScalar: boolean;
}

/** Yields the tokens of a YAML text. */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    // The library yields control tokens of one character between the tokens of the text.
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
