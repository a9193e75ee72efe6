/** The files of a commit as a file source. URIs are those of the working tree. */

import type { FileSource, ReadText } from './load.ts';

export interface CommittedFiles extends FileSource {
  /** Reads one file synchronously. */
  readNow(uri: string, maximumBytes: number): ReadText;
  kindOf(uri: string): 'file' | 'folder' | undefined;
  close(): void;
}
