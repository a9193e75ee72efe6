/** The object of a file as it is applied, and its display name: a template may write the name in its file. */

import { isUnknown } from '../../engine/index.ts';
import { releaseNamespace } from '../../manifests/helm/value.ts';
import { shownText, unshown } from '../../manifests/shown-name.ts';
import { localize } from '../../text/localize.ts';
import { valuesOf } from '../../workspace/charts/helm-stops.ts';
import { isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { hasDefaultValues, type Scope } from '../../workspace/scopes/model.ts';
import { effectiveNamespace, hasNoNamespace } from '../../workspace/selection/namespaces.ts';
import { firstApplied } from '../../workspace/selection/selection.ts';
import type { View } from '../view.ts';
import { objectName } from './object-names.ts';
import type { Line } from './rich-text.ts';

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

/** Returns an object as the scope of the perspective applies it; while the workspace is being indexed, as its file writes it. */
export function appliedOrWritten(
  view: View,
  where: ObjectInFile,
): { readonly workspace: Workspace; readonly owner: ObjectInFile } {
  return view.complete ? appliedLead(view, where) : { workspace: view.workspace, owner: where };
}

/** Returns a clause such as `, namespace `shop``, with the namespace in which the scope of the perspective applies an object; empty for a cluster-scoped object, and if the namespace is unknown. */
export function namespaceClause(view: View, where: ObjectInFile): Line {
  const { workspace, owner } = appliedOrWritten(view, where);
  const namespace = effectiveNamespace(workspace, view.catalogue, owner);
  if (namespace !== undefined) return [localize`, namespace `, { kind: 'code', text: shownText(namespace.text) }];
  const isOfRelease = owner.object.namespace?.text === releaseNamespace && !hasNoNamespace(view.catalogue, owner);
  return isOfRelease ? [localize`, in the namespace of the release`] : [];
}

/** States that the values of a chart do not set a part of an object that a template writes: they choose another branch. */
export function notSetText(scope: Scope, part: string): string {
  return hasDefaultValues(scope)
    ? localize`With chart defaults, this ${part} is not set.`
    : localize`With ${valuesOf(scope)}, this ${part} is not set.`;
}
