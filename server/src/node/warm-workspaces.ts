/** Keeps the indexes of workspaces in memory between commands, and reads the files that changed on disk before each command. */

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Warm, World } from '../cli/environment.ts';
import { Session } from '../session.ts';
import { defaultSettings } from '../settings/settings.ts';
import { isAttributesFile, isIgnoreFile } from '../workspace/ignore/ignore-filter.ts';
import type { Change } from '../workspace/live/file-changes.ts';
import { type FileSource, type FileStat, listFolders } from '../workspace/live/load.ts';
import { fileNameOf, folderOf, isWithin } from '../workspace/uri.ts';
import type { Bounds } from './bounds.ts';
import { diskFiles } from './disk-files.ts';
import { WatchedFolders } from './watched-folders.ts';

/** An indexed workspace that is kept in memory. */
interface Kept {
  readonly session: Session;
  readonly folders: readonly string[];
  readonly files: FileSource;
  readonly watched: WatchedFolders;
  /** The size and modification time of each file that is not watched. */
  versions: ReadonlyMap<string, string>;
  /** The number of files when `versions` was computed. */
  size: number;
  /** The content of the ignore files, by which changes to them are detected; empty if all folders are watched. */
  learned: string;
  /** The result of `foldersAndGitOf`: what is not watched although the files of the workspace depend on it. */
  around: string;
  /** The number of times that all files were loaded, since other files may be ignored then. */
  loads: number;
}

interface Listed {
  readonly uris: readonly string[];
  readonly learned: string;
}

/** The maximum number of workspaces that are kept in memory. */
const mostKept = 3;

type WarmParts = Pick<World, 'loadCatalogue' | 'clock' | 'cacheOf'> & {
  readonly bounds: Bounds;
  /**
   * Whether changes are detected by comparing the sizes and modification times of files instead of by watching, as on
   * systems that report changes late.
   */
  readonly isUnwatched?: boolean;
  /** Called when a watched file may have changed. */
  onChange?(): void;
  /** Reports an internal error; `where` describes the operation that failed. */
  bug(where: string, error: unknown): void;
};

/** The indexed workspaces that a process keeps in memory. Calls must not overlap. */
export class WarmWorkspaces implements Warm {
  readonly #parts: WarmParts;
  /** The workspaces by their folders and namespace, with the most recently used workspace last. */
  readonly #kept = new Map<string, Kept>();
  readonly commits = new Map<string, Session>();

  constructor(parts: WarmParts) {
    this.#parts = parts;
  }

  isLoaded(folders: readonly string[]): boolean {
    return this.#kept.has(keyOf(folders, undefined));
  }

  /**
   * Returns a number that changes when files or folders below a folder are added, removed or ignored; undefined if the folder is
   * not watched.
   */
  structureOf(folder: string): number | undefined {
    const kept = [...this.#kept.values()].find(({ folders }) => folders.some((each) => isWithin(folder, each)));
    return kept?.watched.isReliable ? kept.watched.structure + kept.loads : undefined;
  }

  async session(
    folders: readonly string[],
    inside: readonly string[],
    namespace: string | undefined,
  ): Promise<Session | undefined> {
    if (folders.length === 0) return undefined;
    const key = keyOf(folders, namespace);
    const kept = this.#kept.get(key) ?? (await this.#load(folders, namespace));
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) {
      this.#kept.get(oldest)?.watched.close();
      this.#kept.delete(oldest);
    }
    await this.#update(kept);
    // A folder that git ignores is only read if it is specified explicitly.
    const isKnown = inside.every((folder) => {
      return [...kept.session.snapshot().files.keys()].some((uri) => isWithin(uri, folder));
    });
    return isKnown ? kept.session : undefined;
  }

  async #load(folders: readonly string[], namespace: string | undefined): Promise<Kept> {
    const { loadCatalogue, clock, cacheOf, bounds, bug, onChange = () => {} } = this.#parts;
    const session = new Session({
      catalogue: await loadCatalogue(),
      log: { info() {}, warn() {}, bug },
      recordsQuestions: true,
      ...(clock && { clock }),
      ...(cacheOf && { cacheOf }),
    });
    session.workspace.configure({ defaultNamespace: namespace, settings: defaultSettings });
    const watched = new WatchedFolders(this.#parts.isUnwatched !== true, onChange);
    const files = diskFiles(bounds, (path) => watched.add(path));
    const kept: Kept = {
      session,
      folders,
      files,
      watched,
      versions: new Map(),
      size: 0,
      learned: '',
      around: '',
      loads: 0,
    };
    await this.#loadAll(kept);
    return kept;
  }

  async #loadAll(kept: Kept): Promise<void> {
    const { session, files, folders } = kept;
    await session.workspace.load(
      files,
      folders,
      () => {},
      () => false,
    );
    kept.versions = new Map();
    kept.size = 0;
    kept.loads++;
    kept.around = await foldersAndGitOf(kept);
    await this.#scan(kept);
  }

  async #update(kept: Kept): Promise<void> {
    const { workspace } = kept.session;
    const { learned } = kept;
    const watched = await kept.watched.changes();
    if (!kept.watched.isReliable) workspace.relistCommandFiles();
    const changes: readonly Change[] = [...watched, ...(await this.#scan(kept))];
    const snapshot = kept.session.snapshot();
    const isOther = (await foldersAndGitOf(kept)) !== kept.around;
    const isFolderNow = ({ uri, isFolder }: (typeof watched)[number]) => isFolder && snapshot.files.has(uri);
    const isLinkNow = ({ uri }: Change) => snapshot.at(folderOf(uri), fileNameOf(uri)) !== uri;
    if (
      isOther ||
      learned !== kept.learned ||
      watched.some((each) => each.isLink || isFolderNow(each) || isLinkNow(each))
    )
      return await this.#loadAll(kept);
    if (changes.length === 0) return;
    const isRule = ({ uri }: Change) =>
      workspace.isConfigAround(uri) ||
      ((isIgnoreFile(uri) || isAttributesFile(uri)) && workspace.respectsIgnoreFile(uri));
    if (changes.some(isRule)) await this.#loadAll(kept);
    else await workspace.refresh(kept.files, changes);
  }

  /** Finds changes by comparing the sizes and modification times of the files that are not watched. */
  async #scan(kept: Kept): Promise<readonly Change[]> {
    const { session, files, watched } = kept;
    const { workspace } = session;
    if (watched.isReliable && kept.versions.size === 0 && kept.size === session.snapshot().files.size) return [];
    const { uris, learned } = watched.isReliable
      ? {
          uris: [...session.snapshot().files.keys(), ...workspace.generatedFrom()].filter((uri) =>
            isLoose(uri, watched),
          ),
          learned: '',
        }
      : await listed(kept);
    kept.learned = learned;
    const stats = uris.length === 0 ? [] : await files.stat(uris);
    const versions = new Map(uris.map((uri, number) => [uri, versionOf(stats[number])]));
    const before = kept.versions;
    const isFirst = kept.size === 0;
    kept.versions = versions;
    kept.size = session.snapshot().files.size;
    if (isFirst) return [];
    const gone = [...before.keys()].filter((uri) => !versions.has(uri)).map((uri) => ({ uri, gone: true }));
    const changed = uris.filter((uri, number) => before.get(uri) !== versions.get(uri) || stats[number]?.fresh);
    return [...gone, ...changed.map((uri) => ({ uri, gone: versions.get(uri) === missing }))];
  }
}

/** Returns the identities of the folders of a workspace, the states of the targets of links and of skipped files, which may be in folders that are not watched, and the sizes and modification times of the ignore files and of the git configurations, which contain the remotes, of these folders and of the folders above them. */
async function foldersAndGitOf({ session, files, folders }: Kept): Promise<string> {
  const names = ['.gitignore', '.gitattributes', '.git/info/exclude', '.git/config'];
  const around = [...folders, ...session.workspace.listed().around];
  const uris = around.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  // A folder that was deleted and created again needs new watchers.
  const made = folders.map((uri) => statSync(fileURLToPath(uri), { throwIfNoEntry: false }));
  const identities = made.map((found) => `${found?.ino} ${found?.birthtimeMs}`);
  const targets = [...session.workspace.listed().linkNames, ...session.workspace.skipped().map(({ uri }) => uri)];
  return [...identities, ...targets.map(stateAt), ...(await files.stat(uris)).map(versionOf)].join();
}

/** Returns whether a path leads to a file, to a folder or to nothing. */
function stateAt(uri: string): string {
  try {
    const found = statSync(fileURLToPath(uri), { throwIfNoEntry: false });
    return found === undefined ? missing : found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
  } catch {
    // The links may lead in a circle, or a folder may be unreadable.
    return 'unknown';
  }
}

function isLoose(uri: string, watched: WatchedFolders): boolean {
  return uri.startsWith('file:') && !watched.covers(uri);
}

const missing = 'missing';

function versionOf(stat: FileStat | undefined): string {
  return stat === undefined ? missing : `${stat.size} ${stat.modified}`;
}

/** Returns the files of a workspace, and the content of its ignore files. */
async function listed({ files, folders, session }: Kept): Promise<Listed> {
  const listing = await listFolders(files, { ...defaultSettings, folders, isCancelled: () => false });
  return {
    uris: [...new Set([...listing.uris, ...session.workspace.generatedFrom()])],
    learned: JSON.stringify(listing.folders.filters.map((filter) => filter.learned())),
  };
}

function keyOf(folders: readonly string[], namespace: string | undefined): string {
  return JSON.stringify([folders, namespace]);
}
