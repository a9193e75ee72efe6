/** Compiles the patterns of git's ignore and attribute files. The matching time is at most proportional to the length of the pattern times the length of the path. The package `ignore` is deliberately not used: it compiles patterns to backtracking regular expressions, which take 0.14 s for a path of 100 folders and a pattern with three folders between `**`, and 16 s for a pattern with five, and a `.gitignore` may be hostile. */

import { matchesStars, star } from '../../text/glob.ts';

/** Tests a path relative to the folder of the pattern. `/` separates its parts, and the path neither starts nor ends with `/`. */
export type Glob = (path: string) => boolean;

/** Compiles a pattern. A backslash escapes the next character, braces are literal, and `**` matches any number of folders. Returns undefined if no path can match. */
export function gitGlob(pattern: string): Glob | undefined {
  const slashes = pattern.replace(/\\([\\/])/g, (escaped, character) => (character === '/' ? '/' : escaped));
  const parts = slashes.split('/').map((part) => (part === '**' ? star : compilePart(part)));
  if (parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => part !== undefined);
  // Several `**` in a row match what one matches.
  return matcherOf(known.filter((part, index) => part !== star || known[index + 1] !== star));
}

type Part = typeof star | ((name: string) => boolean);

function matcherOf(parts: readonly Part[]): Glob {
  const [first, second] = parts;
  if (parts.length === 1 && typeof first === 'function') return (path) => !path.includes('/') && first(path);
  if (parts.length === 2 && first === star && typeof second === 'function')
    return (path) => second(path.slice(path.lastIndexOf('/') + 1));
  // At the end of a pattern, `**` matches at least one part.
  const all: readonly Part[] = parts.at(-1) === star ? [...parts.slice(0, -1), () => true, star] : parts;
  return (path) => {
    const names = path.split('/');
    return matchesStars(all, names.length, (matches, at) => matches(names[at] ?? ''));
  };
}

type Token = typeof star | ((code: number) => boolean);

/** Compiles the pattern for one part of a path. Returns undefined if a bracket is not closed, or if a backslash is the last character: such a pattern matches nothing. */
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
  return tokens && ((text) => matchesStars(tokens, text.length, (accepts, at) => accepts(text.charCodeAt(at))));
}

function tokensOf(part: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const character = part[at];
    if (character === '*') {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else if (character === '?') {
      tokens.push(() => true);
    } else if (character === '[') {
      const found = readClass(part, at);
      if (found === undefined) return undefined;
      tokens.push(found.matches);
      at = found.end - 1;
    } else {
      if (character === '\\' && ++at === part.length) return undefined;
      const code = part.charCodeAt(at);
      tokens.push((other) => other === code);
    }
  }
  return tokens;
}

type Range = readonly [first: number, last: number];

/** Parses the character class that starts at `[`, and returns it with its end. `!` or `^` negates the class; a `]` at its start is a member. */
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
