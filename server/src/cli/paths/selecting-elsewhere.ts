/** Finds files, in any scope, with selectors that may have matched objects of the given files before these objects changed. */

import { getOrAdd } from '../../engine/memoize.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';

/** Returns the URIs of the files with a selector that requires, for a label key of the objects, one of the current values of that key or the name of one of the objects: a relabeled object usually keeps its name or its other labels. */
export function selectingElsewhere(workspace: Workspace, files: Iterable<WorkspaceFile>): ReadonlySet<string> {
  const names = new Set<string>();
  const labels = new Map<string, Set<string>>();
  for (const { manifest } of files) {
    for (const object of manifest.objects) {
      if (object.name !== undefined) names.add(object.name.text);
      for (const labeledObject of labeledObjectsOf(object))
        for (const [key, value] of Object.entries(labeledObject.labels)) {
          const values = getOrAdd(labels, key, () => new Set<string>());
          if (typeof value === 'string') values.add(value);
        }
    }
  }
  const found = new Set<string>();
  for (const [key, values] of labels)
    for (const { uri } of workspace.speaking(key, [...values, ...names])) found.add(uri);
  return found;
}
