/**
 * Caches the hashes of generator inputs. A hash is computed again after one of the files, or a kustomization that takes
 * part, changed.
 */

import type { Change } from '../live/file-changes.ts';
import type { FileSource } from '../live/load.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import { isWithin } from '../uri.ts';
import { inputsOf, type Reading, readsContents, withHashes } from './generator-contents.ts';

/** Caches which kustomizations have generators, and which files their hashes depend on. */
export class GeneratedContents {
  /** The kustomizations with generators; `reads` if their hashes depend on other files. */
  readonly #generating = new Map<string, { readonly reads: boolean }>();
  /** The last hashed version of each kustomization, and its inputs. */
  readonly #hashed = new Map<string, { readonly file: WorkspaceFile; readonly inputs: readonly string[] }>();

  /** Returns a copy that knows the kustomizations with generators, and computes all hashes again. */
  copy(): GeneratedContents {
    const copy = new GeneratedContents();
    for (const [uri, generating] of this.#generating) copy.#generating.set(uri, generating);
    return copy;
  }

  /** Must be called for every parsed file. Returns true if the hashes of its generators depend on other files. */
  update({ uri, kustomization }: WorkspaceFile): boolean {
    const generators = kustomization?.generators ?? [];
    if (generators.length === 0) this.#generating.delete(uri);
    if (generators.length === 0) return false;
    const reads = generators.some(readsContents);
    this.#generating.set(uri, { reads });
    return reads;
  }

  /** Drops all hashes, because all files are read again. */
  invalidate(): void {
    this.#generating.clear();
    this.#hashed.clear();
  }

  /** Whether the hashes of a file's generators depend on other files. */
  has(uri: string): boolean {
    return this.#generating.get(uri)?.reads === true;
  }

  /** The files that generators read or looked up. */
  inputs(): readonly string[] {
    return [...new Set([...this.#hashed.values()].flatMap(({ inputs }) => inputs))];
  }

  /** Computes hashes, and returns the kustomizations with new ones. */
  async read(
    source: FileSource,
    workspace: Workspace,
    changes: readonly Change[],
    files: Pick<Reading, 'textOf' | 'fileOf'>,
  ): Promise<ReadonlyMap<string, WorkspaceFile>> {
    if (![...this.#generating.values()].some(({ reads }) => reads)) return new Map();
    const changed = new Set([...this.#generating.keys()].filter((uri) => this.#isChanged(uri, changes, files)));
    if (changed.size === 0) return new Map();
    const scopes = workspace.scopes();
    const roots = new Set([...changed].flatMap((uri) => scopes.building(uri)));
    const generating = [...this.#generating.keys()].filter((uri) => {
      return changed.has(uri) || scopes.building(uri).some((scope) => roots.has(scope));
    });
    for (const uri of generating) {
      const file = files.fileOf(uri);
      if (file === undefined) this.#drop(uri);
      else this.#hashed.set(uri, { file, inputs: inputsOf(file, workspace) });
    }
    const hashed = await withHashes({ source, workspace, generating, ...files });
    // Text that was typed meanwhile is hashed the next time.
    return new Map([...hashed].filter(([uri]) => this.#hashed.get(uri)?.file === files.fileOf(uri)));
  }

  #isChanged(uri: string, changes: readonly Change[], { fileOf }: Pick<Reading, 'fileOf'>): boolean {
    const known = this.#hashed.get(uri);
    if (known === undefined || known.file !== fileOf(uri)) return true;
    return known.inputs.some((input) => changes.some((change) => isWithin(input, change.uri)));
  }

  #drop(uri: string): void {
    this.#generating.delete(uri);
    this.#hashed.delete(uri);
  }
}
