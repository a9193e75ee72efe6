/** Names the objects of two trees of manifests, so that an object has the same name in both trees. */

import { getOrAdd } from '../../engine/memoize.ts';
import { objectName } from '../../features/presentation/object-names.ts';
import type { Session } from '../../session.ts';
import { hashOf } from '../../text/hash.ts';
import { outlineOf } from '../../workspace/index/file-outline.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { relativeFolder, relativePath } from '../../workspace/uri.ts';
import { type AppliedObject, scopesOf } from './applied-objects.ts';

/** The name of an object. */
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
export function namesIn(before: NamedTree, after: NamedTree): Names {
  const several = new Map<string, TellApart>();
  for (const [key, by] of [...namesakes(before), ...namesakes(after)]) {
    if (by === 'file' || !several.has(key)) several.set(key, by);
  }
  return { several, ...movedCopies(before, after, several) };
}

/** An object, and the kustomization that builds it, if there is one. */
type ObjectInBuild = ObjectInFile & Pick<AppliedObject, 'builtBy'>;

/** How objects with the same identity are distinguished: objects of overlays and charts by their scope, copies in one scope by their file. */
type TellApart = 'scope' | 'file';

/** Returns the keys of objects that are defined more than once, and how these objects are distinguished. */
function namesakes({ session, root, objects }: NamedTree): readonly (readonly [key: string, by: TellApart])[] {
  const files = new Map<string, Map<string, Set<string>>>();
  for (const { file, object, builtBy } of objects) {
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

/** Returns the folder of the kustomization that builds an object, or the folders of its scopes, relative to the root. */
function scopeOf(session: Session, root: string, where: ObjectInBuild): string {
  const paths = scopesOf(session, where).map(({ path }) => relativeFolder(root, path));
  return [...new Set(paths)].toSorted().join(', ');
}

/** Returns a key for a name. */
export function keyOf({ group, kind, namespace, name, scope }: Named): string {
  return [group, kind, namespace ?? '', name, scope ?? ''].join('\n');
}

/** Returns the scope or file in a name. */
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

/** Returns, for each part of a tree, a hash of everything on which the names of objects depend. */
export function signaturesOf({ session, root, objects }: NamedTree, names: Names): ReadonlyMap<string, string> {
  const parts = new Map<string, string[]>();
  for (const where of objects) {
    const key = keyOf(identity(session, where));
    const outline = where.builtBy === undefined && names.shifted.has(key) ? outlineOf(where.object) : '';
    const text = [key, scopeOf(session, root, where), where.file.uri, outline].join('\n');
    getOrAdd(parts, partOf(where), () => []).push(text);
  }
  return new Map([...parts].map(([part, texts]) => [part, hashOf(texts.join('\n'))]));
}
