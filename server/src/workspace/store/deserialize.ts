/** Deserializes what `serialize.ts` wrote, all of it or in part. */

import {
  ascendingWord,
  entryWord,
  firstScalarWord,
  type Pool,
  type SerializedFile,
  scalarStyles,
  scalarTypes,
  tag,
  tagBits,
  words,
} from './serialize.ts';

/**
 * The wanted part of a serialized value: all of it, some keys of an object, or the items of a list with a given text.
 */
export type Wanted = 'all' | SomeKeys | Saying;

/** Some keys of an object; a list passes them on to its items. */
export class SomeKeys {
  readonly #keys: Readonly<Record<string, Wanted>>;
  readonly #ofShapes = new Map<readonly string[], readonly (Wanted | undefined)[]>();

  constructor(keys: Readonly<Record<string, Wanted>>) {
    this.#keys = keys;
  }

  under(key: string): Wanted | undefined {
    return Object.hasOwn(this.#keys, key) ? this.#keys[key] : undefined;
  }

  /** What is wanted under each key of a shape: looked up once for all objects of that shape. */
  of(shape: readonly string[]): readonly (Wanted | undefined)[] {
    const known = this.#ofShapes.get(shape);
    if (known !== undefined) return known;
    const parts = shape.map((key) => this.under(key));
    this.#ofShapes.set(shape, parts);
    return parts;
  }
}

/** Of a list the items that have this text under these keys. */
interface Saying {
  readonly under: readonly string[];
  readonly text: string;
}

/**
 * Deserializes what `pack` wrote, or the part under some keys; undefined if that is absent. Bytes that `pack` did not
 * write give some plain data, or throw: store a checksum beside them.
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
  /** The number of the item that the reader is at. */
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

/** The bits of a number's first byte that say what it is. */
const kindBits = 2 ** tagBits - 1;

/** A list without items is the same for all: very many are. */
const nothing: readonly unknown[] = [];

const entryKeys: readonly string[] = ['key', 'value'];
const scalarKeys: readonly string[] = ['text', 'span'];
/** A text is one number, a span is two. */
const numbersInScalar = 3;

/** Room for so many items is made at once; a list that says it has more grows. */
const mostRoom = 4096;

class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #pool: Pool;
  at: number;
  /** What the last number says besides its kind. */
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
        return value === ascendingWord ? this.#ascending() : this.#frequent(value, wanted);
      case tag.number:
        return Number(this.#pool.strings[value]);
      case tag.span:
        return this.#span(value);
      default:
        return this.#pool.constants[value];
    }
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

  /** An entry or a scalar. */
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

  #object(shape: readonly string[], wanted: Wanted): unknown {
    const object: Record<string, unknown> = {};
    const parts = wanted instanceof SomeKeys ? wanted.of(shape) : undefined;
    // Bytes that `pack` did not write may announce more than there is.
    for (let index = 0; index < shape.length && this.at < this.#end; index++) {
      const key = shape[index] ?? '';
      const part = parts === undefined ? 'all' : parts[index];
      if (part === undefined) this.#skip();
      // Assigning to this one key would change the object's prototype.
      else if (key === '__proto__') Object.defineProperty(object, key, { value: this.value(part), enumerable: true });
      else object[key] = this.value(part);
    }
    return object;
  }

  #list(length: number, wanted: Wanted): unknown {
    if (length === 0) return nothing;
    if (wanted !== 'all' && !(wanted instanceof SomeKeys)) return this.#saying(length, wanted);
    // What is not there has no room made for it.
    const list: unknown[] = new Array(Math.min(length, this.#end - this.at, mostRoom));
    let used = 0;
    while (used < length && this.at < this.#end) list[used++] = this.value(wanted);
    list.length = used;
    return list;
  }

  #saying(length: number, wanted: Saying): unknown {
    let found: unknown[] | undefined;
    for (let index = 0; index < length && this.at < this.#end; index++) {
      if (!this.#says(wanted)) this.#skip();
      // A list that grows has room for many, and most have one.
      else if (found === undefined) found = [this.value('all')];
      else found.push(this.value('all'));
    }
    return found ?? nothing;
  }

  /** Whether the next value has a text under some keys; it is still the next one afterwards. */
  #says({ under, text }: Saying): boolean {
    const start = this.at;
    const isThere = under.every((key) => this.enter(key)) && this.value('all') === text;
    this.at = start;
    return isThere;
  }

  /**
   * Goes on to what stands under a key of the next value. The type and style of a scalar stand in no place of their
   * own, nor does what an entry never is: nobody looks for these.
   */
  enter(key: string): boolean {
    const keys = this.#keysOf(this.#next(), this.#value);
    // The value of a scalar is its text.
    const index = keys.indexOf(keys === scalarKeys && key === 'value' ? 'text' : key);
    if (index !== -1) this.pass(index);
    return index !== -1;
  }

  /** Goes on to the first item of a list that is the next value; gives its length. */
  enterList(): number {
    return this.#next() === tag.list ? this.#value : 0;
  }

  /** The keys under which values follow. */
  #keysOf(kind: number, value: number): readonly string[] {
    if (kind === tag.object) return this.#pool.shapes[value] ?? [];
    if (kind !== tag.word || value < entryWord || value === ascendingWord) return [];
    return value === entryWord ? entryKeys : scalarKeys;
  }

  #skip(): void {
    this.pass(1);
  }

  /** Passes over some values, and over all that is in them. */
  pass(values: number): void {
    for (let left = values; left > 0 && this.at < this.#end; left--) {
      const kind = this.#next();
      if (kind === tag.list) left += this.#value;
      else if (kind === tag.object) left += this.#keysOf(kind, this.#value).length;
      else if (kind === tag.span) this.#passNumbers(1);
      else if (kind === tag.word && this.#value >= entryWord) this.#passNumbers(this.#numbersIn(this.#value));
    }
  }

  /** How many numbers follow one of the longer words. */
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

  /** Goes over the next number: gives its kind, and keeps its value. */
  #next(): number {
    const first = this.at < this.#end ? (this.#bytes[this.at++] ?? 0) : 0;
    this.#value = (first & 127) >> tagBits;
    if (first > 127) this.#value += this.#bits(7 - tagBits);
    return first & kindBits;
  }

  /**
   * What the next bytes say, seven bits each, up to one whose eighth bit is not set; the first of them from `shift` on.
   */
  #bits(start: number): number {
    const bytes = this.#bytes;
    let at = this.at;
    let value = 0;
    for (let shift = start; ; shift += 7) {
      const byte = at < this.#end ? (bytes[at++] ?? 0) : 0;
      // Beyond 31 bits, numbers are no integers to the processor.
      value += shift < 24 ? (byte & 127) << shift : (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    this.at = at;
    return value;
  }
}

/** What is wanted of something that was read as a whole. */
function pick(whole: object, wanted: SomeKeys): object {
  const picked = Object.entries(whole).flatMap(([key, value]) => {
    const part = wanted.under(key);
    if (part === undefined) return [];
    return [[key, part instanceof SomeKeys && typeof value === 'object' ? pick(value, part) : value]];
  });
  return Object.fromEntries(picked);
}
