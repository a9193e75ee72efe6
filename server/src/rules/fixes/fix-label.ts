/** Makes invalid label keys and values valid with as few changes as possible. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  isLabelKey,
  maxValueBytes,
  validateLabelKey,
  validateLabelValue,
  withoutLookalikes,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import type { Fix } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

export interface Corrected {
  readonly text: string;
  /** Whether the words are the same, so that editors may prefer the correction. Other corrections only resemble the text. */
  readonly preferred: boolean;
}

/** Matches text with a meaning that a label cannot express: operators, lists, wildcards and ranges of versions, percentages, the sign or the decimal point of a number, infinity, several lines, and letters that have no ASCII spelling, or several. The corrected text would mean something else. An exclamation mark after the last word has no meaning. */
const meaningful =
  /[!=,|*<>()&~^?;%]|\s(?:in|notin|and|or|not)\s|^[-+.]+\d|^[-+]?\.(?:inf|nan)$|[\u00e4-\u00e6\u00eb\u00ef\u00f1\u00f6\u00f8\u00fc\u0153]/iu;

/** Replaces letters of other alphabets that look like ASCII letters in a text that also has ASCII letters. */
function withoutMixedAlphabets(text: string): string {
  return /[A-Za-z]/.test(text) ? withoutLookalikes(text) : text;
}

function isMeaningful(text: string): boolean {
  return (
    meaningful.test(text.normalize('NFC').replace(/(?<=[\p{L}\p{N}])!$/u, '')) ||
    text.trim().includes('\n') ||
    /(?!\p{ASCII})\p{L}/u.test(inAscii(text))
  );
}

const invalidCharacters = /[^A-Za-z0-9._-]+/gu;
const invalidStart = /^[^A-Za-z0-9]+/u;

type Entries = readonly Pick<LabelEntry, 'key'>[];

/** For each map, the keys that it may have after fixes: the written keys that become or remain each of them. */
const keysAfterFixes = new WeakMap<Entries, ReadonlyMap<string, ReadonlySet<string>>>();

function keysAfterFixesOf(entries: Entries, validate: KeyValidator): ReadonlyMap<string, ReadonlySet<string>> {
  return getOrAdd(keysAfterFixes, entries, () => {
    const after = new Map<string, Set<string>>();
    for (const text of new Set(entries.map(({ key }) => key.text))) {
      const corrected = isLabelKey(text) ? [] : correctKey(text, validate);
      for (const key of [text, ...corrected.map((each) => each.text)])
        getOrAdd(after, key, () => new Set<string>()).add(text);
    }
    return after;
  });
}

type KeyValidator = typeof validateLabelKey;

/** Returns fixes that correct the key or the value of a label, in all places that repeat it. `maps` contains the entries of the maps that the fixes change; a fix never repeats one of their keys. `validate` determines which keys are valid; the prefixes of annotations may be in upper case. `meant` is a well-known key of the same words, which is the only correction. */
export function correctLabel(
  is: 'key' | 'value',
  scalars: readonly Written[],
  maps: readonly Entries[] = [],
  validate: KeyValidator = validateLabelKey,
  meant?: string,
): readonly Fix[] {
  const written = scalars[0]?.text ?? '';
  const isTaken = (text: string) =>
    maps.some((entries) => {
      const from = keysAfterFixesOf(entries, validate).get(text);
      return from !== undefined && (from.size > 1 || !from.has(written));
    });
  const corrected = is === 'key' ? correctKey(written, validate) : correctValue(written);
  return (meant === undefined ? corrected : [{ text: meant, preferred: true }])
    .filter(({ text }) => !isTaken(text))
    .map(({ text, preferred }) => ({
      title: localize`Change the ${is} to '${shorten(text)}'`,
      edits: scalars.map((each) => replaceScalar(each, text)),
      preferred,
    }));
}

/** Returns the only well-known key of labels or annotations with the same words as an invalid key: a `/` may be in the wrong place. */
export function wellKnownKey(catalogue: Catalogue, as: 'label' | 'annotation', written: string): string | undefined {
  if (!written.includes('/')) return undefined;
  const words = wordsOf(written.replaceAll('/', '.'));
  const keys = catalogue
    .keys()
    .filter(({ key, type, pattern }) => key.includes('/') && !pattern && (type === as || type === 'both'));
  const known = new Set(keys.map(({ key }) => key).filter((key) => wordsOf(key.replace('/', '.')) === words));
  const [only, ...others] = known;
  return others.length === 0 ? only : undefined;
}

/** Matches a key without letters and digits in its name. Its entry is removed, except in a selector, which would then match something else. */
export const isNameless = /^(?:[^/]*\/)?[-_.]*$/;

/** Returns valid variants of a label key or value, the most similar first. */
export function corrections(is: 'key' | 'value', text: string): readonly Corrected[] {
  return is === 'key' ? correctKey(text, validateLabelKey) : correctValue(text);
}

/** Returns valid variants of a label value: without invalid characters at its ends, with ASCII letters or '-' in place of invalid characters. A value is not truncated, because a part of it would mean something else. */
function correctValue(value: string): readonly Corrected[] {
  if (isMeaningful(value)) return [];
  const valid = trimmed(inAscii(value).replace(invalidCharacters, '-'));
  return distinct(value, [valid]).filter(({ text }) => text !== '' && validateLabelValue(text).length === 0);
}

/** Returns valid variants of a label key. The rules for its prefix are different from the rules for its name part. */
function correctKey(key: string, validate: KeyValidator): readonly Corrected[] {
  // A colon without a space separates a key from its value.
  if (isMeaningful(key) || key.includes(':')) return [];
  const slash = key.indexOf('/');
  const prefix = slash === -1 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const hasCapitals = validate('A/a').length === 0;
  const start = correctPrefix(hasCapitals ? (prefix ?? '') : (prefix ?? '').toLowerCase());
  const join = (correctedName: string) => `${start}${correctedName}`;
  const validName = trimmed(inAscii(name).replace(invalidCharacters, '-'));
  return distinct(key, [join(validName), join(cut(validName))]).filter(({ text }) => validate(text).length === 0);
}

function correctPrefix(prefix: string): string {
  const parts = inAscii(prefix)
    .split('.')
    .map((part) => part.replace(/[^A-Za-z0-9-]+/gu, '-').replace(/^-+/, ''))
    .map((part) => withoutEnd(part, /[A-Za-z0-9]/))
    .filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('.')}/`;
}

/** Replaces Latin letters with ASCII letters, without their accents: `café` becomes `cafe`, `straße` becomes `strasse`. */
function inAscii(text: string): string {
  return withoutMixedAlphabets(text)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss');
}

/** Truncates a text at the end of a word; a part of a word would mean something else. */
function cut(text: string): string {
  if (text.length <= maxValueBytes) return text;
  const last = Math.max(...['-', '_', '.'].map((separator) => text.lastIndexOf(separator, maxValueBytes)));
  return trimmed(text.slice(0, Math.max(last, 0)));
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

function distinct(original: string, texts: readonly string[]): readonly Corrected[] {
  const words = wordsOf(original);
  return [...new Set(texts)]
    .filter((text) => text !== original)
    .map((text, index) => ({ text, preferred: index === 0 && wordsOf(text) === words }));
}

/** Returns the text without blanks and without characters that only separate words in a label. */
export function wordsOf(text: string): string {
  return text.replaceAll(/[\s._-]+/g, '').toLowerCase();
}
