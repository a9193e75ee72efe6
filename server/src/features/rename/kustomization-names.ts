/** Finds the positions at which objects, patches and replacements contain a label key or value. */

import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type FieldPathPart, lastKey, leadsInto, partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import { type PointedLabel, pointedLabels } from '../../manifests/sites/json-patch-labels.ts';
import type { Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import { isAskedElsewhere, type LabelName, type NameEdit, renameInEntries, renameInSelector } from './label-name.ts';

/** Returns the offsets at which an object contains a label key or value; with `all`, also the offsets at which other files add it to the object. */
export function startsOf(object: ManifestObject, name: LabelName, all = false): ReadonlySet<number> {
  const edits = [
    ...object.labelSites.filter(holdsLabels).flatMap((site) => renameInEntries(site.entries, name, '')),
    ...object.selectorSites.flatMap((site) => renameInSelector(site, name, '')),
    ...renameInEntries(object.inherited, name, ''),
  ];
  const own = edits.filter(({ writtenIn }) => all || writtenIn === undefined);
  const starts = own.map(({ edit }) => edit.span.start);
  const asked = all && object.selectorSites.some((site) => isAskedElsewhere(site, name));
  return new Set(asked ? [...starts, -1] : starts);
}

/** Whether a transformer adds a label key or value to the labels or selectors of `into`, or refers to it by a path. */
export function writesName(transformer: TransformerSource, into: ManifestObject, name: LabelName): boolean {
  if (transformer.kind === 'images') return false;
  if (transformer.kind === 'labels') return renameInEntries(transformer.entries, name, '').length > 0;
  if (transformer.kind === 'merge') return startsOf(transformer.object, name).size > 0;
  if (transformer.kind === 'fieldPath')
    return keyAtPath(transformer.path, into)?.text === name.key && name.value === undefined;
  if (pointedIn(transformer.node, into, name).length > 0) return true;
  const { start, end } = transformer.node.span;
  const isInside = ({ edit, writtenIn }: NameEdit) =>
    writtenIn === transformer.uri && edit.span.start >= start && edit.span.end <= end;
  const edits = [
    ...into.labelSites.filter(holdsLabels).flatMap((site) => renameInEntries(site.entries, name, '')),
    ...into.selectorSites.flatMap((site) => renameInSelector(site, name, '')),
  ];
  return edits.some(isInside);
}

/** Returns the operations of a JSON patch whose path refers to the label in an object's label maps and selectors. */
export function pointedIn(node: Node, into: ManifestObject, name?: LabelName): readonly PointedLabel[] {
  const maps = new Set(labelMaps(into));
  return pointedLabels(node).filter((each) => {
    if (!maps.has(each.map)) return false;
    if (name === undefined) return true;
    return each.key === name.key && (name.value === undefined || each.value?.text === name.value);
  });
}

/** Returns the label key at the end of a field path, if the path refers to an entry of a label map or selector of an object. */
export function keyAtPath({ text }: ScalarNode, into: ManifestObject): FieldPathPart | undefined {
  const parts = partsOfFieldPath(text);
  return labelMaps(into).some((path) => leadsInto(parts, path)) ? lastKey(parts) : undefined;
}

/** Returns the paths of an object's label maps and selectors. */
function labelMaps({ labelSites, selectorSites }: ManifestObject): readonly string[] {
  return [
    ...labelSites.filter(holdsLabels).map(({ path }) => path),
    ...selectorSites.flatMap(({ path }) => [path, `${path}.matchLabels`]),
  ];
}
