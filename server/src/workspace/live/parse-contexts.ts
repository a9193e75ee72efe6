/** Provides the context in which each file is parsed: its configuration, its chart, and the definitions of kinds. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { withUserKinds } from '../../engine/catalogue/user-kinds.ts';
import { once } from '../../engine/memoize.ts';
import type { Log } from '../../log.ts';
import type { ValueSite } from '../../manifests/helm/value-site.ts';
import { type Config, type ConfigReading, plainReading } from '../../settings/read-config.ts';
import { ChartReadings } from '../charts/chart-contexts.ts';
import { isHelperFile, isPartial, isValuesFile, schemaName } from '../charts/chart-files.ts';
import { type Configs, findConfigs, isConfigName, noConfigs } from '../configs.ts';
import { hasData } from '../gitops/data-files.ts';
import type { DataFiles, DataUse } from '../gitops/model.ts';
import type { WorkspaceFile } from '../model.ts';
import { type FileReading, readFile } from '../snapshot.ts';
import { fileNameOf } from '../uri.ts';
import { Learning } from './learned-kinds.ts';
import type { ParsedFiles } from './parsed-files.ts';

/** The context in which text is parsed while it is typed. */
export interface TypingIn {
  /** The custom placeholders in the file's configuration. */
  readonly placeholders: readonly string[];
  /** The sites that templates fill with values from the file. */
  readonly valueSites: readonly ValueSite[];
}

const noSites: readonly ValueSite[] = [];

/** Maintains the contexts of files, including while files are being loaded; configurations are loaded first. */
export class Readings {
  #learning: Learning;
  /** The catalogue with learned kinds, and the extended catalogues by configuration. */
  #catalogues = { learned: undefined as Catalogue | undefined, byKey: new Map<string, Catalogue>() };
  /**
   * The kinds of files on disk that the catalogue does not contain, each with the key of the facts with which the file
   * was parsed.
   */
  readonly #kinds = new Map<string, readonly string[]>();
  /** The templates on disk, each with the key of the chart facts with which it was parsed. */
  readonly #templates = new Map<string, string>();
  #charts = new ChartReadings();
  /** Whether the facts about kinds and charts are those with which `outdated` last examined all files except `#unverified`. */
  #isVerified = false;
  #unverified = new Set<string>();
  /** The files that GitOps objects read as data. `#gitops` contains the files that define GitOps objects. */
  #dataFiles: DataFiles = new Map();
  /** The files that contain the data for a use: to determine this, the facts of a file are deserialized. */
  readonly #parsedAs = new WeakMap<WorkspaceFile, DataUse>();
  readonly #gitops = new Set<string>();
  readonly #configs = new Map<string, Config>();
  #placed: () => Configs = () => noConfigs;

  readonly #log: Log | undefined;
  readonly #parsed: ParsedFiles | undefined;

  /** `parsed` contains the closed files that another state of the workspace parsed. */
  constructor(catalogue: Catalogue, log?: Log, parsed?: ParsedFiles) {
    this.#log = log;
    this.#parsed = parsed;
    this.#learning = new Learning(catalogue);
  }

  copy(catalogue: Catalogue): Readings {
    const copy = new Readings(catalogue, this.#log);
    copy.#learning = this.#learning.copy();
    copy.#charts = this.#charts.copy();
    copy.#dataFiles = this.#dataFiles;
    for (const uri of this.#gitops) copy.#gitops.add(uri);
    for (const [uri, kinds] of this.#kinds) copy.#kinds.set(uri, kinds);
    for (const [uri, key] of this.#templates) copy.#templates.set(uri, key);
    for (const [uri, config] of this.#configs) copy.#configs.set(uri, config);
    copy.#placed = copy.#placeConfigs();
    return copy;
  }

  /** Parses a file; a configuration applies to every file that is parsed after it. */
  read(uri: string, text: string, as: Pick<FileReading, 'language' | 'closed'> = {}): WorkspaceFile {
    const reading = this.#of(uri);
    const chart = this.#charts.of(uri);
    const isTemplate = chart !== undefined && !(isHelperFile(uri) && isPartial(uri));
    const isExecuted = isTemplate || fileNameOf(uri) === schemaName;
    const values = isValuesFile(uri) ? this.#charts.ofValues(uri) : undefined;
    const data = this.#dataFiles.get(uri) ?? (isExecuted ? 'template' : undefined);
    const parse = () =>
      readFile(uri, text, this.#catalogue(reading), {
        config: reading,
        kindsIn: (manifest) => this.#learning.kindsIn(manifest),
        chart,
        values,
        data,
        log: this.#log,
        ...as,
      });
    const contextOf = () => JSON.stringify([reading.key, chart?.key, values?.key, data]);
    const isCurrent = ({ scope }: WorkspaceFile) => this.#learning.isCurrent(scope.kinds ?? []);
    const shared = as.closed ? this.#parsed : undefined;
    const file = shared?.read({ uri, text, context: contextOf() }, isCurrent, parse) ?? parse();
    if (file.config !== undefined) this.set(uri, file.config);
    return file;
  }

  /** Replaces a configuration; `config` is undefined for a removed configuration. */
  set(uri: string, config: Config | undefined): void {
    if (this.#configs.get(uri) === config) return;
    if (config === undefined) this.#configs.delete(uri);
    else this.#configs.set(uri, config);
    this.#placed = this.#placeConfigs();
  }

  /** Lazy, because many configurations are usually set before any is needed. */
  #placeConfigs(): () => Configs {
    return once(() => findConfigs([...this.#configs].map(([uri, config]) => ({ uri, config }))));
  }

  /**
   * Replaces the facts of a file on which other files depend; `file` is undefined for a removed file. Returns true if
   * other files must be parsed again.
   */
  teach(uri: string, file: WorkspaceFile | undefined): boolean {
    const kinds = this.#learning.teach(uri, file?.manifest);
    const told = file && {
      ...file.helm,
      ...(file.chart && { chart: file.chart }),
      ...(file.manifest.valueSites && { sites: file.manifest.valueSites }),
    };
    const changed = this.#charts.teach(uri, told) || kinds;
    if (changed) this.#isVerified = false;
    return changed;
  }

  /**
   * Records the state of a file on disk, which is undefined if the file does not exist; `hidden` is set if an open file
   * overrides it.
   */
  keep(uri: string, file: WorkspaceFile | undefined, hidden: boolean): void {
    const kinds = file?.scope.kinds;
    this.noteGitops(uri, file);
    if (kinds === undefined) this.#kinds.delete(uri);
    else this.#kinds.set(uri, kinds);
    if (file?.chartKey === undefined) this.#templates.delete(uri);
    else this.#templates.set(uri, file.chartKey);
    this.#unverified.add(uri);
    if (!hidden) this.teach(uri, file);
  }

  /** Records whether a file contains GitOps objects. */
  noteGitops(uri: string, file: WorkspaceFile | undefined): void {
    if (file?.scope.gitops === undefined) this.#gitops.delete(uri);
    else this.#gitops.add(uri);
  }

  /** Whether there are GitOps objects or charts, which read files as data. */
  get mayReadData(): boolean {
    return this.#gitops.size > 0 || this.#charts.size > 0;
  }

  /** Whether GitOps objects or charts read a file as data. */
  isData(uri: string): boolean {
    return this.#dataFiles.has(uri) || fileNameOf(uri) === schemaName;
  }

  /** Replaces the files that GitOps objects read as data; returns the files among them that were not parsed as data. */
  missingData(wanted: DataFiles, known: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    this.#dataFiles = wanted;
    return [...wanted].flatMap(([uri, use]) => {
      const file = known.get(uri);
      if (file === undefined || this.#parsedAs.get(file) === use) return [];
      if (!hasData(file, use)) return [uri];
      this.#parsedAs.set(file, use);
      return [];
    });
  }

  /** Drops all files that no longer exist, after all files were listed. */
  invalidateOthers(isThere: (uri: string) => boolean): void {
    this.#isVerified = false;
    this.#learning.invalidateOthers(isThere);
    this.#charts.invalidateOthers(isThere);
    for (const known of [this.#kinds, this.#templates, this.#gitops])
      for (const uri of [...known.keys()]) if (!isThere(uri)) known.delete(uri);
  }

  /**
   * Returns the files on disk whose kinds now have different facts, and the files in `all` whose configuration changed.
   */
  outdated(all?: ReadonlyMap<string, WorkspaceFile>): readonly string[] {
    if (all !== undefined) return [...all.values()].filter((file) => !this.isCurrent(file)).map(({ uri }) => uri);
    const isStale = (uri: string) => {
      const key = this.#templates.get(uri);
      return (
        !this.#learning.isCurrent(this.#kinds.get(uri) ?? []) || (key !== undefined && key !== this.#chartKey(uri))
      );
    };
    const doubtful = this.#isVerified ? this.#unverified : new Set([...this.#kinds.keys(), ...this.#templates.keys()]);
    this.#unverified = new Set([...doubtful].filter(isStale));
    this.#isVerified = true;
    return [...this.#unverified];
  }

  #chartKey(uri: string): string {
    return (isValuesFile(uri) ? this.#charts.ofValues(uri) : this.#charts.of(uri))?.key ?? '';
  }

  /** Whether a file would be parsed with an equal context. */
  isCurrent(file: WorkspaceFile): boolean {
    if (file.chartKey !== undefined && file.chartKey !== this.#chartKey(file.uri)) return false;
    if (!hasData(file, this.#dataFiles.get(file.uri))) return false;
    return this.isConfigured(file) && this.#learning.isCurrent(file.scope.kinds ?? []);
  }

  /**
   * Whether the configuration of a file is unchanged. Learned kinds are not compared, because they are complete only
   * after loading.
   */
  isConfigured(file: WorkspaceFile): boolean {
    return (file.scope.reading ?? '') === this.#of(file.uri).key;
  }

  /** Returns the catalogue with the kinds that the configuration of a file describes. */
  catalogueOf(uri: string): Catalogue {
    return this.#catalogue(this.#of(uri));
  }

  /** Returns the context for parsing the text that is typed in a file. */
  typingIn(uri: string): TypingIn {
    const sites = isValuesFile(uri) ? this.#charts.ofValues(uri)?.sites : undefined;
    return { placeholders: this.#of(uri).placeholders, valueSites: sites ?? noSites };
  }

  /**
   * Returns the context of a file. A configuration is parsed without its own placeholders, which apply to other files.
   */
  #of(uri: string): ConfigReading {
    return isConfigName(fileNameOf(uri)) ? plainReading : (this.#placed().of(uri)?.config.reading ?? plainReading);
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
