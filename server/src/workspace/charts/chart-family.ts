/** Finds the charts that are installed with the chart of a file, and their files. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import { helpersOf } from '../../manifests/helm/helpers.ts';
import type { Workspace } from '../model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf, folderOf } from '../uri.ts';
import { isInTemplates, isPackagedChart, isValuesFile } from './chart-files.ts';
import { type AllCharts, type Charts, chartsIn, outermostChart } from './charts.ts';

export interface ChartFamily {
  readonly folder: string;
  /** The folders of all charts, each with its names below the outermost chart: the values of `redis` are in `redis`. */
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** The maximum depth of nested charts. */
const maximumNesting = 8;

/** Returns the charts around a file; undefined if it is in no chart. */
export function chartFamilyOf(workspace: Workspace, uri: string): ChartFamily | undefined {
  return chartsAround(workspace.scopes(), uri);
}

const chartsAround = scopeQuery(
  'charts around',
  (scopes, uri: string) => familyIn(chartsIn(scopes.facts()), uri),
  (family) => (family === undefined ? '' : JSON.stringify([family.folder, ...family.members])),
);

function familyIn({ charts, dependencies }: AllCharts, uri: string): ChartFamily | undefined {
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
  return filesOfCharts(workspace.scopes(), ...members.keys());
}

const filesOfCharts = scopeQuery(
  'files of charts',
  (scopes, ...folders: readonly string[]): ReadonlyMap<string, string> => {
    const { inCharts, answers } = filesInCharts(scopes.facts());
    const filesOfAll = () => new Map(inCharts.filter(([, folder]) => folders.includes(folder)));
    return getOrAdd(answers, folders.join('\n'), filesOfAll);
  },
  memoized((files) => JSON.stringify([...files])),
);

/** The files of all charts, and those of the families of charts that were asked for: many GitOps objects install the same chart. */
const filesInCharts = memoized((facts: ReadonlyMap<string, ScopeFacts>) => {
  const { charts } = chartsIn(facts);
  const inCharts = [...facts.keys()].flatMap((uri) => {
    const folder = chartPartOf(uri) === undefined ? undefined : chartAround(charts, uri);
    return folder === undefined ? [] : [[uri, folder] as const];
  });
  return { inCharts, answers: new Map<string, ReadonlyMap<string, string>>() };
});

/** Returns the templates of a family of charts. */
export function chartTemplatesOf(workspace: Workspace, family: ChartFamily): readonly string[] {
  return templatesAmong(chartFilesOf(workspace, family));
}

const templatesAmong = memoized((files: ReadonlyMap<string, string>) => [...files.keys()].filter(isInTemplates));

/** Whether all charts on which the chart of a file depends, directly or through others, are in the workspace and not packed. */
export function hasAllDependencies(workspace: Workspace, uri: string): boolean {
  return hasDependencies(workspace.scopes(), uri);
}

const hasDependencies = scopeQuery('has all charts', (scopes, uri: string) => areIn(scopes.facts(), uri), String);

function areIn(facts: ReadonlyMap<string, ScopeFacts>, uri: string): boolean {
  const { charts, dependencies } = chartsIn(facts);
  const folder = chartAround(charts, uri);
  const members = new Set(folder === undefined ? [] : [folder]);
  for (const each of members) {
    const found = dependencies.get(each) ?? [];
    const wanted = charts.get(each)?.[1].dependencies ?? [];
    if (!wanted.every(({ name, alias = name }) => found.some((other) => other.name === alias))) return false;
    for (const below of found) members.add(below.folder);
  }
  for (const other of facts.keys()) if (isPackagedChart(other) && members.has(folderOf(folderOf(other)))) return false;
  return members.size > 0;
}

/** Whether a chart that is installed with the chart of a file defines a helper. Helper files are parsed in any order, so the includes in them are compared with the helpers only later. */
export function definesHelper(workspace: Workspace, uri: string, name: string): boolean {
  const family = chartFamilyOf(workspace, uri);
  if (family === undefined) return false;
  for (const each of chartTemplatesOf(workspace, family)) {
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

function chartAround(charts: Charts, uri: string): string | undefined {
  for (let at = folderOf(uri); at.includes('/'); at = folderOf(at)) if (charts.has(at)) return at;
  return undefined;
}
