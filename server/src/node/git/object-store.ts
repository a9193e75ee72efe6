/** Reads the objects of a git repository from its files (loose objects and packs), including the objects of alternate repositories. No program is started. https://git-scm.com/docs/gitrepository-layout, https://git-scm.com/docs/gitformat-pack */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BudgetSpent, WorkBudget } from '../../engine/work-budget.ts';
import { syncRead } from '../read-file.ts';
import { codeOf } from '../system-error-text.ts';
import { GitError, type GitObject, inflated, type ObjectType } from './git-object.ts';
import { localPath } from './local-path.ts';
import { Pack } from './pack.ts';

/** The maximum depth of references to alternate repositories; deeper nesting is a cycle. */
const maximumAlternates = 20;
const maximumAlternatesFile = 100_000;
/** The maximum number of objects of which each is stored as a difference from the next one, in another pack. */
const longestChainOfPacks = 50;
/** The maximum number of bytes that are unpacked for one commit, including those of damaged objects and of the objects from which others differ. */
const mostUnpacked = 3_000_000_000;
const tooMuch = 'the objects of the commit are too large';
/** The maximum length of the header of a loose object, which contains the type and size of the object. */
const longestHeader = 32;

export class ObjectStore {
  /** The folders that contain objects; the folders of alternate repositories come last. */
  readonly #folders: readonly string[];
  #packs: readonly Pack[] | undefined;
  readonly #budget = new WorkBudget(mostUnpacked);
  /** The number of objects that are being read, each of which is the base of the previous one. */
  #depth = 0;

  /** Opens an object store; `folder` is the `objects` folder of the repository. */
  constructor(folder: string) {
    const folders = [folder];
    for (const each of folders)
      for (const other of alternatesOf(each))
        if (!folders.includes(other) && folders.length < maximumAlternates) folders.push(other);
    this.#folders = folders;
  }

  /**
   * Returns the object with a full id; undefined if it is not in the repository, for example in a partial clone. Throws
   * a GitError if the object is damaged, is larger than `maximumBytes`, or has content with another id.
   */
  read(id: string, maximumBytes: number): GitObject | undefined {
    if (this.#budget.isSpent) throw new GitError(tooMuch);
    if (this.#depth > longestChainOfPacks) throw new GitError('an object is too long a chain');
    this.#depth++;
    try {
      const found = this.#budget.during(() => this.#find(id, maximumBytes));
      if (found !== undefined && idOf(found) !== id) throw new GitError('an object is damaged');
      return found;
    } catch (error) {
      throw error instanceof BudgetSpent ? new GitError(tooMuch) : error;
    } finally {
      this.#depth--;
    }
  }

  #find(id: string, maximumBytes: number): GitObject | undefined {
    for (const folder of this.#folders) {
      const found = looseObject(join(folder, id.slice(0, 2), id.slice(2)), maximumBytes);
      if (found !== undefined) return found;
    }
    for (const pack of this.#allPacks()) {
      const found = pack.read(id, maximumBytes, (base) => this.read(base, maximumBytes));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Returns the full ids that begin with some hexadecimal digits; if there are several such ids, the result contains at
   * least two.
   */
  complete(prefix: string): readonly string[] {
    const found = new Set<string>();
    for (const folder of this.#folders) {
      for (const name of namesIn(join(folder, prefix.slice(0, 2))))
        if (/^[0-9a-f]{38}$/.test(name) && `${prefix.slice(0, 2)}${name}`.startsWith(prefix))
          found.add(`${prefix.slice(0, 2)}${name}`);
    }
    for (const pack of this.#allPacks()) for (const id of pack.complete(prefix)) found.add(id);
    return [...found];
  }

  #allPacks(): readonly Pack[] {
    this.#packs ??= this.#folders.flatMap((folder) =>
      namesIn(join(folder, 'pack'))
        .filter((name) => /^pack-[0-9a-f]{1,64}\.idx$/.test(name))
        .map((name) => new Pack(join(folder, 'pack', name.slice(0, -4)))),
    );
    return this.#packs;
  }

  close(): void {
    for (const pack of this.#packs ?? []) pack.close();
  }
}

/** Returns the id of an object, which is the hash of its type, its size and its content. */
function idOf({ type, bytes }: GitObject): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function alternatesOf(folder: string): readonly string[] {
  try {
    const read = syncRead(join(folder, 'info', 'alternates'), maximumAlternatesFile);
    if ('skipped' in read) return [];
    const lines = read.bytes.toString('utf8').split('\n');
    return lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => localPath(folder, line) ?? []);
  } catch {
    return [];
  }
}

function looseObject(path: string, maximumBytes: number): GitObject | undefined {
  const compressed = bytesOf(path, maximumBytes);
  if (compressed === undefined) return undefined;
  const bytes = inflated(compressed, maximumBytes + longestHeader);
  const end = bytes.indexOf(0);
  const [, type, size] =
    /^(commit|tree|blob|tag) (\d{1,12})$/.exec(bytes.toString('latin1', 0, Math.max(0, end))) ?? [];
  if (type === undefined || Number(size) !== bytes.length - end - 1) throw new GitError('an object is damaged');
  return { type: type as ObjectType, bytes: bytes.subarray(end + 1) }; // the expression allows no other type
}

function bytesOf(path: string, maximumBytes: number): Buffer | undefined {
  try {
    const read = syncRead(path, maximumBytes + longestHeader);
    if ('skipped' in read) throw new GitError(read.skipped);
    return read.bytes;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw error instanceof GitError ? error : new GitError('an object cannot be read');
  }
}
