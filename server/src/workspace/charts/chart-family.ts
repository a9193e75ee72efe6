/** Finds the charts that are installed with the chart of a file, and their files. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { helpersOf } from '../../manifests/helm/helpers.ts';
import type { Workspace } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf, folderOf } from '../uri.ts';
import { isInTemplates, isPackagedChart, isValuesFile } from './chart-files.ts';
import { type Charts, chartsByFolder, type Dependency, dependenciesOf, outermostChart } from './charts.ts';

export interface ChartFamily {
  readonly folder: string;
  /** The folders of all charts, each with its names below the outermost chart: the values of `redis` are in `redis`. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

interface AllCharts {
  readonly charts: Charts;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
}

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, AllCharts>();

/** The maximum depth of nested charts. */
const maximumNesting = 8;

/** Returns the charts around a file; undefined if it is in no chart. */
export function chartFamilyOf(workspace: Workspace, uri: string): ChartFamily | undefined {
  const { charts, dependencies } = chartsIn(workspace);
  if (charts.size === 0) return undefined;
  const folder = chartAround(charts, uri);
  if (folder === undefined) return undefined;
  const members = new Map<string, readonly string[]>([[outermostChart(folder, dependencies), []]]);
  for (const [each, names] of members) {
    if (names.length === maximumNesting) continue;
    for (const below of dependencies.get(each) ?? [])
      if (!members.has(below.folder)) members.set(below.folder, [...names, below.name]);
  }
  return { folder, members };
}

/** Returns the templates, values and `Chart.yaml` files of a family of charts, each with the folder of its chart. */
export function chartFilesOf(workspace: Workspace, { members }: ChartFamily): ReadonlyMap<string, string> {
  const { charts } = chartsIn(workspace);
  const files = new Map<string, string>();
  for (const uri of workspace.scopes().facts().keys()) {
    if (chartPartOf(uri) === undefined) continue;
    const folder = chartAround(charts, uri);
    if (folder !== undefined && members.has(folder)) files.set(uri, folder);
  }
  return files;
}

/** Whether all charts on which the chart of a file depends, directly or through others, are in the workspace and not packed. */
export function hasAllDependencies(workspace: Workspace, uri: string): boolean {
  const { charts, dependencies } = chartsIn(workspace);
  const folder = chartAround(charts, uri);
  const members = new Set(folder === undefined ? [] : [folder]);
  for (const each of members) {
    const found = dependencies.get(each) ?? [];
    const wanted = charts.get(each)?.[1].dependencies ?? [];
    if (!wanted.every(({ name, alias = name }) => found.some((other) => other.name === alias))) return false;
    for (const below of found) members.add(below.folder);
  }
  for (const other of workspace.scopes().facts().keys())
    if (isPackagedChart(other) && members.has(folderOf(folderOf(other)))) return false;
  return members.size > 0;
}

/** Whether a chart that is installed with the chart of a file defines a helper. Helper files are parsed in any order, so the includes in them are compared with the helpers only later. */
export function definesHelper(workspace: Workspace, uri: string, name: string): boolean {
  const family = chartFamilyOf(workspace, uri);
  if (family === undefined) return false;
  for (const each of chartFilesOf(workspace, family).keys()) {
    const text = workspace.files.get(each)?.helm?.helpers;
    if (text?.includes(name) && helpersOf(each, text).some((helper) => helper.name === name)) return true;
  }
  return false;
}

/** Returns the purpose of a file if it is in a chart; undefined for other files. */
export function chartPartOf(uri: string): 'template' | 'values' | 'chart' | undefined {
  if (isInTemplates(uri)) return 'template';
  if (isValuesFile(uri)) return 'values';
  return fileNameOf(uri) === 'Chart.yaml' ? 'chart' : undefined;
}

function chartsIn(workspace: Workspace): AllCharts {
  const facts = workspace.scopes().facts();
  return getOrAdd(known, facts, () => {
    const told: (readonly [string, Chart])[] = [];
    for (const [uri, { chart }] of facts) if (chart !== undefined) told.push([uri, chart]);
    const charts = chartsByFolder(told);
    return { charts, dependencies: dependenciesOf(charts) };
  });
}

function chartAround(charts: Charts, uri: string): string | undefined {
  for (let at = folderOf(uri); at.includes('/'); at = folderOf(at)) if (charts.has(at)) return at;
  return undefined;
}
