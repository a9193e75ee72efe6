/** Finds the clusters of two trees whose connections are compared. */

import { getOrAdd } from '../../engine/memoize.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { Session } from '../../session.ts';
import { kustomizationIn } from '../../workspace/kustomize/kustomization-paths.ts';
import {
  type AppliedObject,
  areAlternatives,
  clusterOfScopes,
  clustersOfOthers,
  dividedObjects,
  gitopsClustersOf,
  isAlternative,
  isKnown,
  objectsAround,
  rootOf,
} from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { type ClusterScopes, clustersWith } from '../../workspace/reach/cluster-scopes.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { folderOf, relativePath, resolveUri } from '../../workspace/uri.ts';
import { isSelected } from '../objects/applied-objects.ts';
import { selectedOnly } from '../objects/narrowing.ts';
import type { Tree } from '../objects/objects-of-tree.ts';

/** A cluster of a tree. */
export interface ComparedCluster {
  readonly cluster: Cluster;
  /** The path of the scope that names the cluster; `.` if the objects of several scopes are in one cluster. */
  readonly scope: string;
  /** Whether all objects of the cluster are known, except objects of releases of charts. */
  isKnown(): boolean;
}

/** The clusters of a tree, by keys that identify them in both trees. */
type ClustersByKey = ReadonlyMap<string, ComparedCluster>;

/** The clusters of two trees. */
interface ComparedClusters {
  readonly before: ClustersByKey;
  readonly after: ClustersByKey;
  /** Whether a change in a scope concerns only the clusters of the scope, or only clusters of GitOps objects. */
  readonly areSeparate: boolean;
}

type Pair<T> = readonly [before: T, after: T];

/** Returns the clusters of two trees: each cluster of GitOps objects, and the clusters of the objects that no GitOps object applies in either tree. An object counts only in the trees in which it is applied. */
export function comparedClusters(before: Tree, after: Tree): ComparedClusters {
  const divided = both([before, after], (tree) =>
    dividedObjects(
      tree.session.snapshot(),
      catalogueIn(tree),
      (each) => isSelected(tree, each),
      tree.selection.isWhole ? undefined : selectedOnly(tree),
    ),
  );
  const [old, fresh] = both(divided, ({ clusters }, index) => gitopsClusters(index === 0 ? before : after, clusters));
  const areOfGitops = divided.some(({ clusters }) => clusters.length > 0);
  const others = [
    divided[0].others.filter(isComparedIn(before, after)),
    divided[1].others.filter(isComparedIn(after, before)),
  ] as const;
  // Without a policy, no connection changes.
  if (!others.some((each) => each.some(({ object }) => policyKindOf(object) !== undefined)))
    return { before: old, after: fresh, areSeparate: areOfGitops };
  const [werePart, arePart] = both(divided, (each, index) =>
    areAlternatives((index === 0 ? before : after).session.snapshot(), each.others),
  );
  const areSeveral = werePart || arePart;
  return {
    before: new Map([...old, ...otherClusters(before, others[0], areSeveral)]),
    after: new Map([...fresh, ...otherClusters(after, others[1], areSeveral)]),
    // The new tree may change.
    areSeparate: werePart && !areOfGitops,
  };
}

function both<T, R>([before, after]: Pair<T>, of: (each: T, index: number) => R): Pair<R> {
  return [of(before, 0), of(after, 1)];
}

/** Returns the clusters of two trees to which scopes at some paths, relative to the trees, belong, if all clusters are separate; undefined if the paths may concern other clusters. */
export function clustersAt(
  before: Tree,
  after: Tree,
  paths: ReadonlySet<string>,
): (Omit<ComparedClusters, 'areSeparate'> & { readonly keys: ReadonlySet<string> }) | undefined {
  const trees = [before, after] as const;
  const areOfGitops = trees.some((tree) => gitopsIn(tree).length > 0);
  const touched = trees.flatMap((tree) => clustersOfPaths(tree, paths).map((each) => ({ tree, each })));
  if (areOfGitops && touched.some(({ each }) => !each.isGitops)) return undefined;
  // Each cluster of GitOps objects may depend on others, which are possibly the same cluster.
  const keys = new Set(
    areOfGitops
      ? trees.flatMap((tree) => gitopsIn(tree).map((each) => keyIn(tree, each)))
      : touched.map(({ tree, each }) => keyIn(tree, each)),
  );
  const clustersIn = (tree: Tree, other: Tree): ClustersByKey => {
    if (areOfGitops) return touched.length === 0 ? new Map() : gitopsClusters(tree, gitopsIn(tree));
    const wanted = new Set(alternativesIn(tree).filter((each) => keys.has(keyIn(tree, each))));
    const objects = objectsAround(tree.session.snapshot(), catalogueIn(tree), wanted);
    return otherClusters(tree, objects.filter(isComparedIn(tree, other)), true);
  };
  return {
    before: clustersIn(before, after),
    after: clustersIn(after, before),
    keys: touched.length === 0 ? new Set() : keys,
  };
}

function clustersOfPaths(tree: Tree, paths: ReadonlySet<string>): readonly ClusterScopes[] {
  const scopes = tree.session.snapshot().scopes();
  return scopes
    .all()
    .filter((scope) => isAlternative(scope) && paths.has(pathIn(tree, scope.path)))
    .flatMap((scope) => clustersWith(scopes, scope));
}

function alternativesIn({ session }: Tree): readonly ClusterScopes[] {
  const scopes = session.snapshot().scopes();
  return scopes
    .all()
    .filter(isAlternative)
    .flatMap((scope) => clustersWith(scopes, scope));
}

function gitopsIn({ session }: Tree): readonly ClusterScopes[] {
  const scopes = session.snapshot().scopes();
  return [...new Set(gitopsClustersOf(scopes, scopes.all()))];
}

function gitopsClusters(tree: Tree, clusters: readonly ClusterScopes[]): ClustersByKey {
  return new Map(
    clusters.map((each) => [keyIn(tree, each), comparedCluster(tree.session, each, shownPath(tree, each.path))]),
  );
}

/** Returns the cluster of some scopes. */
export function comparedCluster(session: Session, cluster: ClusterScopes, scope: string): ComparedCluster {
  return {
    cluster: clusterOfScopes(session.snapshot(), catalogueIn({ session }), cluster, false),
    scope,
    isKnown: () => areKnown(session, cluster.scopes),
  };
}

/** Returns the clusters of objects that no GitOps object applies. */
function otherClusters(tree: Tree, objects: readonly AppliedObject[], areSeveral: boolean): ClustersByKey {
  const workspace = tree.session.snapshot();
  const rendered = () => objects.flatMap(({ builtBy }) => builtBy ?? []);
  return new Map(
    clustersOfOthers(workspace, catalogueIn(tree), objects, areSeveral).map(({ of, only = of, cluster }) => [
      of === undefined ? '' : keyIn(tree, of),
      {
        cluster,
        scope: only === undefined ? '.' : shownPath(tree, only.path),
        isKnown: () => areKnown(tree.session, of?.scopes ?? rendered()),
      },
    ]),
  );
}

function areKnown(session: Session, scopes: Iterable<Scope>): boolean {
  const [workspace, catalogueOf] = [session.snapshot(), catalogueIn({ session })];
  return [...new Set(scopes)].every((each) => !isRendered(each) || isKnown(workspace, catalogueOf(each.path), each));
}

/** Returns a test for the objects of a tree that no GitOps object applies in the other tree, and that are applied at all. */
function isComparedIn(tree: Tree, other: Tree): (each: AppliedObject) => boolean {
  const workspace = tree.session.snapshot();
  const there = other.session.snapshot().scopes();
  const kustomizations = new Set(
    workspace
      .scopes()
      .all()
      .flatMap(({ kind, path }) => (kind === 'kustomization' ? pathIn(tree, path) : [])),
  );
  const byUri = new Map<string, readonly Scope[]>();
  return (each) => {
    const root = rootOf(workspace, each);
    const kustomization = root === undefined ? undefined : kustomizationIn(workspace, root.path)?.uri;
    const uri = kustomization ?? each.file.uri;
    const scopes = getOrAdd(byUri, uri, () => {
      const uriThere = resolveUri(other.root, pathIn(tree, uri));
      return kustomization === undefined ? there.ofFile(uriThere) : there.building(uriThere);
    });
    if (gitopsClustersOf(there, scopes).length > 0) return false;
    if (policyKindOf(each.object) === undefined) return true;
    // A kustomization next to a policy that lists it in only one of the trees applies it only there.
    if (root === undefined && kustomizationIn(workspace, folderOf(uri)) !== undefined) return false;
    const own = root && pathIn(tree, root.path);
    const builders = scopes.filter(({ kind }) => kind === 'kustomization').map(({ path }) => pathIn(other, path));
    return builders.includes(own ?? '') || !builders.some((path) => kustomizations.has(path));
  };
}

function catalogueIn({ session }: Pick<Tree, 'session'>) {
  return (uri: string) => session.workspace.catalogueOf(uri);
}

function keyIn(tree: Tree, { key }: ClusterScopes): string {
  return pathIn(tree, key);
}

function pathIn({ root }: Tree, path: string): string {
  return relativePath(root, path);
}

function shownPath(tree: Tree, path: string): string {
  return path === tree.root ? '.' : pathIn(tree, path);
}
