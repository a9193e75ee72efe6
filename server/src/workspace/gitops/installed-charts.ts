/** Determines the charts that a release installs, each with its values, as Helm coalesces them. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { escapedData } from '../../manifests/helm/execution/template-value.ts';
import { action, type Data, fieldOf, isMap } from '../../manifests/helm/value.ts';
import { overridden, spendOnEntries } from '../../manifests/helm/values.ts';
import { type Charts, chartsByFolder, type Dependency, dependenciesOf } from '../charts/charts.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf } from '../uri.ts';

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
  /** Merges all values of the release into the default values of the chart; returns undefined if a value is unknown. */
  values(defaults: Data): Data | undefined;
  /** Returns the values that are certain although others are unknown, of those merged into the default values of the chart; undefined if all values are unknown. */
  certainValues?(defaults: Data): Data | undefined;
}

export interface ChartFiles {
  readonly facts: ReadonlyMap<string, ScopeFacts>;
  /** The files that the chart renders, its values file, and the files that define its helpers. */
  readonly members: ReadonlySet<string> | readonly string[];
  /** The default values in a file, and the text of a file if it defines helpers. */
  values(uri: string): Data | undefined;
  helpers(uri: string): string | undefined;
  /** Returns the text of a file that is no template; undefined if it is not known. */
  text?(uri: string): string | undefined;
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
  /** The values without those of the release. Helm imports these into other charts. */
  readonly usual: Data | undefined;
  /** Whether more values may be set, in all maps. */
  readonly isOpen: boolean;
  /** Whether the values of the release turn the chart off. */
  readonly isOff: boolean;
  /** Whether it is uncertain how often, and with which values, Helm installs the chart: a chart that needs it is installed several times. */
  readonly isShared: boolean;
  readonly subcharts: readonly InstalledChart[];
}

/** The place of a chart below the outermost chart. */
interface Place extends Pick<InstalledChart, 'name' | 'path' | 'isShared'> {
  readonly depth: number;
  /** Whether the chart that needs this one installs it several times. */
  readonly isRepeated: boolean;
}

export function installedCharts(folder: string, release: Release, files: ChartFiles): readonly InstalledChart[] {
  return new Installation(release, files).charts(folder);
}

class Installation {
  readonly #release: Release;
  readonly #files: ChartFiles;
  readonly #charts: Charts;
  readonly #dependencies: ReadonlyMap<string, readonly Dependency[]>;
  readonly #defaults = new Map<string, Data>();
  readonly #found: InstalledChart[] = [];
  #isOpen = false;
  /** The values of the outermost chart. */
  #known: Data | undefined;

  constructor(release: Release, files: ChartFiles) {
    this.#release = release;
    this.#files = files;
    const written = [...files.facts].flatMap(([uri, { chart }]) =>
      chart === undefined ? [] : [[uri, chart] as const],
    );
    this.#charts = chartsByFolder(written);
    this.#dependencies = dependenciesOf(this.#charts);
  }

  charts(folder: string): readonly InstalledChart[] {
    const defaults = this.#defaultsOf(folder);
    const merged = this.#release.values(defaults);
    const importsAny = [...this.#charts.values()].some(([, { dependencies }]) =>
      dependencies.some(({ imports = [] }) => imports.length > 0),
    );
    const usual = merged && importsAny ? withUnknownGlobals(merged, defaults) : merged;
    const all = usual && this.#withSharedGlobals(folder, usual);
    this.#isOpen = all === undefined;
    this.#known = all ?? this.#release.certainValues?.(defaults);
    const name = this.#charts.get(folder)?.[1].name ?? fileNameOf(folder);
    const given = {
      values: this.#known && withoutNulls(this.#known, defaults, this.#childrenOf(folder)),
      usual: this.#own(folder),
      raw: this.#known,
    };
    this.#install(folder, { name, path: name, depth: 0, isShared: false, isRepeated: false }, given, false);
    return this.#found;
  }

  /** Returns values in which maps of global values are unknown to which Helm adds the defaults of a dependency: it shares these maps among all charts. */
  #withSharedGlobals(folder: string, values: Data): Data {
    let shared = fieldOf(values, 'global');
    const members = new Set([folder]);
    for (const at of members) {
      for (const each of this.#needsOf(at)) members.add(each.folder);
      const own = at === folder ? undefined : fieldOf(this.#defaultsOf(at), 'global');
      if (shared !== undefined && own !== undefined) shared = withOtherEntries(shared, own, '.Values.global', 0);
    }
    return shared === undefined || !isMap(values) ? values : { ...values, global: shared };
  }

  #defaultsOf(at: string): Data {
    return getOrAdd(this.#defaults, at, () => escapedData(this.#files.values(`${at}/values.yaml`) ?? {}));
  }

  /** Returns the defaults of a chart; none if an unknown value may replace any of them. */
  #own(at: string): Data {
    return this.#isOpen ? {} : this.#defaultsOf(at);
  }

  #needsOf(at: string): readonly Dependency[] {
    return this.#dependencies.get(at) ?? [];
  }

  #childrenOf(at: string): readonly string[] {
    return this.#needsOf(at).map((each) => each.name);
  }

  #install(
    at: string,
    { name, path, depth, isShared, isRepeated }: Place,
    given: Pick<InstalledChart, 'values' | 'usual'> & { readonly raw: Data | undefined },
    isOff: boolean,
  ): InstalledChart | undefined {
    const [, chart] = this.#charts.get(at) ?? [];
    if (chart === undefined || depth > maximumNesting || this.#found.length > maximumCharts) return undefined;
    let { values, usual } = isShared ? { values: undefined, usual: undefined } : given;
    let imported: Data = {};
    const subcharts: InstalledChart[] = [];
    const needs = this.#needsOf(at);
    for (const { folder: below, name: child } of needs) {
      const declared = chart.dependencies.find((each) => (each.alias ?? each.name) === child);
      const isChildOff = isOff || (values !== undefined && this.#isOff(child, below, declared, [values, given.raw]));
      const valuesOf = (above: Data | undefined) => valuesFor(child, above, this.#own(below), this.#childrenOf(below));
      const raw = given.raw && fieldOf(given.raw, child);
      const place = {
        name: child,
        path: `${path}/charts/${child}`,
        depth: depth + 1,
        isShared: isShared || isRepeated,
        isRepeated: needs.filter((each) => each.folder === below).length > 1,
      };
      const inner = { values: valuesOf(values), usual: valuesOf(usual), raw };
      const installed = this.#install(below, place, inner, isChildOff);
      if (installed === undefined || isChildOff) continue;
      subcharts.push(installed);
      // A chart can read the values of its dependencies.
      if (values !== undefined && isMap(values) && (installed.values !== undefined || installed.isShared))
        values = { ...values, [child]: installed.values ?? action(`.Values.${child}`) };
      for (const each of declared?.imports ?? []) imported = overridden(importedFrom(installed.usual, each), imported);
    }
    if (values !== undefined) values = overridden(imported, values);
    if (usual !== undefined) usual = overridden(imported, usual);
    const result = { chart, folder: at, name, path, values, usual, isOpen: this.#isOpen, isOff, isShared, subcharts };
    this.#found.push(result);
    return result;
  }

  #isOff(
    child: string,
    folder: string,
    declared: Chart['dependencies'][number] | undefined,
    [values, raw = {}]: readonly [Data, Data | undefined],
  ): boolean {
    const { condition = '', tags = [] } = declared ?? {};
    const around = overridden({ [child]: this.#own(folder) }, values);
    return isTurnedOff(condition, [around, raw], this.#isOpen, () => areTagsOff(tags, this.#known, this.#isOpen));
  }
}

/** Returns values in which global values are unknown that null removes: if values are imported, Helm removes them only for the outermost chart. */
function withUnknownGlobals(values: Data, defaults: Data): Data {
  const shared = fieldOf(values, 'global');
  const mark = (chosen: Data, usual: Data | undefined, code: string): Data => {
    if (chosen === null && usual !== undefined && usual !== null) return action(code);
    if (!isMap(chosen)) return chosen;
    spendOnEntries(chosen);
    const marked = Object.entries(chosen).map(([key, value]) => {
      return [key, mark(value, usual && fieldOf(usual, key), `${code}.${key}`)] as const;
    });
    return Object.fromEntries(marked);
  };
  return shared === undefined || !isMap(values)
    ? values
    : { ...values, global: mark(shared, fieldOf(defaults, 'global'), '.Values.global') };
}

/** Returns global values in which a map is unknown below the first level to which a dependency adds entries. */
function withOtherEntries(values: Data, added: Data, code: string, depth: number): Data {
  if (!isMap(values) || !isMap(added)) return values;
  spendOnEntries(values);
  if (depth > 1 && Object.keys(added).some((key) => fieldOf(values, key) === undefined)) return action(code);
  const entries = Object.entries(values).map(([key, value]) => {
    const more = fieldOf(added, key);
    return [key, more === undefined ? value : withOtherEntries(value, more, `${code}.${key}`, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the values of a dependency: its defaults, overridden by the values of the chart that needs it. */
function valuesFor(
  child: string,
  values: Data | undefined,
  defaults: Data,
  children: readonly string[],
): Data | undefined {
  const shared = values === undefined ? undefined : fieldOf(values, 'global');
  const given = values && withoutNulls(overridden(defaults, fieldOf(values, child)), defaults, children);
  const chosen = given && withoutUsualNulls(given, defaults, 0);
  if (!isMap(chosen ?? null)) return undefined;
  // Helm adds global values to every dependency.
  return chosen && overridden(chosen, { global: shared ?? {} });
}

const maximumNesting = 8;
const maximumCharts = 200;

/** Returns the values that a chart imports from the default values of a dependency, as in Helm's `processImportValues`: the values of the chart itself take precedence. */
function importedFrom(
  values: Data | undefined,
  { child, parent }: { readonly child: string; readonly parent: string },
): Data {
  const found = values === undefined ? undefined : atPath(values, child);
  if (found === undefined || !isMap(found)) return {};
  return parent === '.' ? found : parent.split('.').reduceRight<Data>((inner, key) => ({ [key]: inner }), found);
}

function atPath(values: Data, path: string): Data | undefined {
  return path
    .split('.')
    .reduce<Data | undefined>((map, key) => (map === undefined ? undefined : fieldOf(map, key)), values);
}

/**
 * Returns values without the keys whose defaults null replaces: Helm removes them. A map is unknown if it depends on the
 * version of Helm whether a key remains: a key without a default, and a key of a dependency (one of `children`), for
 * which a chart has a default in addition to the dependency.
 */
function withoutNulls(values: Data, defaults: Data, children: readonly string[]): Data {
  if (!isMap(values) || !isMap(defaults)) return values;
  spendOnEntries(values);
  const entries = Object.entries(values).flatMap(([key, value]): [string, Data][] => {
    const usual = fieldOf(defaults, key);
    if (value === null && usual !== undefined && usual !== null) return [];
    return [[key, usual === undefined ? value : withoutInner(value, usual, `.Values.${key}`, children.includes(key))]];
  });
  return Object.fromEntries(entries);
}

/** Returns the values of a dependency without nulls below the first level that its defaults also contain: Helm 3.19 removes them. */
function withoutUsualNulls(values: Data, defaults: Data, depth: number): Data {
  if (!isMap(values) || !isMap(defaults)) return values;
  spendOnEntries(values);
  const entries = Object.entries(values).flatMap(([key, value]): [string, Data][] => {
    const usual = fieldOf(defaults, key);
    if (depth > 0 && value === null && usual === null) return [];
    return [[key, usual === undefined ? value : withoutUsualNulls(value, usual, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function withoutInner(values: Data, defaults: Data, code: string, isOfChild: boolean): Data {
  if (!isMap(values) || !isMap(defaults)) return values;
  spendOnEntries(values);
  const kept = new Map<string, Data>();
  for (const [key, value] of Object.entries(values)) {
    const usual = fieldOf(defaults, key);
    if (value === null && usual !== null && isOfChild === (usual !== undefined)) return action(code);
    if (value === null && usual !== null && !isOfChild) continue;
    kept.set(key, usual === undefined ? value : withoutInner(value, usual, `${code}.${key}`, isOfChild));
  }
  return Object.fromEntries(kept);
}

/**
 * Whether the first path of a condition with a boolean value is certainly false, as in Helm's
 * `processDependencyConditions`; without such a path, `otherwise` decides. `isOpen` states whether values may be missing.
 */
function isTurnedOff(
  condition: string,
  [values, raw]: readonly [Data, Data],
  isOpen: boolean,
  otherwise: () => boolean,
): boolean {
  // Helm removes spaces only around the whole condition.
  for (const path of condition.trim().split(',')) {
    // Values that nulls beside them make unknown are known for the condition.
    const value = atPath(values, path) ?? atPath(raw, path);
    if (typeof value === 'boolean') return !value;
    if (condition !== '' && isUnknown(value, isOpen)) return false;
  }
  return otherwise();
}

/** Whether at least one tag is certainly false and none may be true, as in Helm's `processDependencyTags`. */
function areTagsOff(tags: readonly string[], values: Data | undefined, isOpen: boolean): boolean {
  const chosen = values && fieldOf(values, 'tags');
  const found = tags.map((tag) => chosen && fieldOf(chosen, tag));
  return found.includes(false) && !found.some((value) => value === true || isUnknown(value, isOpen));
}

function isUnknown(value: Data | undefined, isOpen: boolean): boolean {
  return value === undefined ? isOpen : typeof value === 'string' && value.includes('{{');
}
