/** Compares the matches between the objects that GitOps objects apply to clusters in two trees. */

import { type ClusterChange, ClusterComparison, type PlacedEnd } from '../../compare/cluster-changes.ts';
import { GitopsState, type PlacedObject } from '../../compare/gitops-state.ts';
import { isRestricted } from '../../compare/matches.ts';
import { uncomparedSentences } from '../../features/presentation/change-sentences.ts';
import type { Workspace } from '../../workspace/model.ts';
import { isWithin, relativeFolder, resolveUri } from '../../workspace/uri.ts';
import type { Tree } from '../trees/tree.ts';
import type { AroundSelected } from './applied-objects.ts';
import { buildPart, identityKeyOf, type Named, type Names, nameOf, uriOfPart } from './compared-names.ts';

/** A changed match between two objects. */
export interface MatchOfNames {
  readonly kind: 'lost' | 'gained';
  readonly owner: Named;
  readonly path: string;
  readonly target: Named;
  readonly via: string | undefined;
}

export interface MatchInCluster extends MatchOfNames {
  /** Whether each object exists in both trees. */
  readonly areInBoth: { readonly owner: boolean; readonly target: boolean };
}

/** The comparison of the GitOps objects in two trees. */
export interface ComparedClusters {
  /** The changed matches between objects that GitOps objects apply to a cluster. */
  readonly changes: readonly MatchInCluster[];
  readonly isIncomplete: boolean;
  /** Sentences about matches that are not compared because not all objects are known. */
  readonly uncompared: readonly string[];
}

type Selected = Pick<AroundSelected, 'isSelected'>;

/** Compares the GitOps objects in two trees. `selected` determines the selected objects of the trees; by default, all objects are selected. */
export function compareClusters(
  [before, after]: readonly [Tree, Tree],
  names: Names,
  selected: readonly [Selected, Selected] | undefined,
): ComparedClusters {
  const found = new ClusterComparison(stateOf(before), stateOf(after)).changes(() => true);
  const changes = found.changes.filter((each) => selected === undefined || concerns(each, selected));
  const nameIn = ({ before: was, now }: PlacedEnd, isOld: boolean): Named => {
    const [session, root] = isOld ? [before.session, before.root] : [after.session, after.root];
    const { file, object, scope } = (isOld ? was : now) as PlacedObject; // a match exists in one of the trees
    return nameOf(session, root, { file, object, builtBy: scope }, isOld ? names : { several: names.several });
  };
  return {
    changes: changes.map(({ kind, owner, path, target, via }) => ({
      kind,
      owner: nameIn(owner, kind === 'lost'),
      path,
      target: nameIn(target, kind === 'lost'),
      via,
      areInBoth: { owner: isInBoth(owner), target: isInBoth(target) },
    })),
    isIncomplete: found.isIncomplete,
    uncompared: uncomparedSentences(found, ({ path }) =>
      relativeFolder(isWithin(path, after.root) ? after.root : before.root, path),
    ),
  };
}

/** Returns a function that determines whether a GitOps object applies one of some parts of a tree to a cluster, or applies the same files to a cluster in the other tree. */
export function appliedParts(tree: Tree, other: Tree): (parts: readonly string[]) => boolean {
  const [state, others] = [stateOf(tree), stateOf(other)];
  if (state.scopes.size + others.scopes.size === 0) return () => false;
  const inClusters = [...state.scopes.values()].filter((scope) => state.clustersOf(scope).length > 0);
  const applied = new Set(inClusters.map(({ path }) => buildPart(path)));
  return (parts) => parts.some((part) => applied.has(part) || others.applies(uriOfPart(part), state));
}

/** The states of trees, which are the same as long as nothing changes. */
const states = new WeakMap<Workspace, { readonly root: string; readonly state: GitopsState }>();

function stateOf({ session, side, root }: Tree): GitopsState {
  const snapshot = session.snapshot();
  const known = states.get(snapshot);
  if (known?.root === root) return known.state;
  const state = new GitopsState({
    side: { ...side, workspace: snapshot },
    identityOf: (where) => identityKeyOf(session, where),
    relative: (uri) => relativeFolder(root, uri),
    uriAt: (path) => resolveUri(root, path),
    isMeant: (site) => !isRestricted(site),
    areOwnMeant: true,
  });
  states.set(snapshot, { root, state });
  return state;
}

function concerns({ owner, target }: ClusterChange, [old, fresh]: readonly [Selected, Selected]): boolean {
  const isIn = ({ isSelected }: Selected, where: PlacedObject | undefined) =>
    where !== undefined && isSelected({ builtBy: where.scope }, where);
  return [owner, target].some(({ before, now }) => isIn(old, before) || isIn(fresh, now));
}

function isInBoth({ before, now }: PlacedEnd): boolean {
  return before !== undefined && now !== undefined;
}
