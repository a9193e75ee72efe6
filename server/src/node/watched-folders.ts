/** Watches the folders of a workspace without recursion, so that a process that answers several commands knows which files changed since the previous command. */

import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change } from '../workspace/live/file-changes.ts';
import { fileUri } from './disk-files.ts';

/** The maximum number of watched folders. Operating systems allow at least tens of thousands. */
const mostFolders = 20_000;

/** The number of events between two calls after which some may be lost. Linux drops all events beyond 16,384 in its queue, without a notice that Node.js passes on. */
const manyEvents = 1_000;

/** Whether a change event arrives before the program that changed the file continues, which is only true on Linux. On other systems, an event may arrive after the next command, so files are compared by size and modification time instead. */
const isPrompt = process.platform === 'linux';

/** The watched folders, and the changes since the last call of `changes`. */
export class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  readonly #onChange: () => void;
  #isReliable: boolean;
  #structure = 0;
  #events = 0;
  #mayHaveLostEvents = false;

  /** Creates the set of watched folders, which is empty; `onChange` is called for each change event. */
  constructor(isWanted: boolean, onChange: () => void) {
    this.#isReliable = isWanted && isPrompt;
    this.#onChange = onChange;
  }

  /** Whether every change in the watched folders is reported. */
  get isReliable(): boolean {
    return this.#isReliable;
  }

  /** A number that changes when files or folders are added or removed. */
  get structure(): number {
    return this.#structure;
  }

  /** Whether the last call of `changes` returned so many changes that the operating system may have dropped others. */
  get mayHaveLostEvents(): boolean {
    return this.#mayHaveLostEvents;
  }

  /** Starts to watch a folder; replaces the watcher of an earlier folder with the same path. */
  add(path: string): void {
    if (!this.#isReliable) return;
    this.#watchers.get(path)?.close();
    try {
      if (this.#watchers.size >= mostFolders) throw new Error('too many');
      const watcher = watch(path, { persistent: false }, (event, name) => {
        this.#events++;
        if (event === 'rename') this.#structure++;
        this.#changed.add(name === null ? path : join(path, name));
        this.#onChange();
      });
      watcher.on('error', () => this.#giveUp());
      this.#watchers.set(path, watcher);
    } catch {
      this.#giveUp();
    }
  }

  covers(uri: string): boolean {
    return this.#isReliable && this.#watchers.has(dirname(fileURLToPath(uri)));
  }

  /**
   * Returns the files and folders that changed since the previous call. If a link changed, the targets of other paths
   * may have changed, too.
   */
  async changes(): Promise<readonly (Change & PathState)[]> {
    // Events that the operating system has queued are delivered in the next iteration of the event loop.
    await nextTurn();
    await nextTurn();
    const paths = [...this.#changed];
    this.#changed.clear();
    this.#mayHaveLostEvents = this.#events >= manyEvents;
    this.#events = 0;
    return paths.map((path) => ({ uri: fileUri(path), ...stateOf(path) }));
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #giveUp(): void {
    this.#isReliable = false;
    this.close();
  }
}

interface PathState {
  readonly gone: boolean;
  /** Whether the path is a link, or its state is unknown, for example in an unreadable folder. */
  readonly isLink: boolean;
  readonly isFolder: boolean;
}

function stateOf(path: string): PathState {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    const [isLink, isFolder] = [found?.isSymbolicLink() === true, found?.isDirectory() === true];
    return { gone: found === undefined, isLink, isFolder };
  } catch (error) {
    // A folder on the path may have become a file.
    const gone = error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
    return { gone, isLink: !gone, isFolder: false };
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
