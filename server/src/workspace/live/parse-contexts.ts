/** Provides the context in which each file is parsed: its configuration, its chart, and the definitions of kinds. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { withUserKinds } from '../../engine/catalogue/user-kinds.ts';
import type { Log } from '../../log.ts';
import type { ValueSite } from '../../manifests/model.ts';
import { type Config, type ConfigReading, plainReading } from '../../settings/read-config.ts';
import { ChartReadings } from '../charts/chart-contexts.ts';
import { isValuesFile } from '../charts/chart-files.ts';
import { type Configs, findConfigs, isConfigName, noConfigs } from '../configs.ts';
import type { WorkspaceFile } from '../model.ts';
import { type FileReading, readFile } from '../snapshot.ts';
import { fileNameOf } from '../uri.ts';
import { Learning } from './learned-kinds.ts';

/** The context in which text is parsed while it is typed. */
export interface TypingIn {
  /** What the team of the file writes where a value will be put in. */
  readonly placeholders: readonly string[];
  /** What templates fill with the values of the file. */
  readonly valueSites: readonly ValueSite[];
}

/** Maintains the contexts of files, also while files are still being loaded: configurations are loaded first. */
export class Readings {
  #learning: Learning;
  /** What was last learned, with the kinds of each team. */
  #catalogues = { learned: undefined as Catalogue | undefined, byKey: new Map<string, Catalogue>() };
  /** Files on disk with kinds that the catalogue does not know: what was known of them when the files were read. */
  readonly #kinds = new Map<string, readonly string[]>();
  /** Templates on disk, with the key of what their charts told when they were read. */
  readonly #templates = new Map<string, string>();
  #charts = new ChartReadings();
  readonly #configs = new Map<string, Config>();
  #placed: Configs = noConfigs;

  readonly #log: Log | undefined;

  constructor(catalogue: Catalogue, log?: Log) {
    this.#log = log;
    this.#learning = new Learning(catalogue);
  }

  /** A copy that changes by itself. */
  copy(catalogue: Catalogue): Readings {
    const copy = new Readings(catalogue, this.#log);
    copy.#learning = this.#learning.copy();
    copy.#charts = this.#charts.copy();
    for (const [uri, kinds] of this.#kinds) copy.#kinds.set(uri, kinds);
    for (const [uri, key] of this.#templates) copy.#templates.set(uri, key);
    for (const [uri, config] of this.#configs) copy.#configs.set(uri, config);
    copy.#placed = this.#placed;
    return copy;
  }

  /** Reads a file; a configuration counts for every file that is read after it. */
  read(uri: string, text: string, as: Pick<FileReading, 'language' | 'closed'> = {}): WorkspaceFile {
    const reading = this.#of(uri);
    const file = readFile(uri, text, this.#catalogue(reading), {
      config: reading,
      kindsIn: (manifest) => this.#learning.kindsIn(manifest),
      chart: this.#charts.of(uri),
      values: isValuesFile(uri) ? this.#charts.ofValues(uri) : undefined,
      log: this.#log,
      ...as,
    });
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
    const kinds = this.#learning.teach(uri, file?.manifest);
    const told = file && {
      ...file.helm,
      ...(file.chart && { chart: file.chart }),
      ...(file.manifest.valueSites && { sites: file.manifest.valueSites }),
    };
    return this.#charts.teach(uri, told) || kinds;
  }

  /** What is on disk under a name, undefined where nothing is; `hidden` where an editor shows something else. */
  keep(uri: string, file: WorkspaceFile | undefined, hidden: boolean): void {
    const kinds = file?.scope.kinds;
    if (kinds === undefined) this.#kinds.delete(uri);
    else this.#kinds.set(uri, kinds);
    if (file?.chartKey === undefined) this.#templates.delete(uri);
    else this.#templates.set(uri, file.chartKey);
    if (!hidden) this.teach(uri, file);
  }

  /** All files were looked at: others are not there. */
  invalidateOthers(isThere: (uri: string) => boolean): void {
    this.#learning.invalidateOthers(isThere);
    this.#charts.invalidateOthers(isThere);
    for (const known of [this.#kinds, this.#templates])
      for (const uri of [...known.keys()]) if (!isThere(uri)) known.delete(uri);
  }

  /**
   * Files on disk of whose kinds something else is known by now; of `all` files, those too with a new configuration.
   */
  outdated(all?: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    if (all !== undefined) return [...all.values()].filter((file) => !this.isCurrent(file)).map(({ uri }) => uri);
    const unlearned = [...this.#kinds].flatMap(([uri, kinds]) => (this.#learning.isCurrent(kinds) ? [] : [uri]));
    const stale = [...this.#templates].flatMap(([uri, key]) => (this.#chartKey(uri) === key ? [] : [uri]));
    return [...new Set([...unlearned, ...stale])];
  }

  #chartKey(uri: string): string {
    return (isValuesFile(uri) ? this.#charts.ofValues(uri) : this.#charts.of(uri))?.key ?? '';
  }

  /** Whether a file would be read as it was. */
  isCurrent(file: WorkspaceFile): boolean {
    if (file.chartKey !== undefined && file.chartKey !== this.#chartKey(file.uri)) return false;
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

  /** What has to be known of a file to read what is being typed in it. */
  typingIn(uri: string): TypingIn {
    const sites = isValuesFile(uri) ? this.#charts.ofValues(uri)?.sites : undefined;
    return { placeholders: this.#of(uri).placeholders, valueSites: sites ?? [] };
  }

  /** A configuration is read as it stands: what it says of placeholders is meant for other files. */
  #of(uri: string): ConfigReading {
    return isConfigName(fileNameOf(uri)) ? plainReading : (this.#placed.of(uri)?.config.reading ?? plainReading);
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
