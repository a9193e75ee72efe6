/** Finds the clusters whose connections proposed file contents may change. */

import { scopesAffected } from '../../compare/paired-objects.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Session } from '../../session.ts';
import type { State } from '../../workspace/base.ts';
import { gitopsClustersOf } from '../../workspace/reach/applied-clusters.ts';
import { type ClusterScopes, clustersWith, mayHavePolicies } from '../../workspace/reach/cluster-scopes.ts';
import { concernsNetwork } from '../../workspace/reach/network-objects.ts';
import type { Scope, Scopes } from '../../workspace/scopes/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { relativeFolder } from '../../workspace/uri.ts';
import { PathSelection } from '../paths/path-selection.ts';
import {
  type ComparedCluster,
  type ComparedTree,
  clustersWithoutGitops,
  comparedCluster,
} from './compared-clusters.ts';

/** Returns all objects of a session as a tree. Paths are shown relative to `root`. */
export function wholeTree(session: Session, root: string): ComparedTree {
  const folders = session.snapshot().folders.map((uri) => ({ kind: 'folder', uri }) as const);
  return { session, root, selection: new PathSelection(session, folders, undefined) };
}

/** The maximum number of files whose objects are compared as one cluster if no GitOps object applies them. Building the objects of 10,000 files takes several seconds. */
export const maximumFiles = 1_000;

interface ClustersAround {
  readonly pairs: readonly (readonly [before: ComparedCluster, after: ComparedCluster])[];
  /** Sentences that describe which connections are not compared. */
  readonly problems: readonly string[];
}

/** Returns the clusters to which the given files are applied, in two states. If some files are not applied by GitOps objects, the clusters of all such files are returned, or only the scopes of the given files if other files contain the same objects or if there are too many files. */
export function clustersAround(before: ComparedTree, after: ComparedTree, uris: readonly string[]): ClustersAround {
  const affected = scopesAffected(stateOf(before.session), stateOf(after.session), uris);
  const around = ({ session }: ComparedTree, found: ReadonlySet<Scope>) => {
    const scopes = session.snapshot().scopes();
    return [...found].flatMap((scope) => keysIn(scopes, scope));
  };
  const [earlier, current] = [clustersByKey(before), clustersByKey(after)];
  const keys = [...new Set([...around(before, affected[0]), ...around(after, affected[1])])];
  const pairs = keys.flatMap((key) => {
    const [old, fresh] = [earlier.get(key), current.get(key)];
    return old === undefined || fresh === undefined ? [] : [[old, fresh] as const];
  });
  const clusterIn = ({ session, root }: ComparedTree, found: ClusterScopes) =>
    comparedCluster(session, found, relativeFolder(root, found.path));
  const pairOf = ([old, fresh]: readonly [ClusterScopes, ClusterScopes]) =>
    [clusterIn(before, old), clusterIn(after, fresh)] as const;
  const areConcerned = [before, after].some((tree) => mayChangeOthers(tree, uris));
  const isLarge = areConcerned && [before, after].some(({ session }) => filesWithObjects(session) > maximumFiles);
  const others = areConcerned && !isLarge ? clustersWithoutGitops(before, after) : undefined;
  const largeProblem = `Only connections in the changed folders and kustomizations are compared: more than ${maximumFiles} files contain objects.`;
  if (others === undefined) return { pairs: pairs.map(pairOf), problems: isLarge ? [largeProblem] : [] };
  const otherPairs = [...others.after].flatMap(([key, fresh]) => {
    const old = others.before.get(key);
    return old === undefined ? [] : [[old, fresh] as const];
  });
  return { pairs: [...pairs.filter(([, fresh]) => fresh.isGitops).map(pairOf), ...otherPairs], problems: [] };
}

function stateOf(session: Session): State {
  return { workspace: session.snapshot(), catalogueOf: (uri) => session.workspace.catalogueOf(uri) };
}

export function filesWithObjects(session: Session): number {
  let count = 0;
  for (const { objects } of session.snapshot().scopes().facts().values()) if (objects > 0) count++;
  return count;
}

/** Whether a change of some files may change connections of objects that no GitOps object applies. */
function mayChangeOthers({ session }: ComparedTree, uris: readonly string[]): boolean {
  const workspace = session.snapshot();
  const scopes = workspace.scopes();
  if (!mayHavePolicies(scopes)) return false;
  return uris.some((uri) => {
    const file = workspace.files.get(uri);
    const own = scopesAround(scopes, uri);
    if (file === undefined) return false;
    if (own.length > 0 && own.every((scope) => gitopsClustersOf(scopes, [scope]).length > 0)) return false;
    const hasOnlyObjects = file.objects > 0 && file.kustomization === undefined && !scopes.isPatch(uri);
    return !hasOnlyObjects || objectsOf(workspace, file).some(concernsNetwork);
  });
}

function scopesAround(scopes: Scopes, uri: string): readonly Scope[] {
  return [...scopes.ofFile(uri), ...scopes.building(uri)];
}

/** The clusters by their keys, as long as no scope changes. */
const known = new WeakMap<Scopes, ReadonlyMap<string, ClusterScopes>>();

function clustersByKey({ session }: ComparedTree): ReadonlyMap<string, ClusterScopes> {
  const scopes = session.snapshot().scopes();
  return getOrAdd(known, scopes, () => {
    const found = new Map<string, ClusterScopes>();
    for (const scope of scopes.all())
      for (const [index, key] of keysIn(scopes, scope).entries()) {
        const cluster = clustersWith(scopes, scope)[index];
        if (cluster !== undefined) found.set(key, cluster);
      }
    return found;
  });
}

function keysIn(scopes: Scopes, scope: Scope): readonly string[] {
  const { kind, name = '' } = scope;
  return clustersWith(scopes, scope).map(({ key, isGitops }) => JSON.stringify(isGitops ? [key] : [key, kind, name]));
}
