/** Finds the values that a chart of the workspace may read, to decide which given values have no effect. */

import { getOrAdd } from '../../engine/memoize.ts';
import { allValues } from '../../manifests/helm/values-read.ts';
import { chartFamilyOf, chartTemplatesOf } from '../charts/chart-family.ts';
import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { definitionIn, gitopsScopesOf } from './defined-scopes.ts';
import { resolvedPaths } from './resolved-paths.ts';

/** Returns the paths of the values that the templates of the chart in a folder may read. Returns undefined if they may read any value: charts that it depends on share its values, a template may render values as templates, or the content of a file is unknown. */
export function valuesReadBy(workspace: Workspace, folder: string): ReadonlySet<string> | undefined {
  const chart = workspace.files.get(`${folder}/Chart.yaml`)?.chart;
  const family = chartFamilyOf(workspace, `${folder}/Chart.yaml`);
  const hasOthers = workspace.files.get(`${folder}/requirements.yaml`) !== undefined;
  if (chart === undefined || chart.dependencies.length > 0 || hasOthers || family?.members.size !== 1) return undefined;
  const paths = new Set<string>();
  for (const uri of chartTemplatesOf(workspace, family)) {
    const file = workspace.files.get(uri);
    if (file === undefined || file.scope.unread || (file.notes ?? []).length > 0) return undefined;
    for (const path of file.valuesRead ?? []) paths.add(path);
  }
  return paths.size === 0 || paths.has(allValues) ? undefined : paths;
}

const usersOf = new WeakMap<readonly Scope[], ReadonlyMap<string, ReadonlySet<string>>>();

/** Returns the folder of the only chart for which GitOps objects use a values file; undefined if they use it for none, or for several. */
export function valuesUsedBy(workspace: Workspace, uri: string): string | undefined {
  const users = getOrAdd(usersOf, workspace.scopes().all(), () => usersOfValues(workspace));
  const [only, ...others] = users.get(uri) ?? [];
  return others.length > 0 || only === '' ? undefined : only;
}

/** Returns the folders of the charts for which GitOps objects use each values file, '' for a chart that is not in the workspace. */
function usersOfValues(workspace: Workspace): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const scope of gitopsScopesOf(workspace.scopes())) {
    const { gitops } = scope;
    for (const content of gitops.contents)
      for (const uri of content?.valueFiles ?? [])
        getOrAdd(users, uri, () => new Set<string>()).add(content?.chart ? content.folder : '');
    // Only a chart of a registry has files of values without a folder.
    const definition = gitops.facts.releases === undefined ? undefined : definitionIn(gitops, workspace.files);
    for (const { uri, is, source } of definition === undefined ? [] : resolvedPaths(workspace, scope, definition))
      if (is === 'values' && source === undefined) getOrAdd(users, uri, () => new Set<string>()).add('');
  }
  return users;
}
