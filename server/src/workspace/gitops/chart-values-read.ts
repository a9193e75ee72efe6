/** Finds the values that a chart of the workspace may read, to decide which given values have no effect. */

import { allValues } from '../../manifests/helm/values-read.ts';
import { chartFamilyOf, chartFilesOf, chartPartOf } from '../charts/chart-family.ts';
import type { Workspace } from '../model.ts';

/** Returns the paths of the values that the templates of the chart in a folder may read. Returns undefined if they may read any value: charts that it depends on share its values, a template may render values as templates, or the content of a file is unknown. */
export function valuesReadBy(workspace: Workspace, folder: string): ReadonlySet<string> | undefined {
  const chart = workspace.files.get(`${folder}/Chart.yaml`)?.chart;
  const family = chartFamilyOf(workspace, `${folder}/Chart.yaml`);
  const hasOthers = workspace.files.get(`${folder}/requirements.yaml`) !== undefined;
  if (chart === undefined || chart.dependencies.length > 0 || hasOthers || family?.members.size !== 1) return undefined;
  const paths = new Set<string>();
  for (const uri of chartFilesOf(workspace, family).keys()) {
    if (chartPartOf(uri) !== 'template') continue;
    const file = workspace.files.get(uri);
    if (file === undefined || file.scope.unread || (file.notes ?? []).length > 0) return undefined;
    for (const path of file.valuesRead ?? []) paths.add(path);
  }
  return paths.size === 0 || paths.has(allValues) ? undefined : paths;
}
