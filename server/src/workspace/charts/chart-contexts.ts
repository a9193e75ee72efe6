/**
 * Collects the context in which the templates of a chart are parsed: the helpers, names and values of all charts that
 * are installed with it.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import { ChartParser } from '../../manifests/helm/chart-context.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { type Helper, helpersOf } from '../../manifests/helm/helpers.ts';
import { type Data, fieldOf, open, type Value } from '../../manifests/helm/value.ts';
import type { ValueSite } from '../../manifests/helm/value-site.ts';
import { overridden } from '../../manifests/helm/values.ts';
import { hashOf } from '../../text/hash.ts';
import { fileNameOf, folderOf, isWithin } from '../uri.ts';
import { isInTemplates } from './chart-files.ts';
import { type Charts, chartsByFolder, type Dependency, dependenciesOf, outermostChart } from './charts.ts';

export interface ChartFileFacts {
  /** The text of a template that defines helpers. */
  readonly helpers?: string;
  /** The values of a `values.yaml`. */
  readonly values?: Data;
  /** Whether a `values.yaml` is too large to be read, so that its values are unknown. */
  readonly hasUnknownValues?: true;
}

/** The context in which a values file is parsed. */
export interface ValuesReading {
  readonly key: string;
  readonly sites: readonly ValueSite[];
}

/** The context in which a template is parsed. Contexts with equal keys give equal results. */
export interface ChartReading {
  readonly key: string;
  readonly reader: ChartParser;
}

interface KnownFacts extends ChartFileFacts {
  readonly chart?: Chart;
  /** For a template: the sites that values fill. */
  readonly sites?: readonly ValueSite[];
}

/** The charts that are installed together, starting from a chart that no other chart needs. */
interface Family {
  readonly members: ReadonlyMap<string, Member>;
  readonly helpers: readonly [uri: string, text: string][];
  readonly readings: Map<string, ChartReading>;
  read: { readonly helpers: ReadonlyMap<string, Helper>; readonly key: string } | undefined;
}

interface Member {
  readonly folder: string;
  /** The path of the chart's templates as Helm sees them: `shop/charts/redis`. */
  readonly path: string;
  /** The names of the chart below the root of the values: the values of `redis` are in `.Values.redis`. */
  readonly names: readonly string[];
  readonly name: string;
  /** The values below the root; undefined if they are unknown. */
  readonly values: Data | undefined;
}

/** The maximum depth of nested charts. */
const maximumNesting = 8;
const maximumSites = 5_000;

const foldersOfValues = new Set(['values', 'ci']);

/** Collects the facts of files about charts, from any file; the order of parsing does not matter. */
export class ChartReadings {
  readonly #known = new Map<string, KnownFacts>();
  readonly #chartFiles = new Map<string, Chart>();
  /** The charts by folder; computed lazily. */
  #byFolder: Charts | undefined;
  #dependencies: ReadonlyMap<string, readonly Dependency[]> | undefined;
  /** The files that define helpers, by the folder of their chart; computed lazily. */
  #helperFiles: Map<string, Set<string>> | undefined;
  readonly #roots = new Map<string, string>();
  readonly #families = new Map<string, Family>();
  /** The sites that the templates of each chart fill with values; computed lazily. */
  #sites: ReadonlyMap<string, readonly ValueSite[]> | undefined;
  readonly #values = new Map<string, ValuesReading>();

  copy(): ChartReadings {
    const copy = new ChartReadings();
    for (const [uri, known] of this.#known) copy.#known.set(uri, known);
    for (const [uri, chart] of this.#chartFiles) copy.#chartFiles.set(uri, chart);
    return copy;
  }

  /**
   * Replaces the facts of a file; `known` is undefined for a removed file. Returns true if templates may be parsed
   * differently.
   */
  teach(uri: string, known: KnownFacts | undefined): boolean {
    const before = this.#known.get(uri);
    const now = known !== undefined && hasFacts(known) ? known : undefined;
    if (before === undefined && now === undefined) return false;
    if (isSame(before, now)) return false;
    if (now === undefined) this.#known.delete(uri);
    else this.#known.set(uri, now);
    if (before?.chart !== undefined || now?.chart !== undefined) {
      this.#forgetCharts(uri, now?.chart);
      return true;
    }
    const folder = this.#chartAround(folderOf(uri));
    if (folder !== undefined && this.#helperFiles !== undefined) {
      const files = getOrAdd(this.#helperFiles, folder, () => new Set<string>());
      if (now?.helpers === undefined) files.delete(uri);
      else files.add(uri);
    }
    this.#invalidate(folder, !isSame({ ...before, sites: [] }, { ...now, sites: [] }));
    return true;
  }

  invalidateOthers(isThere: (uri: string) => boolean): void {
    for (const uri of [...this.#known.keys()]) if (!isThere(uri)) this.teach(uri, undefined);
  }

  #forgetCharts(uri: string, chart: Chart | undefined): void {
    if (chart === undefined) this.#chartFiles.delete(uri);
    else this.#chartFiles.set(uri, chart);
    this.#byFolder = undefined;
    this.#dependencies = undefined;
    this.#helperFiles = undefined;
    this.#roots.clear();
    this.#families.clear();
    this.#sites = undefined;
    this.#values.clear();
  }

  /** The number of files that describe charts. */
  get size(): number {
    return this.#chartFiles.size;
  }

  get #charts(): Charts {
    this.#byFolder ??= chartsByFolder([...this.#chartFiles]);
    return this.#byFolder;
  }

  /**
   * Invalidates results after a change in a folder. Contexts of templates are kept unless `whole` is true, because the
   * sites of values do not affect how templates are parsed.
   */
  #invalidate(folder: string | undefined, whole: boolean): void {
    this.#sites = undefined;
    this.#values.clear();
    if (folder === undefined || !whole) return;
    for (const [root, { members }] of this.#families) if (members.has(folder)) this.#families.delete(root);
  }

  /** Returns the context of a template; undefined if the file is not a template of a chart. */
  of(uri: string): ChartReading | undefined {
    if (this.#charts.size === 0 || !isInTemplates(uri)) return undefined;
    const folder = this.#chartAround(folderOf(uri));
    if (folder === undefined || !isWithin(uri, `${folder}/templates`)) return undefined;
    const family = this.#familyOf(folder);
    const member = family.members.get(folder);
    if (member === undefined) return undefined;
    const known = family.readings.get(folder);
    if (known !== undefined) return known;
    family.read ??= { helpers: helpersIn(family.helpers), key: hashOf(JSON.stringify(family.helpers)) };
    const { chart, values } = this.#facts(member);
    const isLibrary = this.#charts.get(folder)?.[1].isLibrary;
    const key = hashOf(JSON.stringify([family.read.key, member.names, member.values, chart.data, isLibrary]));
    const reading = { key, reader: new ChartParser({ helpers: family.read.helpers, values, chart, isLibrary }) };
    family.readings.set(folder, reading);
    return reading;
  }

  /** Returns the context of a values file; undefined if it does not belong to a chart. */
  ofValues(uri: string): ValuesReading | undefined {
    if (this.#chartFiles.size === 0) return undefined;
    const above = folderOf(uri);
    const folder = this.#charts.has(above) ? above : foldersOfValues.has(fileNameOf(above)) ? folderOf(above) : '';
    if (!this.#charts.has(folder)) return undefined;
    const known = this.#values.get(folder);
    if (known !== undefined) return known;
    const sites: ValueSite[] = [];
    this.#collectSites(folder, [], sites);
    const reading: ValuesReading = { key: hashOf(JSON.stringify(sites)), sites };
    this.#values.set(folder, reading);
    return reading;
  }

  /**
   * Collects the sites that a chart and its dependencies fill with the values of the chart: a dependency's values are
   * below its name.
   */
  #collectSites(folder: string, names: readonly string[], sites: ValueSite[]): void {
    if (names.length > maximumNesting || sites.length > maximumSites) return;
    for (const site of this.#sitesOf(folder)) {
      sites.push(site.value[0] === 'global' ? site : { ...site, value: [...names, ...site.value] });
    }
    this.#dependencies ??= dependenciesOf(this.#charts);
    for (const { folder: below, name } of this.#dependencies.get(folder) ?? [])
      this.#collectSites(below, [...names, name], sites);
  }

  /** Returns the sites that the templates of a chart fill with its own values. */
  #sitesOf(folder: string): readonly ValueSite[] {
    this.#sites ??= this.#sitesByChart();
    const sites = this.#sites.get(folder) ?? [];
    if (sites.length === 0) return sites;
    // In the templates of the chart, a value has the name that it has in the outermost chart.
    const names = this.#familyOf(folder).members.get(folder)?.names ?? [];
    return sites.flatMap((site): readonly ValueSite[] => {
      if (site.value[0] === 'global') return [site];
      const isOwn = names.every((name, index) => site.value[index] === name);
      return isOwn ? [{ ...site, value: site.value.slice(names.length) }] : [];
    });
  }

  #sitesByChart(): ReadonlyMap<string, readonly ValueSite[]> {
    const found = new Map<string, ValueSite[]>();
    for (const [uri, { sites }] of this.#known) {
      const folder = sites && this.#chartAround(folderOf(uri));
      if (sites === undefined || folder === undefined) continue;
      const known = found.get(folder);
      if (known === undefined) found.set(folder, [...sites]);
      else for (const each of sites) known.push(each);
    }
    return found;
  }

  #facts({ folder, names, values, name }: Member): { readonly chart: Value; readonly values: Value } {
    const [, chart] = this.#charts.get(folder) ?? [];
    const data: Data = {
      Name: name,
      ...(chart?.version !== undefined && { Version: chart.version }),
      ...(chart?.appVersion !== undefined && { AppVersion: chart.appVersion }),
    };
    const above = names.map((each) => `.Subcharts.${each}`).join('');
    const own = open(['.Values', ...names].join('.'), values);
    const shared = open('.Values', values).field('global');
    return {
      chart: open(`${above}.Chart`, data),
      values: { ...own, field: (field) => (field === 'global' ? shared : own.field(field)) },
    };
  }

  #chartAround(folder: string): string | undefined {
    for (let at = folder; at.includes('/'); at = folderOf(at)) if (this.#charts.has(at)) return at;
    return undefined;
  }

  #familyOf(folder: string): Family {
    this.#dependencies ??= dependenciesOf(this.#charts);
    const root = this.#roots.get(folder) ?? outermostChart(folder, this.#dependencies);
    this.#roots.set(folder, root);
    const known = this.#families.get(root);
    if (known !== undefined) return known;
    const family = this.#gather(root, this.#dependencies);
    this.#families.set(root, family);
    return family;
  }

  #gather(root: string, dependencies: ReadonlyMap<string, readonly Dependency[]>): Family {
    const members = new Map<string, Member>();
    const name = this.#charts.get(root)?.[1].name ?? fileNameOf(root);
    const first = { folder: root, path: name, names: [], name, values: this.#valuesIn(root) };
    const waiting: Member[] = [first];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (members.has(next.folder)) continue;
      members.set(next.folder, next);
      for (const { folder, name: child } of dependencies.get(next.folder) ?? []) {
        const usual = this.#valuesIn(folder);
        waiting.push({
          folder,
          path: `${next.path}/charts/${child}`,
          names: [...next.names, child],
          name: child,
          values: usual && next.values && valuesBelow(next.values, child, usual),
        });
      }
    }
    return { members, helpers: this.#helpersOf(members), readings: new Map(), read: undefined };
  }

  #helperFilesByChart(): Map<string, Set<string>> {
    const files = new Map<string, Set<string>>();
    for (const [uri, { helpers }] of this.#known) {
      const folder = helpers === undefined ? undefined : this.#chartAround(folderOf(uri));
      if (folder !== undefined) getOrAdd(files, folder, () => new Set<string>()).add(uri);
    }
    return files;
  }

  /** Returns the default values in a folder; undefined if they are unknown. */
  #valuesIn(folder: string): Data | undefined {
    const { values = {}, hasUnknownValues } = this.#known.get(`${folder}/values.yaml`) ?? {};
    return hasUnknownValues ? undefined : values;
  }

  /** Returns the templates that define helpers, in the order of their precedence. */
  #helpersOf(members: ReadonlyMap<string, Member>): Family['helpers'] {
    this.#helperFiles ??= this.#helperFilesByChart();
    const found: { readonly place: string; readonly uri: string; readonly text: string }[] = [];
    for (const { folder, path } of members.values())
      for (const uri of this.#helperFiles.get(folder) ?? []) {
        const text = this.#known.get(uri)?.helpers;
        if (text === undefined || !isWithin(uri, `${folder}/templates`)) continue;
        found.push({ place: path + uri.slice(folder.length), uri, text });
      }
    // Helm prefers the template with the shortest path and, among paths of equal length, the first by name.
    const depth = (place: string) => place.split('/').length;
    const order = found.toSorted((a, b) => depth(a.place) - depth(b.place) || (a.place < b.place ? -1 : 1));
    return order.map(({ uri, text }) => [uri, text]);
  }
}

/** Returns the values of a dependency, whose default values are `usual`. */
function valuesBelow(values: Data, name: string, usual: Data): Data {
  const own = overridden(usual, fieldOf(values, name));
  const shared = fieldOf(values, 'global');
  return shared === undefined ? own : overridden(own, { global: shared });
}

function helpersIn(files: Family['helpers']): ReadonlyMap<string, Helper> {
  const helpers = new Map<string, Helper>();
  for (const [uri, text] of files) {
    // In one file, the last definition of a name wins.
    const own = new Map(helpersOf(uri, text).map((helper) => [helper.name, helper]));
    for (const [name, helper] of own) if (!helpers.has(name)) helpers.set(name, helper);
  }
  return helpers;
}

function hasFacts({ chart, helpers, values, hasUnknownValues, sites }: KnownFacts): boolean {
  return [chart, helpers, values, hasUnknownValues, sites].some((each) => each !== undefined);
}

function isSame(a: KnownFacts | undefined, b: KnownFacts | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.helpers !== b.helpers || a.hasUnknownValues !== b.hasUnknownValues) return false;
  return JSON.stringify([a.chart, a.values, a.sites]) === JSON.stringify([b.chart, b.values, b.sites]);
}
