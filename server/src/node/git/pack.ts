/** Reads one pack of a git repository: an index of ids, and the objects, many of which are stored as differences (deltas) from other objects. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { spend } from '../../engine/work-budget.ts';
import { syncRead } from '../read-file.ts';
import { GitError, type GitObject, inflated, type ObjectType } from './git-object.ts';

/** The maximum size of an index in bytes. The index of a repository with ten million objects has about 400 MB. */
const largestIndex = 1_000_000_000;
/** The maximum length of a chain of deltas. By default, git writes at most 50 deltas in a chain, and it never writes more than 4095. */
const longestChain = 4_096;
/** The maximum number of bytes that are decompressed for one object. */
const largestChainBytes = 400_000_000;

/** The maximum total size of the cached objects of a pack, in bytes. */
const maximumBaseBytes = 32_000_000;

const types: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const offsetDelta = 6;
const idDelta = 7;
const idLength = 20;

/** An object that is stored completely, or as a delta from another object. */
type Entry =
  | { readonly type: ObjectType; readonly size: number; readonly at: number }
  | { readonly base: number | string; readonly size: number; readonly at: number };

export class Pack {
  readonly #path: string;
  #index: Buffer | undefined;
  #file: number | undefined;
  #size = 0;
  /**
   * The most recently read objects, by their offset in the pack, because many objects can be deltas from the same
   * object.
   */
  readonly #bases = new Map<number, GitObject>();
  #baseBytes = 0;

  /** Creates a reader for a pack; `path` is the path of the pack without its extension. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns the object with a given id; undefined if it is not in this pack. `readBase` reads loose objects and objects
   * in other packs.
   */
  read(id: string, maximumBytes: number, readBase: (id: string) => GitObject | undefined): GitObject | undefined {
    const offset = this.#offsetOf(id);
    return offset === undefined ? undefined : this.#readAt(offset, maximumBytes, readBase);
  }

  /** Returns the ids that begin with some hexadecimal digits, but at most two of them. */
  complete(prefix: string): readonly string[] {
    const index = this.#opened();
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix.padEnd(2 * idLength, '0')); at < countIn(index) && found.length < 2; at++) {
      const id = idAt(index, at);
      if (!id.startsWith(prefix)) break;
      found.push(id);
    }
    return found;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = this.#index = undefined;
    this.#forgetBases();
  }

  #readAt(start: number, maximumBytes: number, readBase: (id: string) => GitObject | undefined): GitObject {
    const deltas: { readonly bytes: Buffer; readonly at: number }[] = [];
    let unpacked = 0;
    const unpack = (entry: Entry) => {
      unpacked += entry.size;
      if (entry.size > maximumBytes) throw new GitError(`it is larger than ${maximumBytes} bytes`);
      if (unpacked > largestChainBytes || deltas.length > longestChain)
        throw new GitError('an object is too long a chain');
      const bytes = inflated(this.#bytesAt(entry.at, compressedBound(entry.size)), entry.size);
      if (bytes.length !== entry.size) throw new GitError('an object is damaged');
      return bytes;
    };
    let at = start;
    let base = this.#bases.get(at);
    while (base === undefined) {
      const entry = this.#entryAt(at);
      if ('type' in entry) {
        base = { type: entry.type, bytes: unpack(entry) };
        this.#keepBase(at, base);
        break;
      }
      deltas.push({ bytes: unpack(entry), at });
      const offset: number | undefined = typeof entry.base === 'number' ? entry.base : this.#offsetOf(entry.base);
      if (offset !== undefined) {
        at = offset;
        base = this.#bases.get(at);
      } else if (typeof entry.base === 'string') {
        base = readBase(entry.base);
        if (base === undefined) throw new GitError('an object is missing');
      }
    }
    if (base.bytes.length > maximumBytes) throw new GitError(`it is larger than ${maximumBytes} bytes`);
    return deltas.reduceRight<GitObject>(({ type, bytes }, delta) => {
      const patched = { type, bytes: withDelta(bytes, delta.bytes, maximumBytes) };
      unpacked += patched.bytes.length;
      if (unpacked > largestChainBytes) throw new GitError('an object is too long a chain');
      this.#keepBase(delta.at, patched);
      return patched;
    }, base);
  }

  #keepBase(offset: number, object: GitObject): void {
    if (this.#baseBytes + object.bytes.length > maximumBaseBytes) this.#forgetBases();
    if (object.bytes.length > maximumBaseBytes) return;
    this.#bases.set(offset, object);
    this.#baseBytes += object.bytes.length;
  }

  #forgetBases(): void {
    this.#bases.clear();
    this.#baseBytes = 0;
  }

  /** Returns the type and size of the entry at an offset, and the offset of its compressed bytes. */
  #entryAt(offset: number): Entry {
    const bytes = this.#bytesAt(offset, 32 + idLength);
    let at = 0;
    const next = () => {
      const byte = bytes[at++];
      if (byte === undefined) throw new GitError('a pack is damaged');
      return byte;
    };
    let byte = next();
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let unit = 16; byte & 128; unit *= 128) {
      byte = next();
      size += (byte & 127) * unit;
      if (size > Number.MAX_SAFE_INTEGER) throw new GitError('a pack is damaged');
    }
    const plain = types[type];
    if (plain !== undefined) return { type: plain, size, at: offset + at };
    if (type === idDelta) {
      const base = bytes.toString('hex', at, at + idLength);
      return { base, size, at: offset + at + idLength };
    }
    if (type !== offsetDelta) throw new GitError('a pack is damaged');
    byte = next();
    let back = byte & 127;
    while (byte & 128) {
      byte = next();
      back = (back + 1) * 128 + (byte & 127);
    }
    // The base of a delta must precede it in the pack, so the chain of deltas is finite.
    if (back <= 0 || back > offset) throw new GitError('a pack is damaged');
    return { base: offset - back, size, at: offset + at };
  }

  #bytesAt(offset: number, length: number): Buffer {
    if (this.#file === undefined) {
      const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
      this.#file = openSync(`${this.#path}.pack`, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      const stat = fstatSync(this.#file);
      if (!stat.isFile()) throw new GitError('a pack is not a file');
      this.#size = stat.size;
    }
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - offset)));
    const read = readSync(this.#file, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, read);
  }

  #opened(): Buffer {
    if (this.#index !== undefined) return this.#index;
    const read = syncRead(`${this.#path}.idx`, largestIndex);
    if ('skipped' in read) throw new GitError(`the index of a pack cannot be read: ${read.skipped}`);
    const { bytes } = read;
    const isVersion2 =
      bytes.length >= headerLength && bytes.readUInt32BE(0) === 0xff744f63 && bytes.readUInt32BE(4) === 2;
    if (!isVersion2 || bytes.length < offsetsAt(bytes) + 4 * countIn(bytes))
      throw new GitError('the index of a pack has a format that is not known');
    this.#index = bytes;
    return bytes;
  }

  #offsetOf(id: string): number | undefined {
    const index = this.#opened();
    const at = this.#firstFrom(id);
    if (at >= countIn(index) || idAt(index, at) !== id) return undefined;
    const offset = index.readUInt32BE(offsetsAt(index) + 4 * at);
    if (offset < 0x80000000) return offset;
    const large = offsetsAt(index) + 4 * countIn(index) + 8 * (offset - 0x80000000);
    if (large + 8 > index.length) throw new GitError('the index of a pack is damaged');
    return Number(index.readBigUInt64BE(large));
  }

  /** Returns the index of the first id in the pack that is not less than the given id. */
  #firstFrom(id: string): number {
    const index = this.#opened();
    const wanted = Buffer.from(id, 'hex');
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : fanOut(index, first - 1);
    let high = Math.min(fanOut(index, first), countIn(index));
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = idsAt + idLength * middle;
      if (index.compare(wanted, 0, idLength, start, start + idLength) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const fanOutAt = 8;
const headerLength = fanOutAt + 256 * 4;
const idsAt = headerLength;

function fanOut(index: Buffer, byte: number): number {
  return index.readUInt32BE(fanOutAt + 4 * byte);
}

function countIn(index: Buffer): number {
  return fanOut(index, 255);
}

/** Returns the position of the table of offsets, which follows the table of ids and the table of checksums. */
function offsetsAt(index: Buffer): number {
  return idsAt + (idLength + 4) * countIn(index);
}

function idAt(index: Buffer, at: number): string {
  return index.toString('hex', idsAt + idLength * at, idsAt + idLength * (at + 1));
}

/** Returns the maximum size of the zlib-compressed form of data with a given size; it is reached for incompressible data. */
function compressedBound(size: number): number {
  return size + Math.ceil(size / 1000) + 64;
}

/** Applies a delta to an object. The result consists of parts that are copied from the object, and of new bytes. */
function withDelta(base: Buffer, delta: Buffer, maximumBytes: number): Buffer {
  let at = 0;
  const next = () => {
    const byte = delta[at++];
    if (byte === undefined) throw new GitError('an object is damaged');
    return byte;
  };
  const size = () => {
    let [value, unit] = [0, 1];
    for (let byte = 128; byte & 128; unit *= 128) {
      byte = next();
      value += (byte & 127) * unit;
      if (value > Number.MAX_SAFE_INTEGER) throw new GitError('an object is damaged');
    }
    return value;
  };
  const [before, after] = [size(), size()];
  if (before !== base.length) throw new GitError('an object is damaged');
  if (after > maximumBytes) throw new GitError(`it is larger than ${maximumBytes} bytes`);
  spend(after);
  const result = Buffer.allocUnsafe(after);
  let length = 0;
  const put = (piece: Buffer, from: number, count: number) => {
    if (count === 0 || from + count > piece.length || length + count > after)
      throw new GitError('an object is damaged');
    piece.copy(result, length, from, from + count);
    length += count;
  };
  while (at < delta.length) {
    const code = next();
    if (code & 128) {
      let [from, count] = [0, 0];
      for (const [bit, unit] of [1, 2 ** 8, 2 ** 16, 2 ** 24].entries()) if (code & (1 << bit)) from += next() * unit;
      for (const [bit, unit] of [1, 2 ** 8, 2 ** 16].entries()) if (code & (16 << bit)) count += next() * unit;
      put(base, from, count === 0 ? 0x10000 : count);
    } else {
      put(delta, at, code);
      at += code;
    }
  }
  if (length !== after) throw new GitError('an object is damaged');
  return result;
}
