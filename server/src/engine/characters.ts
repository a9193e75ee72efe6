/** Which characters may stand in a label, and where is the first that may not? */

const alphanumeric = 1;
const inner = 2;
const lower = 4;
const dash = 8;

const classes = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789') classes[character.charCodeAt(0)] = alphanumeric | lower;
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') classes[character.charCodeAt(0)] = alphanumeric;
for (const character of '_.') classes[character.charCodeAt(0)] = inner;
classes['-'.charCodeAt(0)] = inner | dash;

function classAt(text: string, index: number): number {
  return classes[text.charCodeAt(index)] ?? 0;
}

/** A place in a text that breaks the shape, and in which way. */
export interface Flaw {
  readonly start: number;
  readonly end: number;
  readonly kind: 'empty' | 'character' | 'first' | 'last';
}

/**
 * Has `text` from `start` to `end` the shape of a label name: letters, digits, `-`, `_`, `.`, with a letter or digit
 * at both ends? Length is not looked at.
 */
export function hasNameShape(text: string, start = 0, end = text.length): boolean {
  if (start >= end) return false;
  if (!(classAt(text, start) & alphanumeric) || !(classAt(text, end - 1) & alphanumeric)) return false;
  for (let index = start + 1; index < end - 1; index++) if (classAt(text, index) === 0) return false;
  return true;
}

/**
 * Is `text` from `start` to `end` made of DNS labels joined by dots: lower-case letters, digits and `-`, with a letter
 * or digit at both ends of each? Without `dots` it must be a single one. Length is not looked at.
 */
export function hasSubdomainShape(text: string, dots: boolean, start = 0, end = text.length): boolean {
  let previous = 0x2e;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x2e) {
      if (!dots || previous === 0x2e || previous === 0x2d) return false;
    } else if (unit === 0x2d) {
      if (previous === 0x2e) return false;
    } else if (!(classAt(text, index) & lower)) return false;
    previous = unit;
  }
  return previous !== 0x2e && previous !== 0x2d;
}

/** The first place where `text` breaks the shape of a label name; undefined where it does not. */
export function nameFlaw(text: string, start = 0, end = text.length): Flaw | undefined {
  if (start >= end) return { start, end: start, kind: 'empty' };
  const bad = run(text, start, end, (index) => classAt(text, index) === 0);
  if (bad) return bad;
  if (!(classAt(text, start) & alphanumeric)) return { start, end: start + 1, kind: 'first' };
  if (!(classAt(text, end - 1) & alphanumeric)) return { start: end - 1, end, kind: 'last' };
  return undefined;
}

/** The first place where `text` breaks the shape of a DNS subdomain (without dots: of a DNS label). */
export function subdomainFlaw(text: string, dots: boolean, start = 0, end = text.length): Flaw | undefined {
  if (start >= end) return { start, end: start, kind: 'empty' };
  const isDot = (index: number): boolean => dots && text[index] === '.';
  const bad = run(text, start, end, (index) => !(classAt(text, index) & (lower | dash)) && !isDot(index));
  if (bad) return bad;
  for (let index = start; index < end; index++) {
    if (classAt(text, index) & lower) continue;
    if (index === start || isDot(index - 1)) return { start: index, end: index + 1, kind: 'first' };
    if (index === end - 1 || isDot(index + 1)) return { start: index, end: index + 1, kind: 'last' };
  }
  return undefined;
}

/** The first unbroken run of places that are `bad`. */
function run(text: string, start: number, end: number, bad: (index: number) => boolean): Flaw | undefined {
  let from = start;
  while (from < end && !bad(from)) from++;
  if (from === end) return undefined;
  let to = from + 1;
  while (to < end && bad(to)) to++;
  return { start: from, end: Math.min(to, text.length), kind: 'character' };
}
