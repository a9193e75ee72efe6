/** The dependencies of the live workspace, and its model of an open file. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Log } from '../../log.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Cache } from '../store/file-store.ts';

export interface LiveParts {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** Where what is known of some folders is kept between two runs. */
  cacheOf?(folders: readonly string[]): Cache;
  /** One command is answered, and nobody asks again: what nothing asks for need not be prepared. */
  readonly isOneShot?: boolean;
}

export interface OpenFile {
  readonly text: string;
  readonly file: WorkspaceFile;
  /** It is asked about, and no other file finds it: an old version of a file, for example. */
  readonly visiting: boolean;
  /** What the editor calls its language. */
  readonly language?: string;
}
