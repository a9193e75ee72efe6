/** Does a path fit a pattern? `*` and `?` stay within one name, `**` crosses folders, `{a,b}` is either. */

/** Maximum length of one pattern, in UTF-16 units: a match takes up to its length times that of the path. */
export const maximumGlobLength = 500;

/** Maximum number of patterns that one list or one configuration may have, those counted that braces stand for. */
export const maximumGlobs = 2000;

/**
 * Paths that fit one of the patterns; both are relative to one folder, with `/` between the names. Patterns that are too
 * long, and those after too many, fit nothing.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const compiled: string[][] = [];
  for (const pattern of patterns) {
    if (compiled.length >= maximumGlobs) break;
    for (const each of globsOf(pattern)) compiled.push(each.split('/'));
  }
  return (path) => {
    const names = path.split('/');
    return compiled.some((pattern) => fitsNames(pattern, names));
  };
}

/** The patterns without braces that a pattern stands for; none if it is too long. */
export function globsOf(pattern: string): readonly string[] {
  return pattern.length > maximumGlobLength ? [] : expandBraces(cleaned(pattern));
}

/** `./docs/` is `docs/**`: everything in the folder. */
function cleaned(pattern: string): string {
  const bare = pattern.replace(/^(?:\.\/)+/, '');
  return bare.endsWith('/') ? `${bare}**` : bare;
}

/** So many patterns may come of one with braces; a hostile one could make millions. */
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

function fitsNames(pattern: readonly string[], names: readonly string[]): boolean {
  return fits(pattern.length, names.length, {
    isStar: (at) => pattern[at] === '**',
    meets: (at, name) => fitsName(pattern[at] ?? '', names[name] ?? ''),
  });
}

function fitsName(pattern: string, name: string): boolean {
  if (pattern === name || pattern === '*') return true;
  return fits(pattern.length, name.length, {
    isStar: (at) => pattern[at] === '*',
    meets: (at, letter) => pattern[at] === '?' || pattern[at] === name[letter],
  });
}

interface Parts {
  isStar(at: number): boolean;
  meets(at: number, target: number): boolean;
}

/** Goes back to the last star only, which is enough, so that it takes at most `patterns` times `targets` steps. */
function fits(patterns: number, targets: number, parts: Parts): boolean {
  let at = 0;
  let target = 0;
  let star = -1;
  let resume = 0;
  while (target < targets) {
    if (at < patterns && parts.isStar(at)) {
      star = at++;
      resume = target;
    } else if (at < patterns && parts.meets(at, target)) {
      at++;
      target++;
    } else if (star !== -1) {
      at = star + 1;
      target = ++resume;
    } else {
      return false;
    }
  }
  while (at < patterns && parts.isStar(at)) at++;
  return at === patterns;
}
