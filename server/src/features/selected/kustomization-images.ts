/** Evaluates `images` of a kustomization: finds the previous and new images of the built objects, except for images that patches set. */

import type { ImageChange } from '../../manifests/kustomize/model.ts';
import { changedImage } from '../../workspace/kustomize/images.ts';
import { kustomizationIn } from '../../workspace/kustomize/kustomization-paths.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf } from '../../workspace/uri.ts';
import { objectKey } from '../locations.ts';

type Images = Map<string, readonly string[]>;

/** Returns the images of the objects of a kustomization before `images` of this kustomization is applied, by `objectKey`. */
export function imagesBefore(workspace: Workspace, file: WorkspaceFile): ReadonlyMap<string, readonly string[]> {
  const images: Images = new Map();
  addImages(workspace, file, images, new Set());
  return images;
}

/** The maximum number of kustomizations that a kustomization includes, directly or indirectly. */
const maximumIncluded = 1000;

function addImages(
  workspace: Workspace,
  { uri, kustomization }: WorkspaceFile,
  images: Images,
  seen: Set<string>,
): void {
  if (kustomization === undefined || seen.has(uri) || seen.size > maximumIncluded) return;
  seen.add(uri);
  for (const { path } of [...kustomization.resources, ...kustomization.components]) {
    const target = workspace.at(folderOf(uri), path);
    const base = kustomizationIn(workspace, target);
    const file = workspace.files.get(target);
    for (const object of file?.manifest.objects ?? []) {
      const own = [...(object.images ?? []), ...object.templates.flatMap((each) => each.images ?? [])];
      if (file !== undefined && own.length > 0) images.set(objectKey({ file, object }), own);
    }
    if (base === undefined) continue;
    const below: Images = base.kustomization?.component ? images : new Map();
    addImages(workspace, base, below, seen);
    for (const [key, each] of below) images.set(key, base.kustomization?.images?.reduce(withChange, each) ?? each);
  }
}

function withChange(images: readonly string[], change: ImageChange): readonly string[] {
  return images.map((image) => changedImage(image, change));
}
