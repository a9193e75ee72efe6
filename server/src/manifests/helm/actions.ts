/** Finds the actions of a Go template, and splits the body of an action into tokens. */

import { hashOf } from '../../text/hash.ts';
import type { Span } from '../../text/span.ts';

/** An action: `{{ ... }}`. */
export interface Action {
  readonly span: Span;
  /** The text between the braces, without the trim markers (`-`). */
  readonly body: string;
  readonly trimsBefore: boolean;
  readonly trimsAfter: boolean;
}

/** The maximum length of an action that is parsed, without its raw strings, in UTF-16 code units. */
const maximumLength = 20_000;

/** Finds all actions in a text, in order. A `}}` inside a string does not end an action. */
export function findActions(text: string): readonly Action[] {
  const actions: Action[] = [];
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at)) {
    const closed = endOfAction(text, at + 2);
    const end = closed ?? text.indexOf('}}', at + 2);
    if (end === -1) break;
    const unclosed = closed === undefined ? endOfUnclosed(text, at, end) : undefined;
    if (unclosed === undefined) actions.push(actionOf(text, at, end));
    else actions.push({ ...actionOf(text, at, unclosed), span: { start: at, end: unclosed } });
    at = unclosed ?? end + 2;
  }
  return actions;
}

/** Returns the end of the first line of an action if it is not closed before another action begins on a later line; undefined otherwise. Ending the unclosed action at this line keeps the content between the two actions visible. */
function endOfUnclosed(text: string, start: number, end: number): number | undefined {
  const next = text.lastIndexOf('{{', end);
  if (next <= start || text.startsWith('/*', start + (text[start + 2] === '-' ? 4 : 2))) return undefined;
  const line = text.indexOf('\n', start);
  if (line === -1 || line > next) return undefined;
  return text[line - 1] === '\r' ? line - 1 : line;
}

function actionOf(text: string, start: number, end: number): Action {
  const inner = text.slice(start + 2, end);
  const trimsBefore = /^-\s/.test(inner);
  const trimsAfter = /\s-$/.test(inner) && inner.length > 2;
  const body = inner.slice(trimsBefore ? 1 : 0, trimsAfter ? -1 : undefined).trim();
  return { span: { start, end: end + 2 }, body, trimsBefore, trimsAfter };
}

const plainWords = /[^"`'{}]{1,10000}/y;
const quoted = /"(?:[^"\\\n]|\\.){0,10000}"|'(?:[^'\\\n]|\\.){0,10}'/y;
const comment = /-?\s{0,100}\/\*/y;

/** Returns the offset of the closing braces of the action that begins before `from`; undefined if its text contains a token that does not exist in Go templates. */
function endOfAction(text: string, from: number): number | undefined {
  comment.lastIndex = from;
  if (comment.test(text)) {
    const close = text.indexOf('*/', comment.lastIndex);
    return close === -1 ? undefined : text.indexOf('}}', close);
  }
  let [at, limit] = [from, from + maximumLength];
  while (at < text.length && at < limit) {
    const character = text[at];
    // Tokens of Go templates do not contain braces outside of strings.
    if (character === '{') return undefined;
    if (character === '}') return text[at + 1] === '}' ? at : undefined;
    if (character === '`') {
      // Charts contain whole dashboards in raw strings.
      const close = text.indexOf('`', at + 1);
      if (close === -1) return undefined;
      limit += close - at;
      at = close + 1;
      continue;
    }
    const word = character === '"' || character === "'" ? quoted : plainWords;
    word.lastIndex = at;
    if (!word.test(text)) return undefined;
    at = word.lastIndex;
  }
  return undefined;
}

/** A token of an action, such as `.Values.name`, `|` or `"text"`. */
export interface Token {
  readonly kind: 'text' | 'number' | 'word' | 'path' | 'variable' | 'mark';
  /** The source text of the token; for a string, its value. */
  readonly text: string;
  /** Whether the token follows white space. */
  readonly apart: boolean;
}

/** Matches one token, with one capturing group for each kind of token. */
const tokenPattern =
  /(?<blanks>\s+)|(?<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<number>[-+]?\.?\d(?:[eE][-+]\d|[\w.])*|'(?:[^'\\\n]|\\.)*')|(?<variable>\$\w*)|(?<path>\.(?!\d)\w*)|(?<word>[\p{L}_]\w*)|(?<mark>:=|[|(),=])/uy;

const kinds = ['text', 'number', 'variable', 'path', 'word', 'mark'] as const;

/** Splits the body of an action into tokens; undefined if it contains anything else. */
export function tokensOf(body: string): readonly Token[] | undefined {
  const { tokens, stop } = tokensBefore(body);
  return stop === undefined ? tokens : undefined;
}

/** Returns the first character that Go does not accept directly after a name, as in `.Values.my-key`. */
export function characterAfterName(body: string): string | undefined {
  const { tokens, stop, apart } = tokensBefore(body);
  return stop !== undefined && !apart && isName(tokens.at(-1)) ? body[stop] : undefined;
}

interface TokensBefore {
  readonly tokens: readonly Token[];
  /** The offset of the first character that does not begin a token; undefined if all do. */
  readonly stop: number | undefined;
  /** Whether white space precedes this character. */
  readonly apart: boolean;
}

function tokensBefore(body: string): TokensBefore {
  const tokens: Token[] = [];
  let [at, apart] = [0, true];
  if (body.length > maximumLength && body.replace(/`[^`]*`/g, '').length > maximumLength)
    return { tokens, stop: 0, apart };
  while (at < body.length) {
    tokenPattern.lastIndex = at;
    const found = tokenPattern.exec(body);
    const kind = kinds.find((each) => found?.groups?.[each] !== undefined);
    // Go accepts no sign and no quote directly after a name.
    const isTooNear = (kind === 'number' || kind === 'text') && !apart && isName(tokens.at(-1));
    if (found === null || isTooNear) return { tokens, stop: at, apart };
    if (kind !== undefined) tokens.push({ kind, text: tokenText(kind, found[0]), apart });
    apart = kind === undefined;
    at = tokenPattern.lastIndex;
  }
  return { tokens, stop: undefined, apart };
}

function isName(token: Token | undefined): boolean {
  return token !== undefined && ['variable', 'path', 'word'].includes(token.kind);
}

/** Returns the text of a token. A character is the number of its code point. */
function tokenText(kind: Token['kind'], text: string): string {
  if (kind === 'text') return textOfQuoted(text);
  return text.startsWith("'") ? String(textOfQuoted(text).codePointAt(0)) : text;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
const escapeForm = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/g;

/** Returns the value of a quoted Go string or character. */
export function textOfQuoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replace(escapeForm, (_, byte?: string, short?: string, long?: string, octal?: string, letter = '') => {
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : (escapes[letter] ?? letter);
  });
}

export function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r')}"`;
}

/** The maximum length of a text in an expression, in UTF-16 code units. */
const maximumQuoted = 300;

/** Returns a text, or the hash of a long one: nested quotes would double its escapes at each level. */
export function boundedText(text: string): string {
  return text.length > maximumQuoted ? `text#${hashOf(text).slice(0, 12)}` : text;
}

/** Returns an expression for a text, in which `(` and `)` replace the braces of actions. */
export function textAsCode(text: string): string {
  const bounded = boundedText(text);
  return bounded === text ? quotedText(text.replaceAll('{{', '(').replaceAll('}}', ')')) : bounded;
}

/** Returns the parts of a text that are not in actions. */
export function literalsOf(text: string): readonly string[] {
  const literals: string[] = [];
  let at = 0;
  for (const { span } of findActions(text)) {
    literals.push(text.slice(at, span.start));
    at = span.end;
  }
  return [...literals, text.slice(at)];
}

/** Returns a pattern for a text, in which `*` replaces each action. */
export function patternOf(text: string): string {
  return literalsOf(text).join('*');
}
