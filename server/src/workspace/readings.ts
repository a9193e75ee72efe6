/** How is each file read? With what the nearest configuration tells, and the kinds that definitions teach. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { withUserKinds } from '../engine/catalogue/user-kinds.ts';
import type { Manifest } from '../manifests/manifest.ts';
import { type Config, type ConfigReading, plainReading } from '../settings/read-config.ts';
import { type Configs, findConfigs, isConfigName, noConfigs } from './configs.ts';
import { Learning } from './learning.ts';
import { nameOf } from './uri.ts';
import { readFile, type WorkspaceFile } from './workspace.ts';

/** Knows the configurations while files are still being read: they are read first. */
export class Readings {
  readonly #learning: Learning;
  /** What was last learned, with the kinds of each team. */
  #catalogues = { learned: undefined as Catalogue | undefined, byKey: new Map<string, Catalogue>() };
  /** Files on disk with kinds that the catalogue does not know: what was known of them when the files were read. */
  readonly #kinds = new Map<string, readonly string[]>();
  readonly #configs = new Map<string, Config>();
  #placed: Configs = noConfigs;

  constructor(catalogue: Catalogue) {
    this.#learning = new Learning(catalogue);
  }

  /** Reads a file; a configuration counts for every file that is read after it. */
  read(uri: string, text: string, language?: string): WorkspaceFile {
    const reading = this.#of(uri);
    const kindsIn = (manifest: Manifest) => this.#learning.kindsIn(manifest);
    const file = readFile(uri, text, this.#catalogue(reading), reading, kindsIn, language);
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

  /** What a file that others see teaches; undefined for one that is gone. True where other files may be read anew. */
  teach(uri: string, file: WorkspaceFile | undefined): boolean {
    return this.#learning.teach(uri, file?.manifest);
  }

  /** What is on disk under a name, undefined where nothing is; `hidden` where an editor shows something else. */
  keep(uri: string, file: WorkspaceFile | undefined, hidden: boolean): void {
    const kinds = file?.scope.kinds;
    if (kinds === undefined) this.#kinds.delete(uri);
    else this.#kinds.set(uri, kinds);
    if (!hidden) this.teach(uri, file);
  }

  /** All files were looked at: others are not there. */
  forgetOthers(isThere: (uri: string) => boolean): void {
    this.#learning.forgetOthers(isThere);
    for (const uri of [...this.#kinds.keys()]) if (!isThere(uri)) this.#kinds.delete(uri);
  }

  /** Files on disk of whose kinds something else is known by now; of `all` files, those too with a new configuration. */
  outdated(all?: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    if (all !== undefined) return [...all.values()].filter((file) => !this.isCurrent(file)).map(({ uri }) => uri);
    return [...this.#kinds].flatMap(([uri, kinds]) => (this.#learning.isCurrent(kinds) ? [] : [uri]));
  }

  /** Whether a file would be read as it was. */
  isCurrent(file: WorkspaceFile): boolean {
    return this.isConfigured(file) && this.#learning.isCurrent(file.scope.kinds ?? []);
  }

  /** Whether its configuration still says the same; of what definitions teach all is known only in the end. */
  isConfigured(file: WorkspaceFile): boolean {
    return (file.scope.reading ?? '') === this.#of(file.uri).key;
  }

  /** The catalogue with the kinds that the team of a file tells of. */
  catalogueOf(uri: string): Catalogue {
    return this.#catalogue(this.#of(uri));
  }

  /** What the team of a file writes where a value will be put in. */
  placeholdersOf(uri: string): readonly string[] {
    return this.#of(uri).placeholders;
  }

  /** A configuration is read as it stands: what it says of placeholders is meant for other files. */
  #of(uri: string): ConfigReading {
    return isConfigName(nameOf(uri)) ? plainReading : (this.#placed.of(uri)?.config.reading ?? plainReading);
  }

  #catalogue({ key, kinds }: ConfigReading): Catalogue {
    const learned = this.#learning.catalogue;
    if (kinds === undefined) return learned;
    if (this.#catalogues.learned !== learned) this.#catalogues = { learned, byKey: new Map() };
    const { byKey } = this.#catalogues;
    const made = byKey.get(key) ?? withUserKinds(learned, kinds).catalogue;
    byKey.set(key, made);
    return made;
  }
}
