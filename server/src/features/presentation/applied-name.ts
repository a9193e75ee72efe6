/** The object of a file as it is applied, and its display name: a template may write the name in its file. */

import { isUnknown } from '../../engine/index.ts';
import { isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { firstApplied } from '../../workspace/selection/selection.ts';
import type { View } from '../view.ts';
import { objectName } from './object-names.ts';

/** Returns the object that a patch changes, if it is known; for any other object, the object itself. */
export function patchedObject({ workspace, catalogue }: View, where: ObjectInFile): ObjectInFile {
  return isPatch(workspace, where) ? firstApplied(workspace, catalogue, where).owner : where;
}

/** Returns `Deployment/web` with the values of its chart, or the name in its file if these do not determine it. */
export function appliedName({ workspace, catalogue, complete }: View, where: ObjectInFile): string {
  const { name } = where.object;
  if (!complete || name === undefined || !isUnknown(name.value)) return objectName(where.object);
  return objectName(firstApplied(workspace, catalogue, where).owner.object);
}
