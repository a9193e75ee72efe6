/** Checks the characters of keys, values and names, and locates the first character that is not allowed. */

const inner = 1;
const alphanumeric = 2;
const lower = 4;

const classes = new Uint8Array(128);
for (const character of '-_.') classes[character.charCodeAt(0)] = inner;
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') classes[character.charCodeAt(0)] = inner | alphanumeric;
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789') {
  classes[character.charCodeAt(0)] = inner | alphanumeric | lower;
}

const dot = 0x2e;
const dash = 0x2d;

/** Whether the character of `text` at `index` belongs to the character class. */
function is(text: string, index: number, characterClass: number): boolean {
  return ((classes[text.charCodeAt(index)] ?? 0) & characterClass) !== 0;
}

/**
 * Whether `text`, from `start` on, has the shape of a label name: letters, digits, `-`, `_` and `.`, with a letter or
 * digit at both ends. The length is not checked.
 */
export function hasNameShape(text: string, start = 0): boolean {
  if (!is(text, start, alphanumeric) || !is(text, text.length - 1, alphanumeric)) return false;
  for (let index = start + 1; index < text.length; index++) if (!is(text, index, inner)) return false;
  return true;
}

/** Whether `text`, up to `end`, has the shape of a DNS subdomain: labels of lower-case letters, digits and `-`, each with a letter or digit at both ends, joined by dots. Without `dots`, it must be a single label. The length is not checked. */
export function hasSubdomainShape(text: string, dots: boolean, end = text.length): boolean {
  let previous = dot;
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === dot) {
      if (!dots || previous === dot || previous === dash) return false;
    } else if (unit === dash) {
      if (previous === dot) return false;
    } else if (!is(text, index, lower)) return false;
    previous = unit;
  }
  return previous !== dot && previous !== dash;
}

/** The first violation of a shape: one or more characters that are not allowed at the start, at the end or anywhere. */
export interface Flaw {
  readonly start: number;
  readonly end: number;
  readonly kind: 'empty' | 'character' | 'first' | 'last';
}

/** Returns the first position at which `text` violates the shape of a label name; undefined if it has that shape. */
export function nameFlaw(text: string): Flaw | undefined {
  if (hasNameShape(text)) return undefined;
  const foreign = foreignCharacters(text, (index) => is(text, index, inner));
  if (foreign) return foreign;
  if (!is(text, 0, alphanumeric)) return { start: 0, end: 1, kind: 'first' };
  return { start: text.length - 1, end: text.length, kind: 'last' };
}

/** Returns the first position at which `text` violates the shape of a DNS subdomain or, without `dots`, of a single DNS label; undefined if it has this shape. */
export function subdomainFlaw(text: string, dots: boolean): Flaw | undefined {
  if (hasSubdomainShape(text, dots)) return undefined;
  const isDot = (index: number): boolean => dots && text.charCodeAt(index) === dot;
  const isDash = (index: number): boolean => text.charCodeAt(index) === dash;
  const foreign = foreignCharacters(text, (index) => is(text, index, lower) || isDash(index) || isDot(index));
  if (foreign) return foreign;
  for (let index = 0; index < text.length; index++) {
    if (is(text, index, lower)) continue;
    const place = { start: index, end: index + 1 };
    if (index === 0 || isDot(index - 1)) return { ...place, kind: 'first' };
    if (index === text.length - 1 || isDot(index + 1)) return { ...place, kind: 'last' };
  }
  return undefined;
}

/** Returns the first unbroken run of characters that are not allowed; an empty string is also a flaw. */
function foreignCharacters(text: string, isAllowed: (index: number) => boolean): Flaw | undefined {
  if (text === '') return { start: 0, end: 0, kind: 'empty' };
  let start = 0;
  while (start < text.length && isAllowed(start)) start++;
  if (start === text.length) return undefined;
  let end = start + 1;
  while (end < text.length && !isAllowed(end)) end++;
  return { start, end, kind: 'character' };
}

/** Returns a table with one byte for each ASCII character, which is 1 for the listed characters: a table lookup is faster than comparisons. */
export function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
