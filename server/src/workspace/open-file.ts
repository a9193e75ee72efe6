/** What is known of a file that somebody has open? */

import type { WorkspaceFile } from './workspace.ts';

export interface OpenFile {
  readonly text: string;
  readonly file: WorkspaceFile;
  /** It is asked about, and no other file finds it: an old version of a file, for example. */
  readonly visiting: boolean;
  /** What the editor calls its language. */
  readonly language?: string;
}
