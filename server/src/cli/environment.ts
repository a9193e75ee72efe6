/** What does the command line need of the machine it runs on? A port, so that tests run it over memory. */

import type { Clock } from '../clock.ts';
import type { Catalogue } from '../engine/catalogue/types.ts';
import type { CommittedFiles } from '../workspace/live/committed-files.ts';
import type { FileSource, ReadText } from '../workspace/live/load.ts';
import type { Cache } from '../workspace/store/file-store.ts';

export interface World {
  readonly version: string;
  /** Without one no suppression expires. */
  readonly clock?: Clock;
  /** Canonical URI of the folder the command was started in. */
  readonly currentFolder: string;
  /** Canonical URI of the user's home folder. It is never indexed as a whole for a path in it. */
  readonly homeFolder?: string;
  readonly files: FileSource;
  /** One file of these without waiting for others. */
  readNow(uri: string, maximumBytes: number): ReadText;
  /** How wide the terminal is that shows standard output; undefined where none does. */
  readonly columns?: number;
  /** Standard output shows colours. */
  readonly colours?: boolean;
  /** What a path of the command line names; undefined where there is nothing. */
  lookUp(path: string): Promise<Named | undefined>;
  /** The folder of the git repository that holds a folder; undefined outside of one. */
  repositoryOf(folder: string): Promise<string | undefined>;
  /**
   * The files of a commit of the repository in a folder, or why they cannot be read, as a sentence without a period.
   * Worlds without git have no such function.
   */
  openCommit?(repository: string, name: string): CommittedFiles | { readonly refused: string };
  /** `anyBytes`: a NUL may stand in it. */
  readStandardInput(maximumBytes: number, anyBytes?: boolean): Promise<ReadText>;
  loadCatalogue(): Promise<Catalogue>;
  /** Where what is known of some folders is kept between two runs. */
  cacheOf?(folders: readonly string[]): Cache;
  /**
   * Puts a text in the place of another one, with its byte order mark; `before` is undefined for a file that is not
   * there. Answers why that could not be done, or nothing; then all is as it was.
   */
  write(uri: string, before: string | undefined, after: string): Promise<string | undefined>;
  /** Serves an editor over standard input and output until it leaves. */
  serveEditor(): Promise<void>;
  /** Shows how far the work is, where somebody watches; undefined takes it away. */
  status?(text: string | undefined): void;
  /** To standard output and to standard error; the line end is added. */
  out(line: string): void;
  err(line: string): void;
}

/** What a path leads to. */
export type Named =
  | {
      readonly kind: 'file' | 'folder';
      readonly uri: string;
      /** Where it is if links lead there: its canonical URI. */
      readonly real?: string;
    }
  | { readonly kind: 'unreadable'; readonly reason: string };
