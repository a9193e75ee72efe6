/** A view of the patches that are written in a kustomization, as if they were the objects of its file. */

import { type Span, touches } from '../text/span.ts';
import { patchesIn } from '../workspace/kustomize/view.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import type { FileView } from './view.ts';

/** Returns a view of the patches in a kustomization; undefined for a file without them. */
export function patchView(view: FileView): FileView | undefined {
  const objects = patchesIn(view.file.kustomization);
  if (objects.length === 0) return undefined;
  const { uri, lines, scope, manifest } = view.file;
  const file: WorkspaceFile = { uri, lines, scope, manifest: { ...manifest, objects }, objects: 0 };
  return { ...view, file };
}

/** Returns the view of the patches in a kustomization if one of them contains an offset. */
export function patchViewAt(view: FileView, offset: number): FileView | undefined {
  const isAt = ({ span }: { readonly span: Span }) => touches(span, offset);
  return patchesIn(view.file.kustomization).some(isAt) ? patchView(view) : undefined;
}
