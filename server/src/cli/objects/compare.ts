/** Compares which selectors match which objects in two trees of manifests. */

import { getOrAdd } from '../../engine/memoize.ts';
import { matchSentence, rejectionSentence } from '../../features/presentation/change-sentences.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import { changedValues, rejectedChanges, type Update } from '../../rules/helpers/updates.ts';
import type { Session } from '../../session.ts';
import type { Side } from '../../workspace/base.ts';
import { outlineOf } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Selection } from '../../workspace/selection/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { relativeFolder, relativePath } from '../../workspace/uri.ts';
import type { PathSelection } from '../paths/path-selection.ts';
import { type AppliedObject, aroundSelected, scopesOf } from './applied-objects.ts';
import { brokenReferences } from './broken-references.ts';
import { boundOfCommand, selectionsFrom } from './selections.ts';

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

interface Named {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /**
   * Set if the object is defined several times: the scope that contains it, or its file if one scope defines it several
   * times.
   */
  readonly scope?: string;
  /**
   * The GitOps object that builds the object; absent if `scope` is present. It is not part of the object's identity.
   */
  readonly builtBy?: string;
}

/** Maximum number of changes of one kind in a report. */
export const maximumChanges = 20_000;

export interface Comparison {
  /** The changes: rejected updates first, then names of objects that no longer exist, then lost and then new matches; each in alphabetical order. */
  readonly changes: readonly Change[];
  /** Notes on omissions due to limits, as sentences. */
  readonly notes: readonly string[];
}

/** Compares two trees: immutable fields that changed, and matches that are lost or new. */
export function compare(before: Tree, after: Tree): Comparison {
  const several = new Map<string, TellApart>();
  for (const [key, by] of [...namesakes(before), ...namesakes(after)]) {
    if (by === 'file' || !several.has(key)) several.set(key, by);
  }
  const moved = movedCopies(before, after, several);
  const [old, fresh] = [objectsOfTree(before, several, moved), objectsOfTree(after, several)];
  const missing = missingTargets();
  // A match is not reported as lost if both of its objects disappeared with it.
  const isMissed = (owner: string, target: string) => fresh.objects.has(owner) || fresh.objects.has(target);
  const [isInAfter, isInBefore] = [certainIn(fresh, after, before), certainIn(old, before, after)];
  const lost = linksOnlyIn(old, fresh, missing, (...keys) => isMissed(...keys) && isInAfter(...keys));
  const gained = linksOnlyIn(fresh, old, missing, isInBefore);
  const leftOut = new Set([...old.leftOut, ...fresh.leftOut]).size;
  return {
    changes: [
      ...sorted(rejectedUpdates([before, old], [after, fresh])),
      ...sorted(brokenNames([before, old], [after, fresh])),
      ...sorted(lost.links.map((link) => changeOf('lost', link, fresh))),
      ...sorted(gained.links.map((link) => changeOf('gained', link, old))),
    ],
    notes: [
      ...(leftOut === 0 ? [] : [`Too many selectors and matching objects: ${leftOut} selectors were not compared.`]),
      ...(lost.isCut || gained.isCut ? [`Only the first ${maximumChanges} changes of each kind are listed.`] : []),
    ],
  };
}

type IsWanted = (owner: string, target: string) => boolean;

/** A match that is missing in a tree may be in a file that was skipped there, and only there. */
function certainIn(snapshot: ObjectsOfTree, tree: Tree, other: Tree): IsWanted {
  if (tree.skipped.every((each) => other.skipped.includes(each))) return () => true;
  return (owner, target) => snapshot.objects.has(owner) && snapshot.objects.has(target);
}

/** The objects of a tree, with names that identify them in both trees. */
interface ObjectsOfTree {
  /** The objects by name. */
  readonly objects: ReadonlyMap<string, Item>;
  /** The matches, by the object that contains the selector and the path of the selector. */
  readonly links: ReadonlyMap<string, Links>;
  /** The keys of `links` whose matches are unknown, because the limit on comparisons was reached. */
  readonly leftOut: ReadonlySet<string>;
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

interface Link extends Pick<Links, 'owner' | 'path'>, Pick<Target, 'target' | 'via'> {}

const noTargets: Targets = new Map();

/** Returns the certain matches in a tree that are missing in the other tree, up to `maximumChanges`. */
function linksOnlyIn(snapshot: ObjectsOfTree, other: ObjectsOfTree, missing: Missing, isWanted: IsWanted) {
  const links: Link[] = [];
  for (const [key, { owner, ownerKey, path, targets }] of snapshot.links) {
    if (snapshot.leftOut.has(key) || other.leftOut.has(key)) continue;
    for (const each of missing(targets, other.links.get(key)?.targets ?? noTargets)) {
      if (!isWanted(ownerKey, each.key)) continue;
      if (links.length === maximumChanges) return { links, isCut: true };
      links.push({ owner, path, target: each.target, via: each.via });
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

function changeOf(kind: 'lost' | 'gained', link: Link, other: ObjectsOfTree): Change {
  const { owner, target, path, via } = link;
  const message = `${messageOf(kind, link, other)}.`;
  return { kind, message, owner, path, target: via === undefined ? target : { ...target, via } };
}

function messageOf(kind: 'lost' | 'gained', { owner, target, path }: Link, other: ObjectsOfTree): string {
  const from = shownName(owner, owner.namespace === target.namespace && whereIs(owner) === whereIs(target));
  const to = keyOf(owner) === keyOf(target) ? 'its own pods' : shownName(target, false);
  return matchSentence({
    kind,
    owner: { group: owner.group, kind: owner.kind, name: from, isInBoth: other.objects.has(keyOf(owner)) },
    path,
    target: { name: to, isInBoth: other.objects.has(keyOf(target)) },
  });
}

function rejectedUpdates(
  [before, old]: readonly [Tree, ObjectsOfTree],
  [after, fresh]: readonly [Tree, ObjectsOfTree],
): readonly Change[] {
  return [...old.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = fresh.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected)) return [];
    const updates = rejectedChanges(
      { side: before.side, applied },
      { side: after.side, applied: other.applied },
      other.applied.builtBy,
    );
    return updates.map((update): Change => {
      const { path, recreate } = update.change;
      const { escape: recreation } = update;
      const by = recreation === undefined || recreation === 'silent' ? {} : { recreatedBy: recreation.sentence };
      return { kind: 'immutable', message: rejection(named, update), owner: named, path, recreate, ...by };
    });
  });
}

/** Returns the references in objects of both trees that had a target before and have none now; empty if a file that was not read may contain the target. */
function brokenNames(
  [before, old]: readonly [Tree, ObjectsOfTree],
  [after, fresh]: readonly [Tree, ObjectsOfTree],
): readonly Change[] {
  if (!after.skipped.every((each) => before.skipped.includes(each))) return [];
  const seen = new Set<string>();
  return [...fresh.objects].flatMap(([key, { named, applied, isSelected }]) => {
    const other = old.objects.get(key);
    if (other === undefined || !(isSelected || other.isSelected)) return [];
    const pair = { before: other.applied, after: applied };
    return brokenReferences(before.session, after.session, pair).flatMap((broken): readonly Change[] => {
      const target = { group: '', kind: broken.kind, name: broken.name };
      const message = `${shownName(named, false)} names ${broken.kind}/${broken.name}, which no longer exists.`;
      if (seen.has(`${key}\n${message}`)) return [];
      seen.add(`${key}\n${message}`);
      return [{ kind: 'broken', message, owner: named, path: broken.path, target }];
    });
  });
}

function rejection(named: Named, update: Update): string {
  const { change, selectors } = update;
  const name = shownName(named, false);
  const path = selectors === undefined ? change.path : undefined;
  return rejectionSentence({ name, path, ...changedValues(update), recreate: change.recreate, escape: update.escape });
}

function objectsOfTree(tree: Tree, several: ReadonlyMap<string, TellApart>, moved?: MovedCopies): ObjectsOfTree {
  const { session, root } = tree;
  const objects = new Map<string, Item>();
  const found = new Map<string, Omit<Links, 'targets'> & { readonly targets: Set<Targets> }>();
  const leftOut = new Set<string>();
  const comparisons = boundOfCommand();
  const { objects: around, isSelected } = aroundSelected(tree);
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
          const target = named(session, root, { file: match.file, object: match.object, builtBy }, several, moved);
          return { target, key: keyOf(target), via: match.labeledObject.via, certain: certain.has(match) };
        }),
      );
    });
  };
  for (const applied of around) {
    const { file, object, builtBy } = applied;
    const owner = named(session, root, { file, object, builtBy }, several, moved);
    const ownerKey = keyOf(owner);
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
  return { objects, links, leftOut };
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

/** An object, and the kustomization that builds it, if there is one. */
type ObjectInBuild = ObjectInFile & { readonly builtBy: AppliedObject['builtBy'] };

/** How objects with the same identity are distinguished: objects of overlays and charts by their scope, copies in one scope by their file. */
type TellApart = 'scope' | 'file';

/** Returns the keys of objects that are defined more than once, and how these objects are distinguished. */
function namesakes(tree: Tree): readonly (readonly [key: string, by: TellApart])[] {
  const { session, root } = tree;
  const files = new Map<string, Map<string, Set<string>>>();
  for (const { file, object, builtBy } of aroundSelected(tree).objects) {
    const key = keyOf(identity(session, { file, object }));
    const scopes = files.get(key) ?? new Map<string, Set<string>>();
    files.set(key, scopes);
    const scope = scopeOf(session, root, { file, object, builtBy });
    scopes.set(scope, (scopes.get(scope) ?? new Set()).add(file.uri));
  }
  return [...files].flatMap(([key, scopes]): readonly (readonly [string, TellApart])[] => {
    if ([...scopes.values()].some((uris) => uris.size > 1)) return [[key, 'file']];
    return scopes.size > 1 ? [[key, 'scope']] : [];
  });
}

/** The file that contains a copy in the new tree, by the name of the object and its file in the old tree. */
type MovedCopies = ReadonlyMap<string, string>;

/** Finds objects that are distinguished only by their file and that were moved to a different file. */
function movedCopies(before: Tree, after: Tree, several: ReadonlyMap<string, TellApart>): MovedCopies {
  const moved = new Map<string, string>();
  const [old, fresh] = [copiesIn(before, several), copiesIn(after, several)];
  for (const [key, copies] of old) {
    const others = fresh.get(key) ?? new Map<string, string>();
    const left = new Map([...others].filter(([path]) => !copies.has(path)));
    for (const [path, outline] of copies) {
      if (others.has(path)) continue;
      const target = [...left.keys()].find((each) => left.get(each) === outline);
      if (target === undefined) continue;
      left.delete(target);
      moved.set(`${key}\n${path}`, target);
    }
  }
  return moved;
}

/** Returns, for each object whose copies are distinguished by their file, the files of the copies in a tree, each with the outline of the copy. */
function copiesIn(tree: Tree, several: ReadonlyMap<string, TellApart>): ReadonlyMap<string, Map<string, string>> {
  const { session, root } = tree;
  const copies = new Map<string, Map<string, string>>();
  for (const { file, object, builtBy } of [...several.values()].includes('file') ? aroundSelected(tree).objects : []) {
    const key = keyOf(identity(session, { file, object }));
    if (several.get(key) !== 'file' || builtBy !== undefined) continue;
    getOrAdd(copies, key, () => new Map<string, string>()).set(relativePath(root, file.uri), outlineOf(object));
  }
  return copies;
}

function named(
  session: Session,
  root: string,
  where: ObjectInBuild,
  several: ReadonlyMap<string, TellApart>,
  moved?: MovedCopies,
): Named {
  const plain = identity(session, where);
  const by = several.get(keyOf(plain));
  if (by === undefined)
    return where.builtBy?.gitops === undefined ? plain : { ...plain, builtBy: scopeOf(session, root, where) };
  if (by === 'scope' || where.builtBy !== undefined) return { ...plain, scope: scopeOf(session, root, where) };
  const path = relativePath(root, where.file.uri);
  return { ...plain, scope: moved?.get(`${keyOf(plain)}\n${path}`) ?? path };
}

function identity(session: Session, where: ObjectInFile): Named {
  const { group, kind } = where.object;
  const namespace = effectiveNamespace(session.snapshot(), session.workspace.catalogueOf(where.file.uri), where)?.text;
  const name = objectName(where.object).slice(kind.length + 1);
  return { group, kind, ...(namespace !== undefined && { namespace }), name };
}

/** Returns the folder of the kustomization that builds an object, or the folders of its scopes, relative to the root. */
function scopeOf(session: Session, root: string, where: ObjectInBuild): string {
  const paths = scopesOf(session, where).map(({ path }) => relativeFolder(root, path));
  return [...new Set(paths)].toSorted().join(', ');
}

function keyOf({ group, kind, namespace, name, scope }: Named): string {
  return [group, kind, namespace ?? '', name, scope ?? ''].join('\n');
}

function whereIs({ scope, builtBy }: Named): string | undefined {
  return scope ?? builtBy;
}

/** Formats the name of an object: `Service/web in shop (overlays/prod)`. `brief` omits the namespace and the scope, which the following text names. */
export function shownName(named: Named, brief: boolean): string {
  const { kind, name, namespace } = named;
  const [place, scope] = [namespace === undefined ? '' : ` in ${namespace}`, whereIs(named)];
  return brief ? `${kind}/${name}` : `${kind}/${name}${place}${scope === undefined ? '' : ` (${scope})`}`;
}

function sorted(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => (a.message < b.message ? -1 : 1));
}
