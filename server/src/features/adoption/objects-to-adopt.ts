/** Finds the objects that an adoption may concern. */

import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { AdoptionState } from './model.ts';

/** Yields the objects in the part of the workspace that the plan may change. */
export function* wantedObjects({ side: { workspace }, isWanted }: AdoptionState): Iterable<ObjectInFile> {
  const scopes = workspace.scopes();
  for (const file of workspace.files.values()) {
    if (file.objects === 0 || file.config !== undefined || scopes.isPatch(file.uri)) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      if (object.forCluster && !object.inValues && isWanted(where)) yield where;
    }
  }
}

/** Yields the objects to label: those with pods, and those that select pods. */
export function* objectsToLabel(state: AdoptionState): Iterable<ObjectInFile> {
  for (const where of wantedObjects(state)) {
    const { group, version, kind } = where.object;
    const facts = state.side.catalogueOf(where.file.uri).kind(group, version, kind);
    const hasPods = (facts?.templates.length ?? 0) > 0 || labeledObjectsOf(where.object).some(areOfPod);
    if (hasPods || selectsPods(where.object)) yield where;
  }
}

function selectsPods({ selectorSites }: ManifestObject): boolean {
  return selectorSites.some(
    ({ path, fact }) => isOwnSelector(path) && fact.targets.some((target) => areOfPod({ target })),
  );
}

/** Whether a selector determines the pods of the object itself, such as `spec.selector` or `spec.podSelector`. */
function isOwnSelector(path: string): boolean {
  return /^spec\.[A-Za-z]*[sS]elector$/.test(path);
}
