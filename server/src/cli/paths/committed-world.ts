/** The environment of the command line at a commit: files are read from git objects, and everything else is unchanged. */

import { lastAnswers } from '../../engine/last-result.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type { Session } from '../../session.ts';
import type { Side } from '../../workspace/base.ts';
import type { CommittedFiles } from '../../workspace/live/committed-files.ts';
import type { ReadText } from '../../workspace/live/load.ts';
import { asWritten } from '../../workspace/snapshot.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { Named, Warm, World } from '../environment.ts';
import { indexFolders } from '../indexed-workspace.ts';
import { UsageError } from '../options/arguments.ts';
import { counted } from '../output/counts.ts';
import { uriBelow } from './requested-paths.ts';

/** The git repository of a commit, and the environment at the commit. */
export interface AtCommit {
  readonly world: World;
  /** Canonical URI of the folder of the repository. */
  readonly repository: string;
  /** Sentences about what is omitted; with `likeTree`, the files that a sparse checkout leaves out. */
  readonly notes: readonly string[];
}

/** Opens a commit of the repository that contains a folder, named by a branch, a tag, an id or one of these with `~N`. Throws a UsageError if the commit cannot be read. With `likeTree`, for a comparison with the working tree, files that a sparse checkout leaves out are omitted. */
export async function worldAt(world: World, folder: string, name: string, likeTree: boolean): Promise<AtCommit> {
  const repository = await world.repositoryOf(folder);
  if (repository === undefined || world.openCommit === undefined)
    throw new UsageError(`'${name}' cannot be read: there is no git repository. ${otherWay}`);
  const files = world.openCommit(repository, name, likeTree);
  if ('refused' in files) throw new UsageError(`'${name}' cannot be read: ${files.refused}. ${otherWay}`);
  const { cacheOf: _, warm, ...others } = world;
  const committed: World = {
    ...others,
    files,
    readNow: files.readNow,
    ...(files.idOf && { idOf: files.idOf }),
    locate: async (path) => locate(world, files, path),
    repositoryOf: async (each) => (isWithin(each, repository) ? repository : undefined),
    write: async () => 'it is in a commit',
  };
  const { commits } = warm ?? {};
  return {
    repository,
    notes: files.leftOut === 0 ? [] : [leftOutNote(files.leftOut)],
    world:
      commits === undefined
        ? committed
        : { ...committed, readNow: cachedReader(files, commits), warm: warmAt(committed, files.version, commits) },
  };
}

function leftOutNote(count: number): string {
  return `${counted(count, 'file')} that the sparse checkout leaves out ${count === 1 ? 'is' : 'are'} not compared.`;
}

/** The last texts of commits, by the sessions of a server. */
const committedTexts = new WeakMap<Map<string, Session>, BoundedMap<string, ReadText>>();
const mostTexts = 64;
const longestText = 50_000;

/** Returns a function that reads the files of a commit, and caches short texts, because a server compares the same files after each edit. */
function cachedReader({ readNow, version }: CommittedFiles, commits: Map<string, Session>): World['readNow'] {
  const texts = getOrAdd(committedTexts, commits, () => new BoundedMap<string, ReadText>(mostTexts));
  return (uri, maximumBytes) => {
    const key = `${version} ${maximumBytes} ${uri}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const read = readNow(uri, maximumBytes);
    if ('text' in read && read.text.length <= longestText) texts.set(key, read);
    return read;
  };
}

/** The maximum number of commits whose sessions are kept. */
const mostCommits = 2;

/** Returns a store that keeps the sessions of the most recently used commits, whose files never change. */
function warmAt(world: World, version: string, commits: Map<string, Session>): Warm {
  return {
    isLoaded: () => false,
    async session(indexing) {
      const key = JSON.stringify([version, indexing]);
      const known = commits.get(key);
      commits.delete(key);
      for (const each of [...commits.keys()].slice(0, -(mostCommits - 1))) commits.delete(each);
      const session = known ?? (await indexFolders(world, indexing));
      commits.set(key, session);
      return session;
    },
  };
}

const otherWay =
  "As an alternative, compare two folders: 'selector-lens diff OLD NEW', for example with 'git worktree add'.";

function locate({ currentFolder }: World, files: CommittedFiles, path: string): Named | undefined {
  const uri = uriBelow(currentFolder, path).replace(/\/\.?$/, '');
  const kind = files.kindOf(uri);
  return kind && { kind, uri };
}

/** The number of characters in the texts that are cached. */
const maximumCharacters = 1_000_000;

/** Returns a function that reads the text of a file in an environment; the function returns undefined for an unreadable file. */
export function readerOf(session: Session, { readNow }: World): (uri: string) => string | undefined {
  const { maximumFileSize } = session.workspace.settings;
  // A comparison requests the text of a file for each of its objects, in each overlay.
  return lastAnswers(
    (uri) => {
      const read = readNow(uri, maximumFileSize);
      return 'text' in read ? read.text : undefined;
    },
    (uri, text = '') => uri.length + text.length,
    maximumCharacters,
  );
}

/** Returns one side of a comparison: the workspace that a session indexed in an environment. */
export function sideOf(session: Session, world: World): Side {
  return {
    workspace: session.snapshot(),
    catalogueOf: (uri) => session.workspace.catalogueOf(uri),
    textOf: readerOf(session, world),
    ...(world.idOf && { idOf: world.idOf }),
  };
}

/** Returns the state of a session in which no chart is executed with its default values, so that changes hold for all values. */
export function writtenSideOf(session: Session, world: World): Side {
  return asWritten(sideOf(session, world));
}
