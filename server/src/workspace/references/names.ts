/** Indexes of the names of objects: which files contain an object of a name, and which files name it. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { allIdentities, type ScopeFacts } from '../scopes/scope-facts.ts';
import { referredNames } from '../store/serialized-file.ts';
import { folderOf } from '../uri.ts';

/** The name of an object in its file, by the facts for scopes. */
interface NameInFile {
  readonly uri: string;
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
}

type ByKind = ReadonlyMap<string, ReadonlyMap<string, readonly NameInFile[]>>;

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ByKind>();

/** Returns the names of all objects by kind, without those in patches, and without names that Go templates write. */
export function namesByKind(workspace: Workspace): ByKind {
  const scopes = workspace.scopes();
  return getOrAdd(known, scopes.facts(), (facts) => {
    const byKind = new Map<string, Map<string, NameInFile[]>>();
    for (const [uri, each] of facts) {
      if (scopes.isPatch(uri)) continue;
      for (const identity of allIdentities(each)) {
        const [group = '', kind = '', namespace = '', name = ''] = identity.split('\n');
        const names = getOrAdd(byKind, kind, () => new Map<string, NameInFile[]>());
        getOrAdd(names, name, () => []).push({ uri, group, namespace, name });
      }
    }
    return byKind;
  });
}

/** Returns the kinds of the objects in a file, as `group`, a line end and `kind`. */
function kindsIn(facts: ScopeFacts | undefined): ReadonlySet<string> {
  return new Set(
    (facts === undefined ? [] : allIdentities(facts)).map((identity) =>
      identity.slice(0, identity.indexOf('\n', identity.indexOf('\n') + 1)),
    ),
  );
}

/** The files whose objects' controllers create objects of some kind, by that kind. */
type Makers = ReadonlyMap<string, readonly string[]>;

const makers = new WeakMap<ReadonlyMap<string, ScopeFacts>, Makers>();

/** Returns the URIs of the files with an object that may create objects of a kind by a rule of the catalogue. */
export function filesThatMake(workspace: Workspace, catalogue: Catalogue, made: string): readonly string[] {
  const scopes = workspace.scopes();
  const byKind = getOrAdd(makers, scopes.facts(), (facts) => {
    const madeBy = new Map<string, readonly string[]>();
    const files = new Map<string, string[]>();
    for (const [uri, each] of facts) {
      if (scopes.isPatch(uri)) continue;
      const kinds = new Set(
        [...kindsIn(each)].flatMap((type) => getOrAdd(madeBy, type, () => madeKinds(catalogue, type))),
      );
      for (const kind of kinds) getOrAdd(files, kind, () => []).push(uri);
    }
    return files;
  });
  return byKind.get(made) ?? [];
}

function madeKinds(catalogue: Catalogue, type: string): readonly string[] {
  const [group = '', kind = ''] = type.split('\n');
  const { producers = [], references = [] } = catalogue.kind(group, '', kind) ?? {};
  const named = references.filter(({ creates }) => creates).flatMap(({ targets }) => targets);
  return [...new Set([...producers.map(({ makes }) => makes), ...named].map((each) => each.kind))];
}

/** The generators of kustomizations by the names that they give. */
type Generators = ReadonlyMap<string, readonly string[]>;

const generators = new WeakMap<Workspace['files'], Generators>();

/** Returns the URIs of the kustomizations that generate a ConfigMap or Secret of a name. */
export function filesThatGenerate(workspace: Workspace, kind: string, name: string): readonly string[] {
  return generatorsIn(workspace).get(`${kind}\n${name}`) ?? [];
}

/** Returns the URIs of kustomizations by the kind, a line end, and the name of what they generate. */
export function generatorsIn({ files }: Workspace): Generators {
  return getOrAdd(generators, files, () => {
    const byName = new Map<string, string[]>();
    files.forEach(({ uri, kustomization }) => {
      for (const { kind, name } of kustomization?.generators ?? [])
        if (name !== undefined) getOrAdd(byName, `${kind}\n${name.text}`, () => []).push(uri);
    });
    return byName;
  });
}

/** The kustomizations that use each patch. */
const patchUsers = new WeakMap<ReadonlyMap<string, ScopeFacts>, ReadonlyMap<string, readonly string[]>>();

/** Returns the URIs of the kustomizations that list a patch file. */
export function kustomizationsWith(workspace: Workspace, patch: string): readonly string[] {
  const users = getOrAdd(patchUsers, workspace.scopes().facts(), (facts) => {
    const byPatch = new Map<string, string[]>();
    for (const [uri, { kustomization }] of facts)
      for (const path of kustomization?.patches ?? [])
        getOrAdd(byPatch, workspace.at(folderOf(uri), path), () => []).push(uri);
    return byPatch;
  });
  return users.get(patch) ?? [];
}

/** Which files name an object of some name, whatever its kind is. It is updated when it is used. */
class ReferenceIndex {
  readonly #files = new Map<string, { readonly file: WorkspaceFile; readonly names: readonly string[] }>();
  readonly #byName = new Map<string, Set<string>>();
  #latest: Workspace['files'] | undefined;

  update(files: Workspace['files']): void {
    if (files === this.#latest) return;
    this.#latest = files;
    for (const uri of this.#files.keys()) if (!files.has(uri)) this.#remove(uri);
    files.forEach((file, uri) => {
      if (this.#files.get(uri)?.file === file) return;
      this.#remove(uri);
      const names = [...new Set(referredNames(file))];
      this.#files.set(uri, { file, names });
      for (const name of names) getOrAdd(this.#byName, name, () => new Set()).add(uri);
    });
  }

  #remove(uri: string): void {
    for (const name of this.#files.get(uri)?.names ?? []) {
      const uris = this.#byName.get(name);
      uris?.delete(uri);
      if (uris?.size === 0) this.#byName.delete(name);
    }
    this.#files.delete(uri);
  }

  filesWith(name: string): readonly string[] {
    return [...(this.#byName.get(name) ?? [])];
  }
}

/** The folders identify a workspace in all of its snapshots. */
const indexes = new WeakMap<Workspace['folders'], ReferenceIndex>();

/** Returns the URIs of the files that name an object of some name. The first call reads the names in all files. */
export function filesThatName(workspace: Workspace, name: string): readonly string[] {
  const index = getOrAdd(indexes, workspace.folders, () => new ReferenceIndex());
  index.update(workspace.files);
  return index.filesWith(name);
}
