/** Which paths does a pattern of git match? Compiled once; none takes longer than its length times that of the path. */

/** Paths have `/` between their parts, none at their ends, and are relative to the folder of the pattern. */
export type Glob = (path: string) => boolean;

/** A backslash escapes, braces mean themselves, `**` is any folders. Undefined where no path can match. */
export function gitGlob(pattern: string): Glob | undefined {
  const slashes = pattern.replace(/\\([\\/])/g, (escaped, character) => (character === '/' ? '/' : escaped));
  const parts = slashes.split('/').map((part) => (part === '**' ? deep : compilePart(part)));
  if (parts.includes(undefined)) return undefined;
  return matcherOf(parts.filter((part) => part !== undefined));
}

/** Stands for `**`: any number of parts, also none. */
const deep = Symbol('any number of parts');
type Part = typeof deep | ((text: string) => boolean);

function matcherOf(parts: readonly Part[]): Glob {
  const [first, second] = parts;
  if (parts.length === 1 && typeof first === 'function') return (path) => !path.includes('/') && first(path);
  if (parts.length === 2 && first === deep && typeof second === 'function')
    return (path) => second(path.slice(path.lastIndexOf('/') + 1));
  return (path) => matchParts(parts, path.split('/'));
}

/** Only the last `**` that was passed need ever take more, which keeps this from being exponential. */
function matchParts(parts: readonly Part[], path: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let deepPart = -1;
  let deepAt = 0;
  while (at < path.length) {
    const wanted = parts[part];
    if (wanted === deep) {
      if (part === parts.length - 1) return true;
      deepPart = part++;
      deepAt = at;
    } else if (wanted?.(path[at] ?? '') === true) {
      part++;
      at++;
    } else if (deepPart !== -1) {
      part = deepPart + 1;
      at = ++deepAt;
    } else {
      return false;
    }
  }
  return part === parts.length;
}

type Token = { readonly kind: 'star' } | { readonly kind: 'one'; matches(code: number): boolean };

/** One part of a path; undefined where a bracket is not closed or a backslash escapes nothing: that matches nothing. */
function compilePart(part: string): Part | undefined {
  const plain = part.replace(/^\*|\*$/g, '');
  if (!/[*?[\\]/.test(plain)) {
    const open = part.startsWith('*');
    const openEnd = part.endsWith('*');
    if (open && openEnd) return plain === '' ? () => true : (text) => text.includes(plain);
    if (open) return (text) => text.endsWith(plain);
    return openEnd ? (text) => text.startsWith(plain) : (text) => text === plain;
  }
  const tokens = tokensOf(part);
  return tokens && ((text) => matchTokens(tokens, text));
}

function tokensOf(part: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const character = part[at];
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      tokens.push({ kind: 'one', matches: () => true });
    } else if (character === '[') {
      const found = readClass(part, at);
      if (found === undefined) return undefined;
      tokens.push({ kind: 'one', matches: found.matches });
      at = found.end - 1;
    } else {
      if (character === '\\' && ++at === part.length) return undefined;
      const code = part.charCodeAt(at);
      tokens.push({ kind: 'one', matches: (other) => other === code });
    }
  }
  return tokens;
}

/** As with `**`, only the last star that was passed may take more. */
function matchTokens(tokens: readonly Token[], text: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted?.kind === 'star') {
      star = token++;
      starAt = at;
    } else if (wanted?.matches(text.charCodeAt(at)) === true) {
      token++;
      at++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === 'star') token++;
  return token === tokens.length;
}

type Range = readonly [first: number, last: number];

/** The class that begins at `[`, and where it ends; `!` or `^` turns it round, a `]` at its start is one of its members. */
function readClass(part: string, start: number) {
  let at = start + 1;
  const negated = part[at] === '!' || part[at] === '^';
  if (negated) at++;
  const ranges: Range[] = [];
  for (let first = true; at < part.length; first = false) {
    if (part[at] === ']' && !first) {
      const holds = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);
      return { end: at + 1, matches: negated ? (code: number) => !holds(code) : holds };
    }
    const named = /^\[:([a-z]+):\]/.exec(part.slice(at, at + 12));
    if (named !== null) {
      const known = namedClasses[named[1] ?? ''];
      if (known === undefined) return undefined;
      ranges.push(...known);
      at += named[0].length;
      continue;
    }
    if (part[at] === '\\') at++;
    const from = part.charCodeAt(at++);
    if (part[at] !== '-' || part[at + 1] === ']' || at + 1 >= part.length) {
      ranges.push([from, from]);
      continue;
    }
    at += part[at + 1] === '\\' ? 2 : 1;
    ranges.push([from, part.charCodeAt(at++)]);
  }
  return undefined;
}

const upper: Range = [65, 90];
const lower: Range = [97, 122];
const digit: Range = [48, 57];
const punctuation: readonly Range[] = [
  [33, 47],
  [58, 64],
  [91, 96],
  [123, 126],
];

const namedClasses: Readonly<Record<string, readonly Range[]>> = {
  alnum: [upper, lower, digit],
  alpha: [upper, lower],
  blank: [
    [9, 9],
    [32, 32],
  ],
  digit: [digit],
  lower: [lower],
  punct: punctuation,
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: [upper],
  xdigit: [digit, [65, 70], [97, 102]],
};
