/** What text does a file on disk hold? Read as a whole and of one state, or not at all. */

import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { type FileStat, type ReadText, tooLarge } from '../workspace/load.ts';

type MayWait<T> = T | Promise<T>;

/** A file that is open. */
export interface OpenFile {
  stat(): MayWait<Pick<Stats, 'size' | 'mtimeMs' | 'isFile'>>;
  /** Fills `bytes` from `at` on with what comes next; 0 at the end of the file. */
  read(bytes: Uint8Array, at: number): MayWait<number>;
  close(): MayWait<void>;
}

/** On this thread: of a disk at hand this takes less time than to ask another thread. */
export function openHere(path: string): OpenFile {
  const file = openSync(path, 'r');
  return {
    stat: () => fstatSync(file),
    read: (bytes, at) => readSync(file, bytes, at, bytes.length - at, null),
    close: () => closeSync(file),
  };
}

/** On another thread. */
export async function openAside(path: string): Promise<OpenFile> {
  const file = await open(path, 'r');
  return {
    stat: () => file.stat(),
    read: async (bytes, at) => (await file.read(bytes, at, bytes.length - at, null)).bytesRead,
    close: () => file.close(),
  };
}

/** Reads a file, once more where it changed meanwhile, and never more than `maximumBytes` of it. */
export async function readText(
  path: string,
  maximumBytes: number,
  openFile: (path: string) => MayWait<OpenFile> = openHere,
): Promise<ReadText> {
  try {
    return (
      (await readOnce(path, maximumBytes, openFile)) ??
      (await readOnce(path, maximumBytes, openFile)) ?? { skipped: 'it changed while it was read' }
    );
  } catch (error) {
    return { skipped: `it could not be read (${codeOf(error)})` };
  }
}

/** In milliseconds: some disks know the time of a change no better. */
const coarsestTime = 2000;

/** Undefined where the file changed while it was read. */
async function readOnce(
  path: string,
  maximumBytes: number,
  openFile: (path: string) => MayWait<OpenFile>,
): Promise<ReadText | undefined> {
  const file = await openFile(path);
  try {
    const before = await file.stat();
    if (before.isFile() && before.size > maximumBytes) return { skipped: tooLarge(maximumBytes) };
    // One byte more than there should be, to see that there is no more. The length of a pipe is not known before.
    const bytes = Buffer.allocUnsafe((before.isFile() ? before.size : maximumBytes) + 1);
    const length = await fill(bytes, file);
    if (!before.isFile())
      return length > maximumBytes ? { skipped: tooLarge(maximumBytes) } : decode(bytes.subarray(0, length));
    const after = await file.stat();
    if (length !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs) return undefined;
    const read = decode(bytes.subarray(0, length));
    return 'text' in read ? { ...read, stat: statOf(after) } : read;
  } finally {
    await file.close();
  }
}

async function fill(bytes: Uint8Array, file: OpenFile): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const read = await file.read(bytes, length);
    if (read === 0) break;
    length += read;
  }
  return length;
}

export function statOf(stats: Pick<Stats, 'size' | 'mtimeMs'>): FileStat {
  const fresh = Date.now() - stats.mtimeMs < coarsestTime;
  return { size: stats.size, modified: stats.mtimeMs, ...(fresh && { fresh }) };
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
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
