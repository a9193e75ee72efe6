/** Finds the selector matches that were lost or gained since the base, in each scope. */

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

/** A match between a selector and an object that exists in only one of the two states. */
export interface MatchChange {
  /**
   * The kind of change. `lost`: the selector certainly matched in the base, and certainly does not match now. `gained`:
   * the selector certainly matches now, and certainly did not match in the base.
   */
  readonly kind: 'lost' | 'gained';
  readonly scope: ScopePair;
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

export interface MatchChanges {
  readonly changes: readonly MatchChange[];
  /** Set if the comparison limit was reached, so that some changes are missing. */
  readonly isIncomplete: boolean;
}

const known = new WeakMap<Workspace, { readonly base: Base; readonly found: MatchChanges }>();

/** Returns the matches that changed since the base, in the order of scopes and objects. The result is cached for each snapshot. */
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

/** The maximum number of comparisons for all changed objects together, which take less than a second. */
const maximumComparisons = 200_000;

/** Whether the labels and selectors of an object, and everything else that affects its matches, are unchanged. */
function isSameToOthers({ before, now }: ObjectDifference): boolean {
  return before !== undefined && now !== undefined && outlineOf(before.object) === outlineOf(now.object);
}

/** A selector and an object that it matches in one of the states. */
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
  // If comparisons were skipped, missing matches would be reported as lost by mistake.
  if (comparisons.isIncomplete) return [];
  const endOf = (key: string, found: ObjectInFile): MatchEnd => byKey.get(key) ?? { before: found, now: found };
  const onlyIn = (links: Links, others: Links, kind: MatchChange['kind']) =>
    [...links].flatMap(([key, { owner, ownerKey, path, target, targetKey, via, certain }]): readonly MatchChange[] => {
      if (!certain || others.has(key)) return [];
      const change = { kind, scope, path, owner: endOf(ownerKey, owner), target: endOf(targetKey, target), via };
      // If both objects of a match were deleted, the match is not reported as lost.
      return change.owner.now === undefined && change.target.now === undefined ? [] : [change];
    });
  return [...onlyIn(old, fresh, 'lost'), ...onlyIn(fresh, old, 'gained')];
}

/** Returns the matches of the selectors in some objects, and the matches of other selectors with these objects. Matches of a workload with the pods of its own template are omitted. */
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

/** Whether a workload uses the selector to find its own pods, so that the selector does not affect other objects. */
function isOwnBusiness({ fact }: SelectorSite): boolean {
  return fact.mustMatchTemplate;
}
