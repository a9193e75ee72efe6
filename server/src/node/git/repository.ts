/** Resolves the name of a commit, such as a branch, a tag, an id, `HEAD~2`, or `main...HEAD` for the merge base. */

import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncRead } from '../read-file.ts';
import { codeOf } from '../system-error-text.ts';
import { GitError, type GitObject } from './git-object.ts';
import { localPath } from './local-path.ts';
import { ObjectStore } from './object-store.ts';

const largestRef = 4_096;
const largestPackedRefs = 100_000_000;
const largestConfig = 1_000_000;
/** The maximum length of a chain of symbolic references. HEAD, for example, is a symbolic reference to a branch. */
const mostSymbolic = 5;
const mostTags = 10;
/** The maximum size of commits and tags, in bytes. */
const largestHeader = 1_000_000;
const mostSteps = 100_000;
/** The maximum number of branches that are followed at the same time to find a merge base. */
const mostBranches = 5_000;
/** The maximum number of bytes of the commits between a name and the commit that it resolves to. */
const mostHeaderBytes = 300_000_000;

export class Repository {
  /** The folder of a single working tree, which contains HEAD. */
  readonly #folder: string;
  /** The folder that all working trees of the repository share, which contains branches and tags. */
  readonly #common: string;
  readonly objects: ObjectStore;

  /**
   * Opens the repository in the folder `root`, in which `.git` is a folder, or a file with the path of a folder. Throws
   * a GitError for an unknown repository format.
   */
  constructor(root: string) {
    this.#folder = gitFolder(root);
    this.#common = commonFolder(this.#folder);
    refuseUnknownFormat(textOf(join(this.#common, 'config'), largestConfig) ?? '');
    this.objects = new ObjectStore(join(this.#common, 'objects'));
  }

  /** Returns the id of the tree of a commit. Throws a GitError if the commit does not exist. */
  treeOf(name: string): string {
    const [commit, object] = this.#peeled(this.#resolve(name), name);
    if (object.type === 'tree') return commit;
    return headerOf(object, 'tree') ?? damaged(name);
  }

  #resolve(name: string): string {
    const dots = name.indexOf('...');
    if (dots >= 0) {
      const sides = [name.slice(0, dots), name.slice(dots + 3)].map((each) => (each === '' ? 'HEAD' : each));
      const [one, other] = sides.map((each) => this.#peeled(this.#resolve(each), each)[0]);
      return one === undefined || other === undefined ? missing(name) : this.#mergeBase(one, other, name);
    }
    const end = name.search(/[~^]/);
    const [base, steps] = end < 0 ? [name, ''] : [name.slice(0, end), name.slice(end)];
    if (base === '' || /\.\.|@\{|:/.test(base) || /[^~^0-9]|[0-9]{7}/.test(steps))
      throw new GitError(
        `'${name}' is not the name of a commit: name a branch, a tag, an id, or one with '~N' or '^N'`,
      );
    let id = this.#idOf(base) ?? missing(name);
    let left = mostSteps;
    let bytesLeft = mostHeaderBytes;
    for (const [, sign, digits = ''] of steps.matchAll(/([~^])([0-9]*)/g)) {
      const number = digits === '' ? 1 : Number(digits);
      const [count, parent] = sign === '~' ? [number, 1] : [1, number];
      for (let step = 0; step < count && parent > 0; step++) {
        const [, commit] = this.#peeled(id, name);
        bytesLeft -= commit.bytes.length;
        if (left-- <= 0 || bytesLeft < 0) throw new GitError(`'${name}' is too far away`);
        const parents = commit.type === 'commit' ? parentsOf(commit) : [];
        id = parents[parent - 1] ?? missing(name);
      }
    }
    return id;
  }

  /** Returns the best common ancestor of two commits: the newest commit that both contain, by the dates of the commits. */
  #mergeBase(one: string, other: string, name: string): string {
    const sides = new Map<string, number>([[one, 1]]);
    sides.set(other, (sides.get(other) ?? 0) | 2);
    const waiting = [...sides.keys()].map((id) => ({ id, date: this.#dateOf(id, name) }));
    let left = mostSteps;
    let bytesLeft = mostHeaderBytes;
    while (waiting.length > 0 && left-- > 0 && bytesLeft >= 0) {
      const newest = waiting.reduce((best, each, index) => (each.date > (waiting[best]?.date ?? 0) ? index : best), 0);
      const [{ id } = missing(name)] = waiting.splice(newest, 1);
      const side = sides.get(id) ?? 0;
      if (side === 3) return id;
      const [, commit] = this.#peeled(id, name);
      bytesLeft -= commit.bytes.length;
      for (const parent of commit.type === 'commit' ? parentsOf(commit) : []) {
        const known = sides.get(parent) ?? 0;
        sides.set(parent, known | side);
        // A commit that is visited again has another side, if its clock was wrong.
        if ((known | side) !== known) waiting.push({ id: parent, date: this.#dateOf(parent, name) });
      }
      if (waiting.length > mostBranches) break;
    }
    throw new GitError(`there is no common commit for '${name}'`);
  }

  #dateOf(id: string, name: string): number {
    const [, { bytes }] = this.#peeled(id, name);
    const [header = ''] = bytes.toString('latin1').split('\n\n', 1);
    return Number(/^committer .* (\d{1,15}) [+-]\d{4}$/m.exec(header)?.[1] ?? 0);
  }

  /** Returns the commit or tree to which an id refers, directly or through tags. */
  #peeled(id: string, name: string): readonly [id: string, object: GitObject] {
    let at = id;
    for (let tags = 0; tags < mostTags; tags++) {
      const object = this.objects.read(at, largestHeader);
      if (object === undefined)
        throw new GitError(
          `commit ${at.slice(0, 12)} of '${name}' is not in this repository, which was cloned in part: fetch more of it, for example with 'git fetch --unshallow'`,
        );
      if (object.type === 'commit' || object.type === 'tree') return [at, object];
      if (object.type === 'blob') throw new GitError(`'${name}' is a file, not a commit`);
      at = headerOf(object, 'object') ?? damaged(name);
    }
    throw new GitError(`'${name}' is not a commit`);
  }

  #idOf(name: string): string | undefined {
    const ref = name === '@' ? 'HEAD' : name;
    if (isRefName(ref)) {
      const places = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map((each) => `${each}${ref}`);
      for (const place of [...places, `refs/remotes/${ref}/HEAD`]) {
        // Directly in the repository folder, only HEAD and files with similar names are references.
        if (!place.includes('/') && !/^[A-Z_]+$/.test(place)) continue;
        const id = this.#ref(place);
        if (id !== undefined) return id;
      }
    }
    if (/^[0-9a-f]{40}$/.test(name)) return name;
    if (!/^[0-9a-f]{4,39}$/.test(name)) return undefined;
    const [first, second] = this.objects.complete(name);
    if (second !== undefined) throw new GitError(`'${name}' is the beginning of several ids`);
    return first;
  }

  #ref(place: string): string | undefined {
    let at = place;
    for (let links = 0; links < mostSymbolic; links++) {
      const folder = at.startsWith('refs/') ? this.#common : this.#folder;
      const text = textOf(join(folder, at), largestRef)?.trim() ?? this.#packedRefs().get(at);
      if (text === undefined) return undefined;
      const next = /^ref: (\S+)$/.exec(text)?.[1];
      if (next === undefined) return /^[0-9a-f]{40}$/.test(text) ? text : undefined;
      if (!isRefName(next)) return undefined;
      at = next;
    }
    return undefined;
  }

  #packedRefs(): ReadonlyMap<string, string> {
    const text = textOf(join(this.#common, 'packed-refs'), largestPackedRefs) ?? '';
    return new Map([...text.matchAll(/^([0-9a-f]{40}) (\S+)$/gm)].map(([, id = '', ref = '']) => [ref, id]));
  }
}

/** Whether a name is a valid name of a git reference. A valid name cannot refer to a file outside of the folder with the references. https://git-scm.com/docs/git-check-ref-format */
function isRefName(name: string): boolean {
  const isPart = (part: string) =>
    /^[^\s\p{Cc}~^:?*[\\]+$/u.test(part) && !part.startsWith('.') && !part.endsWith('.lock');
  return name.length < 1_000 && !name.includes('..') && !name.includes('@{') && name.split('/').every(isPart);
}

function missing(name: string): never {
  throw new GitError(`there is no commit '${name}' in this repository`);
}

function damaged(name: string): never {
  throw new GitError(`the commit '${name}' is damaged`);
}

function headerOf({ bytes }: GitObject, field: 'tree' | 'object'): string | undefined {
  const [first = ''] = bytes.toString('latin1', 0, 100).split('\n');
  return first.startsWith(`${field} `) ? /^[0-9a-f]{40}$/.exec(first.slice(field.length + 1))?.[0] : undefined;
}

function parentsOf({ bytes }: GitObject): readonly string[] {
  const [header = ''] = bytes.toString('latin1').split('\n\n', 1);
  return [...header.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, id = '']) => id);
}

/** Returns the folder of the repository, which is `.git` or, for a worktree or submodule, the folder to which a file named `.git` refers. */
export function gitFolder(root: string): string {
  const path = join(root, '.git');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realpathSync.native(path);
  const named = /^gitdir: (.+)$/m.exec((found?.isFile() && textOf(path, largestRef)) || '')?.[1]?.trim();
  const folder = named === undefined ? undefined : localPath(root, named);
  if (folder === undefined) throw new GitError('there is no git repository');
  return folder;
}

/** Returns the folder that all working trees of a repository share; `folder` is the result of `gitFolder`. */
export function commonFolder(folder: string): string {
  const common = localPath(folder, textOf(join(folder, 'commondir'), largestRef)?.trim() ?? '');
  if (common === undefined) throw new GitError('there is no git repository');
  return common;
}

function refuseUnknownFormat(config: string): void {
  const format = /^\s{0,20}objectformat\s{0,20}=\s{0,20}(\S+)/im.exec(config)?.[1]?.toLowerCase();
  if (format !== undefined && format !== 'sha1')
    throw new GitError(`its objects are named by ${format}, which is not supported`);
  const storage = /^\s{0,20}refstorage\s{0,20}=\s{0,20}(\S+)/im.exec(config)?.[1]?.toLowerCase();
  if (storage !== undefined && storage !== 'files')
    throw new GitError(`its references are stored as ${storage}, which is not supported`);
}

/** Returns the text of a regular file in a repository folder; undefined if the file does not exist. */
export function textOf(path: string, maximumBytes: number): string | undefined {
  try {
    const read = syncRead(path, maximumBytes);
    return 'skipped' in read ? undefined : read.bytes.toString('utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES'].includes(codeOf(error))) return undefined;
    throw new GitError(`'${path}' cannot be read`);
  }
}
