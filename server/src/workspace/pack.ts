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
  readonly strings: string[];
  /** Lists of keys: the shapes of objects. */
  readonly shapes: (readonly string[])[] = [];
  /** Objects that are written once and never copied: the catalogue's facts. */
  readonly constants: unknown[] = [];
  readonly #stringNumbers = new Map<string, number>();
  readonly #constantNumbers = new Map<unknown, number>();
  /** The shape of an object without keys, from which all others are reached. */
  readonly noKeys = new ShapeStep();
  /** Of the most frequent objects, which are written without their shapes: a span, a scalar, an entry of two scalars. */
  readonly spanStep = this.#stepOf('start', 'end');
  readonly scalarStep = this.#stepOf('text', 'value', 'type', 'style', 'span');
  readonly entryStep = this.#stepOf('key', 'value', 'merged', 'conditional');
  #page = new Uint8Array(0);
  #pageUsed = 0;

  /** The strings are kept as they are. */
  constructor(
    strings: readonly string[] = [],
    shapes: readonly (readonly string[])[] = [],
    constants: readonly unknown[] = [],
  ) {
    this.strings = [...strings];
    for (const [number, each] of strings.entries()) this.#stringNumbers.set(each, number);
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
    const step = this.#stepOf(...keys);
    if (step.number === -1) step.number = this.shapes.push(keys) - 1;
    return step.number;
  }

  #stepOf(...keys: readonly string[]): ShapeStep {
    return keys.reduce((step, key) => step.after(key), this.noKeys);
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
export const tag = { whole: 0, string: 1, object: 2, list: 3, word: 4, number: 5, constant: 6, span: 7 } as const;
export const tagBits = 3;
// A power that stands where it is needed is computed each time.
const tags = 2 ** tagBits;

/** Where numbers end: of offsets, and of whole numbers that keep all their digits beside a tag. */
const offsetEnd = 2 ** 31;
const wholeEnd = 2 ** 50;

/** Values without a value of their own, by number. */
export const words: readonly unknown[] = [null, undefined, false, true];

/**
 * The numbers of words that follow announce an entry, `{ key, value, merged: false, conditional: false }`, and scalars of
 * every type and style, `{ text, value, type, style, span }` whose value is the text itself.
 */
export const entryWord = words.length;
export const firstScalarWord = entryWord + 1;
export const scalarTypes = ['string', 'number', 'boolean', 'null', 'map', 'list'];
export const scalarStyles = ['plain', 'single', 'double', 'block'];
/** This one announces numbers none of which is smaller than the one before: how many, and by how much each is larger. */
export const ascendingWord = firstScalarWord + scalarTypes.length * scalarStyles.length;

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

  #numberOf(text: string): number {
    if (this.#lastNumber !== -1 && this.#lastText === text) return this.#lastNumber;
    this.#lastText = text;
    this.#lastNumber = this.#pool.string(text);
    return this.#lastNumber;
  }

  #object(object: object): void {
    const record = object as Fields;
    const shape = this.#shapeOf(record);
    if (shape === this.#pool.spanStep && this.#span(record)) return;
    if (shape === this.#pool.entryStep && this.#entry(record)) return;
    if (shape === this.#pool.scalarStep && this.#scalar(record)) return;
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

  #shapeOf(record: Fields): ShapeStep {
    let shape = this.#pool.noKeys;
    for (const key in record) if (record[key] !== undefined) shape = shape.after(key);
    return shape;
  }

  #span({ start, end }: Fields): boolean {
    if (!isOffset(start) || !isOffset(end) || end < start) return false;
    this.#write(tag.span, start);
    this.#write(tag.whole, end - start);
    return true;
  }

  #entry({ key, value, merged, conditional }: Fields): boolean {
    if (merged !== false || conditional !== false || !this.#hasShape(key) || !this.#hasShape(value)) return false;
    const before = this.#at;
    this.#write(tag.word, entryWord);
    if (this.#scalar(key) && this.#scalar(value)) return true;
    this.#at = before;
    return false;
  }

  #hasShape(value: unknown): value is Fields {
    return typeof value === 'object' && value !== null && this.#shapeOf(value as Fields) === this.#pool.scalarStep;
  }

  #scalar({ text, value, type, style, span }: Fields): boolean {
    if (typeof text !== 'string' || value !== text || typeof span !== 'object' || span === null) return false;
    const [typeNumber, styleNumber] = [scalarTypes.indexOf(String(type)), scalarStyles.indexOf(String(style))];
    if (typeNumber === -1 || styleNumber === -1 || this.#shapeOf(span as Fields) !== this.#pool.spanStep) return false;
    const before = this.#at;
    this.#write(tag.word, firstScalarWord + typeNumber * scalarStyles.length + styleNumber);
    this.#write(tag.string, this.#numberOf(text));
    if (this.#span(span as Fields)) return true;
    this.#at = before;
    return false;
  }

  #write(kind: number, value: number): void {
    this.#bits(value * tags + kind);
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  #bits(number: number): void {
    if (this.#at + 10 > buffer.length) {
      const larger = new Uint8Array(2 * buffer.length);
      larger.set(buffer);
      buffer = larger;
    }
    let rest = number;
    // Beyond 31 bits, numbers are no integers to the processor.
    for (; rest >= offsetEnd; rest = Math.floor(rest / 128)) buffer[this.#at++] = (rest % 128) | 128;
    for (; rest > 127; rest >>= 7) buffer[this.#at++] = (rest & 127) | 128;
    buffer[this.#at++] = rest;
  }
}

/** Any object, when it is only read. */
type Fields = Readonly<Record<string, unknown>>;

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < offsetEnd;
}

function definedKeys(record: Fields): readonly string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}
