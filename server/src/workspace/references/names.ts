/** Indexes of the names of objects: the files that contain an object with a name, and the files that refer to a name. */

import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { nameTerm, unrecorded } from '../dependencies/questions.ts';
import { LayeredMap } from '../index/layered-map.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { scopeQuery, unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { referredNames } from '../store/serialized-file.ts';
import { folderOf } from '../uri.ts';

/** The name of an object in its file, taken from the facts for scopes. */
interface NameInFile {
  readonly uri: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

type ByKind = ReadonlyMap<string, ReadonlyMap<string, readonly NameInFile[]>>;

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ByKind>();

/** The most recent names of files with the same structure, with the facts that contain them. */
const latest = new WeakMap<
  ReadonlyMap<string, ScopeFacts>,
  { readonly facts: ReadonlyMap<string, ScopeFacts>; readonly byKind: ByKind }
>();

/** Caches the names by the facts of their file, because the facts of most files do not change while one file is edited. */
const parsed = new WeakMap<ScopeFacts, readonly NameInFile[]>();

/** Returns the names of the objects in a file with these facts, without names that Go templates generate. */
export function namesInFile(uri: string, facts: ScopeFacts): readonly NameInFile[] {
  return getOrAdd(parsed, facts, () =>
    allIdentities(facts).map((identity) => {
      const [group = '', kind = '', namespace = '', name = ''] = identity.split('\n');
      return { uri, group, kind, namespace, name };
    }),
  );
}

/** Returns the names of all objects by kind, except names in patches and names that Go templates write. The caller records what it depends on; other look-ups record it themselves. */
export function namesByKind(workspace: Workspace): ByKind {
  const scopes = unrecordedScopes(workspace);
  return getOrAdd(known, scopes.facts(), (facts) => {
    const last = latest.get(scopes.structure());
    const changed = last && facts instanceof LayeredMap ? facts.keysChangedSince(last.facts) : undefined;
    const byKind =
      last === undefined || changed === undefined ? namesIn(facts.keys(), scopes) : namesAfter(last, changed, scopes);
    latest.set(scopes.structure(), { facts, byKind });
    return byKind;
  });
}

/** Returns the objects of a kind with a name, except names in patches and names that Go templates write. */
export function objectsNamed(workspace: Workspace, kind: string, name: string): readonly NameInFile[] {
  workspace.questions?.note({ about: 'named', term: nameTerm.object(kind, name) });
  return namesByKind(workspace).get(kind)?.get(name) ?? [];
}

/** Yields the identities of all objects, or of those of a kind, with their files. */
export function* identitiesIn(workspace: Workspace, kind?: string): Iterable<readonly [uri: string, identity: string]> {
  workspace.questions?.note({ about: 'named', term: kind === undefined ? nameTerm.all : nameTerm.kind(kind) });
  for (const [uri, { identities }] of unrecordedScopes(workspace).facts())
    for (const identity of identities)
      if (kind === undefined || identity.split('\n', 2)[1] === kind) yield [uri, identity];
}

/** Returns all objects of a kind by name, with the same exceptions. */
export function namesOfKind(workspace: Workspace, kind: string): ReadonlyMap<string, readonly NameInFile[]> {
  workspace.questions?.note({ about: 'named', term: nameTerm.kind(kind) });
  return namesByKind(workspace).get(kind) ?? noNames;
}

const noNames: ReadonlyMap<string, readonly NameInFile[]> = new Map();

export function objectsOfKind(workspace: Workspace, kind: string): readonly NameInFile[] {
  return [...namesOfKind(workspace, kind).values()].flat();
}

function namesIn(uris: Iterable<string>, scopes: Scopes, isWanted = (_kind: string) => true): ByKind {
  const facts = scopes.facts();
  const byKind = new Map<string, Map<string, NameInFile[]>>();
  for (const uri of uris) {
    const each = facts.get(uri);
    if (each === undefined || scopes.isPatch(uri)) continue;
    for (const named of namesInFile(uri, each)) {
      if (!isWanted(named.kind)) continue;
      const names = getOrAdd(byKind, named.kind, () => new Map<string, NameInFile[]>());
      const others = names.get(named.name);
      // An empty array would reserve space for 17 elements when its first element is added.
      if (others === undefined) names.set(named.name, [named]);
      else others.push(named);
    }
  }
  return byKind;
}

/** Returns the names after the facts of some files changed. The names of each kind have the order that they have if all names are found anew. */
function namesAfter(
  { facts: before, byKind }: { readonly facts: ReadonlyMap<string, ScopeFacts>; readonly byKind: ByKind },
  changed: readonly string[],
  scopes: Scopes,
): ByKind {
  const facts = scopes.facts();
  const kinds = new Set(changed.flatMap((uri) => changedKinds(before.get(uri), facts.get(uri))));
  const uris = new Set(changed);
  for (const kind of kinds)
    for (const names of byKind.get(kind)?.values() ?? []) for (const { uri } of names) uris.add(uri);
  const fresh = namesIn([...uris].toSorted(compareText), scopes, (kind) => kinds.has(kind));
  return new Map([...[...byKind].filter(([kind]) => !kinds.has(kind)), ...fresh]);
}

/** Returns the kinds of the objects in the versions of a file; none if both contain the same names in the same order, on which the order of all names depends. */
function changedKinds(before: ScopeFacts | undefined, after: ScopeFacts | undefined): readonly string[] {
  const [old, fresh] = [before, after].map((facts) => (facts === undefined ? [] : allIdentities(facts)));
  const all = [...(old ?? []), ...(fresh ?? [])];
  return old?.join('\0') === fresh?.join('\0') ? [] : all.map((identity) => identity.split('\n')[1] ?? '');
}

/** The files that contain an object whose controller creates objects of a kind, by that kind. */
type Makers = ReadonlyMap<string, readonly string[]>;

const makers = new WeakMap<ReadonlyMap<string, ScopeFacts>, Makers>();

/** Returns the URIs of the files that contain an object whose controller may create objects of a kind, according to the catalogue. */
export function filesThatMake(workspace: Workspace, catalogue: Catalogue, made: string): readonly string[] {
  workspace.questions?.note({ about: 'named', term: nameTerm.maker(made) });
  const scopes = unrecordedScopes(workspace);
  const byKind = getOrAdd(makers, scopes.facts(), (facts) => {
    const files = new Map<string, string[]>();
    for (const [uri, each] of facts) {
      if (scopes.isPatch(uri)) continue;
      for (const kind of getOrAdd(madeIn, each, () => kindsMadeIn(namesInFile(uri, each), catalogue)))
        getOrAdd(files, kind, () => []).push(uri);
    }
    return new Map(Array.from(files, ([kind, uris]) => [kind, inOrder(uris, compareText)]));
  });
  return byKind.get(made) ?? [];
}

/** Whether a file may contain an object that may create objects of one of some kinds. Callers must still test the objects in the file. */
export function mayMake(
  { uri, scope: facts }: Pick<WorkspaceFile, 'uri' | 'scope'>,
  catalogue: Catalogue,
  isWanted: (kind: string) => boolean,
): boolean {
  const isPartial = facts.config !== undefined || facts.templates.length > 0;
  if (isPartial || facts.identities.length < facts.objects) return true;
  return getOrAdd(madeIn, facts, () => kindsMadeIn(namesInFile(uri, facts), catalogue)).some(isWanted);
}

/** The kinds that the controllers of the objects in a file create, by the facts of the file. */
const madeIn = new WeakMap<ScopeFacts, readonly string[]>();

function kindsMadeIn(names: readonly NameInFile[], catalogue: Catalogue): readonly string[] {
  const types = new Set(names.map(({ group, kind }) => `${group}\n${kind}`));
  return [...new Set([...types].flatMap((type) => madeKinds(catalogue, type)))];
}

function madeKinds(catalogue: Catalogue, type: string): readonly string[] {
  const [group = '', kind = ''] = type.split('\n');
  return kindsMadeBy(catalogue, group, kind);
}

/** Returns the kinds of the objects that the controller of an object of a type creates. */
export function kindsMadeBy(catalogue: Catalogue, group: string, kind: string): readonly string[] {
  const fact = catalogue.kind(group, '', kind);
  return fact === undefined ? [] : getOrAdd(madeBy, fact, madeKindsOf);
}

const madeBy = new WeakMap<KindFact, readonly string[]>();

function madeKindsOf({ producers = [], references }: KindFact): readonly string[] {
  const named = references.filter(({ creates }) => creates).flatMap(({ targets }) => targets);
  return [...new Set([...producers.map(({ makes }) => makes), ...named].map((each) => each.kind))];
}

/** Returns the URIs of the kustomizations that generate a ConfigMap or Secret with a name. */
export function filesThatGenerate(workspace: Workspace, kind: string, name: string): readonly string[] {
  workspace.questions?.note({ about: 'named', term: nameTerm.object(kind, name) });
  return generatorsOf(workspace, kind, name);
}

/** Like `filesThatGenerate`, but the caller records what it depends on. */
export function generatorsOf(workspace: Workspace, kind: string, name: string): readonly string[] {
  return generatedNames.of(workspace).filesWith(`${kind}\n${name}`);
}

/** Returns the URIs of kustomizations by the identity of the objects that they generate: the kind, a line end, and the name. */
export function generatorsIn(workspace: Workspace, kind?: string): Iterable<readonly [string, readonly string[]]> {
  workspace.questions?.note({ about: 'named', term: kind === undefined ? nameTerm.all : nameTerm.kind(kind) });
  return generatedNames.of(workspace).entries(kind === undefined ? '' : `${kind}\n`);
}

const patchUsers = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the URIs of the kustomizations that list a patch file. */
export const kustomizationsWith = scopeQuery(
  'kustomizations with a patch',
  (scopes, patch: string): readonly string[] => {
    const users = getOrAdd(patchUsers, scopes.structure(), (facts) => {
      const byPatch = new Map<string, string[]>();
      for (const [uri, { kustomization }] of facts)
        for (const path of kustomization?.patches ?? [])
          getOrAdd(byPatch, scopes.at(folderOf(uri), path), () => []).push(uri);
      return byPatch;
    });
    return inOrder(users.get(patch) ?? [], compareText);
  },
  (uris) => uris.join(' '),
);

/** Records which files contain certain strings. The index is updated when it is used, for the files that changed since its last use. */
class TextIndex {
  readonly #textsOf: (file: WorkspaceFile) => readonly string[];
  readonly #files = new Map<string, { readonly file: WorkspaceFile; readonly texts: readonly string[] }>();
  readonly #byText = new Map<string, Set<string>>();
  #latest: Workspace['files'] | undefined;

  constructor(textsOf: (file: WorkspaceFile) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  update(files: Workspace['files']): void {
    if (files === this.#latest) return;
    const changed = this.#latest && files.keysChangedSince(this.#latest);
    this.#latest = files;
    if (changed !== undefined) {
      for (const uri of changed) this.#put(uri, files.get(uri));
      return;
    }
    for (const uri of this.#files.keys()) if (!files.has(uri)) this.#put(uri, undefined);
    files.forEach((file, uri) => {
      this.#put(uri, file);
    });
  }

  #put(uri: string, file: WorkspaceFile | undefined): void {
    const before = this.#files.get(uri);
    if (before?.file === file) return;
    for (const text of before?.texts ?? []) {
      const uris = this.#byText.get(text);
      uris?.delete(uri);
      if (uris?.size === 0) this.#byText.delete(text);
    }
    this.#files.delete(uri);
    if (file === undefined) return;
    const texts = [...new Set(this.#textsOf(file))];
    this.#files.set(uri, { file, texts });
    for (const text of texts) getOrAdd(this.#byText, text, () => new Set()).add(uri);
  }

  /** Returns the files with a text, in the order of their paths. */
  filesWith(text: string): readonly string[] {
    return inOrder([...(this.#byText.get(text) ?? [])], compareText);
  }

  *entries(prefix: string): Iterable<readonly [string, readonly string[]]> {
    for (const text of this.#byText.keys()) if (text.startsWith(prefix)) yield [text, this.filesWith(text)];
  }
}

/** Text indexes by the folders of a workspace, shared by all snapshots of the workspace. */
class TextIndexes {
  readonly #textsOf: (file: WorkspaceFile) => readonly string[];
  readonly #known = new WeakMap<Workspace['folders'], TextIndex>();

  constructor(textsOf: (file: WorkspaceFile) => readonly string[]) {
    this.#textsOf = textsOf;
  }

  of(workspace: Workspace): TextIndex {
    const index = getOrAdd(this.#known, workspace.folders, () => new TextIndex(this.#textsOf));
    unrecorded(workspace, () => index.update(workspace.files));
    return index;
  }
}

const namesInReferences = new TextIndexes(referredNames);

const generatedNames = new TextIndexes(({ scope, kustomization }) =>
  (scope.kustomization === undefined ? [] : (kustomization?.generators ?? [])).flatMap(({ kind, name }) =>
    name === undefined ? [] : [`${kind}\n${name.text}`],
  ),
);

/** Returns the URIs of the files that refer to an object by a name. The first call reads the names in all files. */
export function filesThatName(workspace: Workspace, name: string): readonly string[] {
  workspace.questions?.note({ about: 'named', term: nameTerm.reference(name) });
  return namesInReferences.of(workspace).filesWith(name);
}
