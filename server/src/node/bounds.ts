/** Limits file access to the folders below which files may be read or written, and to the folders to which their links may point. */

import { constants, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';

/** The path to open, which contains no link, or the reason why the file must not be used, as shown to the user. */
export type Allowed = { readonly path: string } | { readonly skipped: string };

export const leadsOutside = 'it is a link that leads outside of the workspace';

/** On Windows, opening a file always follows links, so they are resolved first. */
const opensLinks = constants.O_NOFOLLOW === undefined;

/** The folders below which files may be used. All paths are absolute. */
export class Bounds {
  /** The real path of the folder to which the links of a folder may point, by the path of the latter. */
  readonly #roots = new Map<string, string>();
  readonly #named = new Set<string>();

  /** Allows files below `folder` whose real paths are below `bound`, which is itself a real path. */
  allow(folder: string, bound: string): void {
    this.#roots.set(folder, bound);
  }

  /** Allows reading a file that the user named on the command line, regardless of where its links point. */
  name(path: string): void {
    this.#named.add(path);
  }

  isNamed(path: string): boolean {
    return this.#named.has(path);
  }

  /**
   * Whether a file with the real path `real` may be used under the name `path`. `realFolder` is the real path of the
   * folder of `path`, which is the limit for a file that is in no allowed folder.
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

/** Resolves the paths to open for some files. The folder of each file is resolved once, so a resolver must be used for one batch only, since links can change. The methods throw system errors. */
export class Resolver {
  readonly #bounds: Bounds;
  readonly #folders = new Map<string, string>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Returns the path of a file whose name may still be a link, which must not be followed when the file is opened. */
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

  /** Returns the path of the target of a link. */
  syncLink(path: string): Allowed {
    return this.#checked(path, realpathSync.native(path), this.#folderHere(path));
  }

  async asyncLink(path: string): Promise<Allowed> {
    return this.#checked(path, await realpath(path), await this.#folderAside(path));
  }

  /**
   * Returns the path of an existing file to write to. A link must not point outside of the allowed folders, even for a
   * file that the user named.
   */
  syncWritable(path: string): Allowed {
    return this.#contained(path, realpathSync.native(path), this.#folderHere(path));
  }

  /** Returns the path of a file to create. */
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

/** Joins a folder, which may be the root of a disk, and a name. */
export function below(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** Whether a path is a folder, or is below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(below(folder, ''));
}
