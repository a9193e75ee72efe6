/**
 * How is plain data kept small? As bytes, with every string, every list of keys and every shared constant written once
 * for all. What ten thousand files say is kept this way, and read again only where somebody asks.
 */

/** What packed values share. It only grows; a value can be read with the pool that it was packed with. */
export class Pool {
  readonly strings: string[] = [];
  /** Lists of keys: the shapes of objects. */
  readonly shapes: (readonly string[])[] = [];
  /** Objects that are written once and never copied: the catalogue's facts. */
  readonly constants: unknown[] = [];
  readonly #stringNumbers = new Map<string, number>();
  readonly #shapeNumbers = new Map<string, number>();
  readonly #constantNumbers = new Map<unknown, number>();

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
    return numberOf(this.#stringNumbers, this.strings, text, text);
  }

  shape(keys: readonly string[]): number {
    return numberOf(this.#shapeNumbers, this.shapes, JSON.stringify(keys), keys);
  }

  constant(value: unknown): number {
    return numberOf(this.#constantNumbers, this.constants, value, value);
  }
}

function numberOf<K, V>(numbers: Map<K, number>, all: V[], key: K, value: V): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, all.length);
  return all.push(value) - 1;
}

/** The low bits of every number that is written say what it is; the others are its value. */
const tag = { whole: 0, string: 1, object: 2, list: 3, word: 4, again: 5, number: 6, constant: 7 } as const;
const tagBits = 3;

/** Values without a value of their own, by number. */
const words: readonly unknown[] = [null, undefined, false, true];

/**
 * Packs plain data: null, booleans, numbers, strings, lists and objects of these, without cycles. An object that stands
 * at several places is written once, and is one object again when it is read. What stands under a key of `constants`
 * goes into the pool as it is. Keys whose value is undefined are left out.
 */
export function pack(value: unknown, pool: Pool, constants: ReadonlySet<string>): Uint8Array {
  const writer = new Writer(pool, constants);
  writer.value(value);
  return Uint8Array.from(writer.bytes);
}

class Writer {
  readonly bytes: number[] = [];
  readonly #pool: Pool;
  readonly #constants: ReadonlySet<string>;
  readonly #written = new Map<object, number>();

  constructor(pool: Pool, constants: ReadonlySet<string>) {
    this.#pool = pool;
    this.#constants = constants;
  }

  value(value: unknown): void {
    if (typeof value === 'string') this.#write(tag.string, this.#pool.string(value));
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'object' && value !== null) this.#shared(value);
    else this.#write(tag.word, Math.max(0, words.indexOf(value)));
  }

  #number(value: number): void {
    if (Number.isInteger(value) && value >= 0 && value < 2 ** 50) this.#write(tag.whole, value);
    else this.#write(tag.number, this.#pool.string(String(value)));
  }

  #shared(value: object): void {
    const before = this.#written.get(value);
    if (before !== undefined) {
      this.#write(tag.again, before);
      return;
    }
    this.#written.set(value, this.#written.size);
    if (Array.isArray(value)) {
      this.#write(tag.list, value.length);
      for (const item of value) this.value(item);
      return;
    }
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    this.#write(tag.object, this.#pool.shape(entries.map(([key]) => key)));
    for (const [key, each] of entries) {
      if (this.#constants.has(key) && typeof each === 'object') this.#write(tag.constant, this.#pool.constant(each));
      else this.value(each);
    }
  }

  /** Seven bits a byte, the lowest first; the eighth says that more follow. */
  #write(kind: number, value: number): void {
    let rest = value * 2 ** tagBits + kind;
    while (rest > 127) {
      this.bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.bytes.push(rest);
  }
}

/** Reads what `pack` wrote. Bytes that it did not write give some plain data, or throw: keep a checksum beside them. */
export function unpack(bytes: Uint8Array, pool: Pool): unknown {
  return new Reader(bytes, pool).value();
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #pool: Pool;
  readonly #read: unknown[] = [];
  #at = 0;

  constructor(bytes: Uint8Array, pool: Pool) {
    this.#bytes = bytes;
    this.#pool = pool;
  }

  value(): unknown {
    const number = this.#next();
    const value = Math.floor(number / 2 ** tagBits);
    switch (number % 2 ** tagBits) {
      case tag.whole:
        return value;
      case tag.string:
        return this.#pool.strings[value];
      case tag.object:
        return this.#object(this.#pool.shapes[value] ?? []);
      case tag.list:
        return this.#list(value);
      case tag.word:
        return words[value];
      case tag.again:
        return this.#read[value];
      case tag.number:
        return Number(this.#pool.strings[value]);
      default:
        return this.#pool.constants[value];
    }
  }

  #object(shape: readonly string[]): unknown {
    const object: Record<string, unknown> = {};
    this.#read.push(object);
    for (const key of shape) {
      // Assigning to this one key would change the object's prototype.
      if (key === '__proto__') Object.defineProperty(object, key, { value: this.value(), enumerable: true });
      else object[key] = this.value();
    }
    return object;
  }

  #list(length: number): unknown {
    const list: unknown[] = [];
    this.#read.push(list);
    for (let index = 0; index < length && this.#at < this.#bytes.length; index++) list.push(this.value());
    return list;
  }

  #next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
}
