/** Matches globs as Go programs and git do. These globs differ from the globs of `glob.ts` in `[...]`, in `\`, and in whether `*` crosses folders. The time of a match is bounded by the product of the lengths of the pattern and the path. */

import { globsOf, matchesStars, maximumGlobLength, star } from './glob.ts';

type Part = typeof star | ((character: string) => boolean);

/** Returns a matcher for a glob of the library gobwas/glob without separators: `*` and `?` also match `/`, and `{a,b}` matches either alternative. Returns undefined for a pattern that is malformed or too long. */
export function gobwasMatcher(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > maximumGlobLength) return undefined;
  return anyOf(bracesOf(pattern).map((each) => wholeMatcher(each, '!')));
}

/** Returns a matcher for a pathspec of `git ls-files`: `*` also matches `/`, and a path without wildcards matches a folder with all its files. Returns undefined for a pattern that is malformed or too long. */
export function pathspecMatcher(pattern: string): ((path: string) => boolean) | undefined {
  const folder = pattern.replace(/\/$/, '');
  if (!/[*?[\\]/.test(pattern)) return (path) => path === folder || path.startsWith(`${folder}/`);
  return pattern.length > maximumGlobLength ? undefined : wholeMatcher(pattern, '!^');
}

/** Returns a matcher for Go's `path.Match`, in which `*` matches within one name. Returns undefined for a pattern that is malformed or too long, and therefore matches nothing. */
export function pathMatcher(pattern: string): ((path: string) => boolean) | undefined {
  return pattern.length > maximumGlobLength ? undefined : namesMatcher(pattern, false);
}

/** Returns a matcher for the library doublestar: like `pathMatcher`, but `**` matches any number of folders, and `{a,b}` matches either alternative. Returns undefined for a pattern that is malformed or too long. */
export function doublestarMatcher(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > maximumGlobLength) return undefined;
  return anyOf(bracesOf(pattern).map((each) => namesMatcher(each, true)));
}

function anyOf(
  matchers: readonly (((path: string) => boolean) | undefined)[],
): ((path: string) => boolean) | undefined {
  const known = matchers.filter((each) => each !== undefined);
  if (known.length < matchers.length) return undefined;
  return known.length === 1 ? known[0] : (path) => known.some((matches) => matches(path));
}

/** Expands the braces of a pattern; a pattern with escapes is not expanded. */
function bracesOf(pattern: string): readonly string[] {
  return pattern.includes('{') && !pattern.includes('\\') ? globsOf(pattern) : [pattern];
}

function wholeMatcher(pattern: string, negations: string): ((path: string) => boolean) | undefined {
  const parts = partsOf(pattern, negations);
  const mayMatch = hasEndsOf(pattern);
  return (
    parts && ((path) => mayMatch(path) && matchesStars(parts, path.length, (accepts, at) => accepts(path[at] ?? '')))
  );
}

/** Returns a fast check of the literal strings at both ends of a pattern, since most files of a large workspace differ from a pattern at these ends. A `**` may match nothing, and then the slash next to it is absent. */
function hasEndsOf(pattern: string): (path: string) => boolean {
  const isLiteral = (at: number) => !'*?[]{}\\'.includes(pattern[at] ?? '*');
  let [first, last] = [0, pattern.length];
  while (isLiteral(first)) first++;
  while (last > first && isLiteral(last - 1)) last--;
  const start = pattern.slice(0, first).replace(/\/$/, '');
  const end = pattern.slice(last).replace(/^\//, '');
  return (path) => path.startsWith(start) && path.endsWith(end);
}

function namesMatcher(pattern: string, hasDoubleStar: boolean): ((path: string) => boolean) | undefined {
  const names: (typeof star | ((name: string) => boolean))[] = [];
  for (const name of pattern.split('/')) {
    if (hasDoubleStar && name === '**') {
      names.push(star);
      continue;
    }
    const matches = wholeMatcher(name, '^');
    if (matches === undefined) return undefined;
    names.push(matches);
  }
  const mayMatch = hasEndsOf(pattern);
  return (path) => {
    if (!mayMatch(path)) return false;
    const given = path.split('/');
    return matchesStars(names, given.length, (matches, at) => matches(given[at] ?? ''));
  };
}

/** Returns the parts of a pattern, one for each character to match; undefined if it is malformed. */
function partsOf(pattern: string, negations: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*') parts.push(star);
    else if (character === '?') parts.push(() => true);
    else if (character === '\\') {
      const next = pattern[++at];
      if (next === undefined) return undefined;
      parts.push((other) => other === next);
    } else if (character === '[') {
      const end = pattern.indexOf(']', at + 2);
      const accepts = end === -1 ? undefined : classOf(pattern.slice(at + 1, end), negations);
      if (accepts === undefined) return undefined;
      parts.push(accepts);
      at = end;
    } else parts.push((other) => other === character);
  }
  return parts;
}

/** Returns a test for a character class, which is given without its brackets: `a-z0`, or `^a` for its complement. */
function classOf(text: string, negations: string): ((character: string) => boolean) | undefined {
  const isNegated = negations.includes(text[0] ?? ' ');
  const ranges: (readonly [string, string])[] = [];
  for (let at = isNegated ? 1 : 0; at < text.length; at++) {
    const low = text[at] === '\\' ? (text[++at] ?? '') : (text[at] ?? '');
    if (text[at + 1] === '-' && at + 2 < text.length) {
      ranges.push([low, text[at + 2] ?? '']);
      at += 2;
    } else ranges.push([low, low]);
  }
  if (ranges.length === 0) return undefined;
  return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated;
}
