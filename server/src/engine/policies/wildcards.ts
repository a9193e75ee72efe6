/** Matches the patterns of Kyverno and Gatekeeper. */

/** Whether a text matches a pattern of Kyverno, in which `*` matches any text and `?` one character. Takes at most the product of both lengths. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const letters = [...text];
  const wanted = [...pattern];
  let at = 0;
  let position = 0;
  let star = -1;
  let resumed = 0;
  while (position < letters.length) {
    if (wanted[at] === '*') {
      star = at++;
      resumed = position;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === letters[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resumed;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}

/** Whether a text matches a pattern of Gatekeeper, in which `*` is allowed at the beginning and at the end. */
export function matchesGlob(pattern: string, text: string): boolean {
  const isOpenBefore = pattern.startsWith('*');
  const isOpenAfter = pattern.endsWith('*');
  if (isOpenBefore && isOpenAfter) return text.includes(pattern.slice(1, Math.max(1, pattern.length - 1)));
  if (isOpenBefore) return text.endsWith(pattern.slice(1));
  return isOpenAfter ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}
