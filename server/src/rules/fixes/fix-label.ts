/** Makes invalid label keys and values valid with as few changes as possible. */

import { maxValueBytes, validateLabelKey, validateLabelValue } from '../../engine/index.ts';

export interface Corrected {
  readonly text: string;
  /** The kind of correction. `trim`: only characters at the ends were removed. `replace`: characters were replaced. */
  readonly how: 'trim' | 'replace';
}

/** Matches text whose special characters have a meaning that a label cannot express: operators, lists, wildcards and ranges of versions, percentages, and the sign or the decimal point of a number. Without these characters, the text would mean something else. */
const meaningful = /[!=,|*<>()&~^?;%]|\s(?:in|notin|and|or|not)\s|^[-+.]+\d/i;

const invalidCharacters = /[^A-Za-z0-9._-]+/gu;
const invalidStart = /^[^A-Za-z0-9]+/u;

/** The minimum number of words in text that is treated as a sentence; real label values have fewer words. */
const wordsOfSentence = 7;

/** Returns valid variants of a label value: without invalid characters at its ends, with ASCII letters or '-' in place of invalid characters, and truncated if it is too long. */
export function correctValue(value: string): readonly Corrected[] {
  if (meaningful.test(value)) return [];
  const valid = trimmed(inAscii(value).replace(invalidCharacters, '-'));
  return distinct(value, [
    { text: trimmed(value), how: 'trim' },
    { text: valid, how: 'replace' },
    // A sentence is not truncated, because it belongs in an annotation, and a part of it would not be a useful label
    // value.
    ...(valid.split(/[-_.]+/).length < wordsOfSentence ? [{ text: cut(valid), how: 'replace' as const }] : []),
  ]).filter((corrected) => corrected.text !== '' && validateLabelValue(corrected.text).length === 0);
}

/** Returns valid variants of a label key. The rules for its prefix are different from the rules for its name part. */
export function correctKey(key: string): readonly Corrected[] {
  // A colon without a space separates a key from its value.
  if (meaningful.test(key) || key.includes(':')) return [];
  const slash = key.indexOf('/');
  const prefix = slash === -1 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const join = (correctedName: string) =>
    prefix === undefined ? correctedName : `${correctPrefix(prefix)}${correctedName}`;
  const validName = trimmed(inAscii(name).replace(invalidCharacters, '-'));
  return distinct(key, [
    { text: join(trimmed(name)), how: 'trim' },
    { text: join(validName), how: 'replace' },
    { text: join(cut(validName)), how: 'replace' },
  ]).filter((corrected) => validateLabelKey(corrected.text).length === 0);
}

function correctPrefix(prefix: string): string {
  const parts = inAscii(prefix)
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9-]+/gu, '-').replace(/^-+/, ''))
    .map((part) => withoutEnd(part, /[a-z0-9]/))
    .filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('.')}/`;
}

/** Replacements for letters that cannot be decomposed by Unicode normalization into a base letter and an accent. */
const letters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/** Replaces Latin letters with ASCII letters: `straße` becomes `strasse`, `café` becomes `cafe`. */
function inAscii(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  return plain.replaceAll(/\P{ASCII}/gu, (letter) => letters.get(letter) ?? letter);
}

function cut(text: string): string {
  return trimmed(text.slice(0, maxValueBytes));
}

function trimmed(text: string): string {
  return withoutEnd(text.replace(invalidStart, ''), /[A-Za-z0-9]/);
}

/** Removes characters from the end of a text until an allowed character is at its end. This is a loop because an equivalent regular expression would not take linear time. */
function withoutEnd(text: string, allowed: RegExp): string {
  let end = text.length;
  while (end > 0 && !allowed.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

function distinct(original: string, corrected: readonly Corrected[]): readonly Corrected[] {
  return corrected.filter(
    (each, index) => each.text !== original && corrected.findIndex((other) => other.text === each.text) === index,
  );
}
