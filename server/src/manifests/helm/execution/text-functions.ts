/** Implements the template functions for texts. Sources: Go `fmt`; github.com/Masterminds/sprig `strings.go`, `regex.go`. */

import { utf8ToBytes } from '@noble/hashes/utils.js';
import { finderOf } from '../../go-pattern.ts';
import { literalsOf } from '../actions.ts';
import { fail, giveUp } from './failure.ts';
import {
  byCodePoints,
  escaped,
  FileContent,
  floatText,
  Int64,
  isKnown,
  isList,
  made,
  printed,
  type TemplateList,
  TemplateMap,
  type TemplateValue,
  textValue,
  typeOf,
  Unknown,
} from './template-value.ts';

/** A function whose parameters are known. Returns undefined if the result is unknown. */
export type KnownFunction = (...parameters: readonly TemplateValue[]) => TemplateValue | undefined;

/** The maximum length of a text that a function writes, in UTF-16 code units. */
const maximumLength = 100_000;

/** Returns a value as text, as `toString` does. */
export function textOf(value: TemplateValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : printed(value);
}

function ofTexts(apply: (...texts: readonly string[]) => TemplateValue | undefined): KnownFunction {
  return (...parameters) => {
    for (const each of parameters) if (typeof each !== 'string') return fail('a parameter is not a string');
    return apply(...(parameters as readonly string[]));
  };
}

/** Converts a value to an integer, as `int` does: 0 if it is not a number, and NaN if this depends on the version of a library. */
export function integerOf(value: TemplateValue | undefined): number {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Int64) return Number(value.value);
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? Math.trunc(value) : Number.NaN;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return 0;
  if (/^[+-]?(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value);
  if (/^0x[\da-f]{1,12}$/i.test(value)) return Number(value);
  if (/^0[0-7]{1,15}$/.test(value)) return Number.parseInt(value, 8);
  const isFraction = /^[+-]?\d+\./.test(value) && !/\.0*$/.test(value);
  return isFraction || !/^[+-]?\d/.test(value) || /^[+-]?[1-9]\d*[^\d_.]/.test(value) ? 0 : Number.NaN;
}

/** Creates a function whose result is unknown for other characters, for which Unicode versions and languages differ. */
function ofAscii(apply: (text: string) => TemplateValue | undefined): KnownFunction {
  return ofTexts((text = '') => (bytesFit(text) ? apply(text) : undefined));
}

/** Returns a part of a text, which Go measures in bytes; undefined if the end of the part may be inside of a character. */
function cut(text: string, size: number): string | undefined {
  if (!bytesFit(text)) return size >= 0 && utf8ToBytes(text).length <= size ? text : undefined;
  if (size < 0) return text.length + size > 0 ? text.slice(text.length + size) : text;
  return text.slice(0, size);
}

/** Whether byte offsets are equal to UTF-16 offsets. */
function bytesFit(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function trimmed(text: string, set: string, { start = true, end = true } = {}): string {
  let [from, to] = [0, text.length];
  while (start && from < to && set.includes(text[from] ?? '')) from++;
  while (end && to > from && set.includes(text[to - 1] ?? '')) to--;
  return text.slice(from, to);
}

function replaced(text: string, from: string, to: string): string | undefined {
  if (from === '') return undefined;
  const parts = text.split(from);
  return parts.length * to.length > maximumLength ? undefined : parts.join(to);
}

/** Whether the words of a text are certain: digits are words of their own in some positions. */
function isOfWords(text: string): boolean {
  return /^[A-Za-z]+(?:[-_ ][A-Za-z]+)*$/.test(text);
}

/** Splits words as `snakecase` does: before an upper case letter after a lower case one, and at separators. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
}

function title(text: string): string {
  return text.replace(
    /(^|[^A-Za-z0-9_])([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** The functions for paths; those whose names begin with `os` are equal on Linux. */
const pathFunctions: Readonly<Record<string, KnownFunction>> = {
  clean: ofTexts((path = '') => cleaned(path)),
  dir: ofTexts((path = '') => cleaned(path.slice(0, path.lastIndexOf('/') + 1))),
  isAbs: ofTexts((path = '') => path.startsWith('/')),
  base: ofTexts((path = '') =>
    path === '' ? '.' : path === '/' ? '/' : path.replace(/\/{1,100}$/, '').replace(/^.*\//, ''),
  ),
  ext: ofTexts((path = '') => /\.[^./]*$/.exec(path)?.[0] ?? ''),
};

export const textFunctions: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>(
  Object.entries<KnownFunction>({
    lower: ofAscii((text) => text.toLowerCase()),
    upper: ofAscii((text) => text.toUpperCase()),
    title: ofAscii((text) => title(text)),
    untitle: ofAscii((text) =>
      text.replace(/(^|\s)([A-Z])/g, (_, before: string, letter: string) => before + letter.toLowerCase()),
    ),
    nospace: ofTexts((text = '') => text.replace(/\s/g, '')),
    trunc: (size, text) => cut(textParameter(text), integerOf(size)),
    trimAll: ofTexts((set = '', text = '') => trimmed(text, set)),
    trimall: ofTexts((set = '', text = '') => trimmed(text, set)),
    trimSuffix: ofTexts((end = '', text = '') =>
      end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text,
    ),
    trimPrefix: ofTexts((start = '', text = '') => (text.startsWith(start) ? text.slice(start.length) : text)),
    replace: ofTexts((from = '', to = '', text = '') => replaced(text, from, to)),
    contains: ofTexts((part = '', text = '') => text.includes(part)),
    hasPrefix: ofTexts((start = '', text = '') => text.startsWith(start)),
    hasSuffix: ofTexts((end = '', text = '') => text.endsWith(end)),
    repeat: (count, text) => {
      const [times, part] = [integerOf(count), textParameter(text)];
      return times < 0 || times * part.length > maximumLength ? undefined : part.repeat(times);
    },
    substr: (start, end, text) => {
      const [from, to, whole] = [integerOf(start), integerOf(end), textParameter(text)];
      if (!bytesFit(whole)) return undefined;
      const [first, last] = from < 0 ? [0, to] : [from, to < 0 || to > whole.length ? whole.length : to];
      return last < first || last > whole.length ? fail('the bounds are out of range') : whole.slice(first, last);
    },
    abbrev: (width, text) => {
      const [size, whole] = [integerOf(width), textParameter(text)];
      return size < 4 || whole.length <= size ? whole : `${whole.slice(0, size - 3)}...`;
    },
    initials: ofAscii((text) =>
      text
        .split(/\s+/)
        .map((word) => word.slice(0, 1))
        .join(''),
    ),
    snakecase: ofTexts((text = '') => (isOfWords(text) ? wordsOf(text).join('_').toLowerCase() : undefined)),
    kebabcase: ofTexts((text = '') => (isOfWords(text) ? wordsOf(text).join('-').toLowerCase() : undefined)),
    camelcase: ofTexts((text = '') =>
      /^[a-z0-9]+(?:[-_ ][a-z0-9]+)*$/.test(text)
        ? text.replace(/(?:^|[-_ ])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
        : undefined,
    ),
    splitList: ofTexts((separator = '', text = '') => texts(separator === '' ? [...text] : text.split(separator))),
    split: ofTexts((separator = '', text = '') => {
      const parts = separator === '' ? [...text] : text.split(separator);
      return numbered(parts);
    }),
    splitn: (separator, count, text) => {
      const [by, limit, whole] = [textParameter(separator), integerOf(count), textParameter(text)];
      if (by === '' || limit <= 0) return undefined;
      const parts = whole.split(by);
      const first = parts.slice(0, limit - 1);
      if (parts.length >= limit) first.push(parts.slice(limit - 1).join(by));
      return numbered(first);
    },
    join: (separator, list) => {
      return stringsOf(list).join(textParameter(separator));
    },
    sortAlpha: (list = null) => {
      return list === null ? undefined : texts(stringsOf(list).toSorted(byCodePoints));
    },
    toStrings: (list) => texts(stringsOf(list)),
    cat: (...values) =>
      values
        .filter((each) => each !== null)
        .map(textOf)
        .join(' '),
    plural: (one, many, count) => (integerOf(count) === 1 ? one : many),
    b64enc: ofTexts((text = '') => base64Of(text)),
    b64dec: ofTexts((text = '') => decodedBase64(text)),
    regexMatch: ofTexts((pattern = '', text = '') => {
      const found = finderOf(pattern)?.(text);
      return found && found.length > 0;
    }),
    regexReplaceAll: ofTexts((pattern = '', text = '', by = '') =>
      by.includes('$') ? undefined : withMatches(pattern, text, by),
    ),
    regexReplaceAllLiteral: ofTexts((pattern = '', text = '', by = '') => withMatches(pattern, text, by)),
    regexFind: ofTexts((pattern = '', text = '') => {
      const found = finderOf(pattern)?.(text);
      const [first] = found ?? [];
      return found === undefined ? undefined : first === undefined ? '' : text.slice(first.start, first.end);
    }),
    regexFindAll: (pattern, text, count) => {
      const whole = textParameter(text);
      const found = finderOf(textParameter(pattern))?.(whole);
      const limit = integerOf(count);
      const parts = found?.slice(0, limit < 0 ? undefined : limit).map(({ start, end }) => whole.slice(start, end));
      return parts && made(parts, { type: '[]string', ...(parts.length === 0 && { isNil: true }) });
    },
    regexSplit: (pattern, text, count) => {
      const [whole, limit] = [textParameter(text), integerOf(count)];
      const found = finderOf(textParameter(pattern))?.(whole);
      // A separator that may be empty splits between characters.
      if (limit === 0 || found === undefined || found.some(({ start, end }) => start === end)) return undefined;
      const parts: string[] = [];
      let at = 0;
      for (const { start, end } of limit < 0 ? found : found.slice(0, limit - 1)) {
        parts.push(whole.slice(at, start));
        at = end;
      }
      return texts([...parts, whole.slice(at)]);
    },
    ...pathFunctions,
    ...Object.fromEntries(
      Object.entries(pathFunctions).map(([name, apply]) => [`os${name[0]?.toUpperCase()}${name.slice(1)}`, apply]),
    ),
    println: (...values) => `${values.map(textOf).join(' ')}\n`,
  }),
);

function texts(list: readonly string[]): TemplateList {
  return made(list, { type: '[]string' });
}

/** Returns the items of a list as texts, without nil; any other value is a single item. */
function stringsOf(value: TemplateValue = null): readonly string[] {
  return (isList(value) ? value : [value]).filter((item) => item !== null).map(textOf);
}

function numbered(parts: readonly string[]): TemplateMap {
  return made(new TemplateMap(parts.map((part, index) => [`_${index}`, part] as const)), { type: 'map[string]string' });
}

function withMatches(pattern: string, text: string, by: string): string | undefined {
  const found = finderOf(pattern)?.(text);
  if (found === undefined || found.length * by.length > maximumLength) return undefined;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of found) {
    pieces.push(text.slice(at, start), by);
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

function textParameter(value: TemplateValue | undefined): string {
  return typeof value === 'string' ? value : fail('a parameter is not a string');
}

/** Returns the shortest equivalent path, as Go's `path.Clean` does. */
function cleaned(path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  const joined = parts.join('/');
  return isAbsolute ? `/${joined}` : joined === '' ? '.' : joined;
}

/** Decodes ASCII text; undefined for other content, and for invalid text. */
export function decodedBase64(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  const letters = text.replace(/=/g, '');
  let decoded = '';
  let [bits, size] = [0, 0];
  for (const letter of letters) {
    bits = ((bits << 6) | base64Characters.indexOf(letter)) & 0xffff;
    size += 6;
    if (size < 8) continue;
    size -= 8;
    decoded += String.fromCharCode((bits >> size) & 0xff);
  }
  return bytesFit(decoded) ? decoded : undefined;
}

const base64Characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes ASCII text; undefined for other text. */
export function base64Of(text: string): string | undefined {
  if (!bytesFit(text)) return undefined;
  let encoded = '';
  const letter = (bits: number) => base64Characters[bits & 63] ?? '';
  for (let at = 0; at < text.length; at += 3) {
    const left = text.length - at;
    const [second, third] = [left > 1 ? text.charCodeAt(at + 1) : 0, left > 2 ? text.charCodeAt(at + 2) : 0];
    const bits = (text.charCodeAt(at) << 16) | (second << 8) | third;
    encoded += letter(bits >> 18) + letter(bits >> 12);
    encoded += (left > 1 ? letter(bits >> 6) : '=') + (left > 2 ? letter(bits) : '=');
  }
  return encoded;
}

/** A function that keeps unknown parts of its text parameter in its output. */
export type PartialFunction = (...parameters: readonly TemplateValue[]) => TemplateValue | undefined;

export const partialFunctions: ReadonlyMap<string, PartialFunction> = new Map<string, PartialFunction>(
  Object.entries<PartialFunction>({
    quote: (...values) =>
      quoted(values, (value) => (value instanceof Unknown ? `"${value.text}"` : escaped(goQuoted(textOf(value))))),
    squote: (...values) =>
      quoted(values, (value) => (value instanceof Unknown ? `'${value.text}'` : `'${printed(value)}'`)),
    toString: (value: TemplateValue = null) => {
      if (value instanceof FileContent) return value.content;
      return value instanceof Unknown ? value : textValue(printed(value));
    },
    print: (...values) => {
      const parts = values.map((value, index) => {
        const before = values[index - 1];
        const isApart = index > 0 && typeof value !== 'string' && typeof before !== 'string';
        // Whether an unknown value is a string is unknown.
        if (
          index > 0 &&
          [value, before].some((each) => each instanceof Unknown) &&
          ![value, before].some((each) => typeof each === 'string')
        )
          return undefined;
        return `${isApart ? ' ' : ''}${printed(value)}`;
      });
      return parts.every((part) => part !== undefined) ? textValue(parts.join('')) : undefined;
    },
    printf: (format, ...values) => (typeof format === 'string' ? formatted(format, values) : undefined),
    trim: (value = null) => ofText(value, (text) => text.trim()),
    indent: (width, value = null) => ofText(value, (text) => indented(integerOf(width), text)),
    nindent: (width, value = null) => ofText(value, (text) => `\n${indented(integerOf(width), text)}`),
  }),
);

function ofText(value: TemplateValue, change: (text: string) => string): TemplateValue | undefined {
  if (value instanceof Unknown) return textValue(change(value.text));
  return typeof value === 'string' ? change(value) : fail('a parameter is not a string');
}

function indented(width: number, text: string): string {
  if (width < 0) return fail('a negative width');
  const blanks = ' '.repeat(Math.min(width, 1_000));
  const lines = text.split('\n');
  if (text.length + lines.length * blanks.length > maximumLength) return giveUp('too long');
  return lines.map((line) => blanks + line).join('\n');
}

function quoted(values: readonly TemplateValue[], quote: (value: TemplateValue) => string): TemplateValue | undefined {
  const isOpaque = (value: TemplateValue) =>
    value instanceof Unknown ? literalsOf(value.text).some((each) => /["'\n\\]/.test(each)) : !isKnown(value);
  if (values.some(isOpaque)) return undefined;
  const texts = values.filter((value) => value !== null).map(quote);
  return textValue(texts.join(' '));
}

function goQuoted(text: string): string {
  return JSON.stringify(text).replace(/\\(?:\\|u00([0-9a-f]{2}))/g, (all, code?: string) =>
    code ? `\\x${code}` : all,
  );
}

/** Evaluates `printf`; undefined for verbs that are not supported. */
function formatted(format: string, values: readonly TemplateValue[]): TemplateValue | undefined {
  let next = 0;
  const verbs = /%([-0]{0,5})(\d{0,4})(?:\.(\d{0,4}))?([a-zA-Z%])/g;
  let isPlain = !format.replace(verbs, '').includes('%');
  const text = escaped(format).replace(
    verbs,
    (found, flags: string, width: string, precision: string | undefined, verb: string, at: number, all: string) => {
      if (verb === '%') return '%';
      const value = values[next++];
      const isLine = /(?:^|\n)$/.test(all.slice(0, at)) && /^(?:\n|$)/.test(all.slice(at + found.length));
      const part = value === undefined ? undefined : verbText(verb, value, precision, isLine);
      if (part === undefined || (width !== '' && value instanceof Unknown)) {
        isPlain = false;
        return '';
      }
      const isNumber = 'dxf'.includes(verb);
      if (flags.includes('0') && (!isNumber || part.startsWith('-'))) isPlain = false;
      const size = Number(width === '' ? 0 : width);
      if (flags.includes('-')) return part.padEnd(size);
      return flags.includes('0') ? part.padStart(size, '0') : part.padStart(size);
    },
  );
  return isPlain && next === values.length ? textValue(text) : undefined;
}

/** Returns a number with a fixed number of decimals, of which a tie is rounded to even, as in Go; undefined for a number that is too large. */
function fixedText(value: number, places: number): string | undefined {
  if (places > 40 || Math.abs(value) >= 1e21) return undefined;
  const exact = value.toFixed(places + 60);
  const isTie = /^50*$/.test(exact.slice(exact.length - 60));
  const kept = exact.slice(0, exact.length - 60).replace(/\.$/, '');
  return isTie && /[02468]$/.test(kept) ? kept : value.toFixed(places);
}

/** Returns the text of a value for a verb; undefined if it is unknown. Unknown lines are kept if the verb is on a line of its own. */
function verbText(
  verb: string,
  value: TemplateValue,
  precision: string | undefined,
  isLine: boolean,
): string | undefined {
  if (value instanceof Unknown)
    return 'svd'.includes(verb) && precision === undefined && (isLine || !value.text.includes('\n'))
      ? value.text
      : undefined;
  if (verb === 'v') return printed(value);
  if (verb === 's') {
    if (typeof value !== 'string') return undefined;
    return escaped(precision === undefined ? value : value.slice(0, Number(precision)));
  }
  if (verb === 'd') return typeof value === 'bigint' || value instanceof Int64 ? String(value) : undefined;
  if (verb === 'q') return typeof value === 'string' ? escaped(goQuoted(value)) : undefined;
  if (verb === 't') return typeof value === 'boolean' ? String(value) : undefined;
  if (verb === 'T') return typeOf(value);
  if (verb === 'f') return typeof value === 'number' ? fixedText(value, Number(precision ?? 6)) : undefined;
  if (verb === 'g') return typeof value === 'number' && precision === undefined ? floatText(value) : undefined;
  return verb === 'x' && typeof value === 'bigint' ? value.toString(16) : undefined;
}
