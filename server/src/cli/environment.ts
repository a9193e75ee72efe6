/** The interface between the command line and the machine it runs on; tests replace the machine with an implementation in memory. */

import type { Clock } from '../clock.ts';
import type { Catalogue } from '../engine/catalogue/types.ts';
import type { Session } from '../session.ts';
import type { CommittedFiles } from '../workspace/live/committed-files.ts';
import type { FileSource, ReadText } from '../workspace/live/load.ts';
import type { ParsedFiles } from '../workspace/live/parsed-files.ts';
import type { ChartValues } from '../workspace/scopes/model.ts';
import type { Cache } from '../workspace/store/file-store.ts';

export interface World {
  readonly version: string;
  /** The clock for expiry dates; without a clock, suppressions do not expire. */
  readonly clock?: Clock;
  /** Canonical URI of the folder in which the command was started. */
  readonly currentFolder: string;
  /**
   * Canonical URI of the user's home folder. The home folder is never indexed as a whole because of a path inside it.
   */
  readonly homeFolder?: string;
  readonly files: FileSource;
  readNow(uri: string, maximumBytes: number): ReadText;
  /** The width of the terminal that shows standard output, in columns; undefined if it is not a terminal. */
  readonly columns?: number;
  /** Whether standard output supports colors. */
  readonly colours?: boolean;
  /** Resolves a path of the command line; returns undefined if it does not exist. */
  locate(path: string): Promise<Named | undefined>;
  /** Returns the folder of the git repository that contains a folder; undefined outside of a repository. */
  repositoryOf(folder: string): Promise<string | undefined>;
  /** Returns an id of the content of a file, which is equal for equal contents; absent unless the files are those of a commit. */
  idOf?(uri: string): string | undefined;
  /**
   * Opens the files of a commit of the repository in a folder, or returns the reason why they cannot be read, as a
   * sentence without a period. With `likeTree`, files that a sparse checkout leaves out of the working tree are omitted.
   * Absent in environments without git.
   */
  openCommit?(repository: string, name: string, likeTree: boolean): CommittedFiles | { readonly refused: string };
  /** Reads standard input. If `anyBytes` is set, the input may contain NUL. */
  readStandardInput(maximumBytes: number, anyBytes?: boolean): Promise<ReadText>;
  loadCatalogue(): Promise<Catalogue>;
  /** Returns the cache that stores the index of the given folders between runs. */
  cacheOf?(folders: readonly string[]): Cache;
  /**
   * Replaces the text of a file, and preserves its byte order mark; `before` is undefined for a file that does not
   * exist. If this fails, nothing is changed and the reason is returned.
   */
  write(uri: string, before: string | undefined, after: string): Promise<string | undefined>;
  /** Serves an editor over standard input and output until it disconnects. */
  serveEditor(): Promise<void>;
  /**
   * Serves agents over standard input and output, in the Model Context Protocol, until the input ends. `folders` are
   * indexed if the client opens no folder; by default, the current folder is.
   */
  serveAgents(folders: readonly string[]): Promise<void>;
  /** The indexed workspaces of a process that runs several commands; absent in a process that runs a single command. */
  readonly warm?: Warm | undefined;
  /** The files that were parsed for another state with which this one is compared. */
  readonly parsed?: ParsedFiles | undefined;
  /**
   * Receives the JSON output of a command as a value, which is then not written with `out`. `totals` contains the full
   * lengths of lists from which items are missing.
   */
  take?(value: object, totals?: Readonly<Record<string, number>>): void;
  /** The number of items that the caller uses in each list of the JSON output; a command may omit further items. */
  readonly mostItems?: number | undefined;
  /** Shows a progress text if a terminal is attached; undefined removes the text. */
  status?(text: string | undefined): void;
  /** Writes a line to standard output, and adds the line end. */
  out(line: string): void;
  err(line: string): void;
}

export interface Indexing {
  readonly folders: readonly string[];
  /** The folders within the indexed folders that the command line names. */
  readonly inside: readonly string[];
  readonly namespace: string | undefined;
  readonly chartValues?: ChartValues | undefined;
  /** Folders of kustomizations that have a scope, even if others include them. */
  readonly namedKustomizations?: readonly string[] | undefined;
}

/** Workspaces that stay indexed between commands. */
export interface Warm {
  /**
   * Returns a session with the current files of the given folders; undefined if there is none, in which case the
   * folders must be indexed for this command alone.
   */
  session(indexing: Indexing): Promise<Session | undefined>;
  /** Whether the folders are indexed already, so that no cache on disk is needed. */
  isLoaded(folders: readonly string[]): boolean;
  /** The sessions of recently used commits; if absent, commits are indexed again for each command. */
  readonly commits?: Map<string, Session>;
}

/** The file or folder that a path resolves to. */
export type Named =
  | {
      readonly kind: 'file' | 'folder';
      readonly uri: string;
      /** The canonical URI after symbolic links are resolved. */
      readonly real?: string;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };
