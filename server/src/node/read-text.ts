/** What text does a file on disk hold? Read as a whole and of one state, or not at all. */

import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { type FileStat, type ReadText, tooLarge } from '../workspace/load.ts';
import { refusalOf } from './refusal.ts';

type Stat = Pick<Stats, 'size' | 'mtimeMs' | 'isFile'>;

/** A file that is open on another thread. */
export interface OpenFile {
  stat(): Promise<Stat>;
  /** Fills `bytes` from `at` on with what comes next; 0 at the end of the file. */
  read(bytes: Uint8Array, at: number): Promise<number>;
  close(): Promise<void>;
}

async function openAside(path: string): Promise<OpenFile> {
  const file = await open(path, 'r');
  return {
    stat: () => file.stat(),
    read: async (bytes, at) => (await file.read(bytes, at, bytes.length - at, null)).bytesRead,
    close: () => file.close(),
  };
}

/**
 * Reads a file, once more where it changed meanwhile, and never more than `maximumBytes` of it. On this thread: of a disk
 * at hand this takes less time than to ask another one.
 */
export function readTextHere(path: string, maximumBytes: number): ReadText {
  try {
    return readOnceHere(path, maximumBytes) ?? readOnceHere(path, maximumBytes) ?? changing;
  } catch (error) {
    return unreadable(error);
  }
}

/** The same on another thread. */
export async function readTextAside(path: string, maximumBytes: number, openFile = openAside): Promise<ReadText> {
  try {
    const read = await readOnceAside(path, maximumBytes, openFile);
    return read ?? (await readOnceAside(path, maximumBytes, openFile)) ?? changing;
  } catch (error) {
    return unreadable(error);
  }
}

const changing: ReadText = { skipped: 'it changed while it was read' };

function unreadable(error: unknown): ReadText {
  return { skipped: refusalOf(error) };
}

/** In milliseconds: some disks know the time of a change no better. */
const coarsestTime = 2000;

/** Undefined where the file changed while it was read. */
function readOnceHere(path: string, maximumBytes: number): ReadText | undefined {
  const file = openSync(path, 'r');
  try {
    const before = fstatSync(file);
    const bytes = roomFor(before, maximumBytes);
    if (bytes === undefined) return { skipped: tooLarge(maximumBytes) };
    let length = 0;
    for (let read = 1; read > 0 && isShort(length, bytes, before); length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return readAs(bytes.subarray(0, length), before, before.isFile() ? fstatSync(file) : before, maximumBytes);
  } finally {
    closeSync(file);
  }
}

async function readOnceAside(
  path: string,
  maximumBytes: number,
  openFile: (path: string) => Promise<OpenFile>,
): Promise<ReadText | undefined> {
  const file = await openFile(path);
  try {
    const before = await file.stat();
    const bytes = roomFor(before, maximumBytes);
    if (bytes === undefined) return { skipped: tooLarge(maximumBytes) };
    let length = 0;
    for (let read = 1; read > 0 && isShort(length, bytes, before); length += read)
      read = await file.read(bytes, length);
    return readAs(bytes.subarray(0, length), before, before.isFile() ? await file.stat() : before, maximumBytes);
  } finally {
    await file.close();
  }
}

/** One byte more than there should be, to see that there is no more. The length of a pipe is not known before. */
function roomFor(before: Stat, maximumBytes: number): Uint8Array | undefined {
  if (!before.isFile()) return Buffer.allocUnsafe(maximumBytes + 1);
  return before.size > maximumBytes ? undefined : Buffer.allocUnsafe(before.size + 1);
}

/** Of a file, all is there once it is as long as it should be: had it grown, it would have another size afterwards. */
function isShort(length: number, bytes: Uint8Array, before: Stat): boolean {
  return length < bytes.length && (length === 0 || !before.isFile() || length !== before.size);
}

function readAs(bytes: Uint8Array, before: Stat, after: Stat, maximumBytes: number): ReadText | undefined {
  if (!before.isFile()) return bytes.length > maximumBytes ? { skipped: tooLarge(maximumBytes) } : decode(bytes);
  if (bytes.length !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) return undefined;
  const read = decode(bytes);
  return 'text' in read ? { ...read, stat: statOf(after) } : read;
}

export function statOf(stats: Pick<Stats, 'size' | 'mtimeMs'>): FileStat {
  const fresh = Date.now() - stats.mtimeMs < coarsestTime;
  return { size: stats.size, modified: stats.mtimeMs, ...(fresh && { fresh }) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The decoder leaves out the byte order mark. */
export function decode(bytes: Uint8Array): ReadText {
  return bytes.subarray(0, 8000).includes(0) ? { skipped: 'it is not text' } : decodeAny(bytes);
}

/** The same for a text in which a NUL may stand. */
export function decodeAny(bytes: Uint8Array): ReadText {
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { skipped: 'it is not UTF-8 text' };
  }
}
