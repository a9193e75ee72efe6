/**
 * How is plain data kept small? As bytes, with every string, every list of keys and every shared constant written once
 * for all. What ten thousand files say is kept this way, and read again only where somebody asks.
 */

/** A packed value: a part of some memory that others have their parts of too. */
export interface Packed {
  readonly page: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** So many bytes are taken from the system at once: a little piece of its own for each value would cost more than it. */
const pageSize = 1 << 17;

/** What packed values share. It only grows; a value can be read with the pool that it was packed with. */
export class Pool {
  readonly strings: string[] = [];
  /** Lists of keys: the shapes of objects. */
  readonly shapes: (readonly string[])[] = [];
  /** Objects that are written once and never copied: the catalogue's facts. */
  readonly constants: unknown[] = [];
  readonly #stringNumbers = new Map<string, number>();
  readonly #constantNumbers = new Map<unknown, number>();
  /** The shape of an object without keys, from which all others are reached. */
  readonly noKeys = new ShapeStep();
  /** Of `{ start, end }`, the most frequent object, which is written without its shape. */
  readonly spanStep = this.noKeys.after('start').after('end');
  #page = new Uint8Array(0);
  #pageUsed = 0;

  constructor(
    strings: readonly string[] = [],
    shapes: readonly (readonly string[])[] = [],
    constants: readonly unknown[] = [],
  ) {
    for (const each of strings) this.string(each);
    for (const each of shapes) this.shape(each);
    for (const each of constants) this.constant(each);
  }

  string(text: string): number {
    const known = this.#stringNumbers.get(text);
    if (known !== undefined) return known;
    // Cut out of a file's text, a string would keep all of that text.
    const own: string = JSON.parse(JSON.stringify(text));
    return numberOf(this.#stringNumbers, this.strings, own);
  }

  /** The pool's own copy of a text that it holds already. */
  own(text: string): string {
    return this.strings[this.string(text)] ?? text;
  }

  constant(value: unknown): number {
    return numberOf(this.#constantNumbers, this.constants, value);
  }

  shape(keys: readonly string[]): number {
    let step = this.noKeys;
    for (const key of keys) step = step.after(key);
    if (step.number === -1) step.number = this.shapes.push(keys) - 1;
    return step.number;
  }

  /** Copies bytes to where they stay; those that stand there from `before` stay as they are. */
  keep(bytes: Uint8Array, before?: Packed): Packed {
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

function isSame({ page, start, end }: Packed, bytes: Uint8Array): boolean {
  return end - start === bytes.length && bytes.every((byte, at) => byte === page[start + at]);
}

/** Shapes as a tree of their keys, so that finding one makes nothing. */
class ShapeStep {
  /** Of the shape that ends here, or -1. */
  number = -1;
  /** What last stood under the last key, if that was a string: many are always the same. */
  lastText = '';
  lastNumber = -1;
  readonly #next = new Map<string, ShapeStep>();
  #lastKey = '';
  #last: ShapeStep | undefined;

  /** The shape with one more key. */
  after(key: string): ShapeStep {
    if (this.#last !== undefined && this.#lastKey === key) return this.#last;
    let next = this.#next.get(key);
    if (next === undefined) {
      next = new ShapeStep();
      this.#next.set(key, next);
    }
    this.#lastKey = key;
    this.#last = next;
    return next;
  }
}

function numberOf<T>(numbers: Map<T, number>, all: T[], value: T): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, all.length);
  return all.push(value) - 1;
}

/** The low bits of every number that is written say what it is; the others are its value. */
const tag = { whole: 0, string: 1, object: 2, list: 3, word: 4, number: 5, constant: 6, span: 7 } as const;
const tagBits = 3;

/** Values without a value of their own, by number. */
const words: readonly unknown[] = [null, undefined, false, true];

/**
 * Packs plain data: null, booleans, numbers, strings, lists and objects of these, without cycles. What stands under a
 * key of `constants` goes into the pool as it is. Keys whose value is undefined are left out. Where the same was packed
 * `before` with this pool, it is that again.
 */
export function pack(value: unknown, pool: Pool, constants: ReadonlySet<string>, before?: Packed): Packed {
  const writer = new Writer(pool, constants);
  writer.value(value);
  return pool.keep(writer.written(), before);
}

/** Grows with the largest value that was packed; what is written there is copied before it is used again. */
let buffer = new Uint8Array(1 << 12);

class Writer {
  readonly #pool: Pool;
  readonly #constants: ReadonlySet<string>;
  /** What was last written as a string: the next one is often the same. */
  #lastText = '';
  #lastNumber = -1;
  #at = 0;

  constructor(pool: Pool, constants: ReadonlySet<string>) {
    this.#pool = pool;
    this.#constants = constants;
  }

  /** The next value is written over it. */
  written(): Uint8Array {
    return buffer.subarray(0, this.#at);
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.#write(tag.string, this.#numberOf(value));
    else if (typeof value === 'number') this.#number(value);
    else if (Array.isArray(value)) this.#list(value);
    else if (typeof value === 'object' && value !== null) this.#object(value);
    else this.#write(tag.word, Math.max(0, words.indexOf(value)));
  }

  #number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 50) this.#write(tag.whole, value);
    else this.#write(tag.number, this.#pool.string(String(value)));
  }

  #list(list: readonly unknown[]): void {
    this.#write(tag.list, list.length);
    for (const item of list) this.value(item);
  }

  #numberOf(text: string): number {
    if (this.#lastNumber !== -1 && this.#lastText === text) return this.#lastNumber;
    this.#lastText = text;
    this.#lastNumber = this.#pool.string(text);
    return this.#lastNumber;
  }

  #object(object: object): void {
    const record = object as Readonly<Record<string, unknown>>; // any object is, when it is only read
    let shape = this.#pool.noKeys;
    for (const key in record) if (record[key] !== undefined) shape = shape.after(key);
    if (shape === this.#pool.spanStep && this.#span(record)) return;
    this.#write(tag.object, shape.number === -1 ? this.#pool.shape(definedKeys(record)) : shape.number);
    let step = this.#pool.noKeys;
    for (const key in record) {
      const each = record[key];
      if (each === undefined) continue;
      step = step.after(key);
      if (typeof each === 'string') this.#field(step, each);
      else if (typeof each === 'object' && this.#constants.has(key))
        this.#write(tag.constant, this.#pool.constant(each));
      else this.value(each);
    }
  }

  #field(step: ShapeStep, text: string): void {
    if (step.lastNumber === -1 || step.lastText !== text) {
      step.lastNumber = this.#numberOf(text);
      step.lastText = this.#pool.strings[step.lastNumber] ?? text;
    }
    this.#write(tag.string, step.lastNumber);
  }

  #span({ start, end }: Readonly<Record<string, unknown>>): boolean {
    if (!isOffset(start) || !isOffset(end) || end < start) return false;
    this.#write(tag.span, start);
    this.#write(tag.whole, end - start);
    return true;
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  #write(kind: number, value: number): void {
    if (this.#at + 10 > buffer.length) {
      const larger = new Uint8Array(2 * buffer.length);
      larger.set(buffer);
      buffer = larger;
    }
    let rest = value * 2 ** tagBits + kind;
    // Beyond 31 bits, numbers are no integers to the processor.
    for (; rest >= 2 ** 31; rest = Math.floor(rest / 128)) buffer[this.#at++] = (rest % 128) | 128;
    for (; rest > 127; rest >>= 7) buffer[this.#at++] = (rest & 127) | 128;
    buffer[this.#at++] = rest;
  }
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

function definedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}

/**
 * How much of a packed value is wanted: all of it, some keys of an object, which lists pass on to their items, or of a
 * list the items that have this text under these keys.
 */
export type Wanted =
  | 'all'
  | { readonly keys: Readonly<Record<string, Wanted>> }
  | { readonly under: readonly string[]; readonly text: string };

/** Reads what `pack` wrote. Bytes that it did not write give some plain data, or throw: keep a checksum beside them. */
export function unpack(packed: Packed, pool: Pool, wanted: Wanted = 'all'): unknown {
  return new Reader(packed, pool).value(wanted);
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #pool: Pool;
  #at: number;

  constructor({ page, start, end }: Packed, pool: Pool) {
    this.#bytes = page;
    this.#at = start;
    this.#end = end;
    this.#pool = pool;
  }

  value(wanted: Wanted): unknown {
    const number = this.#next();
    const value = Math.floor(number / 2 ** tagBits);
    switch (number % 2 ** tagBits) {
      case tag.whole:
        return value;
      case tag.string:
        return this.#pool.strings[value];
      case tag.object:
        return this.#object(this.#pool.shapes[value] ?? [], wanted);
      case tag.list:
        return this.#list(value, wanted);
      case tag.word:
        return words[value];
      case tag.number:
        return Number(this.#pool.strings[value]);
      case tag.span:
        return { start: value, end: value + Math.floor(this.#next() / 2 ** tagBits) };
      default:
        return this.#pool.constants[value];
    }
  }

  #object(shape: readonly string[], wanted: Wanted): unknown {
    const object: Record<string, unknown> = {};
    const keys = wanted !== 'all' && 'keys' in wanted ? wanted.keys : undefined;
    for (const key of shape) {
      const part = keys === undefined ? 'all' : Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (part === undefined) this.#skip();
      // Assigning to this one key would change the object's prototype.
      else if (key === '__proto__') Object.defineProperty(object, key, { value: this.value(part), enumerable: true });
      else object[key] = this.value(part);
    }
    return object;
  }

  #list(length: number, wanted: Wanted): unknown {
    const isPicky = wanted !== 'all' && 'under' in wanted;
    // What is not there has no room made for it.
    const list: unknown[] = isPicky ? [] : new Array(Math.min(length, this.#end - this.#at));
    let used = 0;
    for (let index = 0; index < length && this.#at < this.#end; index++) {
      if (!isPicky) list[used++] = this.value(wanted);
      else if (this.#says(wanted)) list[used++] = this.value('all');
      else this.#skip();
    }
    list.length = used;
    return list;
  }

  /** Whether the next value has a text under some keys; it is still the next one afterwards. */
  #says({ under, text }: { readonly under: readonly string[]; readonly text: string }): boolean {
    const start = this.#at;
    let isThere = true;
    for (const key of under) isThere &&= this.#enter(key);
    isThere &&= this.value('all') === text;
    this.#at = start;
    return isThere;
  }

  /** Goes on to what stands under a key of the next value. */
  #enter(wanted: string): boolean {
    const number = this.#next();
    const shape = number % 2 ** tagBits === tag.object ? this.#pool.shapes[Math.floor(number / 2 ** tagBits)] : [];
    for (const key of shape ?? []) {
      if (key === wanted) return true;
      this.#skip();
    }
    return false;
  }

  #skip(): void {
    const number = this.#next();
    const value = Math.floor(number / 2 ** tagBits);
    const kind = number % 2 ** tagBits;
    const inside = kind === tag.list ? value : kind === tag.object ? (this.#pool.shapes[value]?.length ?? 0) : 0;
    for (let index = 0; index < inside && this.#at < this.#end; index++) this.#skip();
  }

  #next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#at < this.#end ? (this.#bytes[this.#at++] ?? 0) : 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}
