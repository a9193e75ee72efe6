/** Lists the files of a snapshot, and the scopes that each takes part in. A server keeps them for its next answers. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import { compareText } from '../../text/order.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { everyCluster, type Scope } from '../../workspace/scopes/model.ts';
import { folderOf, isWithin } from '../../workspace/uri.ts';
import type { NamedPath } from './requested-paths.ts';

const known = new WeakMap<Workspace, TakingPart>();

/** Returns the lists of a snapshot. */
export function takingPartIn(workspace: Workspace): TakingPart {
  return getOrAdd(known, workspace, () => new TakingPart(workspace));
}

/** Everything that kustomizations name. Most files keep it while one is edited, and reading them again is slow. */
const namedPaths = new WeakMap<WorkspaceFile, readonly string[]>();

/** The lists of a snapshot. */
export class TakingPart {
  readonly #workspace: Workspace;
  readonly #scopesWith = new Map<string, readonly Scope[]>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** All files, in the order of their URIs. */
  readonly files = once(() => inOrder([...this.#workspace.files.values()]));

  /** The files at or below some paths, in order. */
  filesAt(paths: readonly Pick<NamedPath, 'kind' | 'uri'>[]): readonly WorkspaceFile[] {
    if (paths.every(({ kind }) => kind === 'file')) return this.filesOf(paths.map(({ uri }) => uri));
    return this.files().filter((file) => paths.some(({ uri }) => isWithin(file.uri, uri)));
  }

  /** The files with some URIs, each once and in order. */
  filesOf(uris: Iterable<string>): readonly WorkspaceFile[] {
    const { files } = this.#workspace;
    return inOrder([...new Set(uris)].flatMap((uri) => files.get(uri) ?? []));
  }

  /** By the file or folder that kustomizations name: their files. */
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

  /** The scopes that a file takes part in: as a manifest, a kustomization, or a file that a kustomization uses. */
  scopesOf(uri: string): readonly Scope[] {
    return getOrAdd(this.#scopesWith, uri, () => {
      const scopes = this.#workspace.scopes();
      const own = [...scopes.ofFile(uri), ...scopes.building(uri)];
      const naming = this.naming().get(uri) ?? [];
      return [...new Set([...own, ...naming.flatMap((each) => scopes.building(each))])];
    });
  }

  /** The URIs of the files that take part in a scope. */
  filesIn(scope: Scope): readonly string[] {
    return this.#filesIn().get(scope) ?? [];
  }
}

function inOrder(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
  return files.filter(({ uri }) => uri !== everyCluster).toSorted((a, b) => compareText(a.uri, b.uri));
}

/** Everything that a kustomization names. */
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
