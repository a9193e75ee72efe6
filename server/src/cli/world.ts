/** What does the command line need of the machine it runs on? A port, so that tests run it over memory. */

import type { Clock } from '../clock.ts';
import type { Catalogue } from '../engine/catalogue/types.ts';
import type { FileSource, ReadText } from '../workspace/load.ts';

export interface World {
  readonly version: string;
  /** Without one no suppression expires. */
  readonly clock?: Clock;
  /** Canonical URI of the folder the command was started in. */
  readonly currentFolder: string;
  readonly files: FileSource;
  /** What a path of the command line names; undefined where there is nothing. */
  lookUp(path: string): Promise<Named | undefined>;
  /** The folder of the git repository that holds a folder; undefined outside of one. */
  repositoryOf(folder: string): Promise<string | undefined>;
  readStandardInput(maximumBytes: number): Promise<ReadText>;
  loadCatalogue(): Promise<Catalogue>;
  /** To standard output and to standard error; the line end is added. */
  out(line: string): void;
  err(line: string): void;
}

export interface Named {
  readonly kind: 'file' | 'folder';
  readonly uri: string;
}
