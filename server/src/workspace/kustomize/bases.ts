/**
 * Caches the builds of bases. A base is built once for all kustomizations that include it, as long as no file that it
 * is made of changes.
 */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { WorkspaceFile } from '../model.ts';
import { resolveUri } from '../uri.ts';
import type { Built, Surroundings } from './build.ts';
import { type Files, Inputs } from './inputs.ts';
import { LruCache } from './lru-cache.ts';

interface Base {
  readonly built: Built;
  readonly inputs: Inputs;
  readonly catalogue: Catalogue;
}

/**
 * Who takes a base is mostly rendered one after the other; and its resources are larger than what is rendered of them.
 */
const cachedResources = 500;

/**
 * The cache of built bases, shared by successive snapshots of a workspace. Cached values are immutable: trees are
 * copied.
 */
export class Bases {
  readonly #kept = new LruCache<Base>(cachedResources, ({ built }) => built.resources.length + 1);
  /** How many times something was built for those that take it. */
  count = 0;

  /** What one kustomization of a snapshot looks at while it is built. */
  lookingAt(files: Files, catalogue: Catalogue): Looking {
    return new Looking(files, catalogue, this);
  }

  /** What the kustomization in a file built, if a snapshot has the same files. */
  get(uri: string, { files }: Files, wanted: Catalogue): Base | undefined {
    return this.#kept.get(uri, ({ inputs, catalogue }) => catalogue === wanted && inputs.areCurrent(files));
  }

  /** Not what depends on who takes it: what stops after so many levels, or goes round. */
  keep(uri: string, base: Base): void {
    this.count++;
    const { isRound, limit } = base.built;
    if (!isRound && limit !== 'levels') this.#kept.keep(uri, base);
  }

  /** Forgets what nobody asked for since the last time. */
  evictUnused(): void {
    this.#kept.evictUnused();
  }
}

/** Surroundings that record the files that a build depends on. */
export class Looking implements Surroundings {
  readonly catalogue: Catalogue;
  readonly #files: Files;
  readonly #bases: Bases;
  /** What was built for this kustomization, whole or not. */
  readonly #done = new Map<string, Base>();
  #inputs: Inputs;

  constructor(files: Files, catalogue: Catalogue, bases: Bases) {
    this.catalogue = catalogue;
    this.#files = files;
    this.#bases = bases;
    this.#inputs = new Inputs(files.files);
  }

  /** What was looked at until now. */
  get inputs(): Inputs {
    return this.#inputs;
  }

  file(uri: string): WorkspaceFile | undefined {
    const found = this.#files.files.get(uri);
    this.#inputs.add(uri, found);
    return found;
  }

  at(folder: string, path: string): string {
    return this.#files.fileNameOf(resolveUri(folder, path));
  }

  kustomizationIn(folder: string): WorkspaceFile | undefined {
    for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
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
    // It was looked for by the one that takes it.
    inputs.add(file.uri, file);
    this.#inputs = inputs;
    try {
      const base: Base = { built: make(), inputs, catalogue: this.catalogue };
      this.#bases.keep(file.uri, base);
      return base;
    } catch (error) {
      // What failed is built again once one of these files has changed.
      above.addAll(inputs);
      throw error;
    } finally {
      this.#inputs = above;
    }
  }
}
