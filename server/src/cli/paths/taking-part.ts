/** Lists the files of a snapshot, and the scopes to which each file belongs. A server caches these lists for later commands. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import { compareText, countBefore, inOrder as sorted } from '../../text/order.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { everyCluster, type Scope, type Scopes } from '../../workspace/scopes/model.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { NamedPath } from './requested-paths.ts';

/** The lists of the last snapshot with the same scopes. Most of them stay valid when a file is edited. */
const latest = new WeakMap<Scopes, TakingPart>();

/** Returns the cached lists of the files and scopes of a snapshot. */
export const takingPartIn = memoized((workspace: Workspace): TakingPart => {
  const made = new TakingPart(workspace, latest.get(workspace.scopes()));
  latest.set(workspace.scopes(), made);
  return made;
});

/** The paths that each kustomization names. They are cached, because an edit usually changes a single file, and collecting the paths of all files again is slow. */
const namedPaths = new WeakMap<WorkspaceFile, readonly string[]>();

/** A property of a file that does not depend on other files. */
type FileTest = (file: WorkspaceFile) => boolean;

/** The files of a snapshot, and the scopes to which they belong, as lists that are computed lazily. */
export class TakingPart {
  readonly #workspace: Workspace;
  #files: readonly WorkspaceFile[] | undefined;
  readonly #filesWith: Map<FileTest, readonly WorkspaceFile[]>;
  readonly #links: Links;

  /** `before` contains the lists of an earlier snapshot with the same scopes. */
  constructor(workspace: Workspace, before: TakingPart | undefined) {
    this.#workspace = workspace;
    const changed = before && workspace.files.keysChangedSince(before.#workspace.files);
    if (before === undefined || changed === undefined) {
      this.#filesWith = new Map();
      this.#links = new Links();
      return;
    }
    const pairs = changed.map((uri) => [before.#workspace.files.get(uri), workspace.files.get(uri)] as const);
    const fresh = pairs.flatMap(([, file]) => file ?? []);
    this.#files = before.#files && withVersions(before.#files, fresh);
    this.#filesWith = new Map(
      [...before.#filesWith].map(([test, files]) => [
        test,
        inOrder([...files.filter(({ uri }) => !changed.includes(uri)), ...fresh.filter(test)]),
      ]),
    );
    const isKustomization = (file: WorkspaceFile | undefined) => file?.scope.kustomization !== undefined;
    this.#links = pairs.some((pair) => pair.some(isKustomization)) ? new Links() : before.#links;
  }

  /** Returns all files, in the order of their URIs. */
  files(): readonly WorkspaceFile[] {
    this.#files ??= inOrder([...this.#workspace.files.values()]);
    return this.#files;
  }

  /** Returns the files for which a function returns true, in the order of their URIs. The result is cached for each function. */
  filesWith(test: FileTest): readonly WorkspaceFile[] {
    return getOrAdd(this.#filesWith, test, () => this.files().filter(test));
  }

  /** Returns the files at or below the given paths, in the order of their URIs. */
  filesAt(paths: readonly Pick<NamedPath, 'kind' | 'uri'>[]): readonly WorkspaceFile[] {
    if (paths.every(({ kind }) => kind === 'file')) return this.filesOf(paths.map(({ uri }) => uri));
    const [first = [], ...others] = paths.map(({ uri }) => this.#filesBelow(uri));
    return others.length === 0 ? first : inOrder([...new Set([first, ...others].flat())]);
  }

  #filesBelow(uri: string): readonly WorkspaceFile[] {
    const files = this.files();
    const own = uri === everyCluster ? undefined : this.#workspace.files.get(uri);
    // In the order of the URIs, '0' is the character after '/'.
    const below = files.slice(indexOf(files, `${uri}/`), indexOf(files, `${uri}0`));
    return own === undefined ? below : [own, ...below];
  }

  /** Returns the files with the given URIs, without duplicates and in the order of their URIs. */
  filesOf(uris: Iterable<string>): readonly WorkspaceFile[] {
    const { files } = this.#workspace;
    return inOrder([...new Set(uris)].flatMap((uri) => files.get(uri) ?? []));
  }

  /** Returns the kustomization files that name each file or folder, by its URI. */
  naming(): ReadonlyMap<string, readonly string[]> {
    this.#links.naming ??= this.#findNaming();
    return this.#links.naming;
  }

  #findNaming(): ReadonlyMap<string, readonly string[]> {
    const naming = new Map<string, string[]>();
    const { files } = this.#workspace;
    for (const [uri, facts] of this.#workspace.scopes().facts()) {
      const file = facts.kustomization && files.get(uri);
      if (file === undefined) continue;
      const folder = folderOf(uri);
      for (const path of getOrAdd(namedPaths, file, pathsIn))
        getOrAdd(naming, this.#workspace.at(folder, path), () => []).push(uri);
    }
    return naming;
  }

  /** Returns the scopes to which a file belongs: as a manifest, a kustomization, or a file that a kustomization uses. */
  scopesOf(uri: string): readonly Scope[] {
    return getOrAdd(this.#links.scopesOf, uri, () => {
      const scopes = this.#workspace.scopes();
      const own = [...scopes.ofFile(uri), ...scopes.building(uri)];
      const naming = this.naming().get(uri) ?? [];
      return [...new Set([...own, ...naming.flatMap((each) => scopes.building(each))])];
    });
  }

  filesIn(scope: Scope): readonly string[] {
    this.#links.filesIn ??= this.#findFilesIn();
    return this.#links.filesIn.get(scope) ?? [];
  }

  #findFilesIn(): ReadonlyMap<Scope, readonly string[]> {
    const files = new Map<Scope, string[]>();
    for (const uri of this.#workspace.files.keys())
      for (const scope of this.scopesOf(uri)) getOrAdd(files, scope, () => []).push(uri);
    return files;
  }
}

/** The lists that depend only on the scopes and the kustomizations. */
class Links {
  naming: ReadonlyMap<string, readonly string[]> | undefined;
  readonly scopesOf = new Map<string, readonly Scope[]>();
  /** The URIs of the files that belong to each scope, including the kustomizations and the files that they use. */
  filesIn: ReadonlyMap<Scope, readonly string[]> | undefined;
}

function withVersions(files: readonly WorkspaceFile[], fresh: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  const changed = [...files];
  for (const file of fresh) if (file.uri !== everyCluster) changed[indexOf(files, file.uri)] = file;
  return changed;
}

/** Returns the index of the first file whose URI is not before `uri`. */
function indexOf(files: readonly WorkspaceFile[], uri: string): number {
  return countBefore(files, (file) => file.uri < uri);
}

function inOrder(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return sorted(
    files.filter(({ uri }) => uri !== everyCluster),
    (a, b) => compareText(a.uri, b.uri),
  );
}

function pathsIn({ kustomization: read }: WorkspaceFile): readonly string[] {
  return read === undefined ? [] : pathsOf(read);
}

function pathsOf(read: Kustomization): readonly string[] {
  const { resources, components, patches, plugins, transformers, configurations, replacements, inputs, generators } =
    read;
  const named = [resources, components, patches, plugins, transformers, configurations, inputs].flat();
  const written = replacements.flatMap((each) => ('path' in each ? [each] : []));
  return [...[...named, ...written].map(({ path }) => path), ...generators.flatMap(({ reads }) => reads ?? [])];
}
