/** Reads files from disk. All files are read through this module, which opens only regular files, follows no links, never waits for the writer of a pipe, and reads a limited number of bytes that all belong to the same state of the file. */

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { type FileStat, type ReadText, tooLarge, versionOf } from '../workspace/live/load.ts';
import { type Allowed, leadsOutside, type Resolver } from './bounds.ts';
import { decode } from './decode.ts';
import { codeOf, refusalOf } from './system-error-text.ts';

type Kind = Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>;
type Version = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;
type Stat = Version & Kind;

/** The bytes of a file with its size and modification time, or the reason why the file was not read. */
export type ReadBytes = { readonly bytes: Buffer; readonly stat: FileStat } | { readonly skipped: string };

/** Without these flags, opening a named pipe would wait for a writer. They do not exist on Windows. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants;
const flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;

export interface OpenFile {
  stat(): Promise<Stat>;
  /**
   * Reads the next bytes of the file into `bytes`, starting at index `at`; returns the number of bytes, which is 0 at
   * the end of the file.
   */
  read(bytes: Uint8Array, at: number): Promise<number>;
  close(): Promise<void>;
}

async function asyncOpen(path: string): Promise<OpenFile> {
  const file = await open(path, flags);
  return {
    stat: () => file.stat(),
    read: async (bytes, at) => (await file.read(bytes, at, bytes.length - at, null)).bytesRead,
    close: () => file.close(),
  };
}

/** Whether opening a file failed because its name is a symbolic link. Some systems report a different error. */
export function isLinkError(error: unknown): boolean {
  return ['ELOOP', 'EMLINK', 'EFTYPE'].includes(codeOf(error));
}

/** Reads at most `maximumBytes` of a regular file; reads it again if it changed during the read. The read is synchronous, which is faster than asynchronous I/O on a local disk. Throws the errors of opening a file. */
export function syncRead(path: string, maximumBytes: number): ReadBytes {
  return syncReadOnce(path, maximumBytes) ?? syncReadOnce(path, maximumBytes) ?? changing;
}

/** Reads a file in the same way as `syncRead`, but with asynchronous I/O. */
export async function asyncRead(path: string, maximumBytes: number, openFile = asyncOpen): Promise<ReadBytes> {
  const read = await asyncReadOnce(path, maximumBytes, openFile);
  return read ?? (await asyncReadOnce(path, maximumBytes, openFile)) ?? changing;
}

/** Reads a file synchronously, if the bounds of a resolver allow it. */
export function syncReadWithin(resolver: Resolver, path: string, maximumBytes: number): ReadBytes {
  try {
    const allowed = resolver.here(path);
    if ('skipped' in allowed) return allowed;
    try {
      return syncRead(allowed.path, maximumBytes);
    } catch (error) {
      if (!isLinkError(error)) throw error;
      const target = targetOf(resolver, path);
      return 'skipped' in target ? target : syncRead(target.path, maximumBytes);
    }
  } catch (error) {
    return { skipped: refusalOf(error) };
  }
}

/** Reads a file in the same way as `syncReadWithin`, but with asynchronous I/O. */
export async function asyncReadWithin(resolver: Resolver, path: string, maximumBytes: number): Promise<ReadBytes> {
  try {
    const allowed = await resolver.aside(path);
    if ('skipped' in allowed) return allowed;
    try {
      return await asyncRead(allowed.path, maximumBytes);
    } catch (error) {
      if (!isLinkError(error)) throw error;
      const target = await resolver.asyncLink(path).catch(nowhere);
      return 'skipped' in target ? target : await asyncRead(target.path, maximumBytes);
    }
  } catch (error) {
    return { skipped: refusalOf(error) };
  }
}

function targetOf(resolver: Resolver, path: string): Allowed {
  try {
    return resolver.syncLink(path);
  } catch {
    return nowhere();
  }
}

function nowhere(): Allowed {
  return { skipped: leadsOutside };
}

/** Decodes the bytes of a file into text, or returns the reason why the file could not be read or decoded. */
export function textOf(read: ReadBytes): ReadText {
  if ('skipped' in read) return read;
  const decoded = decode(read.bytes);
  return 'text' in decoded ? { ...decoded, stat: read.stat } : decoded;
}

/** Returns the reason why a file is not a regular file, worded for users; undefined for a regular file. */
export function notRegular(kind: Kind): string | undefined {
  if (kind.isFile()) return undefined;
  if (kind.isDirectory()) return 'it is a folder (EISDIR)';
  if (kind.isFIFO()) return 'it is a named pipe, not a regular file';
  return kind.isSocket() ? 'it is a socket, not a regular file' : 'it is a device, not a regular file';
}

const changing: ReadBytes = { skipped: 'it changed while it was read' };

/** Reads a file once; undefined if it changed while it was read. */
function syncReadOnce(path: string, maximumBytes: number): ReadBytes | undefined {
  const file = openSync(path, flags);
  try {
    const before = fstatSync(file);
    const refusal = refusalBefore(before, maximumBytes);
    if (refusal !== undefined) return { skipped: refusal };
    const bytes = roomFor(before);
    let length = 0;
    for (let read = 1; read > 0 && isShort(length, bytes, before); length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return readIfSame(bytes.subarray(0, length), before, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

async function asyncReadOnce(
  path: string,
  maximumBytes: number,
  openFile: (path: string) => Promise<OpenFile>,
): Promise<ReadBytes | undefined> {
  const file = await openFile(path);
  try {
    const before = await file.stat();
    const refusal = refusalBefore(before, maximumBytes);
    if (refusal !== undefined) return { skipped: refusal };
    const bytes = roomFor(before);
    let length = 0;
    for (let read = 1; read > 0 && isShort(length, bytes, before); length += read)
      read = await file.read(bytes, length);
    return readIfSame(bytes.subarray(0, length), before, await file.stat());
  } finally {
    await file.close();
  }
}

function refusalBefore(before: Stat, maximumBytes: number): string | undefined {
  return notRegular(before) ?? (before.size > maximumBytes ? tooLarge(maximumBytes) : undefined);
}

/** Returns a buffer with one byte more than the size of the file, so that growth of the file is detected. */
function roomFor({ size }: Stat): Buffer {
  return Buffer.allocUnsafe(size + 1);
}

/** Whether more bytes must be read. If the file grows during the read, its size is different afterwards, which the caller detects. */
function isShort(length: number, bytes: Uint8Array, { size }: Stat): boolean {
  return length < bytes.length && (length === 0 || length !== size);
}

function readIfSame(bytes: Buffer, before: Stat, after: Stat): ReadBytes | undefined {
  if (bytes.length !== before.size || keyOf(before) !== keyOf(after)) return undefined;
  return { bytes, stat: statOf(after) };
}

/** The coarsest precision, in milliseconds, of modification times in common file systems. */
const coarsestTime = 2000;

function keyOf(stats: Version): string {
  return versionOf(statOf(stats));
}

/** Returns the version of a file; `fresh` is set if the file changed so recently that its modification time may not distinguish a further change. */
export function statOf({ size, mtimeMs, ctimeMs, ino }: Version): FileStat {
  const fresh = Date.now() - mtimeMs < coarsestTime;
  // On Windows, numbers of files are not exact, and file systems differ in the other time.
  const identity = process.platform === 'win32' ? undefined : `${ctimeMs} ${ino}`;
  return { size, modified: mtimeMs, ...(identity !== undefined && { identity }), ...(fresh && { fresh }) };
}
