/** Finds the clusters of two trees whose connections are compared. */

import { getOrAdd } from '../../engine/memoize.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { Session } from '../../session.ts';
import { kustomizationIn } from '../../workspace/kustomize/kustomization-paths.ts';
import type { Workspace } from '../../workspace/model.ts';
import {
  type AppliedObject,
  areAlternatives,
  areWrittenOnce,
  clusterOfScopes,
  clustersOfOthers,
  type DividedObjects,
  dividedObjects,
  gitopsClustersOf,
  isAlternative,
  isKnown,
  objectsAround,
  rootOf,
} from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { type ClusterScopes, clustersWith } from '../../workspace/reach/cluster-scopes.ts';
import { isPluginPolicy } from '../../workspace/reach/plugin-policies.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { folderOf, relativeFolder, relativePath, resolveUri } from '../../workspace/uri.ts';
import { isSelected } from '../objects/applied-objects.ts';
import { selectedOnly } from '../objects/narrowing.ts';
import type { Tree } from '../trees/tree.ts';

/** The parts of a tree that determine its clusters. */
export type ComparedTree = Pick<Tree, 'session' | 'selection' | 'root'>;

export interface ComparedCluster {
  readonly cluster: Cluster;
  /** The path of the scope that names the cluster; `.` if the objects of several scopes are in one cluster. */
  readonly scope: string;
  /** Whether all objects of the cluster are known, except objects of releases of charts. */
  isKnown(): boolean;
  /** Returns the clusters that the kustomizations and charts of the cluster would be on their own; absent for a single one. */
  readonly parts?: () => ClustersByKey;
}

/** The clusters of a tree, by keys that identify them in both trees. */
type ClustersByKey = ReadonlyMap<string, ComparedCluster>;

export interface ComparedClusters {
  readonly before: ClustersByKey;
  readonly after: ClustersByKey;
  /** Whether a change in a scope concerns only the clusters of the scope, or only clusters of GitOps objects. */
  readonly areSeparate: boolean;
}

type Pair<T> = readonly [before: T, after: T];

/** Returns the clusters of two trees: each cluster of GitOps objects, and the clusters of the objects that no GitOps object applies in either tree. An object counts only in the trees in which it is applied. */
export function comparedClusters(before: ComparedTree, after: ComparedTree): ComparedClusters {
  const divided = both([before, after], objectsOf);
  const [old, fresh] = both(divided, ({ clusters }, index) => gitopsClusters(index === 0 ? before : after, clusters));
  const areOfGitops = divided.some(({ clusters }) => clusters.length > 0);
  const others = comparedOthers(before, after, divided);
  return {
    before: new Map([...old, ...others.before]),
    after: new Map([...fresh, ...others.after]),
    areSeparate: areOfGitops ? others.before.size + others.after.size === 0 : others.areSeparate,
  };
}

function objectsOf(tree: ComparedTree): DividedObjects {
  const narrowing = tree.selection.isWhole ? undefined : selectedOnly(tree);
  return dividedObjects(tree.session.snapshot(), catalogueIn(tree), (each) => isSelected(tree, each), narrowing);
}

/** Returns the clusters of the objects that no GitOps object applies in either tree; none if no policy is among these objects, because then no connection changes. */
function comparedOthers(before: ComparedTree, after: ComparedTree, divided: Pair<DividedObjects>): ComparedClusters {
  const [old, fresh] = [
    divided[0].others.filter(isComparedIn(before, after)),
    divided[1].others.filter(isComparedIn(after, before)),
  ];
  const [werePart, arePart] = both(divided, ({ others }, index) =>
    areAlternatives((index === 0 ? before : after).session.snapshot(), others),
  );
  // The new tree may change.
  const areSeparate = werePart;
  if (![...old, ...fresh].some(({ object }) => policyKindOf(object) !== undefined || isPluginPolicy(object)))
    return { before: new Map(), after: new Map(), areSeparate };
  const areSeveral = werePart || arePart;
  return {
    before: otherClusters(before, old, areSeveral),
    after: otherClusters(after, fresh, areSeveral),
    areSeparate,
  };
}

/** Returns the clusters of the objects that no GitOps object applies; undefined if different files that no kustomization builds contain the same object, so that the files may belong to different clusters. */
export function clustersWithoutGitops(before: ComparedTree, after: ComparedTree): ComparedClusters | undefined {
  const divided = both([before, after], objectsOf);
  const areClear = both(divided, ({ others }, index) =>
    areWrittenOnce((index === 0 ? before : after).session.snapshot(), others),
  );
  return areClear.every(Boolean) ? comparedOthers(before, after, divided) : undefined;
}

function both<T, R>([before, after]: Pair<T>, of: (each: T, index: number) => R): Pair<R> {
  return [of(before, 0), of(after, 1)];
}

/** Returns the clusters of two trees to which scopes at some paths, relative to the trees, belong, if all clusters are separate; undefined if the paths may concern other clusters. */
export function clustersAt(
  before: ComparedTree,
  after: ComparedTree,
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
  const clustersIn = (tree: ComparedTree, other: ComparedTree): ClustersByKey => {
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

function clustersOfPaths(tree: ComparedTree, paths: ReadonlySet<string>): readonly ClusterScopes[] {
  const scopes = tree.session.snapshot().scopes();
  return scopes
    .all()
    .filter((scope) => isAlternative(scope) && paths.has(pathIn(tree, scope.path)))
    .flatMap((scope) => clustersWith(scopes, scope));
}

function alternativesIn({ session }: ComparedTree): readonly ClusterScopes[] {
  const scopes = session.snapshot().scopes();
  return scopes
    .all()
    .filter(isAlternative)
    .flatMap((scope) => clustersWith(scopes, scope));
}

function gitopsIn({ session }: ComparedTree): readonly ClusterScopes[] {
  const scopes = session.snapshot().scopes();
  return [...new Set(gitopsClustersOf(scopes, scopes.all()))];
}

function gitopsClusters(tree: ComparedTree, clusters: readonly ClusterScopes[]): ClustersByKey {
  return new Map(
    clusters.map((each) => [keyIn(tree, each), comparedCluster(tree.session, each, shownPath(tree, each.path))]),
  );
}

export function comparedCluster(session: Session, cluster: ClusterScopes, scope: string): ComparedCluster {
  return {
    cluster: clusterOfScopes(session.snapshot(), catalogueIn({ session }), cluster, false),
    scope,
    isKnown: () => areKnown(session, cluster.scopes),
  };
}

/** Returns the clusters of objects that no GitOps object applies. */
function otherClusters(tree: ComparedTree, objects: readonly AppliedObject[], areSeveral: boolean): ClustersByKey {
  const workspace = tree.session.snapshot();
  const scopes = workspace.scopes();
  const selected = () =>
    scopes
      .all()
      .filter(
        (scope) => tree.selection.concerns(scope) && clustersWith(scopes, scope).every(({ isGitops }) => !isGitops),
      );
  return new Map(
    clustersOfOthers(workspace, catalogueIn(tree), objects, areSeveral).map(({ of, only = of, cluster }) => [
      of === undefined ? '' : keyIn(tree, of),
      {
        cluster,
        scope: only === undefined ? '.' : shownPath(tree, only.path),
        isKnown: () => areKnown(tree.session, of?.scopes ?? selected()),
        ...(of === undefined && { parts: () => otherClusters(tree, objects, true) }),
      },
    ]),
  );
}

function areKnown(session: Session, scopes: Iterable<Scope>): boolean {
  const [workspace, catalogueOf] = [session.snapshot(), catalogueIn({ session })];
  return [...new Set(scopes)].every((each) => !isRendered(each) || isKnown(workspace, catalogueOf(each.path), each));
}

/** Returns a test for the objects of a tree that no GitOps object applies in the other tree, and that are applied at all. */
function isComparedIn(tree: ComparedTree, other: ComparedTree): (each: AppliedObject) => boolean {
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
    if (root === undefined && isOrphan(workspace, uri)) return false;
    // If a kustomization of both trees builds the object only in the other tree, it is not applied in this tree.
    const own = root && pathIn(tree, root.path);
    const builders = scopes.filter(({ kind }) => kind === 'kustomization').map(({ path }) => pathIn(other, path));
    return builders.includes(own ?? '') || !builders.some((path) => kustomizations.has(path));
  };
}

/** Whether a kustomization is next to a file that no kustomization lists. The result of a chart or a program may be applied. */
function isOrphan(workspace: Workspace, uri: string): boolean {
  const kustomization = kustomizationIn(workspace, folderOf(uri))?.kustomization;
  if (kustomization === undefined || workspace.scopes().isGenerated(uri)) return false;
  const { charts, programs, plugins } = kustomization;
  return charts.length + programs.length + plugins.length === 0;
}

function catalogueIn({ session }: Pick<Tree, 'session'>) {
  return (uri: string) => session.workspace.catalogueOf(uri);
}

function keyIn(tree: ComparedTree, { key }: ClusterScopes): string {
  return pathIn(tree, key);
}

function pathIn({ root }: ComparedTree, path: string): string {
  return relativePath(root, path);
}

function shownPath({ root }: ComparedTree, path: string): string {
  return relativeFolder(root, path);
}
