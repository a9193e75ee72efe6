/** Determines the clusters of a workspace: each set of objects that are applied together has its own reachability model. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { effectiveObjectsOf, seenBy } from '../kustomize/view.ts';
import type { EffectiveObject, Workspace, WorkspaceFile } from '../model.ts';
import { everyCluster, isRendered, type Scope, type Scopes } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { objectsOf } from '../snapshot.ts';
import { type Cluster, type ClusterObject, clusterOf } from './cluster.ts';

/** An object as a kustomization builds it, or as it is written if no kustomization builds it. */
export interface AppliedObject extends ClusterObject {
  /** The kustomization that builds the object. */
  readonly builtBy?: Scope | undefined;
  /** The sources of changes to the object. */
  readonly transformers?: EffectiveObject['transformers'];
}

/** A cluster, and the scope that distinguishes it from other clusters. */
export interface ScopedCluster {
  /** The scope that distinguishes the cluster; undefined if all objects are in one cluster. */
  readonly scope: Scope | undefined;
  readonly cluster: Cluster;
}

type CatalogueOf = (uri: string) => Catalogue;

/** The scopes and files whose objects a caller needs; further scopes and files may be included. */
export interface Narrowing {
  /** Whether a scope may apply objects that the caller needs. */
  mayApply(scope: Scope): boolean;
  /** Whether a file may contain objects that the caller needs; called for scopes that are not rendered. */
  mayHold(uri: string): boolean;
  /** The only files for which `mayHold` may return true, if they are known. */
  readonly files?: Iterable<string>;
}

/** Yields every object of the workspace, or of some scopes and files, once for each kustomization that builds it. */
export function* appliedObjectsOf(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  narrowing?: Narrowing,
): Iterable<AppliedObject> {
  workspace.questions?.note({ about: 'anything' });
  const scopes = workspace.scopes();
  const built = new Map<Scope, boolean>();
  const isBuilt = (scope: Scope) =>
    getOrAdd(built, scope, () => seenBy(workspace, catalogueOf(scope.path), scope) !== undefined);
  for (const scope of scopes.all()) {
    if (narrowing?.mayApply(scope) === false) continue;
    const catalogue = catalogueOf(scope.path);
    const view = seenBy(workspace, catalogue, scope);
    const rendering = view && workspace.rendering(scope.path, catalogue);
    built.set(scope, rendering !== undefined);
    if (view === undefined || rendering === undefined) continue;
    for (const where of rendering.objects)
      if (where.object.forCluster) yield { ...where, builtBy: scope, workspace: view };
  }
  const files = narrowing?.files === undefined ? workspace.files.values() : filesOf(workspace, narrowing.files);
  for (const file of inOrder([...files], byUri)) {
    if (file.config !== undefined || file.objects === 0 || narrowing?.mayHold(file.uri) === false) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      if (!scopes.of(placeOf(where)).some(isBuilt)) yield { ...where, workspace };
    }
  }
}

function byUri(a: WorkspaceFile, b: WorkspaceFile): number {
  return compareText(a.uri, b.uri);
}

function* filesOf({ files }: Workspace, uris: Iterable<string>): Iterable<WorkspaceFile> {
  for (const uri of uris) {
    const file = files.get(uri);
    if (file !== undefined) yield file;
  }
}

/** Returns the objects that `narrowing` includes as one cluster if none of them occurs twice. Otherwise, kustomizations and charts are alternatives: each of them is a cluster, together with the objects that belong to no alternative. Such a cluster is complete. */
export function clustersIn(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  isWanted: (where: AppliedObject) => boolean,
  narrowing?: Narrowing,
): readonly ScopedCluster[] {
  const objects = clusterObjects(workspace, catalogueOf, isWanted, narrowing);
  const make = (own: Iterable<ClusterObject>) => clusterOf(own, catalogueOf, { isOpen: false });
  const roots = new Map(objects.map((each) => [each, rootOf(workspace, each)]));
  const scopes = new Set([...roots.values()].filter((scope) => scope !== undefined));
  if (scopes.size < 2 || !haveCommonObjects(roots)) return [{ scope: undefined, cluster: make(objects) }];
  return alternatives(roots, make);
}

/** Returns some of the clusters that `clustersIn` returns, if several alternatives apply the same object. */
export function alternativesIn(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  wanted: ReadonlySet<Scope>,
): readonly ScopedCluster[] {
  const scopes = workspace.scopes();
  const files = [...wanted].flatMap((scope) => [...scope.files]);
  const narrowing = {
    mayApply: (scope: Scope) => wanted.has(scope),
    mayHold: () => true,
    files: new Set([...getOrAdd(unrooted, scopes, filesWithoutRoot), ...files]),
  };
  const objects = clusterObjects(workspace, catalogueOf, (each) => hasScope(workspace, each), narrowing);
  const roots = new Map(objects.map((each) => [each, rootOf(workspace, each)]));
  const found = new Map([...roots].filter(([, scope]) => scope === undefined || wanted.has(scope)));
  return alternatives(found, (own) => clusterOf(own, catalogueOf, { isOpen: false }));
}

function hasScope(workspace: Workspace, { builtBy, ...where }: AppliedObject): boolean {
  return builtBy !== undefined || workspace.scopes().of(placeOf(where)).length > 0;
}

/** The files with objects that belong to no alternative. */
const unrooted = new WeakMap<Scopes, readonly string[]>();

function filesWithoutRoot(scopes: Scopes): readonly string[] {
  return [...scopes.facts()].flatMap(([uri, { objects, templates }]) => {
    const isRooted = scopes.ofFile(uri).some(isAlternative);
    return (objects > 0 || templates.length > 0) && (!isRooted || templates.length > 0) ? [uri] : [];
  });
}

function clusterObjects(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  isWanted: (where: AppliedObject) => boolean,
  narrowing: Narrowing | undefined,
): readonly AppliedObject[] {
  return [...appliedObjectsOf(workspace, catalogueOf, narrowing)].filter(
    (each) => each.file.uri !== everyCluster && each.file.config === undefined && isWanted(each),
  );
}

/** Returns the cluster of each alternative. */
function alternatives(
  roots: ReadonlyMap<AppliedObject, Scope | undefined>,
  make: (objects: Iterable<ClusterObject>) => Cluster,
): readonly ScopedCluster[] {
  const byRoot = new Map<Scope | undefined, AppliedObject[]>();
  for (const [each, scope] of roots) getOrAdd(byRoot, scope, () => []).push(each);
  const others = byRoot.get(undefined) ?? [];
  return [...byRoot].flatMap(([scope, own]) => {
    if (scope === undefined) return [];
    const names = new Set(own.map(identityOf));
    return [{ scope, cluster: make([...others.filter((each) => !names.has(identityOf(each))), ...own]) }];
  });
}

/** Returns the scope of an object that is an alternative to other scopes. */
function rootOf(workspace: Workspace, { builtBy, ...where }: AppliedObject): Scope | undefined {
  if (builtBy !== undefined) return builtBy;
  const scopes = workspace.scopes().of(placeOf(where));
  return scopes.find(isAlternative);
}

/** Whether a scope is an alternative to other scopes that apply the same objects. */
export function isAlternative(scope: Scope): boolean {
  return isRendered(scope) || scope.kind === 'chart' || scope.kind === 'template';
}

function haveCommonObjects(roots: ReadonlyMap<AppliedObject, Scope | undefined>): boolean {
  const owners = new Map<string, Scope | undefined>();
  for (const [each, scope] of roots) {
    const identity = identityOf(each);
    if (owners.has(identity) && owners.get(identity) !== scope) return true;
    owners.set(identity, scope);
  }
  return false;
}

function identityOf({ object }: ClusterObject): string {
  const { group, kind, namespace, name } = object;
  return [group, kind, namespace?.text ?? '', name?.text ?? ''].join('\n');
}

const ofScopes = new WeakMap<Workspace, Map<Scope, Cluster>>();

/** Returns the objects that one scope applies, as a cluster. Further policies and namespace labels may exist unless the scope was loaded completely. */
export function clusterOfScope(written: Workspace, catalogue: Catalogue, scope: Scope): Cluster {
  const known = getOrAdd(ofScopes, written, () => new Map<Scope, Cluster>());
  return getOrAdd(known, scope, () => scopeAsCluster(written, catalogue, scope, scope.closed !== true));
}

/** Returns the objects that one scope applies, as a cluster, which is complete unless `isOpen` is set. */
export function scopeAsCluster(written: Workspace, catalogue: Catalogue, scope: Scope, isOpen: boolean): Cluster {
  const workspace = seenBy(written, catalogue, scope) ?? written;
  const objects = effectiveObjectsOf(written, catalogue, scope).filter(({ object }) => object.forCluster);
  return clusterOf(
    objects.map((where) => ({ ...where, workspace })),
    () => catalogue,
    { isOpen },
  );
}
