/** Finds the objects of one file that have a name or refer to it, without searching all objects for each reference. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { WorkspaceFile } from '../model.ts';

type ByName = ReadonlyMap<string, readonly ManifestObject[]>;

const byName = new WeakMap<readonly ManifestObject[], ByName>();
const byReference = new WeakMap<readonly ManifestObject[], ByName>();

export function objectsWithName(file: WorkspaceFile | undefined, name: string): readonly ManifestObject[] {
  const { objects = [] } = file?.manifest ?? {};
  const index = getOrAdd(byName, objects, () => indexed(objects, (object) => [object.name?.text]));
  return index.get(name) ?? [];
}

export function objectsReferringTo(file: WorkspaceFile | undefined, name: string): readonly ManifestObject[] {
  const { objects = [] } = file?.manifest ?? {};
  const namesIn = ({ references = [] }: ManifestObject) => new Set(references.map((each) => each.name.text));
  return getOrAdd(byReference, objects, () => indexed(objects, namesIn)).get(name) ?? [];
}

function indexed(
  objects: readonly ManifestObject[],
  namesIn: (object: ManifestObject) => Iterable<string | undefined>,
): ByName {
  const found = new Map<string, ManifestObject[]>();
  for (const object of objects)
    for (const name of namesIn(object)) if (name !== undefined) getOrAdd(found, name, () => []).push(object);
  return found;
}
