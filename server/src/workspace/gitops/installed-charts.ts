/** Determines the charts that a release installs, each with its values, as Helm coalesces them. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { escapedData } from '../../manifests/helm/execution/template-value.ts';
import type { Data } from '../../manifests/helm/value.ts';
import { type Charts, chartsIn, type Dependency } from '../charts/charts.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf } from '../uri.ts';
import {
  agreed,
  type ChartNode,
  Coalescing,
  dataOfTable,
  hasNull,
  type Item,
  type Table,
  tableOf,
  versions,
} from './coalesced-values.ts';

/** The options with which Helm installs a chart. */
export interface Release {
  /** The name of the release; undefined if it is unknown. */
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  /** Whether the definitions in `crds/` are not installed. */
  readonly skipsCrds?: boolean;
  readonly skipsTests?: boolean;
  /** Whether the chart is rendered as for a first installation, not for an upgrade. */
  readonly isInstall?: true;
  /** Returns the values that the release sets for the outermost chart, whose default values are given; undefined if any value may be replaced. */
  values(defaults: Data): ReleaseValues | undefined;
}

export interface ReleaseValues {
  readonly data: Data;
  /** The default values, if files replace them; those that are certain if further values are unknown. */
  readonly defaults?: Data;
  /** Whether further values are unknown, in any map. */
  readonly isOpen?: boolean;
}

export interface ChartFiles {
  readonly facts: ReadonlyMap<string, ScopeFacts>;
  /** The files that the chart renders, and the files that define its helpers. */
  readonly members: ReadonlySet<string> | readonly string[];
  /** The default values in a file, and the text of a file if it defines helpers. */
  values(uri: string): Data | undefined;
  /** Whether the default values in a file are unknown. */
  hasUnknownValues?(uri: string): boolean;
  helpers(uri: string): string | undefined;
  /** Returns the text of a file that is no template; undefined if it is not known. */
  text?(uri: string): string | undefined;
  within?(folder: string): readonly string[];
}

/** A chart that a release installs: the outermost chart, or one of its dependencies. */
export interface InstalledChart {
  readonly chart: Chart;
  readonly folder: string;
  /** The name under which the chart is installed. */
  readonly name: string;
  /** The path of the chart for Helm: `shop/charts/redis`. */
  readonly path: string;
  /** The values of the chart; undefined if they are unknown. */
  readonly values: Data | undefined;
  /** Whether more values may be set, in all maps. */
  readonly isOpen: boolean;
  /** Whether the values of the release turn the chart off. */
  readonly isOff: boolean;
  /** Whether it is uncertain whether, how often, and with which values Helm installs the chart: a chart that needs it is installed several times, or it depends on the version of Helm. */
  readonly isShared: boolean;
  readonly subcharts: readonly InstalledChart[];
  /** The names of the dependencies that are not in the workspace, so that their default values are unknown. */
  readonly missing: readonly string[];
}

export function installedCharts(folder: string, release: Release, files: ChartFiles): readonly InstalledChart[] {
  return new Installation(release, files).charts(folder);
}

const maximumNesting = 8;
const maximumCharts = 200;

/** The place of a chart below the outermost chart. */
interface Place extends Pick<InstalledChart, 'name' | 'path' | 'isShared' | 'isOff'> {
  readonly depth: number;
  /** Whether the chart that needs this one installs it several times. */
  readonly isRepeated: boolean;
}

class Installation {
  readonly #release: Release;
  readonly #files: ChartFiles;
  readonly #charts: Charts;
  readonly #dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly #defaults = new Map<string, Table>();
  readonly #found: InstalledChart[] = [];
  #isOpen = false;
  #created = 0;
  /** The values of each chart that is not turned off, by its path, for each version of Helm; undefined if they are unknown. */
  #coalesced: readonly ReadonlyMap<string, Data | undefined>[] | undefined;

  constructor(release: Release, files: ChartFiles) {
    this.#release = release;
    this.#files = files;
    const { charts, dependencies } = chartsIn(files.facts);
    this.#charts = charts;
    this.#dependencies = dependencies;
  }

  charts(folder: string): readonly InstalledChart[] {
    const usual = escapedData(this.#files.values(`${folder}/values.yaml`) ?? {});
    const given = this.#release.values(usual);
    this.#isOpen = given === undefined || given.isOpen === true || this.#isUnread(folder);
    this.#defaults.set(folder, tableOf(this.#isOpen ? {} : (given?.defaults ?? usual)));
    const name = this.#charts.get(folder)?.[1].name ?? fileNameOf(folder);
    this.#coalesced = given && this.#versions(folder, name, tableOf(given.data));
    this.#add(folder, { name, path: name, depth: 0, isShared: false, isRepeated: false, isOff: false });
    return this.#found;
  }

  /** Whether the default values of a chart, or of one of its dependencies, are unknown. */
  #isUnread(folder: string): boolean {
    const folders = new Set([folder]);
    for (const each of folders) for (const below of this.#dependencies.get(each) ?? []) folders.add(below.folder);
    return [...folders].some((each) => this.#files.hasUnknownValues?.(`${each}/values.yaml`));
  }

  /** Returns the defaults of a chart; none if an unknown value may replace any of them. */
  #defaultsOf(at: string): Table {
    return getOrAdd(this.#defaults, at, () => {
      return tableOf(this.#isOpen ? {} : escapedData(this.#files.values(`${at}/values.yaml`) ?? {}));
    });
  }

  #versions(folder: string, name: string, chosen: Table): readonly ReadonlyMap<string, Data | undefined>[] {
    const mayDiffer = () => [chosen, ...this.#defaults.values()].some(hasNull);
    const results: ReadonlyMap<string, Data | undefined>[] = [];
    for (const rules of versions) {
      if (results.length > 0 && !mayDiffer()) break;
      const root = this.#node(folder, name, 0);
      if (root === undefined) break;
      const values = new Coalescing(rules, this.#isOpen).valuesOf(root, chosen);
      const byPath = new Map<string, Data | undefined>();
      collect(root, name, values, byPath);
      results.push(byPath);
    }
    return results;
  }

  #node(folder: string, name: string, depth: number): ChartNode | undefined {
    const [, chart] = this.#charts.get(folder) ?? [];
    if (chart === undefined || depth > maximumNesting || this.#created++ > maximumCharts) return undefined;
    const needs = this.#dependencies.get(folder) ?? [];
    const below = (each: Dependency) => this.#node(each.folder, each.name, depth + 1) ?? [];
    const declared = new Set(chart.dependencies.map((each) => each.alias ?? each.name));
    return {
      chart,
      name,
      values: this.#defaultsOf(folder),
      children: [...new Map(needs.map((each) => [each.folder, each])).values()].flatMap((each) =>
        below({ ...each, name: this.#charts.get(each.folder)?.[1].name ?? each.name }),
      ),
      off: new Set(),
      installed: () =>
        needs.toSorted((a, b) => Number(declared.has(a.name)) - Number(declared.has(b.name))).flatMap(below),
    };
  }

  #add(at: string, place: Place): InstalledChart | undefined {
    const { depth, isRepeated, ...own } = place;
    const { path, isShared, isOff } = own;
    const [, chart] = this.#charts.get(at) ?? [];
    if (chart === undefined || depth > maximumNesting || this.#found.length > maximumCharts) return undefined;
    const needs = this.#dependencies.get(at) ?? [];
    const subcharts = needs.flatMap(({ folder, name }) => {
      const inner = `${path}/charts/${name}`;
      const installing = this.#coalesced?.filter((each) => each.has(inner)).length;
      const installed = this.#add(folder, {
        name,
        path: inner,
        depth: depth + 1,
        isShared:
          isShared ||
          (isRepeated && !isCopied(name, chart)) ||
          (installing !== undefined && installing < (this.#coalesced?.length ?? 0)),
        isRepeated: isRepeated || needs.filter((each) => each.folder === folder).length > 1,
        isOff: isOff || installing === 0,
      });
      return installed === undefined || installed.isOff ? [] : [installed];
    });
    const values = isShared || isOff ? undefined : this.#valuesAt(path);
    const names = chart.dependencies.map((each) => each.alias ?? each.name);
    const missing = names.filter((name) => !needs.some((each) => each.name === name));
    const result = { ...own, chart, folder: at, values, isOpen: this.#isOpen, subcharts, missing };
    this.#found.push(result);
    return result;
  }

  #valuesAt(path: string): Data | undefined {
    const results = this.#coalesced?.map((each) => each.get(path)) ?? [];
    return results.includes(undefined)
      ? undefined
      : results.reduce((some, others) => agreed(some, others, '.Values'), results[0]);
  }
}

/** Whether each installation of a chart has its own copy of a dependency: one that the chart declares, without an alias or imported values, which only Helm 4 copies. */
function isCopied(name: string, { dependencies }: Chart): boolean {
  const declared = dependencies.find((each) => (each.alias ?? each.name) === name);
  return declared !== undefined && declared.alias === undefined && declared.imports === undefined;
}

/** Collects the values of a chart and its dependencies by their paths. */
function collect(node: ChartNode, path: string, values: Item | undefined, byPath: Map<string, Data | undefined>): void {
  const own = values instanceof Map ? values : undefined;
  byPath.set(path, own && dataOfTable(own));
  for (const child of node.children) collect(child, `${path}/charts/${child.name}`, own?.get(child.name), byPath);
}
