/** Executes charts that no GitOps object installs, with their default values and the values files that a command names. */

import { memoized } from '../../engine/memoize.ts';
import { WorkBudget } from '../../engine/work-budget.ts';
import type { Data } from '../../manifests/helm/value.ts';
import { localize } from '../../text/localize.ts';
import { type Execution, type InstalledFiles, type ReleasedObjects, releasedObjects } from '../gitops/chart-release.ts';
import { dataIn, isUnread, templateIn } from '../gitops/data-files.ts';
import type { ChartFiles } from '../gitops/installed-charts.ts';
import type { DataUse } from '../gitops/model.ts';
import { allCharts, mostObjectsOf, shareOfRelease } from '../gitops/scope-questions.ts';
import { mergedValueFiles } from '../gitops/value-files.ts';
import type { Looking } from '../kustomize/bases.ts';
import type { ScopeQuestion } from '../kustomize/inputs.ts';
import type { FailedTemplate } from '../model.ts';
import type { ChartRelease, ChartValues, Scope, Scopes } from '../scopes/model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, foldersAbove, isWithin } from '../uri.ts';
import { installedAmong, isChartValues, isHelperFile, isInTemplates, isPartial, schemaName } from './chart-files.ts';

/** Returns a function that returns the release of the chart in a folder: with its default values, and the chosen files that override them; undefined if any values are possible. `folders` contains the folders of all charts that are installed by themselves. */
export function releaseByChart(
  folders: readonly string[],
  { files = [], areInCharts, areUnknown, release: name }: Partial<ChartValues> = {},
): (folder: string) => ChartRelease | undefined {
  if (areUnknown) return () => undefined;
  const isInChart = (uri: string) => folders.some((folder) => isWithin(uri, folder));
  return (folder) => {
    const values = files.filter((uri) => isWithin(uri, folder) || !(areInCharts || isInChart(uri)));
    return { values, ...(name !== undefined && { name }) };
  };
}

/** Whether an index also holds for some values: they override nothing, or there is no chart. */
export function isIndependentOf(scopes: Scopes, chosen: ChartValues | undefined): boolean {
  return chosen === undefined || scopes.all().every(({ release }) => release === undefined);
}

interface ExecutedChart {
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly release: ChartRelease;
}

/** Returns the files that the execution of charts reads as data: their templates and values files and, if a template may read files, the texts of all other files in their folders. */
export function readByCharts(
  charts: readonly ExecutedChart[],
  all: ReadonlyMap<string, ScopeFacts>,
): ReadonlyMap<string, DataUse> {
  const read = new Map<string, DataUse>();
  const isReading = (uri: string) => all.get(uri)?.readsFiles === true;
  const folders = new Set(charts.filter(({ files }) => [...files].some(isReading)).map(({ folder }) => folder));
  const add = (uri: string) => (isHelperFile(uri) && isPartial(uri)) || read.set(uri, 'template');
  if (folders.size > 0) for (const uri of all.keys()) if (foldersAbove(uri).some((each) => folders.has(each))) add(uri);
  for (const { files, folder } of charts) {
    for (const uri of files) if (isInTemplates(uri)) add(uri);
    const inFolders = [...files].flatMap((uri) => (isChartValues(uri) ? folderOf(uri) : []));
    for (const each of new Set([folder, ...inFolders]))
      if (all.has(`${each}/${schemaName}`)) add(`${each}/${schemaName}`);
  }
  for (const { release } of charts) for (const uri of release.values) read.set(uri, 'rendering');
  return read;
}

const byPath = memoized(
  (all: readonly Scope[]) =>
    new Map(all.flatMap((scope) => (scope.release === undefined ? [] : [[scope.path, scope] as const]))),
);

export function executedChartAt(scopes: Scopes, folder: string): Scope | undefined {
  return byPath(scopes.all()).get(folder);
}

function filesOfChart(folder: string): ScopeQuestion {
  return (scopes) => {
    const { files = [], release } = executedChartAt(scopes, folder) ?? {};
    return [JSON.stringify(release), ...files];
  };
}

function filesWithin(folder: string): ScopeQuestion {
  return (scopes) => [...scopes.facts().keys()].filter((uri) => isWithin(uri, folder));
}

/** Returns the objects of a chart that is executed with known values. */
export function renderChart(
  { path, files, namespace }: Scope,
  { values, name }: ChartRelease,
  looking: Looking,
): ReleasedObjects {
  looking.ask(filesOfChart(path));
  const named = values.map((uri) => ({ entry: uri, path: uri, uri }));
  const release = {
    name,
    namespace,
    values: () => {
      const data = mergedValueFiles(named, (uri) => dataIn(looking.file(uri)));
      return data === undefined ? undefined : { data };
    },
  };
  const broken = brokenValues(path, files, values, looking);
  const released = releasedObjects(
    path,
    release,
    installedFiles(installedAmong(files), looking),
    executionIn(looking, path),
    broken,
  );
  return broken.length === 0 ? released : { ...released, isWhole: false, known: new Set() };
}

/** Returns the files with values that Helm cannot read. */
function brokenValues(
  path: string,
  files: ReadonlySet<string>,
  named: readonly string[],
  looking: Looking,
): readonly FailedTemplate[] {
  const defaults = [`${path}/values.yaml`, ...files].filter((uri) => {
    return isChartValues(uri) && looking.file(uri)?.notes?.some(({ is }) => is === 'yaml error');
  });
  const given = named.filter((uri) => {
    const file = looking.file(uri);
    return file !== undefined && dataIn(file) === undefined && !isUnread(file) && !file.helm?.hasUnknownValues;
  });
  const broken = [...new Set([...defaults, ...given])];
  const others = [`${path}/values.yaml`, ...named].filter((uri) => {
    const file = looking.file(uri);
    return !broken.includes(uri) && isEndless(named.includes(uri) ? dataIn(file) : file?.helm?.values);
  });
  return [
    ...broken.map((uri) => ({ uri, at: 0, reason: localize`it is not valid YAML` })),
    ...others.map((uri) => ({ uri, at: 0, reason: localize`JSON has no infinite numbers` })),
  ];
}

/** Whether a value contains `.inf` or `.nan`: Helm converts values to JSON. */
function isEndless(data: Data | undefined): boolean {
  if (typeof data === 'number') return !Number.isFinite(data);
  return typeof data === 'object' && data !== null && Object.values(data).some(isEndless);
}

/** Returns what the execution of the chart in a folder needs besides its files. */
export function executionIn(looking: Looking, folder: string): Execution {
  return {
    catalogue: looking.catalogue,
    budget: new WorkBudget(Number(looking.ask(shareOfRelease)[0])),
    mostObjects: Number(looking.ask(mostObjectsOf(folder))[0]),
  };
}

/** Returns the files of a chart; `looking` records which of them are read. */
export function installedFiles(members: ChartFiles['members'], looking: Looking): InstalledFiles {
  looking.ask(allCharts);
  return {
    facts: looking.scopes.facts(),
    members,
    values: (uri) => looking.file(uri)?.helm?.values,
    hasUnknownValues: (uri) => looking.file(uri)?.helm?.hasUnknownValues === true,
    helpers: (uri) => looking.file(uri)?.helm?.helpers,
    template: (uri) => templateIn(looking.file(uri)),
    text: (uri) => looking.file(uri)?.template,
    within: (folder) => looking.ask(filesWithin(folder)),
    objects: (uri) => looking.file(uri)?.manifest.objects ?? [],
  };
}
