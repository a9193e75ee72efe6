/** Represents the data that templates of a release compute with: the values of Go templates, and unknown values. */

import { spend } from '../../../engine/work-budget.ts';
import { hashOf } from '../../../text/hash.ts';
import { boundedText, literalsOf, quotedText, textAsCode } from '../actions.ts';
import { type Data, isMap } from '../value.ts';

/** A Go value. An `int` is a bigint and a `float64` a number, because templates distinguish them: numbers in YAML are `float64`. */
export type TemplateValue =
  | null
  | boolean
  | bigint
  | Int64
  | number
  | string
  | TemplateList
  | TemplateMap
  | OneOf
  | Unknown;

export type TemplateList = readonly TemplateValue[];

/** An `int64`, such as the result of `add`: Go does not accept it for an `int`. */
export class Int64 {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }

  toString(): string {
    return String(this.value);
  }
}

/** Facts about a list or map whose type is not that of a list or map in YAML. */
interface Made {
  readonly type?: string;
  /** Whether the list or map is nil while it is empty, which `toJson` distinguishes from an empty list or map. */
  readonly isNil?: true;
  /** Whether the order of the items is random. */
  readonly isUnordered?: boolean;
}

/** The type of a map whose type depends on how a template refers to it: the values of a chart. */
export const unknownType = '?';
/** The type of a structure, such as `.Chart`. */
export const structure = 'struct';

const madeValues = new WeakMap<object, Made>();

/** States facts about a list or map, which is returned. */
export function made<T extends TemplateList | TemplateMap>(value: T, facts: Made): T {
  madeValues.set(value, facts);
  return value;
}

export function factsOf(value: TemplateValue): Made {
  return (typeof value === 'object' && value !== null && madeValues.get(value)) || {};
}

/** Returns a list whose items are in a random order. */
export function unordered(list: TemplateList, type?: string): TemplateList {
  return made(list, { ...(type !== undefined && { type }), isUnordered: list.length > 1 });
}

/** A map, which templates change in place with `set`, `unset` and `merge`. */
export class TemplateMap {
  static #changes = 0;
  #content: { readonly entries: Map<string, TemplateValue>; others: string | undefined };
  #code: { readonly code: string; readonly changes: number } | undefined;

  constructor(entries: Iterable<readonly [string, TemplateValue]> = [], others?: string) {
    this.#content = { entries: new Map(entries), others };
  }

  /** Returns a map with the same content, also after changes of one of them: a map of Go under two types. */
  get twin(): TemplateMap {
    const twin = new TemplateMap();
    twin.#content = this.#content;
    return twin;
  }

  /** The number of changes of all maps: what was computed from the content of a map holds until it increases. */
  static get changes(): number {
    return TemplateMap.#changes;
  }

  get entries(): ReadonlyMap<string, TemplateValue> {
    return this.#content.entries;
  }

  /** The expression for entries that the map may have in addition; undefined if the map has no other entries. */
  get others(): string | undefined {
    return this.#content.others;
  }

  /** Sets an entry, or removes it if the value is undefined. */
  put(key: string, value: TemplateValue | undefined): void {
    TemplateMap.#changes++;
    if (value === undefined) this.#content.entries.delete(key);
    else this.#content.entries.set(key, value);
  }

  /** States that the map may have more entries. */
  mayHave(others: string): void {
    TemplateMap.#changes++;
    this.#content.others = others;
  }

  /** The expression of the map. Templates pass all of their values to helpers, so it is computed only once. */
  get code(): string {
    if (this.#code?.changes === TemplateMap.#changes) return this.#code.code;
    const entries = this.keys.map((key) => `${quotedText(key)} ${codeOf(this.get(key))}`);
    if (this.others !== undefined) entries.push(this.others);
    const code = entries.length === 0 ? 'dict' : boundedText(`(dict ${entries.join(' ')})`);
    this.#code = { code, changes: TemplateMap.#changes };
    return code;
  }

  /** Returns the value of a key; null if the map certainly does not have the key. */
  get(key: string): TemplateValue {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    return this.others === undefined ? null : new Unknown(fieldCode(this.others, key));
  }

  /** Returns the value of a key, as templates read it: null, although it is unknown whether the map has the key. */
  read(key: string): TemplateValue {
    const known = this.get(key);
    return known instanceof Unknown && known.isNull ? null : known;
  }

  /** Whether the map has a key; undefined if this is unknown. */
  has(key: string): boolean | undefined {
    const known = this.entries.get(key);
    if (known !== undefined) return known instanceof Unknown && known.mayBeAbsent ? undefined : true;
    return this.others === undefined ? false : undefined;
  }

  /** The keys in the order of Go's loops over maps. */
  get keys(): readonly string[] {
    return [...this.entries.keys()].toSorted(byCodePoints);
  }
}

/** A structure whose fields templates read, and that is printed as a text: the version that `semver` parses. */
export class PrintedMap extends TemplateMap {
  readonly text: string;

  constructor(entries: Iterable<readonly [string, TemplateValue]>, text: string) {
    super(entries);
    this.text = text;
  }
}

/** A value that depends on something that is in no file. Two unknown values with the same text are equal. */
export class Unknown {
  /** The output: text with template actions for the unknown parts. A value that is no text is a single action. */
  readonly text: string;
  /** Whether the value is certainly not empty. */
  readonly filled: boolean;
  /** Whether the map that contains the value may lack its key. */
  readonly mayBeAbsent: boolean;
  /** Whether the value is nil: it is only unknown whether the map that contains it has its key. */
  readonly isNull: boolean;

  constructor(text: string, { filled = false, mayBeAbsent = false, isNull = false } = {}) {
    this.text = text.startsWith('{{') || text.includes('{{') ? text : `{{ ${text} }}`;
    this.filled = filled;
    this.mayBeAbsent = mayBeAbsent;
    this.isNull = isNull;
  }

  get code(): string {
    const isOne = this.text.startsWith('{{ ') && this.text.indexOf('}}') === this.text.length - 2;
    return isOne ? this.text.slice(3, -3) : textAsCode(this.text);
  }
}

/** The files of a chart that are not templates: `.Files`. */
export class FilesValue extends Unknown {
  /** Returns the text of a file; undefined if it is unknown. */
  readonly textAt: (path: string) => string | undefined;
  /** Returns the paths of all files that may contain YAML. */
  readonly paths: () => readonly string[];

  constructor({ textAt, paths }: Pick<FilesValue, 'textAt' | 'paths'>) {
    super('.Files', { filled: true });
    this.textAt = textAt;
    this.paths = paths;
  }
}

/** The content of a file, which is a list of bytes for templates. */
export class FileContent extends Unknown {
  readonly content: string;

  constructor(content: string, path: string) {
    super(`.Files.Get ${quotedText(path)}`, { filled: content !== '' });
    this.content = content;
  }
}

export class OneOf {
  readonly values: readonly string[];
  readonly code: string;

  constructor(values: readonly string[], code: string) {
    this.values = values;
    this.code = code;
  }
}

/** The characters that stand for two braces of known text, which would otherwise look like a template action. */
const braces = '\uE010\uE011';

/** Returns text in which `{{` does not begin an action. */
export function escaped(text: string): string {
  return text.includes('{{') ? text.replaceAll('{{', braces) : text;
}

/** Returns text with its original braces. */
export function unescaped(text: string): string {
  return text.includes(braces) ? text.replaceAll(braces, '{{') : text;
}

/** Compares strings as Go does, by code points. */
export function byCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  // Surrogates are units of characters above all others.
  if (left >= 0xd800 && right >= 0xd800)
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  return at >= a.length || at >= b.length ? a.length - b.length : left - right;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

export function isList(value: TemplateValue): value is TemplateList {
  return Array.isArray(value);
}

export function isKnown(value: TemplateValue): boolean {
  if (value instanceof Unknown || value instanceof OneOf) return false;
  if (isList(value)) return factsOf(value).isUnordered !== true && value.every(isKnown);
  return !(value instanceof TemplateMap) || (value.others === undefined && [...value.entries.values()].every(isKnown));
}

/** Returns data in which braces of texts are escaped, so that `{{ … }}` in them is known text. */
export function escapedData(data: Data): Data {
  spend(1 / 2);
  if (typeof data === 'string') return escaped(data);
  if (Array.isArray(data)) return data.map(escapedData);
  return isMap(data) ? Object.fromEntries(Object.entries(data).map(([key, item]) => [key, escapedData(item)])) : data;
}

/** Data that is null or absent, depending on the version of Helm. */
export const nullOrAbsent = '{{ null or absent }}';

/** Returns data as a template value; `code` is its expression. Every map may have more entries if `isOpen` is set. A part of a text of the form `{{ … }}` is unknown, unless it is escaped. */
export function templateValueOf(data: Data, code: string, isOpen = false): TemplateValue {
  spend(1 / 2);
  if (Array.isArray(data)) return data.map((item, index) => templateValueOf(item, `(index ${code} ${index})`, isOpen));
  if (isMap(data)) {
    const entries = Object.entries(data).map(
      ([key, item]) => [key, templateValueOf(item, fieldCode(code, key), isOpen)] as const,
    );
    return new TemplateMap(entries, isOpen ? code : undefined);
  }
  if (data === nullOrAbsent) return new Unknown(code, { mayBeAbsent: true, isNull: true });
  if (typeof data === 'string') return data.includes('{{') ? new Unknown(data) : unescaped(data);
  return typeof data === 'number' && !Number.isFinite(data) ? new Unknown(code) : (data as number | boolean | null);
}

function fieldCode(code: string, key: string): string {
  const of = code.includes(' ') && !code.startsWith('(') ? `(${code})` : code;
  return /^\w+$/.test(key) ? `${of === '.' ? '' : of}.${key}` : `(index ${of} ${quotedText(key)})`;
}

/** The maximum length of the expression of an unknown value, in UTF-16 code units. */
const maximumCode = 300;

/** Returns the expression of a value, or a hash of a long one. Different values have different expressions. */
export function codeOf(value: TemplateValue): string {
  if (value instanceof TemplateMap || value instanceof OneOf) return value.code;
  if (value instanceof Unknown) return inParentheses(boundedText(value.code));
  if (typeof value === 'string') return textAsCode(value);
  if (value === null) return 'nil';
  if (!isList(value)) return String(value);
  const name = factsOf(value).isUnordered ? 'unordered' : 'list';
  return value.length === 0 ? 'list' : boundedText(`(${name} ${value.map(codeOf).join(' ')})`);
}

function inParentheses(code: string): string {
  return code.includes(' ') ? `(${code})` : code;
}

export function unknownCall(name: string, parameters: readonly TemplateValue[]): Unknown {
  const code = [name, ...parameters.map(codeOf)].join(' ');
  return new Unknown(code.length > maximumCode ? `${name} #${hashOf(code).slice(0, 12)}` : code);
}

/** Returns the field of a value, as `.name` does; undefined if Go reports an error. */
export function fieldOf(value: TemplateValue, name: string): TemplateValue | undefined {
  if (value instanceof TemplateMap)
    return value.has(name) === false && factsOf(value).type === 'map[string]string' ? '' : value.read(name);
  if (value instanceof Unknown) return new Unknown(fieldCode(value.code, name));
  return undefined;
}

/** Whether `if` treats a value as true; undefined if this is unknown. */
export function truthOf(value: TemplateValue): boolean | undefined {
  if (value instanceof Unknown) return value.isNull ? false : value.filled ? true : undefined;
  if (value instanceof OneOf) return true;
  if (isList(value)) return value.length > 0;
  if (value instanceof Int64) return value.value !== 0n;
  if (value instanceof PrintedMap) return true;
  if (value instanceof TemplateMap) {
    for (const key of value.entries.keys()) if (value.has(key)) return true;
    return value.others !== undefined || value.entries.size > 0 ? undefined : false;
  }
  return value !== null && value !== false && value !== 0 && value !== 0n && value !== '';
}

/** Returns the name of the kind of a value, as `kindOf` does; undefined if it is unknown. */
export function kindOf(value: TemplateValue): string | undefined {
  if (value instanceof Unknown) return undefined;
  if (value === null) return 'invalid';
  if (isList(value)) return 'slice';
  if (value instanceof Int64) return 'int64';
  if (value instanceof PrintedMap) return 'ptr';
  if (value instanceof TemplateMap) return factsOf(value).type === structure ? undefined : 'map';
  if (value instanceof OneOf) return undefined;
  return { bigint: 'int', number: 'float64', boolean: 'bool', string: 'string' }[typeof value as 'bigint'];
}

/** Returns the name of the type of a value, as `typeOf` does; undefined if it is unknown. */
export function typeOf(value: TemplateValue): string | undefined {
  const kind = kindOf(value);
  if (kind === 'ptr') return '*semver.Version';
  const { type } = factsOf(value);
  if (type !== undefined) return type === unknownType ? undefined : type;
  if (kind === 'slice') return '[]interface {}';
  return kind === 'map' ? 'map[string]interface {}' : kind === 'invalid' ? '<nil>' : kind;
}

/** Returns the text of a value as Go's `%v` prints it, with actions for its unknown parts; `nil` is the text for nil. */
export function printed(value: TemplateValue, nil = '<nil>'): string {
  if (value instanceof Unknown) return value.text;
  if (value instanceof OneOf) return `{{ ${value.code} }}`;
  if (value === null) return nil;
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return floatText(value);
  if (factsOf(value).isUnordered) return `{{ ${codeOf(value)} }}`;
  if (isList(value)) return `[${value.map((item) => printed(item)).join(' ')}]`;
  if (!(value instanceof TemplateMap)) return String(value);
  if (value instanceof PrintedMap) return escaped(value.text);
  const entries = value.keys.map((key) => `${escaped(key)}:${printed(value.get(key))}`);
  if (value.others !== undefined) entries.push(`{{ ${value.others} }}`);
  return `map[${entries.join(' ')}]`;
}

/** Returns a `float64` as Go's `%v` prints it: with an exponent from 6 and below -4. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const size = Number(exponent);
  if (size >= -4 && size < exponentFrom) return String(value).includes('e') ? fixed(value) : String(value);
  const sign = size < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(size)).padStart(2, '0')}`;
}

const exponentFrom = 6;

function fixed(value: number): string {
  return value.toFixed(20).replace(/\.?0{1,20}$/, '');
}

/** Returns the text of a value: text with actions for its unknown parts, or a known string. */
export function textValue(text: string): string | Unknown {
  return text.includes('{{') ? new Unknown(text, { filled: hasLiteral(text) }) : unescaped(text);
}

/** Whether a text certainly contains something besides its actions. */
function hasLiteral(text: string): boolean {
  if (/\{\{ (?:if|with|range) /.test(text)) return false;
  return literalsOf(text).some((each) => each.trim() !== '');
}
