/** Finds the matches in folders, overlays and charts that do not exist in the base. */

import type { Base, Side } from '../workspace/base.ts';
import { effectiveObjectsOf } from '../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import { isRendered, type Scope } from '../workspace/scopes/model.ts';
import { Comparisons } from '../workspace/selection/comparison-budget.ts';
import type { GitopsState } from './gitops-state.ts';
import { type MatchChange, type MatchChanges, matchesOf, stateOf } from './match-changes.ts';
import { type Match, matchKey } from './matches.ts';
import { changedSince, counterpartOf, isBuilt, scopesWith } from './paired-objects.ts';

/** The maximum number of comparisons for all new scopes together. */
const maximumComparisons = 200_000;

/** Returns the new matches in scopes that exist only in the current state. A match is not new if a removed scope, or a folder with one of the files, contained it, or if a GitOps object applied the files. */
export function newScopeMatches(base: Base, now: Side): Pick<MatchChanges, 'changes' | 'isIncomplete'> {
  const { side } = base;
  const changed = changedSince(base, now);
  const unpaired = ({ workspace }: Side, other: Side) =>
    [...scopesWith(workspace, changed)].filter((scope) => counterpartOf(scope, other.workspace) === undefined);
  const added = unpaired(now, side);
  if (added.length === 0) return { changes: [], isIncomplete: false };
  const [old, fresh] = [stateOf(side), stateOf(now)];
  const comparisons = new Comparisons(maximumComparisons);
  const isUnapplied = (state: GitopsState) => (scope: Scope) => state.clustersOf(scope).length === 0;
  const removed = unpaired(side, now).filter(isUnapplied(old));
  const changes = added.filter(isUnapplied(fresh)).flatMap((scope): readonly MatchChange[] => {
    const beside = [...scope.files].flatMap((uri) => side.workspace.scopes().ofFile(uri));
    const earlier = new Set([...removed, ...beside.filter((each) => !isRendered(each))]);
    const known = new Set([...earlier].flatMap((each) => matchesIn(side, each, comparisons).map(matchKey)));
    const isNew = (match: Match<ObjectInFile>) =>
      match.certain &&
      match.ownerKey !== match.targetKey &&
      !known.has(matchKey(match)) &&
      !(isRendered(scope) ? [scope.path] : [match.owner.file.uri, match.target.file.uri]).some((uri) =>
        old.applies(uri, fresh),
      );
    return matchesIn(now, scope, comparisons).flatMap((match): readonly MatchChange[] => {
      const { owner, path, target, via } = match;
      return isNew(match) ? [{ kind: 'gained', scope, owner: { now: owner }, path, target: { now: target }, via }] : [];
    });
  });
  // If comparisons were skipped, known matches would be reported as new by mistake.
  return { changes: comparisons.isIncomplete ? [] : changes, isIncomplete: comparisons.isIncomplete };
}

/** Returns the matches in a scope; none if its objects are unknown. */
function matchesIn(side: Side, scope: Scope, comparisons: Comparisons): readonly Match<ObjectInFile>[] {
  if (!isBuilt(side, scope)) return [];
  const objects = [...effectiveObjectsOf(side.workspace, side.catalogueOf(scope.path), scope)];
  const applied = objects.filter(({ object }) => object.forCluster);
  return [...matchesOf(side, scope, applied, comparisons)];
}
