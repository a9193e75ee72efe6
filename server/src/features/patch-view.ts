/** A view of the patches that are written in a kustomization, as if they were the objects of its file. */

import { touches } from '../text/span.ts';
import { patchesIn } from '../workspace/kustomize/view.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import type { FileView } from './view.ts';

/** Returns a view of the patches in a kustomization; undefined if none of them contains the offset. */
export function patchViewAt(view: FileView, offset: number): FileView | undefined {
  const objects = patchesIn(view.file.kustomization);
  if (!objects.some(({ span }) => touches(span, offset))) return undefined;
  const { uri, lines, scope, manifest } = view.file;
  const file: WorkspaceFile = { uri, lines, scope, manifest: { ...manifest, objects }, objects: 0 };
  return { ...view, file };
}
