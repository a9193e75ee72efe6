/** Atomically replaces the text of a file, or creates a file and its folders. */

import { constants, existsSync, mkdirSync, type Stats } from 'node:fs';
import { copyFile, link, lstat, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { byteOrderMark } from '../text/byte-order-mark.ts';
import { encodingOf } from '../text/encoding.ts';
import { type Bounds, Resolver } from './bounds.ts';
import { decodeAny } from './decode.ts';
import { syncRead } from './read-file.ts';
import { codeOf, refusalOf } from './system-error-text.ts';
import { writeWhole } from './write-file.ts';

/** The maximum size of an edited file in bytes. Larger files are never read, so there are no edits for them. */
const maximumBytes = 500_000_000;

/** Replaces the text `before` of a file with `after`, and preserves its encoding, byte order mark and permissions. `before` is undefined for a file that does not exist. A link is followed only within `bounds`. Returns the reason if the file could not be replaced. */
export async function replaceText(
  bounds: Bounds,
  path: string,
  before: string | undefined,
  after: string,
): Promise<string | undefined> {
  try {
    const resolver = new Resolver(bounds);
    const refusal = before === undefined ? createFolders(resolver, path) : undefined;
    if (refusal !== undefined) return refusal;
    const target = before === undefined ? resolver.syncNew(path) : resolver.syncWritable(path);
    if ('skipped' in target) return target.skipped;
    if (before === undefined) return await create(target.path, Buffer.from(after));
    const read = syncRead(target.path, maximumBytes);
    if ('skipped' in read) return read.skipped;
    const decoded = decodeAny(read.bytes);
    if (!('text' in decoded) || decoded.text !== before) return 'it has changed in the meantime';
    await replace(target.path, read.bytes, encodedLike(read.bytes, after));
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Creates the folders that are missing for a new file. Returns the reason if this is not possible, because the nearest existing folder is outside of the allowed folders. */
function createFolders(resolver: Resolver, path: string): string | undefined {
  const missing: string[] = [];
  let folder = dirname(path);
  for (; !existsSync(folder); folder = dirname(folder)) missing.unshift(basename(folder));
  if (missing.length === 0) return undefined;
  const allowed = resolver.syncNew(join(folder, ...missing.slice(0, 1)));
  if ('skipped' in allowed) return allowed.skipped;
  mkdirSync(join(allowed.path, ...missing.slice(1)), { recursive: true });
  return undefined;
}

/** Encodes text in the encoding of the given bytes, with a byte order mark if these bytes have one. */
function encodedLike(bytes: Buffer, text: string): Buffer {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') return Buffer.from(byteOrderMark(bytes.toString('utf8', 0, 3)) + text);
  const encoded = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return encoding === 'utf-16le' ? encoded : encoded.swap16();
}

/** Creates a file, and fails if it already exists. On file systems without hard links, the content is copied instead. */
async function create(path: string, bytes: Uint8Array): Promise<undefined> {
  await writeWhole(path, bytes, 0o666 & ~process.umask(), (unfinished) =>
    link(unfinished, path).catch(() => copyFile(unfinished, path, constants.COPYFILE_EXCL)),
  );
}

async function replace(path: string, was: Uint8Array, now: Uint8Array): Promise<void> {
  const stats = await lstat(path);
  if (!isOnlyOurs(stats)) return await overwrite(path, was, now);
  try {
    await writeWhole(path, now, stats.mode & 0o7777);
  } catch (error) {
    // The folder may be read-only although the file is writable, so the file is overwritten in place.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    await overwrite(path, was, now);
  }
}

/** Whether replacing this file with a new file preserves its owner and does not separate it from hard links. */
function isOnlyOurs({ nlink, uid }: Stats): boolean {
  return nlink === 1 && (process.getuid === undefined || process.getuid() === uid);
}

/** Overwrites a file in place. The file is truncated last, so that the old content can be restored if the disk is full. */
async function overwrite(path: string, was: Uint8Array, now: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.writeFile(now);
    await file.truncate(now.length);
  } catch (error) {
    await file.write(was, 0, was.length, 0).catch(() => {});
    await file.truncate(was.length).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}
