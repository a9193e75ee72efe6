/** How is what was packed read again, all of it or in part? */

import {
  ascendingWord,
  entryWord,
  firstScalarWord,
  type Packed,
  type Pool,
  scalarStyles,
  scalarTypes,
  tag,
  tagBits,
  words,
} from './pack.ts';

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

/** The bits of a number's first byte that say what it is. */
const kindBits = 2 ** tagBits - 1;

const entryKeys: readonly string[] = ['key', 'value'];
const scalarKeys: readonly string[] = ['text', 'span'];

class Reader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #pool: Pool;
  #at: number;
  /** What the last number says besides its kind. */
  #value = 0;

  constructor({ page, start, end }: Packed, pool: Pool) {
    this.#bytes = page;
    this.#at = start;
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
    const list: number[] = new Array(Math.min(this.#value, this.#end - this.#at));
    let last = 0;
    for (let index = 0; index < list.length; index++) {
      last += this.#bits(0);
      list[index] = last;
    }
    return list;
  }

  /** An entry or a scalar: one with all keys, or those that are wanted of it. */
  #frequent(word: number, wanted: Wanted): unknown {
    const keys = wanted !== 'all' && 'keys' in wanted ? wanted.keys : undefined;
    if (word === entryWord) return keys === undefined ? this.#entry() : this.#partOfEntry(keys);
    const text = this.value('all');
    const type = scalarTypes[Math.floor((word - firstScalarWord) / scalarStyles.length)];
    const style = scalarStyles[(word - firstScalarWord) % scalarStyles.length];
    const scalar = { text, value: text, type, style, span: this.value('all') };
    if (keys === undefined) return scalar;
    return Object.fromEntries(Object.entries(scalar).filter(([key]) => Object.hasOwn(keys, key)));
  }

  #entry(): unknown {
    return { key: this.value('all'), value: this.value('all'), merged: false, conditional: false };
  }

  #partOfEntry(keys: Readonly<Record<string, Wanted>>): unknown {
    const part: Record<string, unknown> = {};
    for (const key of entryKeys) {
      const wanted = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (wanted === undefined) this.#skip();
      else part[key] = this.value(wanted);
    }
    for (const key of ['merged', 'conditional']) if (Object.hasOwn(keys, key)) part[key] = false;
    return part;
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

  /**
   * Goes on to what stands under a key of the next value. The type and style of a scalar stand in no place of their own,
   * nor does what an entry never is: nobody looks for these.
   */
  #enter(wanted: string): boolean {
    const keys = this.#keysOf(this.#next(), this.#value);
    for (const key of keys) {
      // The value of a scalar is its text.
      if (key === wanted || (keys === scalarKeys && key === 'text' && wanted === 'value')) return true;
      this.#skip();
    }
    return false;
  }

  /** The keys under which values follow. */
  #keysOf(kind: number, value: number): readonly string[] {
    if (kind === tag.object) return this.#pool.shapes[value] ?? [];
    if (kind !== tag.word || value < entryWord || value === ascendingWord) return [];
    return value === entryWord ? entryKeys : scalarKeys;
  }

  /** Passes over a value, and over all that is in it. */
  #skip(): void {
    for (let left = 1; left > 0 && this.#at < this.#end; left--) {
      const kind = this.#next();
      if (kind === tag.list) left += this.#value;
      else if (kind === tag.span) left++;
      else if (kind === tag.word && this.#value === ascendingWord) this.#skipAscending();
      else if (kind === tag.object || kind === tag.word) left += this.#keysOf(kind, this.#value).length;
    }
  }

  #skipAscending(): void {
    this.#next();
    for (let left = this.#value; left > 0 && this.#at < this.#end; left--) this.#bits(0);
  }

  /** Goes over the next number: gives its kind, and keeps its value. */
  #next(): number {
    const first = this.#at < this.#end ? (this.#bytes[this.#at++] ?? 0) : 0;
    this.#value = (first & 127) >> tagBits;
    if (first > 127) this.#value += this.#bits(7 - tagBits);
    return first & kindBits;
  }

  /** What the next bytes say, seven bits each, up to one whose eighth bit is not set; the first of them from `shift` on. */
  #bits(start: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let value = 0;
    for (let shift = start; ; shift += 7) {
      const byte = at < this.#end ? (bytes[at++] ?? 0) : 0;
      // Beyond 31 bits, numbers are no integers to the processor.
      value += shift < 24 ? (byte & 127) << shift : (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    this.#at = at;
    return value;
  }
}
