/** Finds the scopes in which no object has the name in a reference. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { validateName } from '../../engine/index.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import { buildsNamed, hasNamed } from '../kustomize/built-elsewhere.ts';
import { keepsField } from '../kustomize/kept-fields.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { isEdited, type Scope } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { filesThatGenerate, filesThatName, objectsNamed } from './names.ts';
import { inEveryCluster, namesAround } from './near-names.ts';
import { objectsReferringTo } from './objects-by-name.ts';
import { createsTarget, mayCreate } from './producers.ts';
import { rootsAt, targetsOf } from './targets.ts';

/** Maximum number of files with an object of the name. If there are more, nothing is reported. */
const maximumNamed = 100;

/**
 * Returns the completely known scopes of a reference that contain no object with its name. If the workspace contains
 * GitOps objects, whose charts and operators create objects, the scopes contain other objects of the kind. The result is empty if the object may be in another scope of the cluster, or if a controller may
 * create it. Objects of custom kinds, cluster-scoped objects and objects in other namespaces are often created with the
 * cluster or by other teams. Secrets are often created without a manifest, so only the scopes of a Secret that other
 * overlays contain are returned.
 */
export function scopesWithout(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly Scope[] {
  const kinds = targetKinds(site, catalogue);
  const name = site.name.text;
  const isJudged = ({ group = '', kind }: (typeof kinds)[number]) =>
    isBuiltIn(group) && catalogue.kind(group, '', kind)?.namespaced === true;
  const isOwn = [undefined, from.object.namespace?.text].includes(site.namespace?.text);
  if (kinds.length === 0 || !kinds.every(isJudged) || !isOwn || inEveryCluster.test(name)) return [];
  // Any other name is a placeholder for a name that the reader chooses.
  if (validateName('dns1123Subdomain', name).length > 0) return [];
  const scopes = workspace.scopes();
  const own = scopes.of(placeOf(from));
  const named = kinds.flatMap(({ kind }) => objectsNamed(workspace, kind, name));
  const candidates = own.filter((scope) => isWhole(scope) && !named.some(({ uri }) => scope.files.has(uri)));
  if (candidates.length === 0) return [];
  const generating = kinds.flatMap(({ kind }) => filesThatGenerate(workspace, kind, name));
  const written = [...named.map(({ uri }) => uri), ...generating];
  const isSecret = kinds.some(({ kind }) => kind === 'Secret');
  if (written.length > maximumNamed || (written.length === 0 && isSecret)) return [];
  const holding = new Set(written.flatMap((uri) => rootsAt(workspace, uri)));
  const isAround = (kind: string) => namesAround(workspace, catalogue, from, site, kind).length > 0;
  if (hasClusters(scopes) && !kinds.some(({ kind }) => isAround(kind))) return [];
  const targets = targetsOf(workspace, catalogue, from, site);
  if (targets.some(({ relation }) => relation === 'elsewhere')) return [];
  for (const { file, object } of targets)
    for (const scope of rootsAt(workspace, object === undefined ? file.uri : placeOf({ file, object })))
      holding.add(scope);
  const mayHold = (scope: Scope) =>
    [...holding].some((each) => each === scope || scopes.relationOf(scope, each) !== 'apart') ||
    (isEdited(scope) && mayBuild(workspace, catalogue, scope, kinds, name));
  const path = fieldPath(site.path);
  const without = candidates.filter(
    (scope) =>
      !mayHold(scope) && !mayCreate(workspace, scope, name) && keepsField(workspace, catalogue, scope, from, path),
  );
  if (without.length === 0 || mayBeCreated(workspace, from, site, holding.size > 0)) return [];
  return kinds.some(({ kind }) => buildsNamed(workspace, catalogue, from, kind, name)) ? [] : without;
}

const hasClusters = scopeQuery('clusters', (scopes) => scopes.clusterGroups().length > 0, String);

/** Whether all objects of a scope are known. The conditions in charts and Templates determine which objects exist. */
function isWhole({ closed, kind }: Scope): boolean {
  return closed === true && kind !== 'chart' && kind !== 'template';
}

/** Whether a rendered scope may contain an object with a name. */
function mayBuild(
  workspace: Workspace,
  catalogue: Catalogue,
  { path }: Scope,
  kinds: ReturnType<typeof targetKinds>,
  name: string,
): boolean {
  const rendering = workspace.rendering(path, catalogue);
  return rendering?.isWhole !== true || kinds.some(({ kind }) => hasNamed(rendering.objects, kind, name));
}

/** Whether another object refers to the name in a field that creates the object or whose meaning is unknown. An object that several files name but that has no manifest is probably created without one. */
function mayBeCreated(
  workspace: Workspace,
  { file, object }: ObjectInFile,
  { name, fact }: ReferenceSite,
  hasManifest: boolean,
): boolean {
  const isSame = (each: ReferenceSite) =>
    each.name.text === name.text && each.fact.targets[0]?.kind === fact.targets[0]?.kind;
  return filesThatName(workspace, name.text).some((uri) =>
    objectsReferringTo(workspace.files.get(uri), name.text).some((other) => {
      if (uri === file.uri && other.span.start === object.span.start) return false;
      return other.references?.some(
        (each) =>
          each.name.text === name.text &&
          (each.fact.guessed || createsTarget(other, each) || (!hasManifest && uri !== file.uri && isSame(each))),
      );
    }),
  );
}
