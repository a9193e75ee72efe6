/** The dependencies of the live workspace, and its model of an open file. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/settings.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Cache } from '../store/file-store.ts';

export interface LiveParts {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** The cache of the facts of some folders between two runs. */
  cacheOf?(folders: readonly string[]): Cache;
  /** The process answers one command and then ends, so data that is not needed for it is not prepared. */
  readonly isOneShot?: boolean;
  /** The questions of checks are recorded, also if the process answers several commands. */
  readonly recordsQuestions?: boolean;
}

export interface OpenFile {
  readonly text: string;
  readonly file: WorkspaceFile;
  /** Requests for the file are answered, but other files do not see it: an old version of a file, for example. */
  readonly visiting: boolean;
  /** The language identifier of the editor. */
  readonly language?: string;
}

/** The settings that decide which files are loaded, and how they are interpreted. */
export interface LiveConfiguration {
  readonly settings: Settings;
  /** Globs of files that the editor hides: they are not loaded. */
  readonly hidden: readonly string[];
  /** The namespace of objects without one, unless a nearer setting overrides it. */
  readonly defaultNamespace: string | undefined;
}
