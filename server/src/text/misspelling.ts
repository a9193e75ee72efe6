/** Estimates from the letters of two names whether one is a misspelling of the other. */

import { editDistance } from './edit-distance.ts';

/** `evident`: only case, separators or the order of two neighboring letters differ. `likely`: one letter of a long word differs. `possible`: the difference is small in a short word, or larger in a long word, so additional evidence is needed. */
export type Misspelling = 'evident' | 'likely' | 'possible';

/** Names that differ in more letters are different words. */
export const maximumLetters = 2;
/** Parts up to this length distinguish variants: `-eu` and `-us`, `-ro` and `-rw`. */
const shortPart = 3;
const longWord = 5;
const longWordForTwo = 8;
const longWordForFirstLetter = 7;

/** Whether a text is evidently or probably a misspelling of another one. */
export function isLikelyMisspelling(wanted: string, actual: string): boolean {
  const likeness = misspelling(wanted, actual);
  return likeness === 'evident' || likeness === 'likely';
}

/** Returns how likely it is that one of two names is a misspelling of the other; undefined if they are equal or certainly different names. Different numbers and other short parts (`web-1` and `web-2`, `cache-ro` and `cache-rw`) are variants of a name, not misspellings. */
export function misspelling(wanted: string, actual: string): Misspelling | undefined {
  if (wanted === actual || !haveSameNumbers(wanted, actual)) return undefined;
  if (folded(wanted) === folded(actual)) return folded(wanted).length >= shortPart ? 'evident' : undefined;
  const distance = editDistance(wanted, actual, maximumLetters);
  if (distance > maximumLetters) return undefined;
  const [one, other] = [partsOf(wanted), partsOf(actual)];
  if (one.length !== other.length) return isPartAdded(one, other) ? undefined : ofWords(wanted, actual, distance);
  const changed = one.flatMap((part, at) => (part === other[at] ? [] : [[part, other[at] ?? ''] as const]));
  const found = changed.map(([a, b]) => ofWords(a, b, editDistance(a, b, maximumLetters)));
  return found.includes(undefined) ? undefined : (order.findLast((each) => found.includes(each)) ?? 'possible');
}

/** Whether two names differ only in short parts, as `worker-a` and `worker-b` do, or one of them has another short part. */
export function areVariants(a: string, b: string): boolean {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.length !== other.length) {
    const added = one.length > other.length ? one.at(-1) : other.at(-1);
    return isPartAdded(one, other) && (added ?? '').length < shortPart;
  }
  const isShort = (part: string, at: number) => part === other[at] || (part.length > 0 && part.length < shortPart);
  return a !== b && one.length > 1 && one.every(isShort);
}

/** In order of certainty, the most certain first. */
const order: readonly Misspelling[] = ['evident', 'likely', 'possible'];

function ofWords(a: string, b: string, distance: number): Misspelling | undefined {
  const length = Math.min(a.length, b.length);
  if (isSwap(a, b)) return length >= longWord ? 'evident' : length > shortPart ? 'likely' : atLeast(length, shortPart);
  if (Math.max(a.length, b.length) <= shortPart) return undefined;
  const startsAlike = a[0] === b[0];
  if (distance === 1) {
    // `api` and `apis` are two different names as often as one misspelled name.
    if (length <= shortPart && isPlural(a, b)) return undefined;
    if (length < longWord || (!startsAlike && length < longWordForFirstLetter)) return atLeast(length, shortPart);
    return 'likely';
  }
  if (length < longWord) return undefined;
  return startsAlike && length >= longWordForTwo ? 'likely' : 'possible';
}

function atLeast(length: number, minimum: number): Misspelling | undefined {
  return length >= minimum ? 'possible' : undefined;
}

/** A difference in one part of two names: two swapped letters, a final `s`, or another letter or the end of the part. */
export type SlightDifference = 'swap' | 'plural' | 'letters';

/** Returns the difference between two names that is so small that one is probably a misspelling of the other if few names are possible; undefined for greater differences and for variants. `misspelling` rejects many of these pairs, because short words often distinguish variants. */
export function slightDifference(a: string, b: string): SlightDifference | undefined {
  if (!haveSameNumbers(a, b)) return undefined;
  const [one, other] = [partsOf(a), partsOf(b)];
  const changed = one.flatMap((part, at) => (part === other[at] ? [] : [[part, other[at] ?? ''] as const]));
  const [first, ...others] = changed;
  if (one.length !== other.length || first === undefined || others.length > 0) return undefined;
  const [short, long] = first[0].length < first[1].length ? first : [first[1], first[0]];
  const isInLongName = Math.min(a.length, b.length) - short.length > shortPart;
  if (isSwap(short, long)) return short.length >= shortPart || isInLongName ? 'swap' : undefined;
  if (short.length < shortPart) return undefined;
  if (editDistance(short, long, 1) === 1) return isPlural(short, long) ? 'plural' : 'letters';
  // An abbreviation, such as `web-conf`, is rarely another name.
  const isAbbreviated = short.length > shortPart && long.startsWith(short) && long.length - short.length === 2;
  return isInLongName && isAbbreviated ? 'letters' : undefined;
}

/** Whether two names contain nearly the same letters, as all names do between which `misspelling`, `slightDifference`, or an edit distance of at most `maximumLetters` finds a similarity. This test is much faster, and few names pass it. */
export function haveSimilarLetters(a: string, b: string): boolean {
  let different = lettersIn(a) ^ lettersIn(b);
  // Each change of a letter removes one letter and adds another.
  for (let left = 2 * maximumLetters; different !== 0; left--) {
    if (left === 0) return false;
    different &= different - 1;
  }
  return true;
}

/** Returns a set of bits for the letters and digits of a name, without case. */
function lettersIn(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isSeparator = (code >= 45 && code <= 47) || code === 95;
    if (!isSeparator) letters |= 1 << (code & 31);
  }
  return letters;
}

function isPlural(a: string, b: string): boolean {
  return a === `${b}s` || b === `${a}s`;
}

function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function isPartAdded(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.length !== short.length + 1) return false;
  return long.some((_, at) => long.toSpliced(at, 1).join('-') === short.join('-'));
}

/** Returns the parts of a name; a single capital letter after a word is a part, as in `customerA`. */
function partsOf(name: string): readonly string[] {
  return name.split(/[-_./]|(?<=[a-z])(?=[A-Z](?:[-_./]|$))/);
}

/** Returns a name without case and separators. */
export function folded(name: string): string {
  return name.replace(/[-_./]/g, '').toLowerCase();
}

function haveSameNumbers(a: string, b: string): boolean {
  let [i, j] = [0, 0];
  // Nearly all pairs of names that this loop compares differ in one of the first digits.
  while (true) {
    while (i < a.length && !isDigit(a, i)) i++;
    while (j < b.length && !isDigit(b, j)) j++;
    if (i === a.length || j === b.length) return i === a.length && j === b.length;
    for (; isDigit(a, i) && isDigit(b, j); i++, j++) if (a[i] !== b[j]) return false;
    if (isDigit(a, i) || isDigit(b, j)) return false;
  }
}

/** Whether a name has a digit at an index; false after its end. */
function isDigit(name: string, at: number): boolean {
  const code = name.charCodeAt(at);
  return code >= 48 && code <= 57;
}

export function numbersIn(name: string): string {
  return (name.match(/\d+/g) ?? []).join(' ');
}
