/** A file source for the files in a git commit, which are read in the same way as files on disk. */

import { isUtf8 } from 'node:buffer';
import { fileURLToPath } from 'node:url';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import { hashOf } from '../../text/hash.ts';
import { percentEncode } from '../../text/percent-encoding.ts';
import { completeIndex, type GitIndex, mayBeManifest } from '../../workspace/ignore/folder-filter.ts';
import type { CommittedFiles } from '../../workspace/live/committed-files.ts';
import {
  type FileContent,
  type FileStat,
  type Listed,
  type ReadText,
  type Skipped,
  tooLarge,
} from '../../workspace/live/load.ts';
import { fileNameOf, folderOf, isWithin, relativePath, resolveUri } from '../../workspace/uri.ts';
import { leadsOutside } from '../bounds.ts';
import { decode } from '../decode.ts';
import { turns } from '../yield-to-event-loop.ts';
import { GitError } from './git-object.ts';
import { identityAt } from './remotes.ts';
import { Repository } from './repository.ts';
import { gitIndexIn } from './tracked-files.ts';

/** The maximum size of a tree in bytes; real repositories do not contain larger trees. */
const largestTree = 100_000_000;
const mostEntries = 2_000_000;
/** The maximum length of a name in bytes, as in most file systems and in paths of git. */
const longestName = 4_096;
/** The maximum number of UTF-16 code units in the URIs of all files. */
const mostNames = 200_000_000;
/** The maximum number of bytes that are read from all files together; each file counts once. */
const mostBytes = 300_000_000;
/** The number of files with the same content that real repositories may have, and the weight of each byte of others, because a small repository can contain one content under many names. */
const usualCopies = 20;
const repeatedContent = 100;
/** The weight of each entry of a folder that occurs repeatedly, because a few folders that contain each other can represent billions of files. */
const repeatedEntry = 20;
const deepestFolder = 200;
/** The maximum number of links on the way to a file, as in Linux. */
const mostHops = 40;

/**
 * Opens the files of a commit.
 * @param root canonical URI of the folder of the repository, below which the URIs of the files are
 * @param name of the commit, as for git: a branch, a tag, an id, each with `~N` or `^N`
 * @param likeTree whether to omit the files that a sparse checkout leaves out of the working tree
 * @returns the reason, as a sentence without a period, if the commit cannot be read
 */
export function openCommit(
  root: string,
  name: string,
  likeTree = false,
): CommittedFiles | { readonly refused: string } {
  try {
    const repository = new Repository(fileURLToPath(root));
    const index = likeTree ? gitIndexIn(fileURLToPath(root)) : completeIndex;
    return filesOf(repository, repository.treeOf(name), root, index);
  } catch (error) {
    return { refused: error instanceof GitError ? error.message : 'the git repository cannot be read' };
  }
}

interface Tree {
  /** The git id of the content of each file, by canonical URI. */
  readonly files: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  /** The targets of links inside of the repository, by the names of the links. */
  readonly links: ReadonlyMap<string, string>;
  readonly skipped: readonly Skipped[];
}

/** The most recently used trees, because a server for AI agents opens the same commit for each request. */
const trees = new BoundedMap<string, Tree>(2);

/** The content of a commit never changes, so a constant size and time are sufficient. */
const stat: FileStat = { size: 0, modified: 0 };

const tooMuch = { skipped: `the commit has more than ${mostBytes} bytes` };

function filesOf(repository: Repository, tree: string, root: string, index: GitIndex): CommittedFiles {
  const whole = getOrAdd(trees, `${root}\n${tree}`, () => listed(repository, tree, root));
  const isLeftOut = (uri: string) => index.isLeftOut(relativePath(root, uri));
  const leftOut = [...whole.files.keys()].filter(isLeftOut);
  const { files, folders, links, skipped } = leftOut.length === 0 ? whole : without(whole, leftOut, isLeftOut);
  const identity = { root, ...identityAt(fileURLToPath(root)) };
  const isAffordable = readingBudget();
  /** The sizes of the contents that were read. */
  const sizes = new Map<string, number>();
  const idOf = (uri: string) => files.get(links.get(uri) ?? uri);
  const read = (uri: string, maximumBytes: number): Buffer | { readonly skipped: string } => {
    const id = idOf(uri);
    if (id === undefined) return { skipped: 'it does not exist' };
    const known = sizes.get(id);
    if (known !== undefined && !isAffordable(uri, id, known)) return tooMuch;
    try {
      const blob = repository.objects.read(id, maximumBytes);
      if (blob === undefined) return { skipped: 'its content is not in this repository, which was cloned in part' };
      if (blob.bytes.length > maximumBytes) return { skipped: tooLarge(maximumBytes) };
      sizes.set(id, blob.bytes.length);
      if (!isAffordable(uri, id, blob.bytes.length)) return tooMuch;
      return isPointer(blob.bytes) ? { skipped: 'git has only a pointer of Git LFS to its content' } : blob.bytes;
    } catch (error) {
      return { skipped: error instanceof GitError ? error.message : 'it cannot be read from the git repository' };
    }
  };
  const readNow = (uri: string, maximumBytes: number): ReadText => {
    const bytes = read(uri, maximumBytes);
    return 'skipped' in bytes ? bytes : decode(bytes);
  };
  const contentOf = (folder: string, uri: string, maximumBytes: number): FileContent | undefined => {
    const bytes = isWithin(uri, folder) ? read(uri, maximumBytes) : undefined;
    if (bytes === undefined || 'skipped' in bytes) return undefined;
    return isUtf8(bytes) ? { bytes, text: bytes.toString('utf8') } : { bytes };
  };
  return {
    version: JSON.stringify([identity, tree, hashOf(leftOut.join('\n'))]),
    leftOut: leftOut.filter((uri) => mayBeManifest(fileNameOf(uri))).length,
    list: async (folder, limit, filter): Promise<Listed> => {
      if (isWithin(folder, root)) filter.learnRepository(identity);
      // Git ignores no file of a commit, because it tracks all of them.
      const uriOf = (path: string) => resolveUri(filter.folder, path);
      filter.learnIndex('', { ...completeIndex, isLeftOut: (path) => isLeftOut(uriOf(path)) });
      const inside = [...files.keys()].filter((uri) => isWithin(uri, folder));
      return {
        files: inside.slice(0, limit),
        more: inside.length > limit,
        skipped: skipped.filter(({ uri }) => isWithin(uri, folder)),
        links: new Map([...links].filter(([from, to]) => isWithin(from, folder) && isWithin(to, folder))),
      };
    },
    stat: async (uris) => uris.map((uri) => (files.has(uri) ? stat : undefined)),
    read: async (uris, maximumBytes) => uris.map((uri) => readNow(uri, maximumBytes)),
    contents: async (folder, uris, maximumBytes) => uris.map((uri) => contentOf(folder, uri, maximumBytes)),
    pause: turns(),
    ...{ readNow, idOf },
    kindOf: (uri) => (files.has(uri) ? 'file' : folders.has(uri) ? 'folder' : undefined),
    close: () => repository.objects.close(),
  };
}

/** Returns a function that counts the bytes of a file when it is read for the first time, and returns whether it may be read. */
function readingBudget(): (uri: string, id: string, bytes: number) => boolean {
  const counted = new Set<string>();
  const copies = new Map<string, number>();
  let left = mostBytes;
  return (uri, id, bytes) => {
    if (counted.has(uri)) return true;
    const count = copies.get(id) ?? 0;
    const cost = bytes * (count < usualCopies ? 1 : repeatedContent);
    if (cost > left) return false;
    counted.add(uri);
    copies.set(id, count + 1);
    left -= cost;
    return true;
  };
}

function without(tree: Tree, leftOut: readonly string[], isLeftOut: (uri: string) => boolean): Tree {
  const files = new Map(tree.files);
  for (const uri of leftOut) files.delete(uri);
  return { ...tree, files, skipped: tree.skipped.filter(({ uri }) => !isLeftOut(uri)) };
}

function listed(repository: Repository, tree: string, root: string): Tree {
  const files = new Map<string, string>();
  const folders = new Set<string>([root]);
  const skipped: Skipped[] = [];
  const paths = new Map<string, string>();
  let left = mostEntries;
  let namesLeft = mostNames;
  const seen = new Set<string>();
  const walk = (id: string, folder: string, depth: number) => {
    const object = repository.objects.read(id, largestTree);
    if (object?.type !== 'tree')
      throw new GitError('a folder of the commit is not in this repository, which was cloned in part');
    const cost = seen.has(id) ? repeatedEntry : 1;
    seen.add(id);
    for (const { mode, name, id: inside } of entriesOf(object.bytes)) {
      left -= cost;
      if (left < 0 || depth > deepestFolder) throw new GitError('the commit has too many files');
      // Names that could refer to files outside of the folder are skipped; git rejects them, too.
      if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\uFFFD')) continue;
      const uri = `${folder}/${percentEncode(name)}`;
      namesLeft -= uri.length;
      if (namesLeft < 0) throw new GitError('the names in the commit are too long');
      if (mode === 0o40000) {
        folders.add(uri);
        walk(inside, uri, depth + 1);
      } else if (mode === 0o160000)
        skipped.push({ uri, reason: 'it is a submodule, whose files are in another repository' });
      else if (mode === 0o120000) paths.set(uri, inside);
      else files.set(uri, inside);
    }
  };
  walk(tree, root, 0);
  return { files, folders, skipped, links: linksIn(repository, { root, files, folders, paths }, skipped) };
}

interface Links {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly folders: ReadonlySet<string>;
  /** The git ids of the paths in links, by the names of the links. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Returns the targets of links, by the names of the links. As on disk, a link to a file that may not be a manifest is added as a file. */
function linksIn(
  repository: Repository,
  { root, files, folders, paths }: Links,
  skipped: Skipped[],
): ReadonlyMap<string, string> {
  const resolved = (uri: string, hops: number): string | undefined => {
    if (files.has(uri) || folders.has(uri)) return uri;
    if (hops === mostHops || !isWithin(uri, root)) return undefined;
    // The link may be a folder on the way to the file.
    let link = uri;
    while (!paths.has(link) && link.length > root.length) link = folderOf(link);
    const id = paths.get(link);
    const path = id && repository.objects.read(id, longestName)?.bytes.toString('utf8');
    if (path === undefined || path.startsWith('/')) return undefined;
    return resolved(resolveUri(folderOf(link), path) + uri.slice(link.length), hops + 1);
  };
  const links = new Map<string, string>();
  for (const uri of paths.keys()) {
    const target = resolved(uri, 0);
    const id = target && files.get(target);
    if (target === undefined && mayBeManifest(fileNameOf(uri))) skipped.push({ uri, reason: leadsOutside });
    else if (id !== undefined && target !== undefined && !mayBeManifest(fileNameOf(target))) files.set(uri, id);
    else if (target !== undefined) links.set(uri, target);
  }
  return links;
}

function* entriesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end - space > longestName || end + 21 > bytes.length)
      throw new GitError('a folder of the commit is damaged');
    const name = bytes.toString('utf8', space + 1, end);
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8);
    const id = bytes.toString('hex', end + 1, end + 21);
    at = end + 21;
    yield { mode, name, id };
  }
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
function isPointer(bytes: Buffer): boolean {
  return bytes.length < 1_024 && bytes.toString('latin1', 0, 43) === 'version https://git-lfs.github.com/spec/v1\n';
}
