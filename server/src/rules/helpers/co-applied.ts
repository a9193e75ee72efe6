/** Determines whether two objects are certainly applied together, and are not alternatives. */

import type { ManifestObject } from '../../manifests/model.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { repeatedIn } from '../../workspace/scopes/repeated-objects.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { isWithin } from '../../workspace/uri.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Whether two objects are in the same file, are built by the same kustomization, or are in the same declared scope. The same folder is not sufficient, because it may contain samples that are applied separately. In a chart, conditions determine which objects exist, so the result is false. */
export function areTogether(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): boolean {
  if (mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return false;
  if (a.file.uri === b.file.uri) return placeOf(a) === placeOf(b);
  const scopes = workspace.scopes();
  const others = scopes.of(placeOf(b));
  return scopes
    .of(placeOf(a))
    .some((scope) => (isRendered(scope) || scope.kind === 'declared') && others.includes(scope));
}

/** Whether two objects in different files of the same plain folder are applied together. `yes`: both have the same namespace, which is rare in separate samples. `maybe`: neither of them has a namespace. `no`: one of their files repeats an object of a different file in the folder, so the files are alternatives. */
export function areBesideEachOther(workspace: Workspace, a: ObjectInFile, b: ObjectInFile): 'yes' | 'maybe' | 'no' {
  const namespace = a.object.namespace?.value;
  if (namespace !== b.object.namespace?.value || (namespace !== undefined && typeof namespace !== 'string'))
    return 'no';
  if (a.file.uri === b.file.uri || mayBeLeftOut(workspace, a) || mayBeLeftOut(workspace, b)) return 'no';
  const scopes = workspace.scopes();
  const [from, to] = [placeOf(a), placeOf(b)];
  const others = scopes.of(to);
  const shared = scopes.of(from).find((scope) => scope.kind === 'folder' && others.includes(scope));
  if (shared === undefined || scopes.relation(from, to, b) !== 'here') return 'no';
  const repeated = repeatedIn(scopes, shared);
  const isAlternative = [a, b].some(({ file }) => file.scope.identities.some((identity) => repeated.has(identity)));
  return isAlternative ? 'no' : namespace === undefined ? 'maybe' : 'yes';
}

/** Whether a condition of a template may omit or replace an object, or a chart may omit the dependency that contains it. */
export function mayBeLeftOut(workspace: Workspace, where: ObjectInFile): boolean {
  const { uri, manifest } = where.file;
  const charts = chartsOf(workspace, where);
  if (charts.length === 0) return manifest.unresolved === true;
  return where.object.conditions !== undefined || charts.some(({ path }) => !isWithin(uri, `${path}/templates`));
}

/** Whether an object exists only under a condition of a template, or may. */
export function isConditional(context: RuleContext, object: ManifestObject): boolean {
  return marksConditions(context, object) ? object.conditions !== undefined : context.mentions('conditions');
}

/** Whether all that depends on a condition of a template is marked. Only in charts is it known which template language applies. */
export function marksConditions({ workspace, file }: RuleContext, object: ManifestObject): boolean {
  return chartsOf(workspace, { file, object }).length > 0;
}

function chartsOf(workspace: Workspace, where: ObjectInFile): readonly Scope[] {
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.filter(({ kind }) => kind === 'chart');
}
