/** Renders the objects of a chart for one release, with its name, its namespace and all of its values. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { fieldOf } from '../../engine/structured.ts';
import { spend, type WorkBudget } from '../../engine/work-budget.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { capabilities, oldestMinor } from '../../manifests/helm/execution/capabilities.ts';
import { type Executed, Executor, plainText } from '../../manifests/helm/execution/executor.ts';
import { TemplateOutput } from '../../manifests/helm/execution/output.ts';
import { satisfies } from '../../manifests/helm/execution/semantic-version.ts';
import {
  FilesValue,
  made,
  structure,
  TemplateMap,
  type TemplateValue,
  templateValueOf,
  Unknown,
  unknownType,
} from '../../manifests/helm/execution/template-value.ts';
import type { Helper } from '../../manifests/helm/helpers.ts';
import { readTemplate } from '../../manifests/helm/syntax.ts';
import { templateError } from '../../manifests/helm/template-errors.ts';
import { undefinedName } from '../../manifests/helm/undefined-names.ts';
import { type Data, isMap } from '../../manifests/helm/value.ts';
import { readData } from '../../manifests/helm/values.ts';
import { forbiddenValue } from '../../manifests/helm/values-schema.ts';
import { mistypedLabel } from '../../manifests/mistyped-labels.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { conditional, helmFails, objectsInOutput } from '../../manifests/rendered-objects.ts';
import { localize } from '../../text/localize.ts';
import { isInTemplates, isPackagedChart, isPartial, schemaName } from '../charts/chart-files.ts';
import { helmIgnoreName, ignoredByHelm } from '../charts/helm-ignore.ts';
import { type Resource, resourceOf } from '../kustomize/resource.ts';
import type { FailedTemplate } from '../model.ts';
import { isWithin, relativePath } from '../uri.ts';
import { helpersIn, repeatedHelpers, undefinedNames } from './chart-helpers.ts';
import { isTest, isUnknownHook } from './chart-hooks.ts';
import { type ChartFiles, type InstalledChart, installedCharts, type Release } from './installed-charts.ts';

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
  /** Whether executing the templates is too much work, so that some objects are unknown. */
  readonly isCut?: true;
  /** The failures for which Helm renders nothing. */
  readonly failures: readonly FailedTemplate[];
  /** The output of each template that creates objects; absent if Helm creates nothing. The API server may reject it. */
  readonly outputs?: ReadonlyMap<string, TemplateOutput>;
  /** The templates whose whole output is known, also if others fail. That of a template which Helm does not render is empty. */
  readonly known?: ReadonlySet<string>;
}

/** What the execution of a chart needs besides its files. */
export interface Execution {
  readonly catalogue: Catalogue;
  readonly budget: WorkBudget;
  /** The number of objects after which the other objects are unknown. */
  readonly mostObjects: number;
}

/** Returns the objects of the chart in a folder, as a release installs them. */
export function releasedObjects(
  folder: string,
  release: Release,
  files: InstalledFiles,
  { catalogue, budget, mostObjects }: Execution,
  broken: readonly FailedTemplate[] = [],
): ReleasedObjects {
  const execution = new ChartExecution(folder, release, files, budget);
  const templates = execution.templates();
  let isWhole = templates !== undefined;
  let isCut = false;
  let left = mostObjects;
  const failures = [
    ...broken,
    ...repeatedHelpers(files),
    ...undefinedNames(files, (uri) => execution.isInstalled(uri)),
    ...execution.ignoredChart(),
    ...execution.valuesOfDependencies(),
    ...execution.refusals(),
  ];
  const rejections: FailedTemplate[] = [];
  const byFile = new Map<string, ManifestObject[]>();
  const add = (uri: string, objects: readonly ManifestObject[]) => {
    const own = getOrAdd(byFile, uri, (): ManifestObject[] => []);
    for (const object of objects) if (object.forCluster && !object.inValues) own.push(object);
  };
  const outputs = new Map<string, TemplateOutput>();
  const known = new Set(templates === undefined ? [] : execution.unrendered());
  for (const { uri, chart } of templates ?? []) {
    const text = files.template(uri);
    const executed = text === undefined ? undefined : execution.execute(uri, text, chart);
    const rendered = isNotes(uri)
      ? undefined
      : executed && budget.run(() => objectsInOutput(executed.output, catalogue, left));
    if (executed?.failure !== undefined) failures.push({ uri, ...executed.failure });
    // The notes contain no objects.
    if (isNotes(uri)) continue;
    isCut ||= executed?.isCut === true || rendered?.isCut === true;
    const isKnown = executed?.isComplete === true && rendered?.isValid === true;
    isWhole &&= isKnown;
    if (isKnown && executed.failure === undefined && !rendered.isCut) known.add(uri);
    if (rendered?.isBroken) failures.push({ uri, at: 0, reason: localize`its output is not valid YAML` });
    const objects = rendered?.objects ?? [];
    left -= objects.length;
    rejections.push(...objects.flatMap((each) => rejection(uri, each)));
    if (executed !== undefined && objects.length > 0 && !chart.isShared) outputs.set(uri, executed.output);
    add(uri, chart.isShared ? objects.map((each) => conditional(each, ['several installations'])) : objects);
  }
  for (const uri of files.members)
    if (uri.includes('/crds/') && !isInTemplates(uri) && !release.skipsCrds && execution.isInstalled(uri))
      add(uri, files.objects(uri));
  const all = [...failures, ...rejections];
  const resources = inOrderOfFiles(byFile, files, all.length > 0);
  const kept = resources.filter((each) => !isUnknownHook(each) && !(release.skipsTests && isTest(each)));
  return {
    resources: kept,
    isWhole,
    ...((isCut || budget.isSpent) && { isCut: true }),
    failures: all,
    ...(failures.length === 0 && { outputs }),
    known,
  };
}

/** Returns the objects in the order of their files, which does not depend on the order of execution. Helm creates nothing if a template fails. */
function inOrderOfFiles(
  byFile: ReadonlyMap<string, readonly ManifestObject[]>,
  { members }: InstalledFiles,
  isFailing: boolean,
): readonly Resource[] {
  return [...members].flatMap((uri) => {
    const objects = byFile.get(uri) ?? [];
    const created = isFailing
      ? objects.map((each) => conditional(each, [...(each.conditions ?? []), helmFails]))
      : objects;
    return created.map((object) => resourceOf(uri, object));
  });
}

/** Returns the failure of Helm for an object that the API server certainly rejects. */
function rejection(uri: string, object: ManifestObject): readonly FailedTemplate[] {
  const entry = object.conditions === undefined && object.forCluster ? mistypedLabel(object) : undefined;
  if (entry === undefined) return [];
  const { key, value } = entry;
  const at = value.origin === undefined ? value.span.start : object.kindSpan.start;
  const reason =
    value.type === 'boolean'
      ? localize`the API server rejects the unquoted value of '${key.text}', a boolean`
      : localize`the API server rejects the unquoted value of '${key.text}', a number`;
  return [{ uri, at, reason }];
}

/** Whether a template contains the notes that Helm prints after an installation. */
function isNotes(uri: string): boolean {
  return uri.endsWith('NOTES.txt');
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
    const areAll = once(
      () =>
        ![...files.members].some((uri) => files.facts.get(uri)?.unread) &&
        !this.#charts.some((each) => each.missing.length > 0 || hasPackage(each, files)),
    );
    this.#executor = new Executor({ definition, areAll }, budget);
  }

  /** Returns the templates in the order in which Helm executes them: the deepest first, and otherwise the last by name; undefined if finding them is too much work. */
  templates(): readonly InstalledTemplate[] | undefined {
    return this.#isTooMuch ? undefined : this.#budget.run(() => this.#templates());
  }

  #templates(): readonly InstalledTemplate[] {
    const found = [...this.#files.members].flatMap((uri) => {
      if (!isInTemplates(uri) || isPartial(uri)) return [];
      // Helm reads only the helpers of a library.
      const charts = this.#chartsOf(uri).filter(({ chart }) => !chart.isLibrary);
      return charts.map((chart) => ({ uri, chart, name: templateName(uri, chart) }));
    });
    return found.toSorted(
      (a, b) => b.name.split('/').length - a.name.split('/').length || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0),
    );
  }

  /** Returns the templates that Helm does not render, because the values turn their chart off or Helm ignores them. */
  unrendered(): readonly string[] {
    const found = () =>
      [...this.#files.members].filter(
        (uri) => isInTemplates(uri) && this.#chartsAround(uri).length > 0 && this.#chartsOf(uri).length === 0,
      );
    return this.#budget.run(found) ?? [];
  }

  /** Returns the installed charts that render a file: several if a chart is installed under several names. */
  #chartsOf(uri: string): readonly InstalledChart[] {
    const own = this.#chartsAround(uri);
    return own.filter((each) => !each.isOff && !isSkipped(each.folder) && !this.#isIgnored(uri, each.folder));
  }

  #chartsAround(uri: string): readonly InstalledChart[] {
    spend(this.#charts.length / chartsOfStep);
    const inside = this.#charts.filter(({ folder }) => isWithin(uri, folder));
    const nearest = inside.reduce((longest, { folder }) => Math.max(longest, folder.length), 0);
    return inside.filter(({ folder }) => folder.length === nearest);
  }

  /** Whether Helm does not load a file of the chart in a folder. Of all charts in this folder, only the outermost one has a list. */
  #isIgnored(uri: string, folder: string): boolean {
    const root = isWithin(folder, this.#folder) ? this.#folder : folder;
    const ignored = getOrAdd(this.#ignored, root, () => {
      return ignoredByHelm(this.#files.facts.get(`${root}/${helmIgnoreName}`)?.ignores ?? '');
    });
    return ignored(relativePath(root, uri));
  }

  /** Returns the failures of Helm for values that the schemas of the installed charts forbid, and for a chart that excludes all versions of Kubernetes. */
  refusals(): readonly FailedTemplate[] {
    const refused = this.#charts.flatMap(({ folder, values, isOpen, isOff, isShared }) => {
      const uri = `${folder}/${schemaName}`;
      const text = isOpen || isOff || isShared || values === undefined ? undefined : this.#files.text?.(uri);
      const found = text === undefined || values === undefined ? undefined : this.#forbidden(text, values);
      if (found === undefined) return [];
      const path = found.join('.');
      const reason = path === '' ? localize`it does not allow the values` : localize`it does not allow '${path}'`;
      return [{ uri, at: 0, reason }];
    });
    const [root] = this.#charts.filter(({ folder }) => folder === this.#folder);
    const constraint = root?.chart.kubeVersion;
    if (constraint === undefined || releases.some((each) => satisfies(constraint, each) !== false)) return refused;
    const uri = `${this.#folder}/Chart.yaml`;
    return [...refused, { uri, at: 0, reason: localize`no supported version of Kubernetes is in '${constraint}'` }];
  }

  #forbidden(schema: string, values: Data): readonly string[] | undefined {
    return this.#budget.run(() => {
      const data = readData(schema);
      return data === undefined ? undefined : forbiddenValue(data, values);
    });
  }

  /** Returns the failures of Helm for values of dependencies that are no maps. */
  valuesOfDependencies(): readonly FailedTemplate[] {
    return this.#charts.flatMap(({ folder, values, subcharts }) =>
      subcharts.flatMap(({ name, values: own, isShared }) => {
        if (values === undefined || own !== undefined || isShared || isFilled(values, name)) return [];
        return [{ uri: `${folder}/values.yaml`, at: 0, reason: localize`the value of '${name}' is not a map` }];
      }),
    );
  }

  /** Returns the failure of Helm for a list of ignored files that contains the chart file. */
  ignoredChart(): readonly FailedTemplate[] {
    const folder = this.#folder;
    if (!this.#isIgnored(`${folder}/Chart.yaml`, folder)) return [];
    return [{ uri: `${folder}/${helmIgnoreName}`, at: 0, reason: localize`it ignores Chart.yaml` }];
  }

  /** Returns the text of a file that templates can read; undefined if it is unknown. */
  #readable(path: string, folder: string): string | undefined {
    if (isPart(path) || this.#isIgnored(`${folder}/${path}`, folder)) return '';
    return this.#files.text?.(`${folder}/${path}`);
  }

  /** Returns the paths of the files in a chart that templates can read. */
  #paths(folder: string): readonly string[] {
    const all = this.#files.within?.(folder) ?? [];
    spend(all.length);
    return all
      .filter((uri) => !this.#isIgnored(uri, folder))
      .map((uri) => relativePath(folder, uri))
      .filter((path) => !isPart(path));
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
    if (read === undefined) return { output: new TemplateOutput(), isComplete: false, isCut: true, failure: undefined };
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
    if (problems.length === 0) {
      const failure = undefinedName({ nodes, defines: [] });
      return failure === undefined ? executed : { ...executed, isComplete: false, failure };
    }
    const error = templateError(text, read);
    const failure = error && { at: error.at, reason: localize`a part of the template ${error.message}` };
    return { ...executed, isComplete: false, failure: failure ?? executed.failure };
  }

  #rootOf(chart: InstalledChart): TemplateMap {
    return getOrAdd(this.#roots, chart, () => {
      const below = chart.subcharts.map((each) => [each.name, this.#rootOf(each)] as const);
      return rootOf(chart, this.#release, below, {
        textAt: (path) => this.#readable(path, chart.folder),
        paths: () => this.#paths(chart.folder),
      });
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

/** The versions of Kubernetes for which a chart may be rendered: those of the supported releases, and later ones. */
const releases = Array.from({ length: 60 }, (_, minor) => [`v1.${minor}.0`, `v1.${minor}.30`])
  .slice(oldestMinor)
  .flat();

/** Whether a chart contains a packed chart, whose templates are unknown. */
function hasPackage({ folder }: InstalledChart, files: ChartFiles): boolean {
  return files.within?.(folder).some(isPackagedChart) === true;
}

/** Whether a file is a part of a chart that `.Files` does not contain. */
function isPart(path: string): boolean {
  return /^(?:templates\/|charts\/|(?:Chart\.yaml|Chart\.lock|values\.yaml|values\.schema\.json)$)/.test(path);
}

/** Whether Helm skips a folder in `charts/`. */
function isSkipped(folder: string): boolean {
  return /\/charts\/[._][^/]*$/.test(folder);
}

/** Whether an unknown value is set for a key. */
function isFilled(values: Data, key: string): boolean {
  const value = fieldOf(values, key);
  return typeof value === 'string' && value.includes('{{');
}

function templateName(uri: string, { folder, path }: InstalledChart): string {
  return path + uri.slice(folder.length);
}

/** Returns the data that the templates of a chart are executed with (the dot). */
function rootOf(
  { chart, name, values, isOpen: isAnyOpen, missing }: InstalledChart,
  release: TemplateValue,
  subcharts: readonly (readonly [name: string, root: TemplateMap])[],
  files: Pick<FilesValue, 'textAt' | 'paths'>,
): TemplateMap {
  // A missing dependency may give its parent values in any map.
  const isOpen =
    isAnyOpen || chart.dependencies.some((each) => each.imports && missing.includes(each.alias ?? each.name));
  const own = values === undefined ? new TemplateMap([], '.Values') : templateValueOf(values, '.Values', isOpen);
  // A chart sees the changes that its dependencies make to their values, which are a plain map for it.
  if (!isOpen && own instanceof TemplateMap)
    for (const [child, root] of subcharts) {
      const below = root.get('Values');
      own.put(child, below instanceof TemplateMap ? below.twin : below);
    }
  if (!isOpen && own instanceof TemplateMap) for (const child of missing) own.put(child, openValues(values, child));
  return new TemplateMap([
    ['Values', own instanceof TemplateMap ? made(own, { type: unknownType }) : own],
    ['Chart', chartValue(chart, name)],
    ['Release', release],
    ['Capabilities', capabilities()],
    ['Files', new FilesValue(files)],
    ['Subcharts', new TemplateMap(subcharts)],
  ]);
}

/** Returns the values that a chart sets for a missing dependency, whose default values add entries to each map. */
function openValues(values: Data | undefined, name: string): TemplateValue {
  const known = isMap(values) && Object.hasOwn(values, name) ? values[name] : undefined;
  const code = `.Values.${name}`;
  return isMap(known) ? templateValueOf(known, code, true) : new Unknown(code);
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
