/** Finds the values files with which a chart can be evaluated in the editor, and the one that is chosen. */

import type { ValuesFiles } from '../protocol.ts';
import { isValuesFile } from '../workspace/charts/chart-files.ts';
import type { Workspace } from '../workspace/model.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { fileNameOf, folderOf, isWithin } from '../workspace/uri.ts';

/** Returns the chart that contains a file with its values files; undefined if the file belongs to no chart, or to one that GitOps objects install. */
export function valuesFilesAround(workspace: Workspace, uri: string): ValuesFiles | undefined {
  const chart = chartAround(workspace, uri);
  if (chart === undefined) return undefined;
  const { path, release } = chart;
  const uris = [...workspace.files.keys()].filter((each) => isValuesFile(each) && chartOfValues(each) === path);
  const files = uris.toSorted().map((each) => ({ name: each.slice(path.length + 1), uri: each }));
  const chosen = release?.values.at(-1);
  return { chart: fileNameOf(path), files, ...(chosen !== undefined && { chosen }) };
}

/** Returns the name of the values file with which the chart of a template is evaluated; undefined if it is evaluated for all values. */
export function chosenValuesOf(workspace: Workspace, uri: string): string | undefined {
  const chosen = chartAround(workspace, uri)?.release?.values.at(-1);
  return chosen && fileNameOf(chosen);
}

/** Returns the innermost chart whose folder contains a file, or else a chart that includes the file from elsewhere. */
function chartAround(workspace: Workspace, uri: string): Scope | undefined {
  const scopes = workspace.scopes();
  const around = scopes.all().filter(({ kind, path }) => kind === 'chart' && isWithin(uri, path));
  const [innermost] = around.toSorted((a, b) => b.path.length - a.path.length);
  return innermost ?? scopes.ofFile(uri).find(({ kind }) => kind === 'chart');
}

/** Returns the folder of the chart to which a values file belongs: the folder of the file, or the folder around `values/` or `ci/`. */
function chartOfValues(uri: string): string {
  const folder = folderOf(uri);
  return /^(?:values|ci)$/.test(fileNameOf(folder)) ? folderOf(folder) : folder;
}
