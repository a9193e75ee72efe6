/** Finds the matches of selectors that are lost or gained since the base, in each scope. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { Base, Side } from '../../workspace/base.ts';
import { outlineOf } from '../../workspace/index/file-outline.ts';
import { seenBy } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import {
  differencesSince,
  identityOf,
  type ObjectDifference,
  type ScopeDifferences,
  type ScopePair,
} from './object-differences.ts';

/** A selector that matches an object in only one of two states. */
export interface MatchChange {
  /** `lost`: the selector certainly matched at the base, and certainly does not match now. `gained`: the reverse. */
  readonly kind: 'lost' | 'gained';
  readonly scope: ScopePair;
  readonly owner: MatchEnd;
  /** The path of the selector, without indexes of list items. */
  readonly path: string;
  readonly target: MatchEnd;
  /** The path of the template whose labels match; absent for the labels of the object itself. */
  readonly via?: string | undefined;
}

/** The selecting object or the selected object of a match; absent in a state in which the object does not exist. */
export interface MatchEnd {
  readonly before?: ObjectInFile;
  readonly now?: ObjectInFile;
}

export interface MatchChanges {
  readonly changes: readonly MatchChange[];
  /** Whether the comparison limit was reached, so that some changes are missing. */
  readonly isIncomplete: boolean;
}

const known = new WeakMap<Workspace, { readonly base: Base; readonly found: MatchChanges }>();

/** Returns the changed matches since the base, in the order of scopes and objects. The result is cached for a snapshot. */
export function matchChangesSince(base: Base, now: Side): MatchChanges {
  const last = known.get(now.workspace);
  if (last?.base === base) return last.found;
  const comparisons = new Comparisons(maximumComparisons);
  const sides = { base: base.side, now };
  const changes = differencesSince(base, now).flatMap((differences) => {
    const earlier = byScope.get(differences);
    if (earlier !== undefined) return earlier;
    const found = changesIn(differences, sides, comparisons);
    if (!comparisons.isIncomplete) byScope.set(differences, found);
    return found;
  });
  const found = { changes, isIncomplete: comparisons.isIncomplete };
  known.set(now.workspace, { base, found });
  return found;
}

const byScope = new WeakMap<ScopeDifferences, readonly MatchChange[]>();

/** Maximum number of comparisons for all changed objects, which take less than a second. */
const maximumComparisons = 200_000;

/** Whether labels and selectors, and everything else that affects matches, are unchanged. */
function isSameToOthers({ before, now }: ObjectDifference): boolean {
  return before !== undefined && now !== undefined && outlineOf(before.object) === outlineOf(now.object);
}

/** A selector and an object that it matches in one state. */
interface Link {
  readonly owner: ObjectInFile;
  readonly ownerKey: string;
  readonly path: string;
  readonly target: ObjectInFile;
  readonly targetKey: string;
  readonly via: string | undefined;
  readonly certain: boolean;
}

type Links = ReadonlyMap<string, Link>;

function changesIn(
  { scope, objects: all }: ScopeDifferences,
  sides: { readonly base: Side; readonly now: Side },
  comparisons: Comparisons,
): readonly MatchChange[] {
  const differences = all.filter((each) => !isSameToOthers(each));
  if (differences.length === 0) return [];
  const byKey = new Map(all.map((each) => [each.key, each]));
  const linksAt = (side: Side, at: Scope, which: 'before' | 'now') => {
    const objects = differences.flatMap((each) =>
      each[which] === undefined ? [] : [[each.key, each[which]] as const],
    );
    return linksOf(side, at, objects, comparisons);
  };
  const [old, fresh] = [linksAt(sides.base, scope.before, 'before'), linksAt(sides.now, scope.now, 'now')];
  // Matches that were skipped would be reported as lost.
  if (comparisons.isIncomplete) return [];
  const endOf = (key: string, found: ObjectInFile): MatchEnd => byKey.get(key) ?? { before: found, now: found };
  const onlyIn = (links: Links, others: Links, kind: MatchChange['kind']) =>
    [...links].flatMap(([key, { owner, ownerKey, path, target, targetKey, via, certain }]): readonly MatchChange[] => {
      if (!certain || others.has(key)) return [];
      const change = { kind, scope, path, owner: endOf(ownerKey, owner), target: endOf(targetKey, target), via };
      // A match that disappeared together with both of its objects is not lost.
      return change.owner.now === undefined && change.target.now === undefined ? [] : [change];
    });
  return [...onlyIn(old, fresh, 'lost'), ...onlyIn(fresh, old, 'gained')];
}

/** Returns the matches of the selectors of some objects, and the selectors that match these objects, except the matches of a workload with the pods of its own template. */
function linksOf(
  side: Side,
  scope: Scope,
  objects: readonly (readonly [key: string, object: ObjectInFile])[],
  comparisons: Comparisons,
): Links {
  const links = new Map<string, Link>();
  const workspace = seenBy(side.workspace, side.catalogueOf(scope.path), scope) ?? side.workspace;
  const add = (link: Omit<Link, 'ownerKey' | 'targetKey'>) => {
    const [ownerKey, targetKey] = [identityOf(side, link.owner), identityOf(side, link.target)];
    if (ownerKey === undefined || targetKey === undefined || ownerKey === targetKey) return;
    const key = [ownerKey, link.path, targetKey, link.via ?? ''].join('\n\n');
    if (links.get(key)?.certain !== true) links.set(key, { ...link, ownerKey, targetKey });
  };
  for (const [, where] of objects) {
    const catalogue = side.catalogueOf(where.file.uri);
    for (const site of where.object.selectorSites) {
      if (isOwnBusiness(site)) continue;
      if (comparisons.leaveOut()) return links;
      const { matches, maybe } = selectionOf(workspace, catalogue, where, site, comparisons);
      for (const [found, certain] of [
        [matches, true],
        [maybe, false],
      ] as const)
        for (const { file, object, labeledObject } of found)
          add({ owner: where, path: site.fact.path, target: { file, object }, via: labeledObject.via, certain });
    }
    for (const labeledObject of labeledObjectsOf(where.object)) {
      const asked = { ...where, labeledObject };
      for (const selectingObject of selectingObjectsOf(
        workspace,
        catalogue,
        asked,
        ({ site }) => !isOwnBusiness(site),
      )) {
        if (selectingObject.relation !== 'here') continue;
        comparisons.add(1);
        const owner = { file: selectingObject.file, object: selectingObject.object };
        add({
          owner,
          path: selectingObject.site.fact.path,
          target: where,
          via: labeledObject.via,
          certain: selectingObject.certain,
        });
      }
    }
  }
  return links;
}

/** Whether a workload uses the selector to find its own pods, so that it affects only the workload. */
function isOwnBusiness({ fact }: SelectorSite): boolean {
  return fact.mustMatchTemplate;
}
