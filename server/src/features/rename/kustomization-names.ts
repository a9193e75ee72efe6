/** Finds the positions at which objects, and patches and replacements of a kustomization, write a label name. */

import { holdsLabels } from '../../manifests/cursor/label-name-at.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type FieldPathPart, lastKey, leadsInto, partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import { type PointedLabel, pointedLabels } from '../../manifests/sites/json-patch-labels.ts';
import type { Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import type { TransformerSource } from '../../workspace/kustomize/transformer-sources.ts';
import { isAskedElsewhere, type LabelName, type NameEdit, renameInEntries, renameInSelector } from './label-name.ts';

/**
 * Returns the offsets at which an object writes the name; with `all`, also those at which another file writes it into
 * the object.
 */
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

/** Whether a part of a kustomization writes the name of a label that `into` has, or names it by its path. */
export function writesName(transformer: TransformerSource, into: ManifestObject, name: LabelName): boolean {
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

/** Returns the label key at the end of a field path, if it leads into one of an object's label maps or selectors. */
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
