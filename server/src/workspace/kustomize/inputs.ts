/** Records the files that a build depends on, and checks whether they are unchanged. */

import type { WorkspaceFile } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';

/** The files of a snapshot. */
export interface Files {
  readonly files: { get(uri: string): WorkspaceFile | undefined };
  fileNameOf(uri: string): string;
  scopes(): Scopes;
}

/** Every file that a build looked up, with the result of the lookup. */
export class Inputs {
  readonly #found = new Map<string, WorkspaceFile | undefined>();
  /** The inputs of its bases. */
  readonly #below = new Set<Inputs>();
  /** The snapshot with which they were last compared. */
  #checked: Files['files'];

  constructor(files: Files['files']) {
    this.#checked = files;
  }

  add(uri: string, file: WorkspaceFile | undefined): void {
    this.#found.set(uri, file);
  }

  addAll(below: Inputs): void {
    this.#below.add(below);
  }

  /** Whether a snapshot has equal files; shared inputs are compared once. */
  areCurrent(files: Files['files']): boolean {
    if (this.#checked === files) return true;
    for (const [uri, file] of this.#found) if (files.get(uri) !== file) return false;
    for (const each of this.#below) if (!each.areCurrent(files)) return false;
    this.#checked = files;
    return true;
  }
}
