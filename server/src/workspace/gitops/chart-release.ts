/** Renders the objects of a chart for one release, with its name, its namespace and all of its values. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { spend, type WorkBudget } from '../../engine/work-budget.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { capabilities } from '../../manifests/helm/execution/capabilities.ts';
import { type Executed, Executor, plainText } from '../../manifests/helm/execution/executor.ts';
import { TemplateOutput } from '../../manifests/helm/execution/output.ts';
import {
  escapedData,
  FilesValue,
  made,
  structure,
  TemplateMap,
  type TemplateValue,
  templateValueOf,
  Unknown,
  unknownType,
} from '../../manifests/helm/execution/template-value.ts';
import { type Helper, helpersOf } from '../../manifests/helm/helpers.ts';
import { readTemplate } from '../../manifests/helm/syntax.ts';
import { action, type Data, fieldOf, isMap } from '../../manifests/helm/value.ts';
import { overridden, spendOnEntries } from '../../manifests/helm/values.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { conditional, objectsInOutput } from '../../manifests/rendered-objects.ts';
import { localize } from '../../text/localize.ts';
import { isInTemplates, isPartial } from '../charts/chart-files.ts';
import { chartsByFolder, dependenciesOf } from '../charts/charts.ts';
import { helmIgnoreName, ignoredByHelm } from '../charts/helm-ignore.ts';
import { type Resource, resourceOf, textAt } from '../kustomize/resource.ts';
import type { FailedTemplate } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf, isWithin, relativePath } from '../uri.ts';

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

export interface InstalledFiles extends ChartFiles {
  /** Returns the text of a template; undefined if it is not known. */
  template(uri: string): string | undefined;
  /** Returns the objects of a file that is no template. */
  objects(uri: string): readonly ManifestObject[];
}

export interface ReleasedObjects {
  readonly resources: readonly Resource[];
  /** Whether all templates could be executed as Helm executes them. */
  readonly isWhole: boolean;
  /** The failures for which Helm renders nothing. */
  readonly failures: readonly FailedTemplate[];
}

/** Returns the objects of the chart in a folder, as a release installs them. */
export function releasedObjects(
  folder: string,
  release: Release,
  files: InstalledFiles,
  { catalogue, budget }: { readonly catalogue: Catalogue; readonly budget: WorkBudget },
  broken: readonly FailedTemplate[] = [],
): ReleasedObjects {
  const execution = new ChartExecution(folder, release, files, budget);
  const templates = execution.templates();
  let isWhole = templates !== undefined;
  const failures = [...broken];
  const byFile = new Map<string, ManifestObject[]>();
  const add = (uri: string, objects: readonly ManifestObject[]) => {
    const own = getOrAdd(byFile, uri, (): ManifestObject[] => []);
    for (const object of objects) if (object.forCluster && !object.inValues) own.push(object);
  };
  for (const { uri, chart } of templates ?? []) {
    const text = files.template(uri);
    const executed = text === undefined ? undefined : execution.execute(uri, text, chart);
    const rendered = executed && budget.run(() => objectsInOutput(executed.output, catalogue));
    isWhole &&= executed?.isComplete === true && rendered?.isValid === true;
    if (rendered?.isBroken) failures.push({ uri, at: 0, reason: localize`its output is not valid YAML` });
    if (executed?.failure !== undefined) failures.push({ uri, ...executed.failure });
    if (rendered !== undefined) add(uri, rendered.objects);
  }
  for (const uri of files.members)
    if (uri.includes('/crds/') && !isInTemplates(uri) && !release.skipsCrds && execution.isInstalled(uri))
      add(uri, files.objects(uri));
  // The order of the files does not depend on the order of execution.
  const resources = [...files.members].flatMap((uri) => {
    const objects = byFile.get(uri) ?? [];
    // Helm creates nothing if a template fails.
    const created = failures.length === 0 ? objects : objects.map((each) => conditional(each, ['Helm fails']));
    return created.map((object) => resourceOf(uri, object));
  });
  const kept = release.skipsTests ? resources.filter((resource) => !isTest(resource)) : resources;
  return { resources: kept, isWhole, failures };
}

/** Whether an object is a test of its chart: https://helm.sh/docs/topics/chart_tests/. */
function isTest({ tree }: Resource): boolean {
  const hooks = textAt(tree, 'metadata', 'annotations', 'helm.sh/hook').split(',');
  return hooks.some((hook) => ['test', 'test-success', 'test-failure'].includes(hook.trim()));
}

interface InstalledTemplate {
  readonly uri: string;
  /** The name of the template for Helm, such as `shop/charts/redis/templates/service.yaml`. */
  readonly name: string;
  readonly chart: InstalledChart;
}

/** The number of charts whose folders are compared with the path of a file in one step. */
const chartsOfStep = 20;

/** The number of characters of a template that are parsed in one step. */
const charactersOfStep = 50;

export class ChartExecution {
  /** Whether even finding the installed charts and their values is too much work. */
  readonly #isTooMuch: boolean;
  readonly #charts: readonly InstalledChart[];
  readonly #folder: string;
  readonly #ignored = new Map<string, (path: string) => boolean>();
  readonly #files: ChartFiles;
  readonly #release: TemplateValue;
  readonly #executor: Executor;
  readonly #budget: WorkBudget;
  /** The data with which the templates of each chart are executed (the dot); templates change it in place. */
  readonly #roots = new Map<InstalledChart, TemplateMap>();

  constructor(folder: string, release: Release, files: ChartFiles, budget: WorkBudget) {
    const charts = budget.run(() => installedCharts(folder, release, files));
    this.#isTooMuch = charts === undefined;
    this.#charts = charts ?? [];
    this.#budget = budget;
    this.#folder = folder;
    this.#files = files;
    this.#release = releaseValue(release);
    let helpers: ReadonlyMap<string, Helper> | undefined;
    const definition = (name: string) => {
      helpers ??= helpersIn(files);
      return helpers.get(name);
    };
    this.#executor = new Executor({ definition }, budget);
  }

  /** Returns the templates in the order in which Helm executes them: the deepest first, and otherwise the last by name; undefined if finding them is too much work. */
  templates(): readonly InstalledTemplate[] | undefined {
    return this.#isTooMuch ? undefined : this.#budget.run(() => this.#templates());
  }

  #templates(): readonly InstalledTemplate[] {
    const found = [...this.#files.members].flatMap((uri) => {
      if (!isInTemplates(uri) || isPartial(uri) || fileNameOf(uri) === 'NOTES.txt') return [];
      // Helm reads only the helpers of a library.
      const charts = this.#chartsOf(uri).filter(({ chart }) => !chart.isLibrary);
      return charts.map((chart) => ({ uri, chart, name: templateName(uri, chart) }));
    });
    return found.toSorted(
      (a, b) => b.name.split('/').length - a.name.split('/').length || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0),
    );
  }

  /** Returns the installed charts that render a file: several if a chart is installed under several names. */
  #chartsOf(uri: string): readonly InstalledChart[] {
    spend(this.#charts.length / chartsOfStep);
    const inside = this.#charts.filter(({ folder }) => isWithin(uri, folder));
    const nearest = inside.reduce((longest, { folder }) => Math.max(longest, folder.length), 0);
    const own = inside.filter(({ folder }) => folder.length === nearest);
    return own.filter((each) => !each.isOff && !isSkipped(each.folder) && !this.#isIgnored(uri, each.folder));
  }

  /** Whether Helm does not load a file of the chart in a folder. Of all charts in this folder, only the outermost one has a list. */
  #isIgnored(uri: string, folder: string): boolean {
    const root = isWithin(folder, this.#folder) ? this.#folder : folder;
    const ignored = getOrAdd(this.#ignored, root, () => {
      return ignoredByHelm(this.#files.facts.get(`${root}/${helmIgnoreName}`)?.ignores ?? '');
    });
    return ignored(relativePath(root, uri));
  }

  /** Returns the text of a file that templates can read; undefined if it is unknown. */
  #readable(path: string, folder: string): string | undefined {
    const isPart = /^(?:templates\/|charts\/|(?:Chart\.yaml|Chart\.lock|values\.yaml|values\.schema\.json)$)/.test(
      path,
    );
    if (isPart || this.#isIgnored(`${folder}/${path}`, folder)) return '';
    return this.#files.text?.(`${folder}/${path}`);
  }

  /** Whether the values of the release install the chart of a file. */
  isInstalled(uri: string): boolean {
    return this.#chartsOf(uri).length > 0;
  }

  execute(uri: string, text: string, chart: InstalledChart): Executed {
    const read = this.#budget.run(() => {
      spend(text.length / charactersOfStep);
      return { ...readTemplate(text), root: this.#rootOf(chart) };
    });
    if (read === undefined) return { output: new TemplateOutput(), isComplete: false, failure: undefined };
    const { nodes, problems, root } = read;
    const name = templateName(uri, chart);
    const basePath = `${chart.path}/templates`;
    root.put(
      'Template',
      new TemplateMap([
        ['Name', name],
        ['BasePath', basePath],
      ]),
    );
    const executed = this.#executor.execute(nodes, root);
    return { ...executed, isComplete: executed.isComplete && problems.length === 0 };
  }

  #rootOf(chart: InstalledChart): TemplateMap {
    return getOrAdd(this.#roots, chart, () => {
      const below = chart.subcharts.map((each) => [each.name, this.#rootOf(each)] as const);
      return rootOf(chart, this.#release, below, (path) => this.#readable(path, chart.folder));
    });
  }

  /** Returns the output of the template in a file, in which unknown parts remain actions; undefined if Helm would fail. */
  output(uri: string, text: string): string | undefined {
    const [chart] = this.#chartsOf(uri);
    if (chart === undefined) return this.#isTooMuch ? undefined : '';
    const { output, isComplete } = this.execute(uri, text, chart);
    return isComplete ? plainText(output) : undefined;
  }
}

/** Whether Helm skips a folder in `charts/`. */
function isSkipped(folder: string): boolean {
  return /\/charts\/[._][^/]*$/.test(folder);
}

function templateName(uri: string, { folder, path }: InstalledChart): string {
  return path + uri.slice(folder.length);
}

/** A chart that a release installs: the outermost chart, or one of its dependencies. */
interface InstalledChart {
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
  readonly subcharts: readonly InstalledChart[];
}

function installedCharts(folder: string, release: Release, files: ChartFiles): readonly InstalledChart[] {
  const { facts, values: valuesIn } = files;
  const written = [...facts].flatMap(([uri, { chart }]) => (chart === undefined ? [] : [[uri, chart] as const]));
  const charts = chartsByFolder(written);
  const dependencies = dependenciesOf(charts);
  const defaults = new Map<string, Data>();
  const defaultsOf = (at: string) => getOrAdd(defaults, at, () => escapedData(valuesIn(`${at}/values.yaml`) ?? {}));
  const all = release.values(defaultsOf(folder));
  const isOpen = all === undefined;
  // An unknown value may replace a default.
  const own = (at: string) => (isOpen ? {} : defaultsOf(at));
  const childrenOf = (at: string) => (dependencies.get(at) ?? []).map((each) => each.name);
  const found: InstalledChart[] = [];
  const install = (
    at: string,
    { name, path, depth }: { readonly name: string; readonly path: string; readonly depth: number },
    given: Pick<InstalledChart, 'values' | 'usual'>,
    isOff: boolean,
  ): InstalledChart | undefined => {
    const [, chart] = charts.get(at) ?? [];
    if (chart === undefined || depth > maximumNesting || found.length > maximumCharts) return undefined;
    let { values, usual } = given;
    let imported: Data = {};
    const subcharts: InstalledChart[] = [];
    for (const { folder: below, name: child } of dependencies.get(at) ?? []) {
      const declared = chart.dependencies.find((each) => (each.alias ?? each.name) === child);
      const { condition = '', tags = [], imports = [] } = declared ?? {};
      const isChildOff =
        isOff ||
        (values !== undefined &&
          isTurnedOff(condition, overridden({ [child]: own(below) }, values), isOpen, () =>
            areTagsOff(tags, known, isOpen),
          ));
      const valuesOf = (above: Data | undefined) => valuesFor(child, above, own(below), childrenOf(below));
      const inner = { values: valuesOf(values), usual: valuesOf(usual) };
      const installed = install(
        below,
        { name: child, path: `${path}/charts/${child}`, depth: depth + 1 },
        inner,
        isChildOff,
      );
      if (installed === undefined || isChildOff) continue;
      subcharts.push(installed);
      // A chart can read the values of its dependencies.
      if (values !== undefined && installed.values !== undefined && isMap(values))
        values = { ...values, [child]: installed.values };
      for (const each of imports) imported = overridden(importedFrom(installed.usual, each), imported);
    }
    if (values !== undefined) values = overridden(imported, values);
    if (usual !== undefined) usual = overridden(imported, usual);
    const result = { chart, folder: at, name, path, values, usual, isOpen, isOff, subcharts };
    found.push(result);
    return result;
  };
  const known = all ?? release.certainValues?.(defaultsOf(folder));
  const name = charts.get(folder)?.[1].name ?? fileNameOf(folder);
  const given = { values: known && withoutNulls(known, defaultsOf(folder), childrenOf(folder)), usual: own(folder) };
  install(folder, { name, path: name, depth: 0 }, given, false);
  return found;
}

/** Returns the values of a dependency: its defaults, overridden by the values of the chart that needs it. */
function valuesFor(
  child: string,
  values: Data | undefined,
  defaults: Data,
  children: readonly string[],
): Data | undefined {
  const shared = values === undefined ? undefined : fieldOf(values, 'global');
  const chosen = values && withoutNulls(overridden(defaults, fieldOf(values, child)), defaults, children);
  if (!isMap(chosen ?? null)) return undefined;
  return chosen && shared ? overridden(chosen, { global: shared }) : chosen;
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
function isTurnedOff(condition: string, values: Data, isOpen: boolean, otherwise: () => boolean): boolean {
  // Helm removes spaces only around the whole condition.
  for (const path of condition.trim().split(',')) {
    const value = atPath(values, path);
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

/** Returns the data that the templates of a chart are executed with (the dot). */
function rootOf(
  { chart, name, values, isOpen }: InstalledChart,
  release: TemplateValue,
  subcharts: readonly (readonly [name: string, root: TemplateMap])[],
  textOf: (path: string) => string | undefined,
): TemplateMap {
  const own = values === undefined ? new TemplateMap([], '.Values') : templateValueOf(values, '.Values', isOpen);
  if (own instanceof TemplateMap) made(own, { type: unknownType });
  // A chart sees the changes that its dependencies make to their values.
  if (!isOpen && own instanceof TemplateMap) for (const [child, root] of subcharts) own.put(child, root.get('Values'));
  return new TemplateMap([
    ['Values', own],
    ['Chart', chartValue(chart, name)],
    ['Release', release],
    ['Capabilities', capabilities()],
    ['Files', new FilesValue(textOf)],
    ['Subcharts', new TemplateMap(subcharts)],
  ]);
}

function chartValue({ version, appVersion }: Chart, name: string): TemplateMap {
  const entries = [
    ['Name', name] as const,
    ['Version', version ?? ''] as const,
    ['AppVersion', appVersion ?? ''] as const,
  ];
  return made(new TemplateMap(entries, '.Chart'), { type: structure });
}

function releaseValue({ name, namespace, isInstall }: Release): TemplateValue {
  const known = (value: string | undefined, code: string) =>
    value === undefined || value.includes('{{') ? new Unknown(value ?? code, { filled: true }) : value;
  return new TemplateMap(
    [
      ['Name', known(name, '.Release.Name')],
      ['Namespace', known(namespace, '.Release.Namespace')],
      ['Service', 'Helm'],
      ...(isInstall
        ? ([
            ['IsInstall', true],
            ['IsUpgrade', false],
          ] as const)
        : []),
    ],
    '.Release',
  );
}

function helpersIn({ members, helpers: helpersAt }: ChartFiles): ReadonlyMap<string, Helper> {
  const helpers = new Map<string, Helper>();
  const texts = [...members].flatMap((uri) => {
    const text = helpersAt(uri);
    return text === undefined ? [] : [[uri, text] as const];
  });
  // Helm prefers the template with the shortest path and, among paths of equal length, the first by name.
  const depth = (uri: string) => uri.split('/').length;
  for (const [uri, text] of texts.toSorted(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
    const own = new Map(helpersOf(uri, text).map((helper) => [helper.name, helper]));
    // As in Go, an empty definition replaces no other one.
    for (const [name, helper] of own) if (isEmpty(helpers.get(name))) helpers.set(name, helper);
  }
  return helpers;
}

function isEmpty(helper: Helper | undefined): boolean {
  return helper === undefined || helper.body.every((node) => node.kind === 'text' && node.text.trim() === '');
}
