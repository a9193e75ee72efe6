/** Compares which selectors match which objects in two trees of manifests. */

import { getOrAdd } from '../../engine/memoize.ts';
import { matchSentence, rejectionSentence } from '../../features/presentation/change-sentences.ts';
import { changedValues, rejectedChanges, type Update } from '../../rules/helpers/updates.ts';
import type { Session } from '../../session.ts';
import { compareText } from '../../text/order.ts';
import type { Side } from '../../workspace/base.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import type { PathSelection } from '../paths/path-selection.ts';
import { type AppliedObject, type AroundSelected, aroundSelected } from './applied-objects.ts';
import { brokenReferences } from './broken-references.ts';
import {
  keyOf,
  type Named,
  type Names,
  nameOf,
  namesIn,
  partOf,
  shownName,
  signaturesOf,
  whereIs,
} from './compared-names.ts';
import { boundOfCommand, maximumComparisons, selectionsFrom } from './selections.ts';

export interface Tree {
  readonly session: Session;
  /** The files of the tree. */
  readonly side: Side;
  /** The compared part of the tree. */
  readonly selection: PathSelection;
  /** The URI of the folder or file that the command line names. */
  readonly root: string;
  /** The files that were not read, relative to the root. */
  readonly skipped: readonly string[];
  /** Whether a configuration that applies to the tree is broken. */
  readonly isFaulty: boolean;
  /**
   * Whether the tree was not read completely: a file was skipped, or a kustomization uses files outside of the tree.
   */
  readonly isPartial: boolean;
}

export interface Change {
  /**
   * `lost`: a match that existed before. `gained`: a new match. `immutable`: an update that the API server rejects.
   * `broken`: a reference to an object that no longer exists.
   */
  readonly kind: 'immutable' | 'lost' | 'gained' | 'broken';
  readonly message: string;
  readonly owner: Named;
  /** The path of the selector or reference, without list indexes, or the path of the immutable field. */
  readonly path: string;
  /** For a change that the API server rejects: the consequence of deleting and recreating the object. */
  readonly recreate?: string;
  /** The tool that deletes and recreates the object on each update, if there is one. */
  readonly recreatedBy?: string;
  readonly target?: Named & { readonly via?: string };
}

/** Maximum number of changes of one kind in a report. */
export const maximumChanges = 20_000;

interface Comparison {
  /** The changes: rejected updates first, then names of objects that no longer exist, then lost and then new matches; each in alphabetical order. */
  readonly changes: readonly Change[];
  /** Notes on omissions due to limits, as sentences. */
  readonly notes: readonly string[];
}

/** A comparison of two trees, which can be updated after a part of the new tree changed. */
export interface Compared extends Comparison {
  readonly names: Names;
  /** The parts that contain the objects of the trees, by the keys of the objects. */
  readonly oldParts: ReadonlyMap<string, string>;
  readonly freshParts: ReadonlyMap<string, string>;
  /** The signatures of the parts of the new tree. */
  readonly signatures: ReadonlyMap<string, string>;
  readonly found: readonly Found[];
  /** The number of comparisons. */
  readonly made: number;
  /** Whether the comparison is complete, and each object is in one part. */
  readonly isUpdatable: boolean;
}

/** A change, and the key of the object that contains the selector, reference or field. */
interface Found {
  readonly ownerKey: string;
  readonly change: Change;
}

/** Compares two trees: immutable fields that changed, and matches that are lost or new. */
export function compare(before: Tree, after: Tree): Compared {
  const [oldAround, freshAround] = [aroundSelected(before), aroundSelected(after)];
  const [oldNamed, freshNamed] = [
    { ...before, objects: oldAround.objects },
    { ...after, objects: freshAround.objects },
  ];
  const names = namesIn(oldNamed, freshNamed);
  const [old, fresh] = [
    objectsOfTree(before, oldAround, names),
    objectsOfTree(after, freshAround, withoutMoved(names)),
  ];
  const [oldParts, freshParts] = [partsOf(old), partsOf(fresh)];
  const { found, isCut } = changesBetween([before, old], [after, fresh], oldParts, freshParts);
  const leftOut = new Set([...old.leftOut, ...fresh.leftOut]).size;
  return {
    changes: ordered(found),
    notes: [
      ...(leftOut === 0 ? [] : [`Too many selectors and matching objects: ${leftOut} selectors were not compared.`]),
      ...(isCut ? [`Only the first ${maximumChanges} changes of each kind are listed.`] : []),
    ],
    names,
    oldParts,
    freshParts,
    signatures: signaturesOf(freshNamed, names),
    found,
    made: Math.max(old.made, fresh.made),
    isUpdatable: leftOut === 0 && !isCut && !old.isAmbiguous && !fresh.isAmbiguous,
  };
}

/** The part of a tree to compare again. */
export interface Portion {
  readonly around: AroundSelected;
  /** The parts whose objects are compared; other objects are only context. */
  readonly parts: ReadonlySet<string>;
}

/** Updates a comparison after some parts of the new tree changed; `oldPortion` returns the portion of the old tree that contains some parts. Returns undefined if the change may concern other parts. */
export function compareAgain(
  last: Compared,
  [before, after]: readonly [Tree, Tree],
  portion: Portion,
  oldPortion: (parts: ReadonlySet<string>) => Portion,
): Compared | undefined {
  const { names, oldParts, freshParts, signatures } = last;
  if (!last.isUpdatable) return undefined;
  const now = signaturesOf({ ...after, objects: portion.around.objects }, names);
  if ([...portion.parts].some((part) => now.get(part) !== signatures.get(part))) return undefined;
  const fresh = objectsOfTree(after, portion.around, withoutMoved(names), portion.parts);
  const keys = new Set(fresh.objects.keys());
  const parts = oldPortion(new Set([...keys].flatMap((key) => oldParts.get(key) ?? [])));
  const old = objectsOfTree(before, parts.around, names, parts.parts);
  const again = changesBetween([before, old], [after, fresh], oldParts, freshParts);
  const found = [
    ...last.found.filter(({ ownerKey }) => !keys.has(ownerKey)),
    ...again.found.filter(({ ownerKey }) => keys.has(ownerKey)),
  ];
  const made = last.made + Math.max(old.made, fresh.made);
  const isOver = made > maximumComparisons || found.length > maximumChanges;
  if (isOver || old.leftOut.size + fresh.leftOut.size > 0) return undefined;
  return { ...last, changes: ordered(found), found, made };
}

/** Only copies in the old tree have the names of the files to which they moved. */
function withoutMoved({ several }: Names): Pick<Names, 'several'> {
  return { several };
}

function partsOf({ objects }: ObjectsOfTree): ReadonlyMap<string, string> {
  return new Map([...objects].map(([key, { applied }]) => [key, partOf(applied)]));
}

/** The objects that a tree contains. */
type Presence = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** Returns the changes between two trees, or between parts of them; `inOld` and `inFresh` contain the keys of all objects of the trees. */
function changesBetween(
  [before, old]: readonly [Tree, ObjectsOfTree],
  [after, fresh]: readonly [Tree, ObjectsOfTree],
  inOld: Presence,
  inFresh: Presence,
): { readonly found: readonly Found[]; readonly isCut: boolean } {
  const missing = missingTargets();
  // A match is not reported as lost if both of its objects disappeared with it.
  const isMissed = (owner: string, target: string) => inFresh.has(owner) || inFresh.has(target);
  const [isInAfter, isInBefore] = [certainIn(inFresh, after, before), certainIn(inOld, before, after)];
  const lost = linksOnlyIn(old, fresh, missing, (...keys) => isMissed(...keys) && isInAfter(...keys));
  const gained = linksOnlyIn(fresh, old, missing, isInBefore);
  const found = [
    ...rejectedUpdates([before, old], [after, fresh]),
    ...brokenNames([before, old], [after, fresh]),
    ...lost.links.map((link) => changeOf('lost', link, inFresh)),
    ...gained.links.map((link) => changeOf('gained', link, inOld)),
  ];
  return { found, isCut: lost.isCut || gained.isCut };
}

const kinds: readonly Change['kind'][] = ['immutable', 'broken', 'lost', 'gained'];

/** Returns the changes by kind, in alphabetical order. */
function ordered(found: readonly Found[]): readonly Change[] {
  const shown = found.map(({ change }) => [change, JSON.stringify(change)] as const);
  return kinds.flatMap((kind) =>
    shown
      .filter(([change]) => change.kind === kind)
      .toSorted(([a, textOfA], [b, textOfB]) => compareText(a.message, b.message) || compareText(textOfA, textOfB))
      .map(([change]) => change),
  );
}

type IsWanted = (owner: string, target: string) => boolean;

/** A match that is missing from one tree may be in a file that was skipped only in that tree. */
function certainIn(present: Presence, tree: Tree, other: Tree): IsWanted {
  if (tree.skipped.every((each) => other.skipped.includes(each))) return () => true;
  return (owner, target) => present.has(owner) && present.has(target);
}

/** The objects of a tree, with names that identify them in both trees. */
interface ObjectsOfTree {
  /** The objects by name. */
  readonly objects: ReadonlyMap<string, Item>;
  /** The matches, by the object that contains the selector and the path of the selector. */
  readonly links: ReadonlyMap<string, Links>;
  /** The keys of `links` whose matches are unknown, because the limit on comparisons was reached. */
  readonly leftOut: ReadonlySet<string>;
  /** The number of comparisons. */
  readonly made: number;
  /** Whether several parts contain an object with the same name. */
  readonly isAmbiguous: boolean;
}

interface Item {
  readonly named: Named;
  /** Whether the object is compared; other objects are only context. */
  readonly isSelected: boolean;
  readonly applied: AppliedObject;
}

/** The matches of the selectors at one path of an object. */
interface Links {
  readonly owner: Named;
  readonly ownerKey: string;
  readonly path: string;
  readonly targets: Targets;
}

/** The matching objects, by object and template. Equal selectors share one map, so that thousands of equal selectors are compared only once. */
type Targets = ReadonlyMap<string, Target>;

interface Target {
  readonly target: Named;
  readonly key: string;
  readonly via: string | undefined;
  readonly certain: boolean;
}

interface Link extends Pick<Links, 'owner' | 'ownerKey' | 'path'>, Pick<Target, 'target' | 'via'> {}

const noTargets: Targets = new Map();

/** Returns the certain matches in a tree that are missing in the other tree, up to `maximumChanges`. */
function linksOnlyIn(snapshot: ObjectsOfTree, other: ObjectsOfTree, missing: Missing, isWanted: IsWanted) {
  const links: Link[] = [];
  for (const [key, { owner, ownerKey, path, targets }] of snapshot.links) {
    if (snapshot.leftOut.has(key) || other.leftOut.has(key)) continue;
    for (const each of missing(targets, other.links.get(key)?.targets ?? noTargets)) {
      if (!isWanted(ownerKey, each.key)) continue;
      if (links.length === maximumChanges) return { links, isCut: true };
      links.push({ owner, ownerKey, path, target: each.target, via: each.via });
    }
  }
  return { links, isCut: false };
}

type Missing = (targets: Targets, others: Targets) => readonly Target[];

/** Returns a function that finds the certain matches in one map that another map lacks. The result is cached for each pair of maps. */
function missingTargets(): Missing {
  const known = new Map<Targets, Map<Targets, readonly Target[]>>();
  return (targets, others) =>
    getOrAdd(
      getOrAdd(known, targets, () => new Map<Targets, readonly Target[]>()),
      others,
      () => [...targets].flatMap(([key, each]) => (each.certain && !others.has(key) ? [each] : [])),
    );
}

function changeOf(kind: 'lost' | 'gained', link: Link, other: Presence): Found {
  const { owner, ownerKey, target, path, via } = link;
  const message = `${messageOf(kind, link, other)}.`;
  return { ownerKey, change: { kind, message, owner, path, target: via === undefined ? target : { ...target, via } } };
}

function messageOf(kind: 'lost' | 'gained', { owner, target, path }: Link, other: Presence): string {
  const from = shownName(owner, owner.namespace === target.namespace && whereIs(owner) === whereIs(target));
  const to = keyOf(owner) === keyOf(target) ? 'its own pods' : shownName(target, false);
  return matchSentence({
    kind,
    owner: { group: owner.group, kind: owner.kind, name: from, isInBoth: other.has(keyOf(owner)) },
    path,
    target: { name: to, isInBoth: other.has(keyOf(target)) },
  });
}

function rejectedUpdates(
  [before, old]: readonly [Tree, ObjectsOfTree],
  [after, fresh]: readonly [Tree, ObjectsOfTree],
): readonly Found[] {
  return [...old.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = fresh.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected)) return [];
    const updates = rejectedChanges(
      { side: before.side, applied },
      { side: after.side, applied: other.applied },
      other.applied.builtBy,
    );
    return updates.map((update): Found => {
      const { path, recreate } = update.change;
      const { escape: recreation } = update;
      const by = recreation === undefined || recreation === 'silent' ? {} : { recreatedBy: recreation.sentence };
      const message = rejection(named, update);
      return { ownerKey: key, change: { kind: 'immutable', message, owner: named, path, recreate, ...by } };
    });
  });
}

/** Returns the references in objects of both trees that had a target before and have none now; empty if a file that was not read may contain the target. */
function brokenNames(
  [before, old]: readonly [Tree, ObjectsOfTree],
  [after, fresh]: readonly [Tree, ObjectsOfTree],
): readonly Found[] {
  if (!after.skipped.every((each) => before.skipped.includes(each))) return [];
  const seen = new Set<string>();
  return [...fresh.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = old.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected)) return [];
    const pair = { before: other.applied, after: applied };
    return brokenReferences(before.session, after.session, pair).flatMap((broken): readonly Found[] => {
      const target = { group: '', kind: broken.kind, name: broken.name };
      const message = `${shownName(named, false)} names ${broken.kind}/${broken.name}, which no longer exists.`;
      if (seen.has(`${key}\n${message}`)) return [];
      seen.add(`${key}\n${message}`);
      return [{ ownerKey: key, change: { kind: 'broken', message, owner: named, path: broken.path, target } }];
    });
  });
}

function rejection(named: Named, update: Update): string {
  const { change, selectors } = update;
  const name = shownName(named, false);
  const path = selectors === undefined ? change.path : undefined;
  return rejectionSentence({ name, path, ...changedValues(update), recreate: change.recreate, escape: update.escape });
}

/** Returns the named objects of a tree and their matches; with `parts`, only those of some parts of the tree. */
function objectsOfTree(
  tree: Tree,
  { objects: around, isSelected }: AroundSelected,
  names: Pick<Names, 'several'> & Partial<Names>,
  parts?: ReadonlySet<string>,
): ObjectsOfTree {
  const { session, root } = tree;
  const objects = new Map<string, Item>();
  const found = new Map<string, Omit<Links, 'targets'> & { readonly targets: Set<Targets> }>();
  const leftOut = new Set<string>();
  const comparisons = boundOfCommand();
  let isAmbiguous = false;
  const shared = new WeakMap<Selection, Map<string, Targets>>();
  const targetsOf = (applied: AppliedObject, selection: Selection, isOwn: boolean): Targets => {
    const known = shared.get(selection) ?? new Map<string, Targets>();
    shared.set(selection, known);
    const { builtBy } = applied;
    return getOrAdd(known, `${isOwn} ${builtBy?.path ?? ''}`, () => {
      const all = [...selection.matches, ...selection.maybe];
      const wanted = isOwn ? all : all.filter((match) => isSelected(applied, match));
      const certain = new Set(selection.matches);
      return targetMap(
        wanted.map((match) => {
          const target = nameOf(session, root, { file: match.file, object: match.object, builtBy }, names);
          return { target, key: keyOf(target), via: match.labeledObject.via, certain: certain.has(match) };
        }),
      );
    });
  };
  for (const applied of around) {
    if (parts?.has(partOf(applied)) === false) continue;
    const owner = nameOf(session, root, applied, names);
    const ownerKey = keyOf(owner);
    const namesake = objects.get(ownerKey);
    isAmbiguous ||= namesake !== undefined && partOf(namesake.applied) !== partOf(applied);
    const isOwn = isSelected(applied, applied);
    objects.set(ownerKey, { named: owner, applied, isSelected: isOwn });
    for (const { site, selection } of selectionsFrom(session, applied, comparisons)) {
      const { path } = site.fact;
      const key = `${ownerKey}\n${path}`;
      if (selection === undefined) leftOut.add(key);
      else {
        const targets = targetsOf(applied, selection, isOwn);
        if (targets.size > 0)
          getOrAdd(found, key, () => ({ owner, ownerKey, path, targets: new Set<Targets>() })).targets.add(targets);
      }
    }
  }
  const links = new Map<string, Links>();
  for (const [key, { targets, ...rest }] of found) {
    const [first = noTargets, ...others] = targets;
    const size = others.reduce((sum, each) => sum + each.size, 0);
    if (size > 0 && comparisons.leaveOut()) leftOut.add(key);
    comparisons.add(size);
    if (leftOut.has(key)) continue;
    const joined = others.length === 0 ? first : targetMap([...targets].flatMap((each) => [...each.values()]));
    links.set(key, { ...rest, targets: joined });
  }
  return { objects, links, leftOut, made: comparisons.made, isAmbiguous };
}

/** Returns the targets by object and template; of two entries for one object, only the certain one is kept. */
function targetMap(targets: readonly Target[]): Targets {
  const map = new Map<string, Target>();
  for (const each of targets) {
    const key = `${each.key}\n${each.via ?? ''}`;
    if (map.get(key)?.certain !== true) map.set(key, each);
  }
  return map;
}
