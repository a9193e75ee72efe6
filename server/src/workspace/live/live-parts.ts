/** The dependencies of the live workspace, and its model of an open file. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Questions } from '../dependencies/questions.ts';
import type { WorkspaceFile } from '../model.ts';
import type { ChartValues } from '../scopes/model.ts';
import type { Cache } from '../store/file-store.ts';
import type { ParsedFiles } from './parsed-files.ts';

export interface LiveParts {
  readonly catalogue: Catalogue;
  readonly log: Log;
  /** Returns the cache of the facts of some folders between two runs. */
  cacheOf?(folders: readonly string[]): Cache;
  /**
   * Whether the process answers one command and then ends, so that data that this command does not need is not
   * prepared.
   */
  readonly isOneShot?: boolean;
  /** Records what checks read; by default, nothing is recorded if the process keeps no result. */
  readonly questions?: Questions | undefined;
  /** The files of another state with which this one is compared. */
  readonly parsed?: ParsedFiles | undefined;
  /** Whether as many renderings are cached as a check of all files needs. */
  readonly cachesRenderings?: boolean;
}

export interface OpenFile {
  readonly text: string;
  readonly file: WorkspaceFile;
  /** Whether requests for the file are answered although other files do not see it, as for an old version of a file. */
  readonly visiting: boolean;
  readonly language?: string;
}

/** The settings that decide which files are loaded, and how they are interpreted. */
export interface LiveConfiguration {
  readonly settings: Settings;
  /** Globs of files that the editor hides: they are not loaded. */
  readonly hidden: readonly string[];
  /** The namespace of objects that set none, unless a nearer setting overrides it. */
  readonly defaultNamespace: string | undefined;
  /** The values with which charts are executed; undefined if all of their values are unknown. */
  readonly chartValues: ChartValues | undefined;
  /** Folders of kustomizations that have a scope, even if other kustomizations or GitOps objects include them. */
  readonly namedKustomizations: readonly string[] | undefined;
}
