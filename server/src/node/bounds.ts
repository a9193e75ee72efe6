/** Limits file access to certain folders, and to the folders to which symbolic links in them may point. */

import { constants, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';

/** The path to open, which contains no links, or the reason why the file must not be used, worded for users. */
export type Allowed = { readonly path: string } | { readonly skipped: string };

/** The reason does not state whether the target exists, because a report must reveal nothing about files outside of the workspace. */
export const leadsOutside = 'it is a link that leads outside of the workspace or nowhere';

/** Whether opening a file always follows links, as on Windows. If so, links are resolved before the file is opened. */
const opensLinks = constants.O_NOFOLLOW === undefined;

/** The folders in which files may be used. All paths are absolute. */
export class Bounds {
  /** Maps the path of each allowed folder to the real path of the folder that its links must not leave. */
  readonly #roots = new Map<string, string>();
  readonly #named = new Set<string>();

  /** Allows the use of files below `folder` if their real paths are below `bound`, which is a real path. */
  allow(folder: string, bound: string): void {
    this.#roots.set(folder, bound);
  }

  /** Allows reading a file that the user specified on the command line, regardless of the targets of its links. */
  name(path: string): void {
    this.#named.add(path);
  }

  isNamed(path: string): boolean {
    return this.#named.has(path);
  }

  /**
   * Whether a file with the real path `real` may be used when it is opened as `path`. `realFolder` is the real path of
   * the folder of `path`; it is the limit for a file outside of all allowed folders.
   */
  contain(path: string, real: string, realFolder: string): boolean {
    let isBelowRoot = false;
    for (const [folder, bound] of this.#roots) {
      if (!isInside(path, folder)) continue;
      if (isInside(real, bound)) return true;
      isBelowRoot = true;
    }
    return !isBelowRoot && isInside(real, realFolder);
  }
}

/** Resolves the paths to open for a batch of files. The folder of each file is resolved only once, and links can change, so a resolver must not be reused for a later batch. The methods throw system errors. */
export class Resolver {
  readonly #bounds: Bounds;
  readonly #folders = new Map<string, string>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Returns the path to open for a file. Its last component may still be a link, which must not be followed when the
   * file is opened.
   */
  here(path: string): Allowed {
    if (opensLinks) return this.syncLink(path);
    const folder = this.#folderHere(path);
    return this.#checked(path, below(folder, basename(path)), folder);
  }

  async aside(path: string): Promise<Allowed> {
    if (opensLinks) return await this.asyncLink(path);
    const folder = await this.#folderAside(path);
    return this.#checked(path, below(folder, basename(path)), folder);
  }

  /** Returns the real path of a file that may be a link. */
  syncLink(path: string): Allowed {
    return this.#checked(path, realpathSync.native(path), this.#folderHere(path));
  }

  async asyncLink(path: string): Promise<Allowed> {
    return this.#checked(path, await realpath(path), await this.#folderAside(path));
  }

  /**
   * Returns the path of an existing file to write to. A link must not point outside of the allowed folders, even if the
   * user specified the file.
   */
  syncWritable(path: string): Allowed {
    return this.#contained(path, realpathSync.native(path), this.#folderHere(path));
  }

  syncNew(path: string): Allowed {
    const folder = this.#folderHere(path);
    return this.#contained(path, below(folder, basename(path)), folder);
  }

  #contained(path: string, real: string, realFolder: string): Allowed {
    return this.#bounds.contain(path, real, realFolder) ? { path: real } : { skipped: leadsOutside };
  }

  #checked(path: string, real: string, realFolder: string): Allowed {
    return this.#bounds.isNamed(path) ? { path: real } : this.#contained(path, real, realFolder);
  }

  #folderHere(path: string): string {
    const folder = dirname(path);
    return this.#folders.get(folder) ?? this.#learn(folder, realpathSync.native(folder));
  }

  async #folderAside(path: string): Promise<string> {
    const folder = dirname(path);
    return this.#folders.get(folder) ?? this.#learn(folder, await realpath(folder));
  }

  #learn(folder: string, real: string): string {
    this.#folders.set(folder, real);
    return real;
  }
}

/** Returns the path of a name in a folder; the folder may be the root of a disk. */
export function below(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(below(folder, ''));
}
