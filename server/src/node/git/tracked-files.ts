/** Reads which files git tracks, and which of them a sparse checkout leaves out, from the index of a working tree. https://git-scm.com/docs/index-format */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { type GitIndex, prefixesOf } from '../../workspace/ignore/folder-filter.ts';
import { syncRead } from '../read-file.ts';
import { commonFolder, gitFolder, textOf } from './repository.ts';

const largestIndex = 200_000_000;
const largestConfig = 1_000_000;
const longestName = 4_096;
/** The maximum number of bytes of all names together, because a compressed index can hold far more than its size. */
const mostNameBytes = 100_000_000;
const headerLength = 12;
/** The times, the device, the inode, the mode, the owner and the size of a file. */
const statLength = 40;
/** The flag in the additional flags of an entry: git does not write the file to the working tree. */
const skipWorktree = 0x4000;

/**
 * Returns the index of the repository in the folder `root`, to which paths are relative. The index is read once, for
 * the first question. Nothing is tracked without an index, or if it cannot be read. The shared part of a split index is
 * not read.
 */
export function gitIndexIn(root: string): GitIndex {
  let version = '';
  let index = once(() => {
    version = versionOf(root);
    return readIndex(root);
  });
  /** The answers about tracked paths; only paths that match an ignore pattern are asked for. */
  const answers = new Map<string, boolean>();
  return {
    isTracked: (path) => getOrAdd(answers, path, () => index().tracked.has(path)),
    hasChanged() {
      if (answers.size === 0 || versionOf(root) === version) return false;
      version = versionOf(root);
      const now = readIndex(root);
      if ([...answers].some(([path, was]) => now.tracked.has(path) !== was)) return true;
      index = () => now;
      return false;
    },
    // A file with the flag may exist nevertheless.
    isLeftOut: (path) => {
      const { leftOut } = index();
      return leftOut.size > 0 && prefixesOf(path).some((each) => leftOut.has(each)) && !existsSync(join(root, path));
    },
  };
}

interface Paths {
  /** The files that git tracks, and their folders. */
  readonly tracked: ReadonlySet<string>;
  /** The files that a sparse checkout leaves out, and the folders of a sparse index, which stand for all of their files. */
  readonly leftOut: ReadonlySet<string>;
}

/** Returns the identity, the size and the modification time of the index. */
function versionOf(root: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(join(gitFolder(root), 'index'));
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return 'none';
  }
}

const noPaths: Paths = { tracked: new Set(), leftOut: new Set() };

function readIndex(root: string): Paths {
  try {
    const folder = gitFolder(root);
    const read = syncRead(join(folder, 'index'), largestIndex);
    if ('skipped' in read) return noPaths;
    const common = commonFolder(folder);
    const config = textOf(join(common, 'config'), largestConfig) ?? '';
    const idLength = /^\s{0,20}objectformat\s{0,20}=\s{0,20}sha256\b/im.test(config) ? 32 : 20;
    const entries = [...entriesIn(read.bytes, idLength)];
    return {
      tracked: withFolders(entries.map(({ name }) => name)),
      leftOut: new Set(entries.flatMap(({ name, isLeftOut }) => (isLeftOut ? [name.replace(/\/$/, '')] : []))),
    };
  } catch {
    return noPaths;
  }
}

/** Returns the entries of an index, up to the first damaged one. The name of a folder, in a sparse index, ends with a slash. */
function* entriesIn(bytes: Buffer, idLength: number): Iterable<{ readonly name: string; readonly isLeftOut: boolean }> {
  if (bytes.length < headerLength || bytes.toString('latin1', 0, 4) !== 'DIRC') return;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return;
  let left = mostNameBytes;
  let previous = Buffer.alloc(0);
  let at = headerLength;
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const flagsAt = at + statLength + idLength;
    if (flagsAt + 4 > bytes.length) return;
    const isExtended = version > 2 && (bytes.readUInt16BE(flagsAt) & 0x4000) !== 0;
    const isLeftOut = isExtended && (bytes.readUInt16BE(flagsAt + 2) & skipWorktree) !== 0;
    let start = flagsAt + (isExtended ? 4 : 2);
    let shared = 0;
    if (version === 4) {
      const removed = readOffset(bytes, start);
      if (removed === undefined || removed.value > previous.length) return;
      shared = previous.length - removed.value;
      start = removed.end;
    }
    const end = bytes.indexOf(0, start);
    const length = shared + end - start;
    left -= length;
    if (end < 0 || length > longestName || left < 0) return;
    previous = Buffer.concat([previous.subarray(0, shared), bytes.subarray(start, end)]);
    yield { name: previous.toString('utf8'), isLeftOut };
    // Before version 4, one to eight zero bytes follow, so that the length of each entry is a multiple of eight.
    at = version === 4 ? end + 1 : at + 8 * (Math.floor((end - at) / 8) + 1);
  }
}

/** Reads a number of the form that packs use for the distance of a delta from its base. */
function readOffset(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 5; at++) {
    const byte = bytes.readUInt8(at);
    value = at === start ? byte & 0x7f : (value + 1) * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}

function withFolders(names: Iterable<string>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const name of names) {
    // In a sparse index, a name that ends with a slash represents a folder that is not checked out.
    let path = name.endsWith('/') ? name.slice(0, -1) : name;
    for (; path !== '' && !paths.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) paths.add(path);
  }
  return paths;
}
