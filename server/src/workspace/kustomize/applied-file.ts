/** A file with its objects as a kustomization applies them. */

import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import type { WorkspaceFile } from '../model.ts';

/** A file with changed objects. All other facts are deserialized lazily. */
export class AppliedFile implements WorkspaceFile {
  readonly uri: string;
  readonly objects: number;
  readonly #file: WorkspaceFile;
  readonly #applied: readonly ManifestObject[];
  readonly #isGenerated: boolean;
  #manifest: Manifest | undefined;

  /** `isGenerated`: the objects are all generated, so that the file has its own objects as well. */
  constructor(file: WorkspaceFile, applied: readonly ManifestObject[], isGenerated: boolean) {
    this.uri = file.uri;
    this.objects = applied.length;
    this.#file = file;
    this.#applied = applied;
    this.#isGenerated = isGenerated;
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
    // A kustomization that generates objects also remains a kustomization.
    const keeps = kustomization !== undefined || this.#isGenerated;
    return { ...manifest, objects: keeps ? [...manifest.objects.map(notApplied), ...this.#applied] : this.#applied };
  }
}

/** Returns an object that is only in the same file as generated objects, for example an Application that creates its namespace. It is not applied with them. */
function notApplied(object: ManifestObject): ManifestObject {
  return object.forCluster ? { ...object, forCluster: false } : object;
}
