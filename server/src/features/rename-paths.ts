/** Labels that patches and replacements of a kustomization name by the path of the field. */

import { type FieldPathPart, lastKey, leadsInto, partsOfFieldPath } from '../manifests/field-path.ts';
import type { ManifestObject } from '../manifests/manifest.ts';
import { holdsLabels } from '../manifests/name-spot.ts';
import { type PointedLabel, pointedLabels } from '../manifests/pointed-labels.ts';
import type { Node, ScalarNode } from '../manifests/tree.ts';
import type { LabelName } from './label-name.ts';

/** The operations of a JSON patch whose path names the label in an object's maps of labels and selectors. */
export function pointedIn(node: Node, into: ManifestObject, name?: LabelName): readonly PointedLabel[] {
  const maps = new Set(labelMaps(into));
  return pointedLabels(node).filter((each) => {
    if (!maps.has(each.map)) return false;
    if (name === undefined) return true;
    return each.key === name.key && (name.value === undefined || each.value?.text === name.value);
  });
}

/** The label key with which a field path ends, if it leads into one of an object's maps of labels and selectors. */
export function keyAtPath({ text }: ScalarNode, into: ManifestObject): FieldPathPart | undefined {
  const parts = partsOfFieldPath(text);
  return labelMaps(into).some((path) => leadsInto(parts, path)) ? lastKey(parts) : undefined;
}

/** The paths of an object's maps of labels and selectors. */
function labelMaps({ labelSites, selectorSites }: ManifestObject): readonly string[] {
  return [
    ...labelSites.filter(holdsLabels).map(({ path }) => path),
    ...selectorSites.flatMap(({ path }) => [path, `${path}.matchLabels`]),
  ];
}
