/** Names the objects of two trees of manifests, so that an object has the same name in both trees. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import type { Session } from '../../session.ts';
import { outlineOf } from '../../workspace/index/file-outline.ts';
import { LayeredMap } from '../../workspace/index/layered-map.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { relativeFolder, relativePath } from '../../workspace/uri.ts';
import { type AppliedObject, scopesOf } from './applied-objects.ts';

export interface Named {
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

/** The objects of a tree, and the folder or file to which the names of scopes and files are relative. */
export interface NamedTree {
  readonly session: Session;
  readonly root: string;
  readonly objects: readonly AppliedObject[];
}

/** How the objects of two trees are distinguished. */
export interface Names {
  readonly several: ReadonlyMap<string, TellApart>;
  readonly moved: MovedCopies;
  /** The keys of the objects with copies in different files in the two trees. */
  readonly shifted: ReadonlySet<string>;
}

/** Determines how the objects of two trees are distinguished. */
export function namesIn(
  [before, oldCopies]: readonly [NamedTree, Copies],
  [after, freshCopies]: readonly [NamedTree, Copies],
): Names {
  const several = new Map<string, TellApart>();
  for (const key of new Set([...oldCopies.keys(), ...freshCopies.keys()])) {
    const by = tellApart(oldCopies.get(key), freshCopies.get(key));
    if (by !== undefined) several.set(key, by);
  }
  return { several, ...movedCopies(before, after, several) };
}

/** An object, and the kustomization that builds it, if there is one. */
type ObjectInBuild = ObjectInFile & Pick<AppliedObject, 'builtBy'>;

/** How objects with the same identity are distinguished: objects of overlays and charts by their scope, copies in one scope by their file. */
type TellApart = 'scope' | 'file';

/** How the copies of each object of a tree are distinguished, by the identity of the object; `one` if there is only one copy. */
export type Copies = ReadonlyMap<string, TellApart | 'one'>;

export function copiesOf({ session, root, objects }: NamedTree): Copies {
  const files = new Map<string, { readonly scope: string; readonly uri: string }[]>();
  for (const where of objects) {
    const copy = { scope: scopeOf(session, root, where), uri: where.file.uri };
    getOrAdd(files, keyOf(identity(session, where)), () => []).push(copy);
  }
  return new Map([...files].map(([key, copies]) => [key, distinguish(copies)]));
}

function distinguish(copies: readonly { readonly scope: string; readonly uri: string }[]): TellApart | 'one' {
  const uris = new Map<string, string>();
  for (const { scope, uri } of copies) {
    if (getOrAdd(uris, scope, () => uri) !== uri) return 'file';
  }
  return uris.size > 1 ? 'scope' : 'one';
}

/** Returns how the copies of an object in both trees are distinguished; undefined if no tree contains several copies. */
function tellApart(...copies: readonly (TellApart | 'one' | undefined)[]): TellApart | undefined {
  return (['file', 'scope'] as const).find((by) => copies.includes(by));
}

/** The file that contains a copy in the new tree, by the name of the object and its file in the old tree. */
type MovedCopies = ReadonlyMap<string, string>;

/** Finds objects that are distinguished only by their file and that were moved to a different file. */
function movedCopies(
  before: NamedTree,
  after: NamedTree,
  several: ReadonlyMap<string, TellApart>,
): Pick<Names, 'moved' | 'shifted'> {
  const moved = new Map<string, string>();
  const shifted = new Set<string>();
  const [old, fresh] = [copiesIn(before, several), copiesIn(after, several)];
  for (const [key, copies] of old) {
    const others = fresh.get(key) ?? new Map<string, string>();
    const left = new Map([...others].filter(([path]) => !copies.has(path)));
    if (left.size > 0) shifted.add(key);
    for (const [path, outline] of copies) {
      if (others.has(path)) continue;
      shifted.add(key);
      const target = [...left.keys()].find((each) => left.get(each) === outline);
      if (target === undefined) continue;
      left.delete(target);
      moved.set(`${key}\n${path}`, target);
    }
  }
  return { moved, shifted };
}

/** Returns, for each object whose copies are distinguished by their file, the files of the copies in a tree, each with the outline of the copy. */
function copiesIn(
  { session, root, objects }: NamedTree,
  several: ReadonlyMap<string, TellApart>,
): ReadonlyMap<string, Map<string, string>> {
  const copies = new Map<string, Map<string, string>>();
  for (const { file, object, builtBy } of [...several.values()].includes('file') ? objects : []) {
    const key = keyOf(identity(session, { file, object }));
    if (several.get(key) !== 'file' || builtBy !== undefined) continue;
    getOrAdd(copies, key, () => new Map<string, string>()).set(relativePath(root, file.uri), outlineOf(object));
  }
  return copies;
}

/** Returns the name of an object; `moved` is present for an object of the old tree. */
export function nameOf(
  session: Session,
  root: string,
  where: ObjectInBuild,
  { several, moved }: Pick<Names, 'several'> & Partial<Names>,
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

/** Returns a key for an object without the scope or file that distinguishes it from its copies. */
export function identityKeyOf(session: Session, where: ObjectInFile): string {
  return keyOf(identity(session, where));
}

/** Returns the folder of the kustomization that builds an object, or the folders of its scopes, relative to the root. */
function scopeOf(session: Session, root: string, where: ObjectInBuild): string {
  const paths = scopesOf(session, where).map(({ path }) => relativeFolder(root, path));
  return [...new Set(paths)].toSorted().join(', ');
}

export function keyOf(named: Named): string {
  const { kind, namespace, name, scope } = named;
  return [storedGroup(named), kind, namespace ?? '', name, scope ?? ''].join('\n');
}

export function whereIs({ scope, builtBy }: Named): string | undefined {
  return scope ?? builtBy;
}

/** Formats the name of an object: `Service/web in shop (overlays/prod)`. `brief` omits the namespace and the scope, which the following text names. */
export function shownName(named: Named, brief: boolean): string {
  const { kind, name, namespace } = named;
  const [place, scope] = [namespace === undefined ? '' : ` in ${namespace}`, whereIs(named)];
  return brief ? `${kind}/${name}` : `${kind}/${name}${place}${scope === undefined ? '' : ` (${scope})`}`;
}

/** Returns the part of a tree that contains an object: the objects that a kustomization builds, or the objects that are written in a file. */
export function partOf({ file, builtBy }: ObjectInBuild): string {
  return builtBy === undefined ? filePart(file.uri) : buildPart(builtBy.path);
}

/** Returns the part with the objects that are written in a file. */
export function filePart(uri: string): string {
  return `file ${uri}`;
}

/** Returns the part with the objects that the kustomization or GitOps object at a path builds. */
export function buildPart(path: string): string {
  return `build ${path}`;
}

/** Returns the URI of the file of a part of a tree, or of the kustomization or GitOps object that builds it. */
export function uriOfPart(part: string): string {
  return part.slice(part.indexOf(' ') + 1);
}

/** Whether a string denotes a part of a tree, and not a file. */
export function isPart(text: string): boolean {
  return text.startsWith(filePart('')) || text.startsWith(buildPart(''));
}

/** An object of a tree, with everything on which the names of objects depend. */
interface NamedObject {
  /** The identity of the object: its name, without the scope or file of a copy. */
  readonly identity: string;
  readonly key: string;
  readonly scope: string;
  readonly uri: string;
  readonly part: string;
  /** The outline of a copy that is distinguished by its file. */
  readonly outline: string;
}

/** The objects of a tree, by part and by identity. */
export interface NamedObjects {
  readonly byPart: LayeredMap<string, readonly NamedObject[]>;
  readonly byIdentity: LayeredMap<string, readonly NamedObject[]>;
}

export function namedObjects(tree: NamedTree, names: Names): NamedObjects {
  const all = tree.objects.map((where) => namedObject(tree, where, names));
  return {
    byPart: new LayeredMap(grouped(all, ({ part }) => part)),
    byIdentity: new LayeredMap(grouped(all, (each) => each.identity)),
  };
}

function namedObject({ session, root }: NamedTree, where: AppliedObject, { several, shifted }: Names): NamedObject {
  const key = keyOf(identity(session, where));
  return {
    identity: key,
    key: keyOf(nameOf(session, root, where, { several })),
    scope: scopeOf(session, root, where),
    uri: where.file.uri,
    part: partOf(where),
    outline: where.builtBy === undefined && shifted.has(key) ? outlineOf(where.object) : '',
  };
}

interface KnownNames {
  readonly names: Names;
  readonly oldCopies: Copies;
  readonly freshObjects: NamedObjects;
}

/** Updates the names of a comparison after some parts of the new tree changed; `tree` contains the objects of these parts. `gone` contains the earlier keys of the objects of these parts. Returns undefined if the names of other objects may change. */
export function updatedNames(
  { names, oldCopies, freshObjects }: KnownNames,
  tree: NamedTree,
  parts: ReadonlySet<string>,
): (Pick<KnownNames, 'names' | 'freshObjects'> & { readonly gone: readonly string[] }) | undefined {
  const were = [...parts].flatMap((part) => freshObjects.byPart.get(part) ?? []);
  const changedParts = tree.objects.filter((where) => parts.has(partOf(where)));
  const are = changedParts.map((where) => namedObject(tree, where, names));
  const [before, after] = [grouped(were, (each) => each.identity), grouped(are, (each) => each.identity)];
  const several = new Map<string, TellApart | undefined>();
  const byIdentity = new Map<string, readonly NamedObject[] | undefined>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [some, others] = [before.get(key) ?? [], after.get(key) ?? []];
    if (isSame(some, others)) continue;
    const elsewhere = (freshObjects.byIdentity.get(key) ?? []).filter(({ part }) => !parts.has(part));
    const copies = [...elsewhere, ...others];
    byIdentity.set(key, copies.length === 0 ? undefined : copies);
    const [was, is] = [names.several.get(key), tellApart(oldCopies.get(key), distinguish(copies))];
    // Copies that are distinguished by their file are compared with each other.
    if (was === 'file' || is === 'file') return undefined;
    if (was === is) continue;
    if (elsewhere.length > 0 || oldCopies.has(key)) return undefined;
    several.set(key, is);
  }
  const updated = several.size === 0 ? names : { ...names, several: withChanges(names.several, several) };
  const now = several.size === 0 ? are : changedParts.map((where) => namedObject(tree, where, updated));
  const [earlier, byPart] = [freshObjects.byPart, grouped(now, ({ part }) => part)];
  const isChanged = (part: string) => !isSame(earlier.get(part) ?? [], byPart.get(part) ?? []);
  return {
    names: updated,
    freshObjects: {
      byPart: earlier.with([...parts].filter(isChanged).map((part) => [part, byPart.get(part)] as const)),
      byIdentity: freshObjects.byIdentity.with(byIdentity),
    },
    gone: were.map(({ key }) => key),
  };
}

function grouped<T>(all: readonly T[], keyIn: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) getOrAdd(groups, keyIn(each), () => []).push(each);
  return groups;
}

function isSame(some: readonly NamedObject[], others: readonly NamedObject[]): boolean {
  const shown = (objects: readonly NamedObject[]) =>
    objects.map(({ key, scope, uri, part, outline }) => [key, scope, uri, part, outline].join('\n')).toSorted();
  return some.length === others.length && shown(some).join('\n') === shown(others).join('\n');
}

function withChanges<K, V>(map: ReadonlyMap<K, V>, changes: ReadonlyMap<K, V | undefined>): ReadonlyMap<K, V> {
  return (map instanceof LayeredMap ? map : new LayeredMap(map)).with(changes);
}
