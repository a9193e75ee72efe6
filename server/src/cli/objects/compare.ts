/** Compares which selectors match which objects in two trees of manifests. */

import { brokenParts } from '../../compare/broken-parts.ts';
import { brokenReferences } from '../../compare/broken-references.ts';
import { type ChangedMatch, changedMatches, isNews } from '../../compare/matches.ts';
import { mayDeclareOthers } from '../../compare/selected-ports.ts';
import { changedValues, hasUncomparedFields, rejectedChanges, type Update } from '../../compare/updates.ts';
import {
  brokenPartSentence,
  brokenSentence,
  matchSentence,
  rejectionSentence,
} from '../../features/presentation/change-sentences.ts';
import { compareText } from '../../text/order.ts';
import { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import { LayeredMap } from '../../workspace/index/layered-map.ts';
import type { Tree } from '../trees/tree.ts';
import { type AppliedObject, type AroundSelected, aroundSelected } from './applied-objects.ts';
import {
  appliedParts,
  type ComparedClusters,
  compareClusters,
  type MatchInCluster,
  type MatchOfNames,
} from './cluster-matches.ts';
import {
  type Copies,
  copiesOf,
  keyOf,
  type Named,
  type NamedObjects,
  type Names,
  namedObjects,
  namesIn,
  partOf,
  shownName,
  updatedNames,
  whereIs,
} from './compared-names.ts';
import { largeSelectors } from './large-selectors.ts';
import { maximumComparisons, type NamedTreeObjects, namedTreeObjects, PartQuestions } from './named-tree-objects.ts';

export interface Change {
  /**
   * `lost`: a match that existed before. `gained`: a new match. `immutable`: an update that the API server rejects.
   * `broken`: a reference that had a target before, to an object that does not exist.
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
  /** For a broken reference to a part of the target: the name of the key, port or volume. */
  readonly part?: string;
  /** Set if the API server rejects the object because of a broken reference. */
  readonly isRejected?: true;
}

/** Maximum number of changes of one kind in a report. */
export const maximumChanges = 20_000;

interface Comparison {
  /** The changes: rejected updates first, then names of objects that do not exist, then lost and then new matches; each in alphabetical order. */
  readonly changes: readonly Change[];
  /** Notes on omissions due to limits, as sentences. */
  readonly notes: readonly string[];
  /** Notes on matches with GitOps objects of which not all objects are known, and on immutable fields that are unknown. */
  readonly uncompared: readonly string[];
}

/** A comparison of two trees, which can be updated after a part of the new tree changed. */
export interface Compared extends Comparison {
  readonly names: Names;
  /** How many copies of each object the old tree contains, by identity. */
  readonly oldCopies: Copies;
  readonly freshObjects: NamedObjects;
  /** The parts that contain the objects of the trees, by the keys of the objects. */
  readonly oldParts: ReadonlyMap<string, string>;
  readonly freshParts: LayeredMap<string, string>;
  /** The rejected updates and broken references. */
  readonly found: readonly Found[];
  /** The certain matches that only one of the trees contains, including matches of objects that disappeared. */
  readonly links: readonly ChangedMatch<Named>[];
  /** The questions about all files of the new tree, by the parts that depend on them; absent if they are not recorded. */
  readonly asked: AskedQuestions | undefined;
  readonly made: number;
  /** Whether the comparison is complete, and each object is in one part. */
  readonly isUpdatable: boolean;
}

/** A change, or a note on what is not compared, and the key of the object that contains the selector, reference or field. */
type Found = { readonly ownerKey: string } & ({ readonly change: Change } | { readonly note: string });

/** Compares two trees: immutable fields that changed, and matches that are lost or new. */
export function compare(before: Tree, after: Tree): Compared {
  const [oldAround, freshAround] = [aroundSelected(before), aroundSelected(after)];
  const [oldNamed, freshNamed] = [
    { ...before, objects: oldAround.objects },
    { ...after, objects: freshAround.objects },
  ];
  const oldCopies = copiesOf(oldNamed);
  const names = namesIn([oldNamed, oldCopies], [freshNamed, copiesOf(freshNamed)]);
  const asked = after.session.snapshot().questions && new AskedQuestions();
  const [old, fresh] = [
    namedTreeObjects(before, oldAround, names),
    namedTreeObjects(after, freshAround, withoutMoved(names), { asked }),
  ];
  const [inOld, inFresh] = [partsOf(old), new LayeredMap(partsOf(fresh))];
  const sides = [
    [before, old],
    [after, fresh],
  ] as const;
  const found = changedObjects(...sides, asked);
  const links = changedMatches(old.matches, fresh.matches);
  const sidesOfLinks = { inOld, inFresh, names, selected: [oldAround, freshAround] } as const;
  const shown = shownLinks(links, [before, after], sidesOfLinks);
  const large = largeSelectors([...oldAround.objects, ...freshAround.objects].map(({ object }) => object));
  const leftOut = new Set([...old.matches.leftOut, ...fresh.matches.leftOut]).size;
  return {
    changes: ordered([...found, ...shown.found]),
    notes: [
      ...(leftOut === 0 ? [] : [`Too many selectors and matching objects: ${leftOut} selectors were not compared.`]),
      ...large,
      ...(shown.isIncomplete ? ['Too many matches of GitOps objects: not all of them were compared.'] : []),
      ...(shown.isCut ? [`Only the first ${maximumChanges} changes of each kind are listed.`] : []),
    ],
    uncompared: [...shown.uncompared, ...notesIn(found)],
    names,
    oldCopies,
    freshObjects: namedObjects(freshNamed, names),
    oldParts: inOld,
    freshParts: inFresh,
    found,
    links,
    asked,
    made: Math.max(old.made, fresh.made),
    isUpdatable:
      leftOut === 0 &&
      large.length === 0 &&
      !shown.isCut &&
      !shown.isIncomplete &&
      !old.isAmbiguous &&
      !fresh.isAmbiguous,
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
  { around, parts }: Portion,
  oldPortion: (parts: ReadonlySet<string>) => Portion,
): Compared | undefined {
  const { oldParts, asked } = last;
  if (!last.isUpdatable) return undefined;
  const updated = updatedNames(last, { ...after, objects: around.objects }, parts);
  if (updated === undefined) return undefined;
  const { names } = updated;
  for (const part of parts) asked?.delete(part);
  const fresh = namedTreeObjects(after, around, withoutMoved(names), { parts, asked });
  const current = partsOf(fresh);
  // Two parts must not contain objects with the same name.
  const isTaken = (key: string) => last.freshParts.has(key) && !parts.has(last.freshParts.get(key) ?? '');
  if (fresh.isAmbiguous || [...current.keys()].some(isTaken)) return undefined;
  const gone = updated.gone.filter((key) => !current.has(key));
  const keys = new Set([...current.keys(), ...gone]);
  const portion = oldPortion(new Set([...keys].flatMap((key) => oldParts.get(key) ?? [])));
  const old = namedTreeObjects(before, portion.around, names, { parts: portion.parts });
  const isAgain = ({ ownerKey }: { readonly ownerKey: string }) => keys.has(ownerKey);
  const withAgain = <T extends { readonly ownerKey: string }>(earlier: readonly T[], again: readonly T[]) => [
    ...earlier.filter((each) => !isAgain(each)),
    ...again.filter(isAgain),
  ];
  const found = withAgain(last.found, changedObjects([before, old], [after, fresh], asked));
  const links = withAgain(last.links, changedMatches(old.matches, fresh.matches));
  const moved = [...current].filter(([key, part]) => last.freshParts.get(key) !== part);
  const freshParts = last.freshParts.with([...gone.map((key) => [key, undefined] as const), ...moved]);
  const shown = shownLinks(links, [before, after], { inOld: oldParts, inFresh: freshParts, names });
  const made = last.made + Math.max(old.made, fresh.made);
  const isOver = made > maximumComparisons || found.length > maximumChanges || shown.isCut || shown.isIncomplete;
  if (isOver || old.matches.leftOut.size + fresh.matches.leftOut.size > 0) return undefined;
  const { freshObjects } = updated;
  const uncompared = [...shown.uncompared, ...notesIn(found)];
  return {
    ...last,
    changes: ordered([...found, ...shown.found]),
    uncompared,
    names,
    freshObjects,
    freshParts,
    found,
    links,
    made,
  };
}

/** Only copies in the old tree have the names of the files to which they moved. */
function withoutMoved({ several }: Names): Pick<Names, 'several'> {
  return { several };
}

function partsOf({ objects }: NamedTreeObjects): ReadonlyMap<string, string> {
  return new Map([...objects].map(([key, { applied }]) => [key, partOf(applied)]));
}

/** The objects that a tree contains. */
type Presence = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** Returns the rejected updates and broken references of the objects in two trees, or in parts of them. */
function changedObjects(
  before: readonly [Tree, NamedTreeObjects],
  after: readonly [Tree, NamedTreeObjects],
  asked: AskedQuestions | undefined,
): readonly Found[] {
  return [...rejectedUpdates(before, after), ...brokenNames(before, after, asked)];
}

interface SidesOfLinks {
  /** The parts that contain the objects of the trees, by the keys of the objects. */
  readonly inOld: Parts;
  readonly inFresh: Parts;
  readonly names: Names;
  /** The selected objects of the trees; absent if all objects are selected. */
  readonly selected?: readonly [AroundSelected, AroundSelected];
}

type Parts = Pick<ReadonlyMap<string, string>, 'has' | 'get'>;

/** The changed matches as changes, and what was not compared. */
interface ShownLinks extends Pick<ComparedClusters, 'isIncomplete' | 'uncompared'> {
  readonly found: readonly Found[];
  readonly isCut: boolean;
}

/** Returns the changed matches as changes. The matches of objects that GitOps objects apply to a cluster are compared in the cluster. */
function shownLinks(
  links: readonly ChangedMatch<Named>[],
  [before, after]: readonly [Tree, Tree],
  { inOld, inFresh, names, selected }: SidesOfLinks,
): ShownLinks {
  const clusters = compareClusters([before, after], names, selected);
  const [isInAfter, isInBefore] = [certainIn(inFresh, after, before), certainIn(inOld, before, after)];
  const isApplied = { lost: appliedParts(before, after), gained: appliedParts(after, before) };
  const left = { lost: maximumChanges, gained: maximumChanges };
  const found: Found[] = [];
  let isCut = false;
  const add = (link: MatchOfNames, areInBoth: MatchInCluster['areInBoth']) => {
    if (left[link.kind]-- > 0) found.push(changeOf(link, areInBoth));
    else isCut = true;
  };
  for (const link of links) {
    const { kind, ownerKey, targetKey } = link;
    const [isWanted, own, other] = kind === 'lost' ? [isInAfter, inOld, inFresh] : [isInBefore, inFresh, inOld];
    const areInBoth = { owner: other.has(ownerKey), target: other.has(targetKey) };
    if (!isWanted(ownerKey, targetKey) || !isNews(link, areInBoth)) continue;
    if (!isApplied[kind]([ownerKey, targetKey].flatMap((key) => own.get(key) ?? []))) add(link, areInBoth);
  }
  const isKnown = { lost: hasNoOtherSkipped(after, before), gained: hasNoOtherSkipped(before, after) };
  for (const link of clusters.changes) {
    const { kind, areInBoth } = link;
    if (isKnown[kind] || (areInBoth.owner && areInBoth.target)) add(link, areInBoth);
  }
  return { found, isCut, isIncomplete: clusters.isIncomplete, uncompared: clusters.uncompared };
}

const kinds: readonly Change['kind'][] = ['immutable', 'broken', 'lost', 'gained'];

/** Returns the notes on immutable fields that are not compared. */
export function notesIn(found: readonly Found[]): readonly string[] {
  return found.flatMap((each) => ('note' in each ? each.note : []));
}

/** Returns the changes by kind, in alphabetical order. */
function ordered(found: readonly Found[]): readonly Change[] {
  const changes = found.flatMap((each) => ('change' in each ? each.change : []));
  const shown = changes.map((change) => [change, JSON.stringify(change)] as const);
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
  if (hasNoOtherSkipped(tree, other)) return () => true;
  return (owner, target) => present.has(owner) && present.has(target);
}

/** Whether all files that were skipped in a tree were also skipped in the other tree. */
function hasNoOtherSkipped(tree: Tree, other: Tree): boolean {
  return tree.skipped.every((each) => other.skipped.includes(each));
}

/** Whether one of two trees contains an object twice, so that it is unknown which of its copies is compared. */
function areDoubled(key: string, tree: NamedTreeObjects, other: NamedTreeObjects): boolean {
  return tree.matches.doubled.has(key) || other.matches.doubled.has(key);
}

function changeOf(link: MatchOfNames, areInBoth: MatchInCluster['areInBoth']): Found {
  const { kind, owner, target, path, via } = link;
  const message = `${messageOf(link, areInBoth)}.`;
  const shown = via === undefined ? target : { ...target, via };
  return { ownerKey: keyOf(owner), change: { kind, message, owner, path, target: shown } };
}

function messageOf({ kind, owner, target, path }: MatchOfNames, areInBoth: MatchInCluster['areInBoth']): string {
  const isOwn = keyOf(owner) === keyOf(target);
  const isNamedByTarget = owner.namespace === target.namespace && whereIs(owner) === whereIs(target);
  const from = shownName(owner, !isOwn && isNamedByTarget);
  const ownPods = path === 'spec.selector' ? 'its own pods' : `its own pods at ${path}`;
  const to = isOwn ? ownPods : shownName(target, false);
  return matchSentence({
    kind,
    owner: { group: owner.group, kind: owner.kind, name: from, isInBoth: areInBoth.owner },
    path,
    target: { name: to, isInBoth: areInBoth.target },
  });
}

function rejectedUpdates(
  [before, old]: readonly [Tree, NamedTreeObjects],
  [after, fresh]: readonly [Tree, NamedTreeObjects],
): readonly Found[] {
  return [...old.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = fresh.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected) || areDoubled(key, old, fresh)) return [];
    const sides = [
      { side: before.side, applied },
      { side: after.side, applied: other.applied },
    ] as const;
    const note = `A replacement writes immutable fields of ${shownName(named, false)}: they are not compared.`;
    const notes: readonly Found[] = hasUncomparedFields(...sides) ? [{ ownerKey: key, note }] : [];
    const rejected = rejectedChanges(...sides, other.applied.builtBy).map((update): Found => {
      const { path, recreate } = update.change;
      const { escape: recreation } = update;
      const by = recreation === undefined || recreation === 'silent' ? {} : { recreatedBy: recreation.sentence };
      const message = rejection(named, update);
      return { ownerKey: key, change: { kind: 'immutable', message, owner: named, path, recreate, ...by } };
    });
    return [...notes, ...rejected];
  });
}

/** Returns the references in objects of both trees that had a target before and have none now; empty if a file that was not read may contain the target. */
function brokenNames(
  [before, old]: readonly [Tree, NamedTreeObjects],
  [after, fresh]: readonly [Tree, NamedTreeObjects],
  asked: AskedQuestions | undefined,
): readonly Found[] {
  if (!after.skipped.every((each) => before.skipped.includes(each))) return [];
  const seen = new Set<string>();
  const questions = new PartQuestions(after.session.workspace.questions, asked);
  const pairOf = (was: AppliedObject, is: AppliedObject) => ({
    before: { side: sideNow(before), applied: was },
    after: { side: sideNow(after), applied: is },
  });
  const arePortsChanged = [...fresh.objects].some(([key, { applied }]) => {
    const other = old.objects.get(key);
    return other !== undefined && mayDeclareOthers(pairOf(other.applied, applied));
  });
  const found = [...fresh.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = old.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected)) return [];
    questions.enter(partOf(applied));
    const pair = { before: other.applied, after: applied };
    const parts = brokenParts(pairOf(other.applied, applied), arePortsChanged).map((broken): Found => {
      const target = { group: '', kind: broken.kind, name: broken.name };
      const message = brokenPartSentence(shownName(named, false), broken);
      const { path, part, isRejected } = broken;
      const change = { kind: 'broken', message, owner: named, path, target, part } as const;
      return { ownerKey: key, change: isRejected ? { ...change, isRejected } : change };
    });
    const names = brokenReferences(sideNow(before), sideNow(after), pair).flatMap((broken): readonly Found[] => {
      const target = { group: '', kind: broken.kind, name: broken.name };
      const message = brokenSentence(shownName(named, false), broken);
      if (seen.has(`${key}\n${message}`)) return [];
      seen.add(`${key}\n${message}`);
      return [{ ownerKey: key, change: { kind: 'broken', message, owner: named, path: broken.path, target } }];
    });
    return [...names, ...parts];
  });
  questions.finish();
  return found;
}

/** Returns the side of a tree with its current snapshot. */
export function sideNow({ side, session }: Tree): Tree['side'] {
  return { ...side, workspace: session.snapshot() };
}

function rejection(named: Named, update: Update): string {
  const { change, selectors } = update;
  const name = shownName(named, false);
  const path = selectors === undefined ? change.path : undefined;
  return rejectionSentence({ name, path, ...changedValues(update), recreate: change.recreate, escape: update.escape });
}
