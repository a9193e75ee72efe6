/** The files of a commit as a file source. Their URIs are the URIs of the same files in the working tree. */

import type { FileSource, ReadText } from './load.ts';

export interface CommittedFiles extends FileSource {
  /** A string that is equal for equal files in a repository with equal remotes, the same branch and the same sparse checkout. */
  readonly version: string;
  /** The number of manifests that are omitted because a sparse checkout leaves them out of the working tree. */
  readonly leftOut: number;
  readNow(uri: string, maximumBytes: number): ReadText;
  /** Returns the id of the content of a file, which is equal for equal contents; undefined if it is unknown. */
  idOf?(uri: string): string | undefined;
  kindOf(uri: string): 'file' | 'folder' | undefined;
  close(): void;
}
