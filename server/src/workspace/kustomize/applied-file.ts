/** What is a file as a kustomization applies it? */

import type { Kustomization } from '../../manifests/kustomization.ts';
import type { Manifest, ManifestObject } from '../../manifests/manifest.ts';
import type { WorkspaceFile } from '../workspace.ts';

/** A file with other objects. What it says besides is read where somebody asks. */
export class AppliedFile implements WorkspaceFile {
  readonly uri: string;
  readonly objects: number;
  readonly manifest: Manifest;
  readonly kustomization: Kustomization | undefined;
  readonly #file: WorkspaceFile;

  constructor(file: WorkspaceFile, objects: readonly ManifestObject[]) {
    this.uri = file.uri;
    this.objects = objects.length;
    this.kustomization = file.kustomization;
    // A kustomization stays one beside what it generates.
    const others = file.kustomization === undefined ? [] : file.manifest.objects;
    this.manifest = { ...file.manifest, objects: [...others, ...objects] };
    this.#file = file;
  }

  get lines() {
    return this.#file.lines;
  }

  get scope() {
    return this.#file.scope;
  }
}
