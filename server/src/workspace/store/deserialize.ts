/** Deserializes values that `serialize.ts` wrote, completely or in part. */

import {
  ascendingWord,
  entryWord,
  firstScalarWord,
  type Pool,
  type SerializedFile,
  scalarStyles,
  scalarTypes,
  sizedWord,
  tag,
  tagBits,
  words,
} from './serialize.ts';

/**
 * The wanted part of a serialized value: all of it, some keys of an object, or the items of a list with a given text.
 */
export type Wanted = 'all' | SomeKeys | WithText;

/** Some keys of an object; for a list, the keys apply to its items. */
export class SomeKeys {
  readonly #keys: Readonly<Record<string, Wanted>>;
  readonly #ofShapes = new Map<readonly string[], readonly (Wanted | undefined)[]>();

  constructor(keys: Readonly<Record<string, Wanted>>) {
    this.#keys = keys;
  }

  under(key: string): Wanted | undefined {
    return Object.hasOwn(this.#keys, key) ? this.#keys[key] : undefined;
  }

  /** Returns the wanted part under each key of a shape, up to the last wanted key: computed once for all objects of that shape. */
  of(shape: readonly string[]): readonly (Wanted | undefined)[] {
    const known = this.#ofShapes.get(shape);
    if (known !== undefined) return known;
    const end = 1 + shape.findLastIndex((key) => this.under(key) !== undefined);
    const parts = shape.slice(0, end).map((key) => this.under(key));
    this.#ofShapes.set(shape, parts);
    return parts;
  }
}

/** Selects the items of a list that have this text under these keys. */
interface WithText {
  readonly under: readonly string[];
  readonly text: string;
}

/**
 * Deserializes a result of `pack`, or the part under some keys; undefined if that is absent. Bytes that `pack` did not
 * write yield arbitrary plain data, or throw: store a checksum with them.
 */
export function deserialize(
  serialized: SerializedFile,
  pool: Pool,
  wanted: Wanted = 'all',
  path: readonly string[] = [],
): unknown {
  const reader = new Reader(serialized, pool);
  return path.every((key) => reader.enter(key)) ? reader.value(wanted) : undefined;
}

/** The items of a list under some keys. They are deserialized lazily, fastest in their order. */
export class Items {
  readonly #reader: Reader;
  readonly #wanted: Wanted;
  readonly #length: number;
  readonly #start: number;
  /** The index of the item at the current position. */
  #next = 0;

  constructor(serialized: SerializedFile, pool: Pool, path: readonly string[], wanted: Wanted) {
    this.#reader = new Reader(serialized, pool);
    this.#wanted = wanted;
    this.#length = path.every((key) => this.#reader.enter(key)) ? this.#reader.enterList() : 0;
    this.#start = this.#reader.at;
  }

  at(number: number): unknown {
    if (number >= this.#length) return undefined;
    if (number < this.#next) {
      this.#reader.at = this.#start;
      this.#next = 0;
    }
    this.#reader.pass(number - this.#next);
    this.#next = number + 1;
    return this.#reader.value(this.#wanted);
  }
}

/** The bits of a number's first byte that contain its kind. */
const kindBits = 2 ** tagBits - 1;

/** The list that all empty lists share, because there are very many empty lists. */
const nothing: readonly unknown[] = [];

const entryKeys: readonly string[] = ['key', 'value'];
const scalarKeys: readonly string[] = ['text', 'span'];
/** A scalar consists of three numbers: one for its text, and two for its span. */
const numbersInScalar = 3;

/** The maximum initial capacity; a list that announces more items grows. */
const mostRoom = 4096;

class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #pool: Pool;
  at: number;
  /** The value of the last number, without its kind. */
  #value = 0;

  constructor({ page, start, end }: SerializedFile, pool: Pool) {
    this.#bytes = page;
    this.at = start;
    this.#end = end;
    this.#pool = pool;
  }

  value(wanted: Wanted): unknown {
    const kind = this.#next();
    const value = this.#value;
    switch (kind) {
      case tag.whole:
        return value;
      case tag.string:
        return this.#pool.strings[value];
      case tag.object:
        return this.#object(this.#pool.shapes[value] ?? [], wanted);
      case tag.list:
        return this.#list(value, wanted);
      case tag.word:
        if (value < words.length) return words[value];
        if (value === ascendingWord) return this.#ascending();
        return value === sizedWord ? this.#sized(wanted) : this.#frequent(value, wanted);
      case tag.number:
        return Number(this.#pool.strings[value]);
      case tag.span:
        return this.#span(value);
      default:
        return this.#pool.constants[value];
    }
  }

  #sized(wanted: Wanted): unknown {
    const end = this.#endOfSized();
    this.#next();
    const object = this.#object(this.#pool.shapes[this.#value] ?? [], wanted, true);
    this.at = end;
    return object;
  }

  /** Advances to an object with a size; returns the position of its end. */
  #endOfSized(): number {
    const size = this.#bits(0);
    return this.at + size;
  }

  #span(start: number): unknown {
    this.#next();
    return { start, end: start + this.#value };
  }

  #ascending(): unknown {
    this.#next();
    const list: number[] = new Array(Math.min(this.#value, this.#end - this.at));
    let last = 0;
    for (let index = 0; index < list.length; index++) {
      last += this.#bits(0);
      list[index] = last;
    }
    return list;
  }

  /** Deserializes an entry or a scalar; `word` determines which of them. */
  #frequent(word: number, wanted: Wanted): unknown {
    const whole = word === entryWord ? this.#entry() : this.#scalar(word - firstScalarWord);
    return wanted instanceof SomeKeys ? pick(whole, wanted) : whole;
  }

  #entry(): object {
    return { key: this.value('all'), value: this.value('all'), merged: false, conditional: false };
  }

  #scalar(typeAndStyle: number): object {
    const text = this.value('all');
    const type = scalarTypes[Math.floor(typeAndStyle / scalarStyles.length)];
    const style = scalarStyles[typeAndStyle % scalarStyles.length];
    return { text, value: text, type, style, span: this.value('all') };
  }

  /** With `isSized`, stops after the last wanted key. */
  #object(shape: readonly string[], wanted: Wanted, isSized = false): unknown {
    const object: Record<string, unknown> = {};
    const parts = wanted instanceof SomeKeys ? wanted.of(shape) : undefined;
    const length = isSized && parts !== undefined ? parts.length : shape.length;
    // Bytes that `pack` did not write may announce more data than there is.
    for (let index = 0; index < length && this.at < this.#end; index++) {
      const key = shape[index] ?? '';
      const part = parts === undefined ? 'all' : parts[index];
      if (part === undefined) this.#skip();
      // Assigning to the key `__proto__` would change the prototype of the object.
      else if (key === '__proto__') Object.defineProperty(object, key, { value: this.value(part), enumerable: true });
      else object[key] = this.value(part);
    }
    return object;
  }

  #list(length: number, wanted: Wanted): unknown {
    if (length === 0) return nothing;
    if (wanted !== 'all' && !(wanted instanceof SomeKeys)) return this.#itemsWithText(length, wanted);
    // No capacity is allocated for missing data.
    const list: unknown[] = new Array(Math.min(length, this.#end - this.at, mostRoom));
    let used = 0;
    while (used < length && this.at < this.#end) list[used++] = this.value(wanted);
    list.length = used;
    return list;
  }

  #itemsWithText(length: number, wanted: WithText): unknown {
    let found: unknown[] | undefined;
    for (let index = 0; index < length && this.at < this.#end; index++) {
      if (!this.#hasText(wanted)) this.#skip();
      // A list with one item, as most lists, is created directly, because a growing list would have too much capacity.
      else if (found === undefined) found = [this.value('all')];
      else found.push(this.value('all'));
    }
    return found ?? nothing;
  }

  /** Whether the next value has a text under some keys. Does not change the position. */
  #hasText({ under, text }: WithText): boolean {
    const start = this.at;
    const isThere = under.every((key) => this.enter(key)) && this.value('all') === text;
    this.at = start;
    return isThere;
  }

  /**
   * Advances to the value under a key of the next value. Only values at a position of their own can be entered: not the
   * type and style of a scalar, or the constant fields of an entry.
   */
  enter(key: string): boolean {
    let kind = this.#next();
    if (kind === tag.word && this.#value === sizedWord) {
      this.#endOfSized();
      kind = this.#next();
    }
    const keys = this.#keysOf(kind, this.#value);
    // The value of a scalar is its text.
    const index = keys.indexOf(keys === scalarKeys && key === 'value' ? 'text' : key);
    if (index !== -1) this.pass(index);
    return index !== -1;
  }

  /** Advances to the first item of the list that is the next value; returns its length. */
  enterList(): number {
    return this.#next() === tag.list ? this.#value : 0;
  }

  #keysOf(kind: number, value: number): readonly string[] {
    if (kind === tag.object) return this.#pool.shapes[value] ?? [];
    if (kind !== tag.word || value < entryWord || value === ascendingWord) return [];
    return value === entryWord ? entryKeys : scalarKeys;
  }

  #skip(): void {
    this.pass(1);
  }

  pass(values: number): void {
    for (let left = values; left > 0 && this.at < this.#end; left--) {
      const kind = this.#next();
      if (kind === tag.list) left += this.#value;
      else if (kind === tag.object) left += this.#keysOf(kind, this.#value).length;
      else if (kind === tag.span) this.#passNumbers(1);
      else if (kind === tag.word && this.#value === sizedWord) this.at = this.#endOfSized();
      else if (kind === tag.word && this.#value >= entryWord) this.#passNumbers(this.#numbersIn(this.#value));
    }
  }

  /** Returns the number of numbers that follow a word that announces further data. */
  #numbersIn(word: number): number {
    if (word === entryWord) return 2 * (1 + numbersInScalar);
    if (word !== ascendingWord) return numbersInScalar;
    this.#next();
    return this.#value;
  }

  #passNumbers(numbers: number): void {
    const [bytes, end] = [this.#bytes, this.#end];
    let at = this.at;
    for (let left = numbers; left > 0 && at < end; ) if ((bytes[at++] ?? 0) < 128) left--;
    this.at = at;
  }

  /** Advances over the next number: returns its kind, and stores its value. */
  #next(): number {
    const first = this.at < this.#end ? (this.#bytes[this.at++] ?? 0) : 0;
    this.#value = (first & 127) >> tagBits;
    if (first > 127) this.#value += this.#bits(7 - tagBits);
    return first & kindBits;
  }

  /** Reads the next bytes, seven bits each, up to one whose eighth bit is not set. */
  #bits(start: number): number {
    const bytes = this.#bytes;
    let at = this.at;
    let value = 0;
    for (let shift = start; ; shift += 7) {
      const byte = at < this.#end ? (bytes[at++] ?? 0) : 0;
      // Beyond 31 bits, bitwise operators do not work.
      value += shift < 24 ? (byte & 127) << shift : (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    this.at = at;
    return value;
  }
}

/** Returns the wanted keys of a value that was deserialized completely. */
function pick(whole: object, wanted: SomeKeys): object {
  const picked = Object.entries(whole).flatMap(([key, value]) => {
    const part = wanted.under(key);
    if (part === undefined) return [];
    return [[key, part instanceof SomeKeys && typeof value === 'object' ? pick(value, part) : value]];
  });
  return Object.fromEntries(picked);
}
