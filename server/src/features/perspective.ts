/** Through what a file is seen in the editor: one of the scopes that apply it, and the values with which its chart is evaluated. */

import type { PerspectiveResult, PerspectiveScope, ValuesFiles } from '../protocol.ts';
import { localize } from '../text/localize.ts';
import { isValuesFile } from '../workspace/charts/chart-files.ts';
import { kindNames } from '../workspace/gitops/model.ts';
import type { Workspace } from '../workspace/model.ts';
import type { Scope } from '../workspace/scopes/model.ts';
import { leadFirst, type Perspective } from '../workspace/scopes/perspective.ts';
import { scopeName } from '../workspace/scopes/scope-names.ts';
import { fileNameOf, folderOf, isWithin } from '../workspace/uri.ts';
import { fitting } from './presentation/titles.ts';
import type { FileView } from './view.ts';

/** Returns the perspective of a file with the choices that the user has; undefined if there is no choice. */
export function perspectiveOf(view: FileView): PerspectiveResult | undefined {
  const scopes = scopesOfFile(view);
  const values = valuesFilesAround(view.workspace, view.file.uri);
  const hasValues = values !== undefined && values.files.length > 0;
  return scopes.length === 0 && !hasValues ? undefined : { scopes, ...(hasValues && { values }) };
}

/** Returns a title such as `Overlay: prod (1 of 3)` or `Values: values-prod.yaml`; undefined if nothing but the values of the chart can be chosen, and none are. */
export function perspectiveTitle(view: FileView): string | undefined {
  const { scopes = [], values } = perspectiveOf(view) ?? {};
  const [lead] = scopes;
  // The last folder of a path distinguishes most overlays.
  const shortened = (name: string) => [name, `…/${fileNameOf(name)}`];
  if (lead !== undefined)
    return fitting(shortened(lead.name).map((name) => [localize`Overlay: ${name} (1 of ${scopes.length})`]));
  const chosen = values?.files.find(({ uri }) => uri === values.chosen);
  return chosen && fitting(shortened(chosen.name).map((name) => [localize`Values: ${name}`]));
}

/** Returns the scopes that apply a file, the one of the perspective first; empty if there are fewer than two. */
function scopesOfFile({ workspace, file, perspective }: FileView): readonly PerspectiveScope[] {
  const all = workspace.scopes();
  const scopes = all.ofFile(file.uri);
  return scopes.length < 2 ? [] : describedScopes(workspace, scopes, perspective);
}

/** Describes scopes, the one of the perspective first. */
export function describedScopes(
  workspace: Workspace,
  scopes: readonly Scope[],
  perspective: Perspective,
): readonly PerspectiveScope[] {
  const facts = workspace.scopes().facts();
  return leadFirst(
    scopes.map((scope) => ({ scope })),
    perspective,
  ).map(({ scope }) => ({
    name: scopeName(scope, scopes),
    path: scope.path,
    objects: [...scope.files].reduce((sum, uri) => sum + (facts.get(uri)?.objects ?? 0), 0),
    ...(scope.gitops && { appliedBy: `${kindNames[scope.gitops.kind]}/${scope.gitops.facts.name}` }),
  }));
}

/** Returns the chart that contains a file with its values files; undefined if the file belongs to no chart, or to one that GitOps objects install. */
function valuesFilesAround(workspace: Workspace, uri: string): ValuesFiles | undefined {
  const chart = chartAround(workspace, uri);
  if (chart === undefined) return undefined;
  const { path, release } = chart;
  const uris = [...workspace.files.keys()].filter((each) => isValuesFile(each) && chartOfValues(each) === path);
  const files = uris.toSorted().map((each) => ({ name: each.slice(path.length + 1), uri: each }));
  const chosen = release?.values.at(-1);
  return { chart: fileNameOf(path), files, ...(chosen !== undefined && { chosen }) };
}

/** Returns the name of the values file with which the chart of a template is evaluated; undefined for the default values. */
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
