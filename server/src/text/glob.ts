/** Matches user-defined globs: `*` and `?` match within one name, `**` crosses folders, `{a,b}` matches either alternative. Does not use picomatch, which compiles globs to backtracking regular expressions: for a file name of 200 letters, it takes 2 s for a glob with four stars and 51 s for a glob with five (`*a*a*a*a*ab`), and a `.selector-lens.yaml` may be hostile. */

/** Maximum length of one pattern, in UTF-16 units: matching takes time proportional to the product of the lengths of the pattern and the path. */
export const maximumGlobLength = 500;

/** Maximum number of patterns in one list or configuration. */
export const maximumGlobs = 2000;

/** Maximum length of all patterns with wildcards of an ignore file, attribute file or configuration, in UTF-16 units, since each path is compared with all of them. */
export const maximumWildcards = 20_000;

/** Returns a function that matches a path with the patterns; both are relative to one folder, with `/` between the names. Patterns beyond the limits of length and number match nothing. */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const compiled: (typeof star | ((name: string) => boolean))[][] = [];
  for (const pattern of patterns) {
    if (compiled.length >= maximumGlobs) break;
    for (const each of globsOf(pattern))
      compiled.push(each.split('/').map((name) => (name === '**' ? star : nameMatcher(name))));
  }
  return (path) => {
    const names = path.split('/');
    return compiled.some((pattern) => matchesStars(pattern, names.length, (fits, at) => fits(names[at] ?? '')));
  };
}

/** Expands the braces of a pattern; empty if the pattern is too long. */
export function globsOf(pattern: string): readonly string[] {
  return pattern.length > maximumGlobLength ? [] : expandBraces(cleaned(pattern));
}

/** Normalizes a pattern: `./docs/` becomes `docs/**`, which matches everything in the folder. */
function cleaned(pattern: string): string {
  const bare = pattern.replace(/^(?:\.\/)+/, '');
  return bare.endsWith('/') ? `${bare}**` : bare;
}

/** Maximum number of patterns after brace expansion; a hostile pattern could expand to millions. */
const maximumExpanded = 256;

function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = /\{([^{}]*)\}/.exec(next);
    if (found === null || done.length + waiting.length >= maximumExpanded) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, found.index);
    const after = next.slice(found.index + found[0].length);
    for (const choice of (found[1] ?? '').split(',')) waiting.push(before + choice + after);
  }
  return done;
}

function nameMatcher(pattern: string): (name: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern)) return (name) => name === pattern;
  const parts = pattern.split('').map((character) => (character === '*' ? star : character));
  return (name) => matchesStars(parts, name.length, (part, at) => part === '?' || part === name[at]);
}

/** An element of a pattern that matches any number of items. */
export const star = Symbol('any number of items');

/**
 * Whether a pattern with stars matches items; `length` is their number, and `accepts` compares one part with the item
 * at an index. Backtracks to the last star only, which is sufficient, so it needs at most `pattern.length` times
 * `length` steps.
 */
export function matchesStars<Part>(
  pattern: readonly (Part | typeof star)[],
  length: number,
  accepts: (part: Part, index: number) => boolean,
): boolean {
  let at = 0;
  let index = 0;
  let afterStar = -1;
  let resume = 0;
  while (index < length) {
    const part = pattern[at];
    if (part === star) {
      afterStar = ++at;
      resume = index;
    } else if (part !== undefined && accepts(part, index)) {
      at++;
      index++;
    } else if (afterStar !== -1) {
      at = afterStar;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}
