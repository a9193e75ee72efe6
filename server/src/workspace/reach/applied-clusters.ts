/** Determines the clusters of a workspace: each set of objects that are applied together has its own reachability model. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd, memoized, RecentMap } from '../../engine/memoize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { effectiveObjectsOf, seenBy } from '../kustomize/view.ts';
import type { EffectiveObject, Workspace, WorkspaceFile } from '../model.ts';
import { everyCluster, isRendered, type Scope, type Scopes } from '../scopes/model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { objectsOf } from '../snapshot.ts';
import { clusterOf } from './build-cluster.ts';
import { type Cluster, type ClusterOptions, seenFrom } from './cluster.ts';
import type { ClusterObject } from './cluster-object.ts';
import {
  areApart,
  type ClusterScopes,
  clustersWith,
  mayRestrict,
  possiblyShared,
  restrictingClusters,
} from './cluster-scopes.ts';
import { withExternalObjects } from './external-objects.ts';
import { concernsNetwork } from './network-objects.ts';

/** An object as a kustomization builds it, or as it is written if no kustomization builds it. */
export interface AppliedObject extends ClusterObject {
  /** The kustomization that builds the object. */
  readonly builtBy?: Scope | undefined;
  readonly transformers?: EffectiveObject['transformers'];
}

export interface ScopedCluster {
  /** The scopes that distinguish the cluster; undefined if all objects are in one cluster. */
  readonly of: ClusterScopes | undefined;
  /** If all objects are in one cluster, its scopes; absent if they belong to several alternatives or to none. */
  readonly only?: ClusterScopes | undefined;
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

/** Returns the objects that `narrowing` includes, with all objects of the GitOps objects that certainly share a cluster with them, as one cluster if none of them occurs twice. Otherwise, kustomizations, charts and the clusters of GitOps objects are alternatives: each of them is a cluster, together with the objects that belong to no alternative. Such a cluster is complete. */
export function clustersIn(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  isWanted: (where: AppliedObject) => boolean,
  narrowing?: Narrowing,
): readonly ScopedCluster[] {
  const scopes = workspace.scopes();
  const objects = withClusters(workspace, catalogueOf, isWanted, narrowing);
  const roots = rootsOf(workspace, objects);
  const clusters = clustersOfRoots(scopes, roots.values());
  const areSeveral = clusters.length > 1 && (haveCommonObjects(scopes, roots) || areSomeApart(scopes, clusters));
  if (areSeveral) return alternatives(workspace, catalogueOf, roots, clusters);
  const cluster = clusterOf(objects, catalogueOf, possibleBeside(workspace, catalogueOf, clusters, objects));
  return [{ of: undefined, only: clusters.length === 1 ? clusters[0] : undefined, cluster }];
}

/** The objects of a workspace, divided by whether GitOps objects apply them. */
export interface DividedObjects {
  /** The clusters of the GitOps objects that apply wanted objects. */
  readonly clusters: readonly ClusterScopes[];
  /** The wanted objects that no GitOps object applies. */
  readonly others: readonly AppliedObject[];
}

/** Divides the wanted objects by whether GitOps objects apply them. */
export function dividedObjects(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  isWanted: (where: AppliedObject) => boolean,
  narrowing?: Narrowing,
): DividedObjects {
  const clusters = new Set<ClusterScopes>();
  const others: AppliedObject[] = [];
  for (const each of clusterObjects(workspace, catalogueOf, isWanted, narrowing)) {
    const around = gitopsClustersOf(workspace.scopes(), scopesOf(workspace, each));
    if (around.length === 0) others.push(each);
    for (const cluster of around) clusters.add(cluster);
  }
  return { clusters: [...clusters], others };
}

/** Returns the clusters to which GitOps objects apply the objects of some scopes. */
export function gitopsClustersOf(scopes: Scopes, some: readonly Scope[]): readonly ClusterScopes[] {
  return some.flatMap((scope) => clustersWith(scopes, scope)).filter(({ isGitops }) => isGitops);
}

/** Whether several scopes apply the same object, so that they are alternatives. */
export function areAlternatives(workspace: Workspace, objects: readonly AppliedObject[]): boolean {
  return haveCommonObjects(workspace.scopes(), rootsOf(workspace, objects));
}

/** Whether no two of the objects that belong to no alternative are the same object, so that all of them may be in one cluster. */
export function areWrittenOnce(workspace: Workspace, objects: readonly AppliedObject[]): boolean {
  const compared = objects.filter(
    (each) => isExclusive(each) && concernsNetwork(each.object) && rootOf(workspace, each) === undefined,
  );
  return new Set(compared.map(identityOf)).size === compared.length;
}

/** Returns the clusters of objects that no GitOps object applies: one for each alternative if `areSeveral` is set, otherwise one for all. Policies of GitOps objects are possibly applied to these clusters. */
export function clustersOfOthers(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  objects: readonly AppliedObject[],
  areSeveral: boolean,
): readonly ScopedCluster[] {
  const roots = rootsOf(workspace, objects);
  const clusters = clustersOfRoots(workspace.scopes(), roots.values());
  if (areSeveral) return alternatives(workspace, catalogueOf, roots, clusters, true);
  const cluster = clusterOf(objects, catalogueOf, possibleBeside(workspace, catalogueOf, clusters, objects, true));
  return [{ of: undefined, only: clusters.length === 1 ? clusters[0] : undefined, cluster }];
}

function rootsOf(
  workspace: Workspace,
  objects: readonly AppliedObject[],
): ReadonlyMap<AppliedObject, Scope | undefined> {
  return new Map(objects.map((each) => [each, rootOf(workspace, each)]));
}

/** Returns the objects that some alternatives apply, and the objects that belong to no alternative. */
export function objectsAround(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  wanted: ReadonlySet<ClusterScopes>,
): readonly AppliedObject[] {
  const scopes = workspace.scopes();
  const members = new Set([...wanted].flatMap((each) => [...each.scopes]));
  const files = [...members].flatMap((scope) => [...scope.files]);
  const narrowing = {
    mayApply: (scope: Scope) => members.has(scope),
    mayHold: () => true,
    files: new Set([...getOrAdd(unrooted, scopes, filesWithoutRoot), ...files]),
  };
  const objects = clusterObjects(workspace, catalogueOf, (each) => scopesOf(workspace, each).length > 0, narrowing);
  return objects.filter((each) => {
    const root = rootOf(workspace, each);
    return root === undefined || members.has(root);
  });
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
  const objects = [...appliedObjectsOf(workspace, catalogueOf, narrowing)].filter(
    (each) => each.file.uri !== everyCluster && each.file.config === undefined && isWanted(each),
  );
  return withExternalObjects(workspace, objects);
}

/** Returns the objects that `narrowing` includes, and all objects of the GitOps objects that certainly share a cluster with them. */
function withClusters(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  isWanted: (where: AppliedObject) => boolean,
  narrowing: Narrowing | undefined,
): readonly AppliedObject[] {
  const scopes = workspace.scopes();
  if (scopes.clusterGroups().length === 0) return clusterObjects(workspace, catalogueOf, isWanted, narrowing);
  const lacking = new Set<Scope>();
  const rooted = (each: AppliedObject) => rootOf(workspace, each);
  const objects = clusterObjects(
    workspace,
    catalogueOf,
    (each) => {
      if (isWanted(each)) return true;
      const root = rooted(each);
      if (root !== undefined) lacking.add(root);
      return false;
    },
    narrowing,
  );
  const clusters = clustersOfRoots(scopes, objects.map(rooted)).filter(({ isGitops }) => isGitops);
  const members = new Set(clusters.flatMap((each) => [...each.scopes]));
  if ([...members].every((scope) => !lacking.has(scope) && narrowing?.mayApply(scope) !== false)) return objects;
  const isMember = (scope: Scope | undefined) => scope !== undefined && members.has(scope);
  return clusterObjects(
    workspace,
    catalogueOf,
    (each) => isMember(rooted(each)) || isWanted(each),
    narrowing && {
      ...narrowing,
      mayApply: (scope) => members.has(scope) || narrowing.mayApply(scope),
    },
  );
}

/** Returns the clusters to which some scopes are applied, in the order of the scopes. */
function clustersOfRoots(scopes: Scopes, roots: Iterable<Scope | undefined>): readonly ClusterScopes[] {
  const all = [...new Set(roots)];
  return [...new Set(all.flatMap((scope) => (scope === undefined ? [] : clustersWith(scopes, scope))))];
}

/** Returns each cluster, with the objects that belong to no alternative. */
function alternatives(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  roots: ReadonlyMap<AppliedObject, Scope | undefined>,
  clusters: readonly ClusterScopes[],
  areOthers = false,
): readonly ScopedCluster[] {
  const byRoot = new Map<Scope | undefined, AppliedObject[]>();
  for (const [each, scope] of roots) getOrAdd(byRoot, scope, () => []).push(each);
  const others = byRoot.get(undefined) ?? [];
  return clusters.map((each) => {
    const own = [...each.scopes].flatMap((scope) => byRoot.get(scope) ?? []);
    const names = new Set(own.map(identityOf));
    const objects = [...others.filter((other) => !names.has(identityOf(other))), ...own];
    const possible = possibleBeside(workspace, catalogueOf, [each], own, areOthers);
    return { of: each, cluster: clusterOf(objects, catalogueOf, possible) };
  });
}

export function rootOf(workspace: Workspace, where: AppliedObject): Scope | undefined {
  return where.builtBy ?? scopesOf(workspace, where).find(isAlternative);
}

/** Returns the scopes of an object: the kustomization that builds it, or the scopes of its file. */
function scopesOf(workspace: Workspace, { builtBy, ...where }: AppliedObject): readonly Scope[] {
  return builtBy === undefined ? workspace.scopes().of(placeOf(where)) : [builtBy];
}

/** Whether a scope is an alternative to other scopes that apply the same objects. */
export function isAlternative(scope: Scope): boolean {
  return isRendered(scope) || scope.kind === 'chart' || scope.kind === 'template';
}

/** Whether scopes that do not share a cluster apply the same object. */
function haveCommonObjects(scopes: Scopes, roots: ReadonlyMap<AppliedObject, Scope | undefined>): boolean {
  const owners = new Map<string, { readonly scope: Scope | undefined; readonly shared: readonly ClusterScopes[] }>();
  for (const [each, scope] of roots) {
    const identity = identityOf(each);
    const known = owners.get(identity);
    if (known !== undefined && known.scope === scope) continue;
    const own = scope === undefined ? [] : clustersWith(scopes, scope);
    const shared = known === undefined ? own : known.shared.filter((cluster) => own.includes(cluster));
    if (known !== undefined && shared.length === 0) return true;
    owners.set(identity, { scope, shared });
  }
  return false;
}

/** The maximum number of comparisons of clusters. */
const maximumComparisons = 1_000_000;

/** Whether some clusters of GitOps objects are certainly different. */
function areSomeApart(scopes: Scopes, clusters: readonly ClusterScopes[]): boolean {
  const groups = clusters.filter(({ isGitops }) => isGitops);
  let left = maximumComparisons;
  for (const [index, one] of groups.entries())
    for (const other of groups.slice(index + 1)) {
      if (areApart(scopes, one, other)) return true;
      if (left-- === 0) return false;
    }
  return false;
}

/** Returns the restrictions that GitOps objects possibly apply to some clusters. A cluster with an object of the given ones is an alternative to these clusters. */
function possibleBeside(
  workspace: Workspace,
  catalogueOf: CatalogueOf,
  clusters: readonly ClusterScopes[],
  objects: Iterable<ClusterObject>,
  areOthers = false,
): Pick<ClusterOptions, 'isOpen' | 'possible'> {
  const isPartly = (scope: Scope) => isExecutedPartly(workspace, catalogueOf(scope.path), scope);
  const { clusters: others, isCut } = areOthers
    ? restrictingClusters(workspace.scopes())
    : possiblyShared(workspace.scopes(), clusters);
  const isOpen = isCut || clusters.some(({ scopes }) => [...scopes].some(isPartly));
  if (others.length === 0) return { isOpen };
  const identities = new Set([...objects].filter(isExclusive).map(identityOf));
  const own = new Set(clusters.flatMap((each) => [...each.scopes]));
  const files = new Set([...own].flatMap((scope) => [...scope.files]));
  const possible = others.flatMap(({ scopes }) => {
    const compared = [...scopes].filter(
      (scope) =>
        !own.has(scope) && (mayRestrict(workspace.scopes(), scope) || [...scope.files].some((uri) => files.has(uri))),
    );
    const found = compared.flatMap((scope) => objectsIn(workspace, catalogueOf(scope.path), scope));
    const isAlternative = found.some((each) => isExclusive(each) && identities.has(identityOf(each)));
    return isAlternative ? [] : found;
  });
  return { isOpen, possible };
}

/** Whether a chart that no GitOps object installs may create further objects, because its execution is not complete. */
function isExecutedPartly(workspace: Workspace, catalogue: Catalogue, { path, release }: Scope): boolean {
  return release !== undefined && workspace.rendering(path, catalogue)?.isWhole !== true;
}

/** Whether an object can be in a cluster only once; several GitOps objects often create the same Namespace. */
function isExclusive({ object }: ClusterObject): boolean {
  return object.name !== undefined && !(object.group === '' && object.kind === 'Namespace');
}

function identityOf({ object }: ClusterObject): string {
  const { kind, namespace, name } = object;
  return [storedGroup(object), kind, namespace?.text ?? '', name?.text ?? ''].join('\n');
}

interface Evaluated {
  /** The clusters of scopes that no GitOps object applies, each of which contains the objects of its scope. */
  readonly alone: RecentMap<Scope, Cluster>;
  readonly byScope: Map<Scope, Cluster>;
  readonly complete: Map<ClusterScopes, Cluster>;
  readonly open: Map<ClusterScopes, Cluster>;
  /** The scopes of each cluster of which some objects are unknown. */
  readonly unknown: Map<ClusterScopes, readonly Scope[]>;
}

const evaluatedIn = memoized<Workspace, Evaluated>((workspace) => ({
  alone: new RecentMap(() => workspace.evictions()),
  byScope: new Map(),
  complete: new Map(),
  open: new Map(),
  unknown: new Map(),
}));

/** Returns the cluster to which a scope applies its objects. Further policies and namespace labels may exist unless all its scopes were loaded completely. */
export function clusterOfScope(workspace: Workspace, catalogue: Catalogue, scope: Scope): Cluster {
  const written = workspace.written ?? workspace;
  const { alone, byScope, unknown } = evaluatedIn(written);
  const [first, ...others] = clustersWith(written.scopes(), scope);
  const isOpenIn = () => scope.closed !== true || isExecutedPartly(written, catalogue, scope);
  if (first === undefined || !first.isGitops)
    return alone.getOrAdd(scope, () => {
      const objects = withExternalObjects(written, objectsIn(written, catalogue, scope));
      return clusterOf(objects, () => catalogue, { isOpen: isOpenIn(), home: scope });
    });
  return getOrAdd(byScope, scope, () => {
    const incomplete = getOrAdd(unknown, first, () =>
      [...first.scopes].filter((each) => !isKnown(written, catalogue, each)),
    );
    const certain = [...first.scopes].filter((each) => others.every(({ scopes }) => scopes.has(each)));
    const shared = others.length === 0 ? first : { ...first, scopes: new Set(certain) };
    const isIncomplete = isOpenIn() || incomplete.some((each) => each !== scope);
    return seenFrom(
      clusterOfScopes(written, () => catalogue, shared, isIncomplete),
      scope,
    );
  });
}

/** Returns the number of files whose objects `clusterOfScope` evaluates. */
export function filesInClusterOf(scopes: Scopes, scope: Scope): number {
  let files = 0;
  for (const each of new Set(clustersWith(scopes, scope).flatMap((one) => [...one.scopes]))) files += each.files.size;
  return files;
}

/** Returns the cluster of some scopes, which is complete unless `isOpen` is set. */
export function clusterOfScopes(
  written: Workspace,
  catalogueOf: CatalogueOf,
  cluster: ClusterScopes,
  isOpen: boolean,
): Cluster {
  const { open, complete } = evaluatedIn(written);
  return getOrAdd(isOpen ? open : complete, cluster, () => {
    const applied = [...cluster.scopes].flatMap((scope) => objectsIn(written, catalogueOf(scope.path), scope));
    const objects = withExternalObjects(written, applied);
    const beside = possibleBeside(written, catalogueOf, [cluster], objects);
    return clusterOf(objects, catalogueOf, { ...beside, isOpen: isOpen || beside.isOpen });
  });
}

function objectsIn(written: Workspace, catalogue: Catalogue, scope: Scope): readonly ClusterObject[] {
  const workspace = seenBy(written, catalogue, scope) ?? written;
  return effectiveObjectsOf(written, catalogue, scope).flatMap((where) =>
    where.object.forCluster ? [{ ...where, workspace }] : [],
  );
}

/** Whether all objects of a scope are known, except definitions of kinds and objects of releases of charts. */
export function isKnown(
  written: Workspace,
  catalogue: Catalogue,
  { closed, gitops, kind, files, path }: Scope,
): boolean {
  if (closed === true || closed.areReleases || kind === 'helm-release') return true;
  if (gitops?.facts.releases !== undefined) return true;
  // Otherwise, the scope may be open only because of GitOps objects in its files, which have scopes of their own.
  const isOpen = [...files].some((uri) => (written.scopes().factsOf(uri)?.openBecause.length ?? 0) > 0);
  return (
    !isOpen && gitops?.contents.includes(undefined) !== true && written.rendering(path, catalogue)?.isWhole === true
  );
}
