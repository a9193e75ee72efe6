/** Serializes plain data to bytes. Every string, every list of keys and every shared constant is written once for all values, so that the facts of ten thousand files need little memory; they are deserialized lazily. */

import { ownText } from '../../text/copy-string.ts';

/** A serialized value: a range of memory that is shared with other values. */
export interface SerializedFile {
  readonly page: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The number of bytes that are allocated at once, since a separate buffer for each value would cost more than the value. */
const pageSize = 1 << 17;

/** The number of strings for which the following string is cached, which is a power of two. */
const followers = 1 << 12;

/** The data that serialized values share. It only grows, so a value can be deserialized with the pool with which it was serialized. */
export class Pool {
  readonly strings: string[];
  /** The lists of keys, which are the shapes of objects. */
  readonly shapes: (readonly string[])[] = [];
  /** Objects that are written once and never copied, such as the facts of the catalogue. */
  readonly constants: unknown[] = [];
  readonly #stringNumbers = new Map<string, number>();
  readonly #constantNumbers = new Map<unknown, number>();
  /**
   * The last string, and the string that followed each string the last time: most texts occur in an order that was seen
   * before.
   */
  #last = 0;
  readonly #next = new Int32Array(followers);
  /** The shape of an object without keys, from which all other shapes are derived. */
  readonly noKeys = new Shape([]);
  #page = new Uint8Array(0);
  #pageUsed = 0;

  /** The strings are stored without copying. */
  constructor(
    strings: readonly string[] = [],
    shapes: readonly (readonly string[])[] = [],
    constants: readonly unknown[] = [],
  ) {
    this.strings = [...strings];
    for (const [number, each] of strings.entries()) this.#stringNumbers.set(each, number);
    for (const keys of shapes) this.numberOf(keys.reduce((shape: Shape, key) => shape.with(key), this.noKeys));
    for (const each of constants) this.constant(each);
  }

  string(text: string): number {
    const slot = this.#last & (followers - 1);
    const guess = this.#next[slot] ?? 0;
    this.#last = this.strings[guess] === text ? guess : this.#find(text);
    this.#next[slot] = this.#last;
    return this.#last;
  }

  #find(text: string): number {
    const known = this.#stringNumbers.get(text);
    if (known !== undefined) return known;
    // A slice of a file's text would keep the whole text in memory.
    const own = ownText(text);
    this.#stringNumbers.set(own, this.strings.length);
    return this.strings.push(own) - 1;
  }

  /** Returns the pool's own copy of a string that the pool already contains. */
  own(text: string): string {
    return this.strings[this.string(text)] ?? text;
  }

  constant(value: unknown): number {
    const known = this.#constantNumbers.get(value);
    if (known !== undefined) return known;
    this.#constantNumbers.set(value, this.constants.length);
    return this.constants.push(value) - 1;
  }

  /** Returns the index of a shape among the written shapes. */
  numberOf(shape: Shape): number {
    if (shape.number === -1) shape.number = this.shapes.push(shape.keys) - 1;
    return shape.number;
  }

  /** Copies bytes to their final position; equal bytes of `before` are reused. */
  keep(bytes: Uint8Array, before?: SerializedFile): SerializedFile {
    if (before !== undefined && isSame(before, bytes)) return before;
    if (this.#pageUsed + bytes.length > this.#page.length) {
      this.#page = new Uint8Array(Math.max(pageSize, bytes.length));
      this.#pageUsed = 0;
    }
    const start = this.#pageUsed;
    this.#page.set(bytes, start);
    this.#pageUsed += bytes.length;
    return { page: this.#page, start, end: this.#pageUsed };
  }
}

function isSame({ page, start, end }: SerializedFile, bytes: Uint8Array): boolean {
  return end - start === bytes.length && bytes.every((byte, at) => byte === page[start + at]);
}

/**
 * The keys of objects, in a tree in which the shapes with one more key are children, so that finding a shape allocates
 * nothing.
 */
class Shape {
  readonly keys: readonly string[];
  number = -1;
  /** Searched linearly, because the objects of this program have few shapes. */
  readonly #larger: Shape[] = [];
  readonly #key: string | undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.#key = keys.at(-1);
  }

  with(key: string): Shape {
    for (let at = 0; at < this.#larger.length; at++) {
      const larger = this.#larger[at] as Shape; // the index is within the list
      if (larger.#key === key) return larger;
    }
    const larger = new Shape([...this.keys, key]);
    this.#larger.push(larger);
    return larger;
  }
}

/** The low bits of every written number are its tag; the other bits are its value. */
export const tag = { whole: 0, string: 1, object: 2, list: 3, word: 4, number: 5, constant: 6, span: 7 } as const;
export const tagBits = 3;
// Computed once, because a power in an expression is computed each time.
const tags = 2 ** tagBits;

/** Exclusive limits of numbers: of offsets, and of whole numbers that keep all their digits next to a tag. */
const offsetEnd = 2 ** 31;
const wholeEnd = 2 ** 50;

/** Values without further data, by number. */
export const words: readonly unknown[] = [null, undefined, false, true];

/**
 * The following words announce an entry, `{ key, value, merged: false, conditional: false }`, and scalars of every type
 * and style, `{ text, value, type, style, span }` whose value is the text itself.
 */
export const entryWord = words.length;
export const firstScalarWord = entryWord + 1;
export const scalarTypes: readonly unknown[] = ['string', 'number', 'boolean', 'null', 'map', 'list'];
export const scalarStyles: readonly unknown[] = ['plain', 'single', 'double', 'block'];
/** Announces ascending numbers: their count, and the differences between them. */
export const ascendingWord = firstScalarWord + scalarTypes.length * scalarStyles.length;
/** Announces the number of bytes of the value that follows, so that it is skipped in one step. */
export const sizedWord = ascendingWord + 1;
/** The number of bytes in which that number is written. */
const sizeBytes = 4;

/** Serializes plain data: null, booleans, numbers, strings, lists and objects of these, without cycles. A value under a key in `constants` is added to the pool unchanged. Keys whose value is undefined are omitted. If the result equals `before`, which was serialized with this pool, `before` is returned. */
export function pack(
  value: unknown,
  pool: Pool,
  constants: ReadonlySet<string>,
  before?: SerializedFile,
): SerializedFile {
  const writer = new Writer(pool, constants);
  writer.value(value);
  return pool.keep(writer.written(), before);
}

/** An object that is serialized with different values under some of its keys, without a copy. */
export class Changed {
  readonly object: Fields;
  readonly changes: Fields;

  constructor(object: object, changes: Fields) {
    this.object = object as Fields; // read only
    this.changes = changes;
  }
}

/** An object that is serialized with its size. If some of its keys are requested, the keys after the last of them are not read. */
export class Sized extends Changed {}

const nothing: Fields = {};

/** The buffer for the value that is being serialized. It grows with the largest value, and its content is copied before it is used again. */
let buffer = new Uint8Array(1 << 12);

class Writer {
  readonly #pool: Pool;
  readonly #constants: ReadonlySet<string>;
  #at = 0;

  constructor(pool: Pool, constants: ReadonlySet<string>) {
    this.#pool = pool;
    this.#constants = constants;
  }

  /** Returns the serialized bytes; the next value overwrites them. */
  written(): Uint8Array {
    return buffer.subarray(0, this.#at);
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.#write(tag.string, this.#pool.string(value));
    else if (typeof value === 'number') this.#number(value);
    else if (Array.isArray(value)) this.#list(value);
    else if (typeof value === 'object' && value !== null) this.#object(value as Fields);
    else this.#write(tag.word, Math.max(0, words.indexOf(value)));
  }

  #number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < wholeEnd) this.#write(tag.whole, value);
    else this.#write(tag.number, this.#pool.string(String(value)));
  }

  #list(list: readonly unknown[]): void {
    if (typeof list[0] === 'number' && this.#ascending(list)) return;
    this.#write(tag.list, list.length);
    for (const item of list) this.value(item);
  }

  #ascending(list: readonly unknown[]): boolean {
    const before = this.#at;
    this.#write(tag.word, ascendingWord);
    this.#write(tag.whole, list.length);
    let last = 0;
    for (const each of list) {
      if (!isOffset(each) || each < last) {
        this.#at = before;
        return false;
      }
      this.#bits(each - last);
      last = each;
    }
    return true;
  }

  #object(record: Fields): void {
    if (this.#frequent(record)) return;
    if (record instanceof Sized) this.#sized(record);
    else if (record instanceof Changed) this.#fields(record.object, record.changes);
    else this.#fields(record, nothing);
  }

  #sized({ object, changes }: Sized): void {
    this.#write(tag.word, sizedWord);
    const start = this.#at;
    for (let left = sizeBytes; left > 0; left--) this.#bits(0);
    this.#fields(object, changes);
    const size = this.#at - start - sizeBytes;
    for (let index = 0; index < sizeBytes; index++) {
      buffer[start + index] = ((size >> (7 * index)) & 127) | (index === sizeBytes - 1 ? 0 : 128);
    }
  }

  #fields(record: Fields, changes: Fields): void {
    let shape = this.#pool.noKeys;
    for (const key in record) if (record[key] !== undefined) shape = shape.with(key);
    this.#write(tag.object, this.#pool.numberOf(shape));
    for (const key in record) {
      const own = record[key];
      if (own !== undefined) this.#field(key, changes === nothing ? own : (changes[key] ?? own));
    }
  }

  #field(key: string, value: unknown): void {
    if (typeof value === 'object' && this.#constants.has(key)) this.#write(tag.constant, this.#pool.constant(value));
    else this.value(value);
  }

  /**
   * Writes one of the most frequent objects without its shape: a span, a scalar, or an entry of two scalars. Returns
   * false for any other object.
   */
  #frequent(record: Fields): boolean {
    let first = '';
    let size = 0;
    for (const key in record) if (size++ === 0) first = key;
    if (size === 2 && first === 'start') return this.#span(record);
    if (size === 4 && first === 'key') return this.#entry(record);
    return size === 5 && first === 'text' && this.#scalar(record);
  }

  #span({ start, end }: Fields): boolean {
    if (!isOffset(start) || !isOffset(end) || end < start) return false;
    this.#write(tag.span, start);
    this.#write(tag.whole, end - start);
    return true;
  }

  #entry({ key, value, merged, conditional }: Fields): boolean {
    if (merged !== false || conditional !== false || !hasSize(key, 5) || !hasSize(value, 5)) return false;
    const before = this.#at;
    this.#write(tag.word, entryWord);
    if (this.#scalar(key) && this.#scalar(value)) return true;
    this.#at = before;
    return false;
  }

  #scalar({ text, value, type, style, span }: Fields): boolean {
    if (typeof text !== 'string' || value !== text || !hasSize(span, 2)) return false;
    const [typeNumber, styleNumber] = [scalarTypes.indexOf(type), scalarStyles.indexOf(style)];
    if (typeNumber === -1 || styleNumber === -1) return false;
    const before = this.#at;
    this.#write(tag.word, firstScalarWord + typeNumber * scalarStyles.length + styleNumber);
    this.#write(tag.string, this.#pool.string(text));
    if (this.#span(span)) return true;
    this.#at = before;
    return false;
  }

  #write(kind: number, value: number): void {
    this.#bits(value * tags + kind);
  }

  /** Writes a number with seven bits per byte, the lowest first; the eighth bit marks that more bytes follow. */
  #bits(number: number): void {
    if (this.#at + 10 > buffer.length) {
      const larger = new Uint8Array(2 * buffer.length);
      larger.set(buffer);
      buffer = larger;
    }
    let rest = number;
    // Beyond 31 bits, bitwise operators do not work.
    for (; rest >= offsetEnd; rest = Math.floor(rest / 128)) buffer[this.#at++] = (rest % 128) | 128;
    for (; rest > 127; rest >>= 7) buffer[this.#at++] = (rest & 127) | 128;
    buffer[this.#at++] = rest;
  }
}

/** An object of any type that is only read. */
type Fields = Readonly<Record<string, unknown>>;

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < offsetEnd;
}

function hasSize(value: unknown, size: number): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  let keys = 0;
  for (const _ in value) keys++;
  return keys === size;
}
