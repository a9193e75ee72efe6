/** Finds the objects that configurations declare as external: they exist in the cluster of the files of the configuration. */

import { getOrAdd } from '../../engine/memoize.ts';
import { type Configs, isExternalFile, noConfigs } from '../configs.ts';

/** The files with external objects: files that configurations name, and configurations that contain the objects. */
export class Externals {
  readonly #configs: Configs;
  readonly #files: ReadonlyMap<string, unknown>;
  readonly #byConfig = new Map<string, { readonly external: ReadonlySet<string>; readonly all: ReadonlySet<string> }>();

  readonly #added = new WeakMap<ReadonlySet<string>, Map<ReadonlySet<string>, ReadonlySet<string>>>();

  constructor(configs: Configs, files: ReadonlyMap<string, unknown>) {
    this.#configs = configs;
    this.#files = files;
  }

  /** Returns true if the objects of one file are external for the other file, false if they are external only for other files, and undefined if they are not external. */
  between(from: string, to: string): boolean | undefined {
    if (this.#configs === noConfigs || [from, to].every((each) => !isExternalFile(this.#configs, each)))
      return undefined;
    // The objects of a generated file are also in other files.
    if ([from, to].some((each) => this.#configs.of(each)?.isGenerated(each) === true)) return undefined;
    if (this.#declares(from, to) || this.#declares(to, from)) return true;
    return this.#configs.at(from) === undefined && this.#configs.at(to) === undefined ? undefined : false;
  }

  /** Adds the files with external objects to the files around a file; if the objects of the file are external, adds all files of its configuration. */
  added(uri: string, files: ReadonlySet<string>): ReadonlySet<string> {
    const config = this.#configs === noConfigs ? undefined : this.#configs.of(uri);
    if (config === undefined) return files;
    const { external, all } = getOrAdd(this.#byConfig, config.uri, () => {
      const every = [...this.#files.keys()].filter((each) => this.#configs.of(each)?.uri === config.uri);
      return { external: new Set(every.filter((each) => isExternalFile(this.#configs, each))), all: new Set(every) };
    });
    const others = isExternalFile(this.#configs, uri) ? all : external;
    const known = getOrAdd(this.#added, files, () => new Map<ReadonlySet<string>, ReadonlySet<string>>());
    return getOrAdd(known, others, () => new Set([...files, ...others]));
  }

  /** Whether the configuration that applies to a file declares the objects of another file as external. */
  #declares(uri: string, external: string): boolean {
    const config = this.#configs.of(uri);
    return (
      config?.uri === external || (this.#configs.at(external) === undefined && config?.isExternal(external) === true)
    );
  }
}
