/** Which workloads stand behind an object that selects: behind a Service, for example? */

import { cursorAt, objectAt } from '../../manifests/cursor/cursor-target.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { type FilePlace, isWritten, nameSpan, objectKey } from '../locations.ts';
import { principalSite } from '../selected/principal-site.ts';
import type { FileView } from '../view.ts';
import { bestOf } from './definition.ts';

/** The objects that the selector under the cursor takes, or that of the object around it; each once, where it is named. */
export function implementation(view: FileView, offset: number): readonly FilePlace[] {
  const cursor = cursorAt(view.file.manifest, view.text, offset);
  const object = cursor?.object ?? undefined;
  if (cursor === undefined || object === undefined) return [];
  const site = cursor.kind === 'selector' ? cursor.site : principalSite(objectAt(view.file.manifest, offset) ?? object);
  if (site === undefined) return [];
  const found = bestOf(selectionOf(view.workspace, view.catalogue, { file: view.file, object }, site));
  const objects = new Map(found.filter(isWritten).map((match) => [objectKey(match), match]));
  return [...objects.values()].map(({ file, object }) => ({ file, span: nameSpan(object), around: object.span }));
}
