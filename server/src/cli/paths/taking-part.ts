/** Lists the files of a snapshot, and the scopes to which each file belongs. A server caches these lists for later commands. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import { compareText } from '../../text/order.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { everyCluster, type Scope } from '../../workspace/scopes/model.ts';
import { folderOf, isWithin } from '../../workspace/uri.ts';
import type { NamedPath } from './requested-paths.ts';

const known = new WeakMap<Workspace, TakingPart>();

/** Returns the cached lists of the files and scopes of a snapshot. */
export function takingPartIn(workspace: Workspace): TakingPart {
  return getOrAdd(known, workspace, () => new TakingPart(workspace));
}

/** The paths that each kustomization names. They are cached, because an edit usually changes a single file, and collecting the paths of all files again is slow. */
const namedPaths = new WeakMap<WorkspaceFile, readonly string[]>();

/** The files of a snapshot, and the scopes to which they belong, as lists that are computed lazily. */
export class TakingPart {
  readonly #workspace: Workspace;
  readonly #scopesWith = new Map<string, readonly Scope[]>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** All files, in the order of their URIs. */
  readonly files = once(() => inOrder([...this.#workspace.files.values()]));

  /** Returns the files at or below the given paths, in the order of their URIs. */
  filesAt(paths: readonly Pick<NamedPath, 'kind' | 'uri'>[]): readonly WorkspaceFile[] {
    if (paths.every(({ kind }) => kind === 'file')) return this.filesOf(paths.map(({ uri }) => uri));
    return this.files().filter((file) => paths.some(({ uri }) => isWithin(file.uri, uri)));
  }

  /** Returns the files with the given URIs, without duplicates and in the order of their URIs. */
  filesOf(uris: Iterable<string>): readonly WorkspaceFile[] {
    const { files } = this.#workspace;
    return inOrder([...new Set(uris)].flatMap((uri) => files.get(uri) ?? []));
  }

  /** The URIs of the kustomizations that name a file or folder, by the URI of that file or folder. */
  readonly naming = once((): ReadonlyMap<string, readonly string[]> => {
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
  });

  /** The URIs of the files that belong to each scope, including the kustomizations and the files that they use. */
  readonly #filesIn = once((): ReadonlyMap<Scope, readonly string[]> => {
    const files = new Map<Scope, string[]>();
    for (const uri of this.#workspace.files.keys())
      for (const scope of this.scopesOf(uri)) getOrAdd(files, scope, () => []).push(uri);
    return files;
  });

  /**
   * Returns the scopes to which a file belongs: as a manifest, as a kustomization, or as a file that a kustomization
   * uses.
   */
  scopesOf(uri: string): readonly Scope[] {
    return getOrAdd(this.#scopesWith, uri, () => {
      const scopes = this.#workspace.scopes();
      const own = [...scopes.ofFile(uri), ...scopes.building(uri)];
      const naming = this.naming().get(uri) ?? [];
      return [...new Set([...own, ...naming.flatMap((each) => scopes.building(each))])];
    });
  }

  /** Returns the URIs of the files that belong to a scope. */
  filesIn(scope: Scope): readonly string[] {
    return this.#filesIn().get(scope) ?? [];
  }
}

function inOrder(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return files.filter(({ uri }) => uri !== everyCluster).toSorted((a, b) => compareText(a.uri, b.uri));
}

/** Returns the paths of all files and folders that a kustomization names. */
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
