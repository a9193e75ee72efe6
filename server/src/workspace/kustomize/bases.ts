/**
 * Caches the builds of bases. A base is built once for all kustomizations that include it, until one of its files
 * changes.
 */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { kustomizationNames } from '../../manifests/kustomize/kustomization.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';
import { resolveUri } from '../uri.ts';
import type { Built, Surroundings } from './build.ts';
import { type Files, Inputs, type ScopeQuestion } from './inputs.ts';
import { LruCache } from './lru-cache.ts';

interface Base {
  readonly built: Built;
  readonly inputs: Inputs;
  readonly catalogue: Catalogue;
}

/** The maximum number of cached resources. Kustomizations with a common base are usually rendered in sequence, and resources are larger than rendered objects. */
const cachedResources = 500;

/**
 * The cache of built bases, shared by successive snapshots of a workspace. Cached values are immutable: trees are
 * copied.
 */
export class Bases {
  readonly #kept = new LruCache<Base>(cachedResources, ({ built }) => built.resources.length + 1);
  count = 0;

  /** Returns surroundings that record the files on which a kustomization of a snapshot depends while it is built. */
  lookingAt(files: Files, catalogue: Catalogue): Looking {
    return new Looking(files, catalogue, this);
  }

  /**
   * Returns the cached build of the kustomization in a file, if all files on which the build depends are unchanged in
   * the snapshot.
   */
  get(uri: string, snapshot: Files, wanted: Catalogue): Base | undefined {
    return this.#kept.get(uri, ({ inputs, catalogue }) => catalogue === wanted && inputs.areCurrent(snapshot));
  }

  /**
   * Caches a base. Results that depend on the including kustomization (a cycle, or the level limit) must not be cached.
   */
  keep(uri: string, base: Base): void {
    this.count++;
    const { isRound, limit } = base.built;
    if (!isRound && limit !== 'levels') this.#kept.keep(uri, base);
  }

  /** Drops entries that were not used since the last call. */
  evictUnused(): void {
    this.#kept.evictUnused();
  }
}

/** Surroundings that record the files on which a build depends. */
export class Looking implements Surroundings {
  readonly catalogue: Catalogue;
  readonly #files: Files;
  readonly #bases: Bases;
  /** The bases that were built for this kustomization, including incomplete ones. */
  readonly #done = new Map<string, Base>();
  #inputs: Inputs;

  constructor(files: Files, catalogue: Catalogue, bases: Bases) {
    this.catalogue = catalogue;
    this.#files = files;
    this.#bases = bases;
    this.#inputs = new Inputs(files.files);
  }

  /** The dependencies that were recorded so far. */
  get inputs(): Inputs {
    return this.#inputs;
  }

  file(uri: string): WorkspaceFile | undefined {
    const found = this.#files.files.get(uri);
    this.#inputs.add(uri, found);
    return found;
  }

  /**
   * The scopes of the snapshot. The result of the build may depend on them only through `ask`, which records the
   * questions.
   */
  get scopes(): Scopes {
    return this.#files.scopes();
  }

  ask(question: ScopeQuestion): readonly string[] {
    return this.#inputs.ask(question, this.scopes);
  }

  at(folder: string, path: string): string {
    return this.#files.fileNameOf(resolveUri(folder, path));
  }

  kustomizationIn(folder: string): WorkspaceFile | undefined {
    for (const name of kustomizationNames) {
      const found = this.file(`${folder}/${name}`);
      if (found?.kustomization !== undefined) return found;
    }
    return undefined;
  }

  base(file: WorkspaceFile, make: () => Built): Built {
    const { uri } = file;
    const base = this.#done.get(uri) ?? this.#bases.get(uri, this.#files, this.catalogue) ?? this.#made(file, make);
    this.#done.set(uri, base);
    this.#inputs.addAll(base.inputs);
    return base.built;
  }

  #made(file: WorkspaceFile, make: () => Built): Base {
    const above = this.#inputs;
    const inputs = new Inputs(this.#files.files);
    // The base also depends on its own file, which the including kustomization looked up.
    inputs.add(file.uri, file);
    this.#inputs = inputs;
    try {
      const base: Base = { built: make(), inputs, catalogue: this.catalogue };
      this.#bases.keep(file.uri, base);
      return base;
    } catch (error) {
      // A failed build is repeated after one of these files has changed.
      above.addAll(inputs);
      throw error;
    } finally {
      this.#inputs = above;
    }
  }
}
