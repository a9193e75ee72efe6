/** The object of a file as it is applied, and its display name: a template may write the name in its file. */

import { isUnknown } from '../../engine/index.ts';
import { unshown } from '../../manifests/shown-name.ts';
import { isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { firstApplied } from '../../workspace/selection/selection.ts';
import type { View } from '../view.ts';
import { objectName } from './object-names.ts';

/** Returns an object as the scope of the perspective applies it, and the workspace as this scope applies it. */
export function appliedLead({ workspace, catalogue, perspective }: View, where: ObjectInFile) {
  return firstApplied(workspace, catalogue, where, perspective);
}

/** Returns the name of an object, as its file writes it if the values of its chart only lead to a condition. */
export function sourceName({ workspace }: View, { file, object }: ObjectInFile): string {
  const name = objectName(object);
  if (!name.includes(unshown)) return name;
  const objects = (workspace.written ?? workspace).files.get(file.uri)?.manifest.objects ?? [];
  const written = objects.find(({ kindSpan }) => kindSpan.start === object.kindSpan.start);
  return written === undefined ? name : objectName(written);
}

/** Returns the object that a patch changes, if it is known; for any other object, the object itself. */
export function patchedObject(view: View, where: ObjectInFile): ObjectInFile {
  return isPatch(view.workspace, where) ? appliedLead(view, where).owner : where;
}

/** Returns `Deployment/web` with the values of its chart, or the name in its file if these do not determine it. */
export function appliedName(view: View, where: ObjectInFile): string {
  const { name } = where.object;
  if (!view.complete || name === undefined || !isUnknown(name.value)) return objectName(where.object);
  return objectName(appliedLead(view, where).owner.object);
}
