/** A file with its objects as a kustomization applies them. */

import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import type { WorkspaceFile } from '../model.ts';

/** A file with other objects. All its other facts are deserialized lazily. */
export class AppliedFile implements WorkspaceFile {
  readonly uri: string;
  readonly objects: number;
  readonly #file: WorkspaceFile;
  readonly #applied: readonly ManifestObject[];
  #manifest: Manifest | undefined;

  constructor(file: WorkspaceFile, applied: readonly ManifestObject[]) {
    this.uri = file.uri;
    this.objects = applied.length;
    this.#file = file;
    this.#applied = applied;
  }

  get manifest() {
    this.#manifest ??= this.#made();
    return this.#manifest;
  }

  get kustomization() {
    return this.#file.kustomization;
  }

  get lines() {
    return this.#file.lines;
  }

  get scope() {
    return this.#file.scope;
  }

  #made(): Manifest {
    const { manifest, kustomization } = this.#file;
    // A kustomization remains a kustomization in addition to the objects that it generates.
    return {
      ...manifest,
      objects: kustomization === undefined ? this.#applied : [...manifest.objects, ...this.#applied],
    };
  }
}
