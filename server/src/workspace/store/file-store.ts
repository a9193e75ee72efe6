/** The store of file facts that are known without parsing: serialized facts, with the size and time of the files. */

import { hashOf } from '../../text/hash.ts';
import { absentFile } from '../absent-file.ts';
import { type FileStat, versionOf } from '../live/load.ts';
import type { FileChange, WorkspaceFile } from '../model.ts';
import { fits, type Shape } from './json-shape.ts';
import { Pool, type SerializedFile } from './serialize.ts';
import {
  isSameToOthers,
  isSerializable,
  lastApplied,
  ObjectCache,
  readSerialized,
  type SerializedFileFacts,
  serializeFile,
  storedFile,
} from './serialized-file.ts';

/** The version of a file: its size and time, and the hash of its text if size and time are not sufficient. */
interface FileVersion {
  readonly stat: FileStat;
  readonly hash?: string | undefined;
}

export interface EarlierVersion extends FileVersion, FileChange {
  /**
   * Whether the two versions are equivalent for all other files, except for positions in them to which findings refer.
   */
  readonly isSame: boolean;
}

interface Entry extends FileVersion {
  /** Set if an earlier run parsed the file, and only `readAgain` can decide whether the file is unchanged. */
  readonly unconfirmed?: boolean;
  readonly serialized: SerializedFileFacts;
  /** Set if an earlier run parsed the file. */
  readonly restored?: true;
  /** The lazy file that was returned for this entry. */
  kept?: WorkspaceFile;
}

/** A store as it is saved between two runs; `bytes` contains the bytes of all files, one after the other. */
export interface StoredFiles {
  readonly header: string;
  readonly bytes: Uint8Array;
}

/**
 * Two forms of a file: `file` as it was just parsed, for callers that need all of it now, and the serialized `kept`.
 */
export interface StoredFile {
  readonly file: WorkspaceFile;
  readonly kept: WorkspaceFile;
}

/** Storage for a store between two runs. Reading may return anything: damaged data is treated as absent. */
export interface Cache {
  read(): Promise<StoredFiles | undefined>;
  write(stored: StoredFiles): Promise<void>;
}

interface Header {
  readonly key: string;
  readonly checksum: number;
  readonly strings: readonly string[];
  readonly shapes: readonly (readonly string[])[];
  readonly constants: readonly unknown[];
  /**
   * URI, size, time, number of objects, the numbers of bytes of its two parts, the hash if size and time are not
   * sufficient, otherwise '', and the identity of the file, or ''.
   */
  readonly files: readonly (readonly [
    uri: string,
    size: number,
    modified: number,
    objects: number,
    scope: number,
    rest: number,
    hash: string,
    identity: string,
  ])[];
}

/** The maximum size of the texts, in UTF-16 units, of the files that are retained as they are parsed: to serialize and deserialize a few files takes time and saves little memory. */
const maximumParsed = 4_000_000;

/** Parses files for `load`, and retains their serialized facts. */
export class FileStore {
  readonly #readText: (uri: string, text: string) => WorkspaceFile;
  #pool = new Pool();
  readonly #entries = new Map<string, Entry>();
  readonly #cache = new ObjectCache();
  /** The restored facts of files that had a different text when they were read, by URI. */
  readonly #replaced = new Map<string, { readonly entry: Entry; readonly pool: Pool }>();
  /** The number of files whose entries were added, replaced or removed since the store was restored or serialized. */
  #read = 0;
  /** The number of files that differ from the restored store: their earlier facts remain in the pool. */
  #stale = 0;
  /** The size of the texts whose files can still be retained as they are parsed. */
  #left = 0;

  /** `readText` parses the text of a file. */
  constructor(readText: (uri: string, text: string) => WorkspaceFile) {
    this.#readText = readText;
  }

  /** Retains some files as they are parsed, for a store that is never saved and reads each file once. */
  retainParsed(): void {
    this.#left = maximumParsed;
  }

  /**
   * Returns the facts of a file with this size and time; the caller decides whether `file` was parsed with the current
   * context.
   */
  known(uri: string, stat: FileStat): StoredFile | undefined {
    const entry = this.#entries.get(uri);
    if (entry === undefined || !this.isCurrent(uri, stat)) return undefined;
    const file = this.#deserialized(uri, entry);
    if (file === undefined) return undefined;
    entry.kept ??= storedFile(file, entry.serialized, this.#pool, this.#cache);
    return { file, kept: entry.kept };
  }

  /** Deserializes a file; undefined if the content of the cache is damaged, so that the file must be parsed. */
  #deserialized(uri: string, { serialized }: Entry): WorkspaceFile | undefined {
    try {
      return readSerialized(uri, serialized, this.#pool);
    } catch {
      this.#entries.delete(uri);
      return undefined;
    }
  }

  /** Whether the stored version of a file is the version on disk. */
  isCurrent(uri: string, stat: FileStat): boolean {
    const known = this.#entries.get(uri)?.stat;
    return known !== undefined && !known.fresh && versionOf(known) === versionOf(stat);
  }

  /** Parses a file. Equal facts keep the identity of the stored file. */
  read(uri: string, text: string, stat: FileStat | undefined): StoredFile {
    const before = this.#entries.get(uri);
    if (before?.restored && !this.#replaced.has(uri)) this.#replaced.set(uri, { entry: before, pool: this.#pool });
    this.#entries.delete(uri);
    const file = this.#readText(uri, text);
    this.#left -= text.length;
    // The annotation is not serialized, whether there are many files or few.
    const isRetained = this.#left >= 0 && !text.includes(lastApplied);
    const isKept = !isRetained && stat !== undefined && isSerializable(file);
    const serialized = isKept ? serializeFile(file, this.#pool, before?.serialized) : undefined;
    if (serialized !== undefined || before !== undefined) this.#read++;
    if (before !== undefined && serialized !== before.serialized) this.#stale++;
    if (serialized === undefined || stat === undefined) return { file, kept: file };
    // Serialized facts do not include syntax errors.
    const isSame = serialized === before?.serialized && file.manifest.firstErrors === undefined;
    const kept = (isSame && before.kept) || storedFile(file, serialized, this.#pool, this.#cache);
    this.#entries.set(uri, { stat, serialized, kept, ...hashed(stat, text) });
    return { file, kept };
  }

  /**
   * Returns a file that an earlier run read immediately after it changed, if its text is still equal; undefined
   * otherwise. Valid once for each file: a file that is read again later has changed.
   */
  readAgain(uri: string, text: string, stat: FileStat | undefined): StoredFile | undefined {
    const entry = this.#entries.get(uri);
    if (entry?.unconfirmed !== true || stat === undefined || entry.hash !== hashOf(text)) return undefined;
    const { serialized } = entry;
    const file = readSerialized(uri, serialized, this.#pool);
    const kept = storedFile(file, serialized, this.#pool, this.#cache);
    this.#entries.set(uri, { stat, serialized, kept, ...hashed(stat, text) });
    this.#read++;
    return { file, kept };
  }

  /** Drops deserialized facts, which are deserialized again when they are needed. */
  clearCache(): void {
    this.#cache.clear();
  }

  /**
   * Returns the version of a file in the restored store, if the file was read again since then, or no longer exists;
   * undefined if that is uncertain.
   */
  earlierVersion(uri: string, exists: boolean): EarlierVersion | undefined {
    const replaced = this.#replaced.get(uri);
    const now = this.#entries.get(uri);
    if (!exists) return now && this.#lastVersion(uri, now);
    if (replaced === undefined || now?.kept === undefined) return undefined;
    const { entry, pool } = replaced;
    try {
      const isSame = isSameToOthers(entry.serialized, pool, now.serialized, this.#pool);
      return { ...entry, isSame, before: readSerialized(uri, entry.serialized, pool), after: now.kept };
    } catch {
      // A damaged cache may contain anything.
      return undefined;
    }
  }

  #lastVersion(uri: string, entry: Entry): EarlierVersion | undefined {
    if (entry.restored !== true || entry.kept !== undefined) return undefined;
    const before = this.#deserialized(uri, entry);
    return before && { ...entry, isSame: false, before, after: absentFile(uri) };
  }

  clearEarlierVersions(): void {
    this.#replaced.clear();
  }

  /** Returns a copy of a string that keeps no other text in memory. */
  own(text: string): string {
    return this.#pool.own(text);
  }

  /** Whether writing the store would write new data. */
  get changed(): boolean {
    return this.#read > 0;
  }

  /** Returns the store of only these files, to be restored with an equal `key`. */
  stored(key: string, uris: Iterable<string>): StoredFiles {
    if (this.#stale * 4 > this.#entries.size) this.#packAnew();
    const files: Header['files'][number][] = [];
    const parts: SerializedFile[] = [];
    for (const uri of uris) {
      const entry = this.#entries.get(uri);
      // Without a hash, the next run could not decide whether the file changed again.
      if (entry === undefined || (entry.stat.fresh && entry.hash === undefined)) continue;
      const { objects, scope, rest } = entry.serialized;
      const hash = (entry.stat.fresh && entry.hash) || '';
      const { size, modified, identity = '' } = entry.stat;
      files.push([uri, size, modified, objects, lengthOf(scope), lengthOf(rest), hash, identity]);
      parts.push(scope, rest);
    }
    const bytes = joined(parts);
    const { strings, shapes, constants } = this.#pool;
    const header: Header = { key, checksum: checksum(bytes), strings, shapes, constants, files };
    return { header: JSON.stringify(header), bytes };
  }

  /** Serializes all files again, so that unused data leaves the pool. */
  #packAnew(): void {
    const pool = new Pool();
    for (const [uri, { serialized, ...rest }] of this.#entries) {
      this.#entries.set(uri, { ...rest, serialized: serializeFile(readSerialized(uri, serialized, this.#pool), pool) });
    }
    this.#pool = pool;
    this.#stale = 0;
  }

  /**
   * Restores the result of `stored`; returns false, and restores nothing, if it has a different key or is damaged. A
   * checksum does not prove the origin: the facts of a file may be arbitrary, and using them may throw.
   */
  restore(key: string, { header, bytes }: StoredFiles): boolean {
    const read = parseHeader(header);
    if (read === undefined || read.key !== key || !isWhole(read, bytes)) return false;
    this.#read = this.#stale = 0;
    this.#pool = new Pool(read.strings, read.shapes, read.constants);
    let at = 0;
    for (const [uri, size, modified, objects, scope, rest, hash, identity] of read.files) {
      const serialized = {
        objects,
        scope: { page: bytes, start: at, end: at + scope },
        rest: { page: bytes, start: at + scope, end: at + scope + rest },
      };
      const stat = { size, modified, ...(identity !== '' && { identity }) };
      const entry: Entry =
        hash === ''
          ? { stat, serialized, restored: true }
          : { stat: { ...stat, fresh: true }, serialized, restored: true, hash, unconfirmed: true };
      this.#entries.set(uri, entry);
      at += scope + rest;
    }
    return true;
  }
}

/** Returns the hash of a file that changed just now. As in git's index, such a file is identified by its content until its time is old enough. */
function hashed(stat: FileStat, text: string): Pick<Entry, 'hash'> {
  return stat.fresh ? { hash: hashOf(text) } : {};
}

function lengthOf({ start, end }: SerializedFile): number {
  return end - start;
}

function joined(parts: readonly SerializedFile[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + lengthOf(part), 0));
  let at = 0;
  for (const { page, start, end } of parts) {
    bytes.set(page.subarray(start, end), at);
    at += end - start;
  }
  return bytes;
}

/** Returns a 32-bit FNV-1a checksum, which detects damage but not malicious changes. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

const headerShape: Shape = {
  keys: {
    key: 'string',
    checksum: 'number',
    strings: { list: 'string' },
    shapes: { list: { list: 'string' } },
    constants: { list: 'any' },
    files: { list: { tuple: ['string', 'number', 'number', 'number', 'number', 'number', 'string', 'string'] } },
  },
};

function parseHeader(text: string): Header | undefined {
  try {
    const header: unknown = JSON.parse(text);
    return fits(header, headerShape) ? (header as Header) : undefined; // its shape was checked
  } catch {
    return undefined;
  }
}

/** Whether the bytes are exactly the bytes that the header describes. */
function isWhole({ checksum: expected, files }: Header, bytes: Uint8Array): boolean {
  let length = 0;
  for (const [, , , objects, scope, rest] of files) {
    if (![objects, scope, rest].every((each) => Number.isSafeInteger(each) && each >= 0)) return false;
    length += scope + rest;
  }
  return length === bytes.length && expected === checksum(bytes);
}
