/** How is each file read? With the kinds and placeholders that the nearest configuration tells of. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { withUserKinds } from '../engine/catalogue/user-kinds.ts';
import { type Config, type ConfigReading, plainReading } from '../settings/read-config.ts';
import { type Configs, findConfigs, isConfigName, noConfigs } from './configs.ts';
import { nameOf } from './uri.ts';
import { readFile, type WorkspaceFile } from './workspace.ts';

/** Knows the configurations while files are still being read: they are read first. */
export class Readings {
  readonly #known: Catalogue;
  readonly #catalogues = new Map<string, Catalogue>();
  readonly #configs = new Map<string, Config>();
  #placed: Configs = noConfigs;

  constructor(catalogue: Catalogue) {
    this.#known = catalogue;
  }

  /** Reads a file; a configuration counts for every file that is read after it. */
  read(uri: string, text: string): WorkspaceFile {
    const reading = this.#of(uri);
    const file = readFile(uri, text, this.#catalogue(reading), reading);
    if (file.config !== undefined) this.set(uri, file.config);
    return file;
  }

  /** What a configuration says now; undefined for one that is gone. */
  set(uri: string, config: Config | undefined): void {
    if (this.#configs.get(uri) === config) return;
    if (config === undefined) this.#configs.delete(uri);
    else this.#configs.set(uri, config);
    this.#placed = findConfigs([...this.#configs].map(([at, each]) => ({ uri: at, config: each })));
  }

  /** Whether a file would be read as it was. */
  isCurrent(file: WorkspaceFile): boolean {
    return (file.scope.reading ?? '') === this.#of(file.uri).key;
  }

  /** The catalogue with the kinds that the team of a file tells of. */
  catalogueOf(uri: string): Catalogue {
    return this.#catalogue(this.#of(uri));
  }

  /** A configuration is read as it stands: what it says of placeholders is meant for other files. */
  #of(uri: string): ConfigReading {
    return isConfigName(nameOf(uri)) ? plainReading : (this.#placed.of(uri)?.config.reading ?? plainReading);
  }

  #catalogue({ key, kinds }: ConfigReading): Catalogue {
    if (kinds === undefined) return this.#known;
    const made = this.#catalogues.get(key) ?? withUserKinds(this.#known, kinds).catalogue;
    this.#catalogues.set(key, made);
    return made;
  }
}
