/** Shares the parsed files of two states that are read one after the other: a file that is equal in both is parsed once. */

import type { WorkspaceFile } from '../model.ts';

/** A file to parse. `context` is equal if everything on which the result depends is equal, except for definitions of kinds. */
interface Reading {
  readonly uri: string;
  readonly text: string;
  readonly context: string;
}

/** The maximum size of the texts of the shared files, in UTF-16 units. */
const maximumShared = 4_000_000;

export class ParsedFiles {
  readonly #files = new Map<string, Reading & { readonly file: WorkspaceFile }>();
  #left = maximumShared;

  /** Returns an equal file that was parsed before, if `isCurrent` accepts it; otherwise, parses the file. */
  read(reading: Reading, isCurrent: (file: WorkspaceFile) => boolean, parse: () => WorkspaceFile): WorkspaceFile {
    const { uri, text, context } = reading;
    const known = this.#files.get(uri);
    if (known !== undefined && known.text === text && known.context === context && isCurrent(known.file))
      return known.file;
    const file = parse();
    this.#left -= text.length;
    if (this.#left >= 0) this.#files.set(uri, { ...reading, file });
    return file;
  }
}
