/** The files of a commit as a file source. URIs are those of the working tree. */

import type { FileSource, ReadText } from './load.ts';

export interface CommittedFiles extends FileSource {
  /** Equal for equal files in a repository with equal remotes and the same branch. */
  readonly version: string;
  /** Reads one file synchronously. */
  readNow(uri: string, maximumBytes: number): ReadText;
  kindOf(uri: string): 'file' | 'folder' | undefined;
  close(): void;
}
