/** Keeps the indexes of workspaces in memory between commands, and reads the files that changed on disk before each command. */

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Indexing, Warm, World } from '../cli/environment.ts';
import { Session } from '../session.ts';
import { defaultSettings } from '../settings/settings.ts';
import { isIndependentOf } from '../workspace/charts/executed-charts.ts';
import { isAttributesFile, isIgnoreFile } from '../workspace/ignore/folder-filter.ts';
import type { Change } from '../workspace/live/file-changes.ts';
import { type FileSource, type FileStat, versionOf } from '../workspace/live/load.ts';
import type { ChartValues } from '../workspace/scopes/model.ts';
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
  /** The files that are not watched. */
  loose: readonly string[];
  /** The number of files when `loose` was determined. */
  size: number;
  /** When all files were last compared with the disk, in milliseconds. */
  compared: number;
  /** The result of `foldersAndGitOf`: what is not watched although the files of the workspace depend on it. */
  around: string;
  /** The number of times that all files were loaded, since other files may be ignored then. */
  loads: number;
}

/** The maximum number of workspaces that are kept in memory. */
const mostKept = 3;

/** The longest time, in milliseconds, for which events alone reveal changes: file systems may report none. */
const longestTrust = 60_000;

type WarmParts = Pick<World, 'loadCatalogue' | 'clock' | 'cacheOf'> & {
  readonly bounds: Bounds;
  /**
   * Whether changes are detected by comparing the sizes and modification times of files instead of by watching, as on
   * systems that report changes late.
   */
  readonly isUnwatched?: boolean;
  /** Returns the time in milliseconds since an arbitrary moment. */
  now(): number;
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
    return this.#kept.has(keyOf(folders, undefined, undefined));
  }

  /**
   * Returns a number that changes when files or folders below a folder are added, removed or ignored; undefined if the folder is
   * not watched.
   */
  structureOf(folder: string): number | undefined {
    const kept = [...this.#kept.values()].find(({ folders }) => folders.some((each) => isWithin(folder, each)));
    return kept?.watched.isReliable ? kept.watched.structure + kept.loads : undefined;
  }

  async session(indexing: Indexing): Promise<Session | undefined> {
    const { folders, inside, namespace, chartValues } = indexing;
    if (folders.length === 0) return undefined;
    if (chartValues !== undefined) {
      const written = await this.session({ ...indexing, chartValues: undefined });
      if (written === undefined || isIndependentOf(written.snapshot().scopes(), chartValues)) return written;
    }
    const key = keyOf(folders, namespace, chartValues);
    const kept = this.#kept.get(key) ?? (await this.#load(indexing));
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

  async #load({ folders, namespace, chartValues }: Indexing): Promise<Kept> {
    const { loadCatalogue, clock, cacheOf, bounds, bug, onChange = () => {} } = this.#parts;
    const session = new Session({
      catalogue: await loadCatalogue(),
      log: { info() {}, warn() {}, bug },
      cachesRenderings: true,
      ...(clock && { clock }),
      ...(cacheOf && { cacheOf }),
    });
    session.workspace.configure({ defaultNamespace: namespace, chartValues, settings: defaultSettings });
    const watched = new WatchedFolders(this.#parts.isUnwatched !== true, onChange);
    const files = diskFiles(bounds, (path) => watched.add(path));
    const kept: Kept = {
      session,
      folders,
      files,
      watched,
      loose: [],
      size: 0,
      compared: 0,
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
    kept.loads++;
    kept.size = 0;
    kept.compared = this.#parts.now();
    kept.around = await foldersAndGitOf(kept);
  }

  async #update(kept: Kept): Promise<void> {
    const { workspace } = kept.session;
    const watched = await kept.watched.changes();
    if (!kept.watched.isReliable) workspace.relistCommandFiles();
    const missed = await this.#missed(kept);
    const snapshot = kept.session.snapshot();
    const isOther = (await foldersAndGitOf(kept)) !== kept.around || workspace.listed().hasChangedIndex();
    const isFolderNow = ({ uri, isFolder }: (typeof watched)[number]) => isFolder && snapshot.files.has(uri);
    const isLinkNow = ({ uri }: Change) => snapshot.at(folderOf(uri), fileNameOf(uri)) !== uri;
    if (isOther || missed === undefined || watched.some((each) => each.isLink || isFolderNow(each) || isLinkNow(each)))
      return await this.#loadAll(kept);
    const changes: readonly Change[] = [...watched, ...missed];
    if (changes.length === 0) return;
    const isRule = ({ uri }: Change) =>
      workspace.isConfigAround(uri) ||
      ((isIgnoreFile(uri) || isAttributesFile(uri)) && workspace.respectsIgnoreFile(uri));
    if (changes.some(isRule)) await this.#loadAll(kept);
    else await workspace.refresh(kept.files, changes);
  }

  /** Finds changes that no event reported, by comparing sizes and modification times: of all files if events may have been lost, otherwise of the files that are not watched. Returns undefined if all files must be loaded again. */
  async #missed(kept: Kept): Promise<readonly Change[] | undefined> {
    const { session, files, watched } = kept;
    const { workspace } = session;
    const now = this.#parts.now();
    if (!watched.isReliable || watched.mayHaveLostEvents || now - kept.compared > longestTrust) {
      kept.compared = now;
      const missed = await workspace.missedChanges(files);
      // Files of other kinds, such as scripts, may have been added as well.
      if (watched.isReliable && missed?.length !== 0) {
        workspace.relistCommandFiles();
        kept.loads++;
      }
      return missed;
    }
    const known = session.snapshot().files;
    if (kept.loose.length > 0 || kept.size !== known.size) {
      kept.loose = [...known.keys(), ...workspace.generatedFrom()].filter((uri) => isLoose(uri, watched));
      kept.size = known.size;
    }
    return await workspace.versions.changes(files, kept.loose);
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
  return [...identities, ...targets.map(stateAt), ...(await files.stat(uris)).map(stateOf)].join();
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

function stateOf(stat: FileStat | undefined): string {
  return stat === undefined ? missing : versionOf(stat);
}

function keyOf(
  folders: readonly string[],
  namespace: string | undefined,
  chartValues: ChartValues | undefined,
): string {
  return JSON.stringify([folders, namespace, chartValues]);
}
