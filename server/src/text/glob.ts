/** Does a path fit a pattern? `*` and `?` stay within one name, `**` crosses folders, `{a,b}` is either. */

/** Paths that fit one of the patterns; both are relative to one folder, with `/` between the names. */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const compiled = patterns.flatMap((pattern) => expandBraces(cleaned(pattern))).map((each) => each.split('/'));
  return (path) => {
    const names = path.split('/');
    return compiled.some((pattern) => fitsNames(pattern, names));
  };
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
