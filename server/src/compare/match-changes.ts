/** Finds the selector matches that were lost or gained since the base, in each scope. */

import { once } from '../engine/memoize.ts';
import { labeledObjectsOf } from '../manifests/label-sets.ts';
import type { Base, Side } from '../workspace/base.ts';
import { unrecorded } from '../workspace/dependencies/questions.ts';
import { outlineOf } from '../workspace/index/file-outline.ts';
import { seenBy } from '../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../workspace/model.ts';
import { changedScopes } from '../workspace/scopes/changed-scopes.ts';
import { isRendered, type Scope } from '../workspace/scopes/model.ts';
import { Comparisons } from '../workspace/selection/comparison-budget.ts';
import { selectingObjectsOf } from '../workspace/selection/selecting-objects.ts';
import { type ClusterChange, type ClusterChanges, ClusterComparison, type PlacedEnd } from './cluster-changes.ts';
import { GitopsState } from './gitops-state.ts';
import { changedMatches, isNews, isOmitted, StateMatches, targetsIn } from './matches.ts';
import { type Choosing, choosingChangedNamespaces } from './namespace-selectors.ts';
import {
  changedSince,
  differencesSince,
  identityOf,
  noteReads,
  type ObjectDifference,
  type ScopeDifferences,
  type ScopePair,
  scopesAffected,
} from './paired-objects.ts';

/** A match between a selector and an object that exists in only one of the two states. */
export interface MatchChange {
  /**
   * The kind of change. `lost`: the selector certainly matched in the base, and certainly does not match now. `gained`:
   * the selector certainly matches now, and certainly did not match in the base.
   */
  readonly kind: 'lost' | 'gained';
  readonly scope: Scope;
  /** The scope of the selected object, if it is another GitOps object of the cluster. */
  readonly targetScope?: Scope | undefined;
  readonly owner: MatchEnd;
  /** The path of the selector in the catalogue, without list indexes. */
  readonly path: string;
  readonly target: MatchEnd;
  /** The path of the template whose labels match; absent if the labels of the object itself match. */
  readonly via?: string | undefined;
}

/** One of the objects of a match: the selecting object or the selected object. It is absent in a state in which it does not exist. */
export interface MatchEnd {
  readonly before?: ObjectInFile;
  readonly now?: ObjectInFile;
}

export function isOwnMatch({ owner, target }: Pick<MatchChange, 'owner' | 'target'>): boolean {
  return owner.before === target.before && owner.now === target.now;
}

export interface MatchChanges {
  readonly changes: readonly MatchChange[];
  /** Set if the comparison limit was reached, so that some changes are missing. */
  readonly isIncomplete: boolean;
  /** The GitOps objects whose matches with other GitOps objects were not all compared. */
  readonly clusters: Pick<ClusterChanges, 'unknown' | 'uncompared'>;
}

const known = new WeakMap<Workspace, { readonly base: Base; readonly found: MatchChanges }>();

/** Returns the matches that changed since the base, in the order of scopes and objects. The result is cached for each snapshot. */
export function matchChangesSince(base: Base, now: Side): MatchChanges {
  const last = known.get(now.workspace);
  if (last?.base === base) return last.found;
  const comparisons = new Comparisons(maximumComparisons);
  const sides = { base: base.side, now };
  const [old, fresh] = [stateOf(base.side), stateOf(now)];
  const own = differencesSince(base, now).flatMap((differences) => {
    const { before, now: after } = differences.scope;
    if (old.clustersOf(before).length > 0 && fresh.clustersOf(after).length > 0) return [];
    const earlier = byScope.get(differences);
    if (earlier !== undefined) return earlier;
    const found = differences.recorded([base.side, now], () => changesIn(differences, sides, comparisons));
    if (!comparisons.isIncomplete) byScope.set(differences, found);
    return found;
  });
  const choosing = unrecorded(now.workspace, () => changesOfNamespaces(base, now, [old, fresh], comparisons));
  const clusters = new ClusterComparison(old, fresh).changes(affectedScopes(base, now));
  const changes = [
    ...[...own, ...choosing]
      .filter((each) => isReported(each, old, fresh))
      .map((each) => ({ ...each, scope: each.scope.now })),
    ...clusters.changes.flatMap((each) => inScopes(each, old, fresh)),
  ];
  const isIncomplete = comparisons.isIncomplete || clusters.isIncomplete;
  const found = { changes, isIncomplete, clusters };
  known.set(now.workspace, { base, found });
  return found;
}

/** Returns the changed matches, to report those of the objects in a file. */
export function matchChangesOf(base: Base, now: Side, uri: string): readonly MatchChange[] {
  const { workspace } = now;
  // Any GitOps object of the cluster may contain the other object of a match.
  if (
    workspace
      .scopes()
      .ofFile(uri)
      .some(({ gitops }) => gitops !== undefined)
  )
    workspace.questions?.note({ about: 'anything' });
  const { changes } = matchChangesSince(base, now);
  noteReads(base, now, uri);
  return changes;
}

/** A match that changed in a scope that exists in both states. */
type OwnChange = Omit<MatchChange, 'scope'> & { readonly scope: ScopePair };

/** Whether a change of a match that no GitOps object applies to a cluster, in either state, is reported. The matches in clusters are compared as a whole. */
function isReported({ kind, scope, owner, target }: OwnChange, old: GitopsState, fresh: GitopsState): boolean {
  const [which, state, other] = kind === 'lost' ? (['before', old, fresh] as const) : (['now', fresh, old] as const);
  const at = scope[which];
  if (state.clustersOf(at).length > 0) return false;
  const uris = isRendered(at) ? [at.path] : [owner, target].flatMap((end) => end[which]?.file.uri ?? []);
  return !uris.some((uri) => other.applies(uri, state));
}

function inScopes(change: ClusterChange, old: GitopsState, fresh: GitopsState): readonly MatchChange[] {
  const scopeOf = ({ before, now }: PlacedEnd): Scope | undefined =>
    now?.scope ?? (before && (fresh.scopes.get(old.keyOf(before.scope)) ?? before.scope));
  const [scope, targetScope] = [scopeOf(change.owner), scopeOf(change.target)];
  return scope === undefined
    ? []
    : [{ ...change, scope, targetScope: targetScope === scope ? undefined : targetScope }];
}

/** Returns the GitOps objects in a state, with the selectors whose matches are compared. */
export function stateOf(side: Side): GitopsState {
  return new GitopsState({
    side,
    identityOf: (where, workspace) => identityOf({ ...side, workspace }, where),
    relative: (uri) => uri,
    uriAt: (path) => path,
    isMeant: (site) => !isOmitted(site),
    areOwnMeant: false,
  });
}

/** Returns a function that determines whether the objects of a scope may differ from the base. */
export function affectedScopes(base: Base, now: Side): (scope: Scope) => boolean {
  if (changedScopes(base.side.workspace.scopes(), now.workspace.scopes()) === undefined) return () => true;
  const affected = once(() => scopesAffected(base.side, now, changedSince(base, now)));
  return (scope) => affected().some((scopes) => scopes.has(scope));
}

const byScope = new WeakMap<ScopeDifferences, readonly OwnChange[]>();

/** The maximum number of comparisons for all changed objects together, which take less than a second. */
const maximumComparisons = 200_000;

/** Whether the labels and selectors of an object, and everything else that affects its matches, are unchanged. */
export function isSameToOthers({ before, now }: MatchEnd): boolean {
  return before !== undefined && now !== undefined && outlineOf(before.object) === outlineOf(now.object);
}

interface Sides {
  readonly base: Side;
  readonly now: Side;
}

function changesIn({ scope, objects }: ScopeDifferences, sides: Sides, comparisons: Comparisons): readonly OwnChange[] {
  const differences = objects.filter((each) => !isSameToOthers(each));
  return changedLinks({ scope, objects }, differences, sides, comparisons);
}

/** Returns the matches of unchanged objects that changed because the labels of namespaces did. */
function changesOfNamespaces(
  base: Base,
  now: Side,
  [old, fresh]: readonly [GitopsState, GitopsState],
  comparisons: Comparisons,
): readonly OwnChange[] {
  const sides = { base: base.side, now };
  const differing = new Map(differencesSince(base, now).map(({ scope, objects }) => [scope.now, objects]));
  return choosingChangedNamespaces(base, now).flatMap(({ scope, objects }) => {
    if (old.clustersOf(scope.before).length > 0 && fresh.clustersOf(scope.now).length > 0) return [];
    return changesOfUnchanged({ scope, objects }, differing.get(scope.now) ?? [], sides, comparisons);
  });
}

/** Returns the changed matches of unchanged objects that choose namespaces, except for matches with objects that differ, which are compared with these. */
function changesOfUnchanged(
  choosing: Choosing,
  differing: readonly ObjectDifference[],
  sides: Sides,
  comparisons: Comparisons,
): readonly OwnChange[] {
  const evaluated = new Set(differing.flatMap((each) => (isSameToOthers(each) ? [] : each.key)));
  const objects = choosing.objects.filter(({ key }) => !evaluated.has(key));
  const isUnchanged = ({ before, now }: MatchEnd) =>
    !differing.some((each) => evaluated.has(each.key) && (each.before === before || each.now === now));
  return changedLinks({ ...choosing, objects: [...objects, ...differing] }, objects, sides, comparisons).filter(
    ({ target }) => isUnchanged(target),
  );
}

function changedLinks(
  { scope, objects: all }: Choosing,
  differences: readonly ObjectDifference[],
  sides: Sides,
  comparisons: Comparisons,
): readonly OwnChange[] {
  if (differences.length === 0) return [];
  const byKey = new Map(all.map((each) => [each.key, each]));
  const matchesAt = (side: Side, at: Scope, which: 'before' | 'now') => {
    const objects = differences.flatMap((each) => each[which] ?? []);
    return matchesOf(side, at, objects, comparisons);
  };
  const [old, fresh] = [matchesAt(sides.base, scope.before, 'before'), matchesAt(sides.now, scope.now, 'now')];
  const changed = changedMatches(old, fresh);
  // If comparisons were skipped, missing matches would be reported as lost by mistake.
  if (comparisons.isIncomplete) return [];
  const endOf = (key: string, found: ObjectInFile): MatchEnd => byKey.get(key) ?? { before: found, now: found };
  return changed.flatMap(({ ownerKey, targetKey, ...match }): readonly OwnChange[] => {
    const [owner, target] = [endOf(ownerKey, match.owner), endOf(targetKey, match.target)];
    const other = match.kind === 'lost' ? 'now' : 'before';
    const areInOther = { owner: owner[other] !== undefined, target: target[other] !== undefined };
    return isNews({ kind: match.kind, ownerKey, targetKey }, areInOther) ? [{ ...match, scope, owner, target }] : [];
  });
}

/** Returns the matches of the selectors in some objects, and the matches of other selectors with these objects. */
export function matchesOf(
  side: Side,
  scope: Scope,
  objects: readonly ObjectInFile[],
  comparisons: Comparisons,
): StateMatches<ObjectInFile> {
  const found = new StateMatches<ObjectInFile>(comparisons);
  const workspace = seenBy(side.workspace, side.catalogueOf(scope.path), scope) ?? side.workspace;
  for (const where of objects) {
    if (comparisons.isIncomplete) return found;
    const catalogue = side.catalogueOf(where.file.uri);
    const key = identityOf(side, where);
    if (key !== undefined)
      found.addSelectorsOf(where, key, { where, workspace, catalogue }, (selection, { fact }) =>
        targetsIn(selection, ({ file, object }) => {
          const target = { file, object };
          const targetKey = identityOf(side, target);
          return targetKey === undefined || (targetKey === key && !fact.mustMatchTemplate)
            ? undefined
            : { target, key: targetKey };
        }),
      );
    for (const labeledObject of labeledObjectsOf(where.object)) {
      const asked = { ...where, labeledObject };
      for (const selectingObject of selectingObjectsOf(workspace, catalogue, asked, ({ site }) => !isOmitted(site))) {
        const { relation, file, object, site, certain } = selectingObject;
        if (relation !== 'here') continue;
        comparisons.add(1);
        const owner = { file, object };
        const ownerKey = identityOf(side, owner);
        if (ownerKey === undefined || key === undefined || ownerKey === key) continue;
        const { path } = site.fact;
        found.add({ owner, ownerKey, path, target: where, targetKey: key, via: labeledObject.via, certain });
      }
    }
  }
  return found;
}
