/** Compares the matches between objects of different GitOps objects of one cluster in two trees. */

import { uncomparedSentences } from '../../features/presentation/change-sentences.ts';
import { type ClusterChange, ClusterComparison, type PlacedEnd } from '../../rules/helpers/cluster-changes.ts';
import { GitopsState, type PlacedObject } from '../../rules/helpers/gitops-state.ts';
import type { Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { isWithin, relativeFolder, resolveUri } from '../../workspace/uri.ts';
import type { AroundSelected } from './applied-objects.ts';
import { buildPart, identityKeyOf, keyOf, type Named, type Names, nameOf } from './compared-names.ts';
import type { Tree } from './objects-of-tree.ts';

/** A changed match between two objects. */
export interface MatchOfNames {
  readonly kind: 'lost' | 'gained';
  readonly owner: Named;
  readonly path: string;
  readonly target: Named;
  readonly via: string | undefined;
}

/** A changed match between objects of different GitOps objects. */
export interface MatchBetween extends MatchOfNames {
  /** Whether each object exists in both trees. */
  readonly areInBoth: { readonly owner: boolean; readonly target: boolean };
}

/** The comparison of the GitOps objects in two trees. */
export interface ComparedClusters {
  /** The changed matches between different GitOps objects. */
  readonly changes: readonly MatchBetween[];
  readonly isIncomplete: boolean;
  /** Sentences about matches that are not compared because not all objects are known. */
  readonly uncompared: readonly string[];
}

type Selected = Pick<AroundSelected, 'isSelected'>;

/** Compares the GitOps objects in two trees. Changes of matches in one GitOps object are removed from `links` if the objects only moved to other GitOps objects of the cluster; 'partOf' returns the part of a tree that contains the owner of a match. */
export function compareClusters<Link extends MatchOfNames>(
  [before, after]: readonly [Tree, Tree],
  names: Names,
  {
    links,
    partOf,
    selected,
  }: {
    readonly links: readonly Link[];
    readonly partOf: (link: Link) => string | undefined;
    readonly selected?: readonly [Selected, Selected];
  },
): ComparedClusters & { readonly links: readonly (Link & Partial<Pick<MatchBetween, 'areInBoth'>>)[] } {
  const [old, fresh] = [stateOf(before), stateOf(after)];
  if (old.scopes.size + fresh.scopes.size === 0) return { links, changes: [], isIncomplete: false, uncompared: [] };
  const comparison = new ClusterComparison(old, fresh);
  const [inOld, inFresh] = [old, fresh].map(byPart);
  const left = links.flatMap((link): readonly (Link & Partial<Pick<MatchBetween, 'areInBoth'>>)[] => {
    const { kind } = link;
    const scope = (kind === 'lost' ? inOld : inFresh)?.get(partOf(link) ?? '');
    if (scope === undefined) return [link];
    const [owner, target] = [identityOf(link.owner), identityOf(link.target)];
    const ends = comparison.otherEnds(kind, scope, { ...link, owner, target });
    if (ends === undefined) return [link];
    if (ends === 'same') return [];
    return [{ ...link, areInBoth: { owner: ends.owner !== undefined, target: ends.target !== undefined } }];
  });
  const found = comparison.changes(() => true);
  const changes = found.changes.filter((each) => selected === undefined || concerns(each, selected));
  const nameIn = ({ before: was, now }: PlacedEnd, isOld: boolean): Named => {
    const [session, root] = isOld ? [before.session, before.root] : [after.session, after.root];
    const { file, object, scope } = (isOld ? was : now) as PlacedObject; // a match exists in one of the trees
    return nameOf(session, root, { file, object, builtBy: scope }, isOld ? names : { several: names.several });
  };
  return {
    links: left,
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
    isMeant: () => true,
  });
  states.set(snapshot, { root, state });
  return state;
}

function byPart(state: GitopsState): ReadonlyMap<string, Scope> {
  return new Map([...state.scopes.values()].map((scope) => [buildPart(scope.path), scope]));
}

function identityOf({ scope: _, ...named }: Named): string {
  return keyOf(named);
}

function concerns({ owner, target }: ClusterChange, [old, fresh]: readonly [Selected, Selected]): boolean {
  const isIn = ({ isSelected }: Selected, where: PlacedObject | undefined) =>
    where !== undefined && isSelected({ builtBy: where.scope }, where);
  return [owner, target].some(({ before, now }) => isIn(old, before) || isIn(fresh, now));
}

function isInBoth({ before, now }: PlacedEnd): boolean {
  return before !== undefined && now !== undefined;
}
