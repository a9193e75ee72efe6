/** Finds new labels, annotations and required labels of objects that the API server rejects: values that are not strings, and invalid keys and values of labels. */

import { isBuiltIn } from '../engine/catalogue/built-in-groups.ts';
import { isLabelKey, isLabelValue } from '../engine/index.ts';
import type { LabelEntry, LabelSite, ManifestObject, SelectorSite } from '../manifests/model.ts';

/** A label, an annotation, or a requirement of a selector that the API server rejects. */
export interface InvalidLabel {
  readonly entry: LabelEntry;
  /** The path of the map that contains it. */
  readonly path: string;
  readonly holds: 'label' | 'annotation' | 'requirement';
  /** The type of a value that is not a string; absent if the key or value is invalid. */
  readonly type?: string;
}

/** Returns the labels, annotations and requirements of an object that the API server certainly rejects, and that the older version of the object does not contain. */
export function invalidLabels(before: ManifestObject | undefined, after: ManifestObject): readonly InvalidLabel[] {
  if (after.inValues || after.obscured) return [];
  const known = new Set(before === undefined ? [] : invalidIn(before).map(keyOf));
  return invalidIn(after).filter((each) => !known.has(keyOf(each)));
}

/** Returns a key that is equal for the same fault. With an invalid key, the value has no meaning. */
function keyOf({ path, entry: { key, value } }: InvalidLabel): string {
  return JSON.stringify(isLabelKey(key.text) ? [path, key.text, value.text, value.type] : [path, key.text]);
}

/** Metadata of templates whose keys and values the API server does not validate; the objects created from them are rejected later. */
const acceptedUnchecked: readonly RegExp[] = [/^spec\.volumeClaimTemplates\[\d+\]\./, /^spec\.jobTemplate\.metadata\./];

function invalidIn(object: ManifestObject): readonly InvalidLabel[] {
  const isValidated = (path: string) =>
    path === 'metadata.labels' || path === 'metadata.annotations' || isBuiltIn(object.group);
  const sites: readonly (readonly [LabelSite | SelectorSite, InvalidLabel['holds'], boolean])[] = [
    ...object.labelSites.map((site) => {
      const isSyntaxChecked = !acceptedUnchecked.some((pattern) => pattern.test(site.path));
      return [site, site.place.holds === 'labels' ? 'label' : 'annotation', isSyntaxChecked] as const;
    }),
    ...object.selectorSites.filter(({ fact }) => fact.plain).map((site) => [site, 'requirement', true] as const),
  ];
  return sites.flatMap(([site, holds, isSyntaxChecked]) =>
    isValidated(site.path)
      ? site.entries.flatMap((entry) => invalidEntry(entry, site.path, holds, isSyntaxChecked))
      : [],
  );
}

function invalidEntry(
  entry: LabelEntry,
  path: string,
  holds: InvalidLabel['holds'],
  isSyntaxChecked: boolean,
): readonly InvalidLabel[] {
  const { key, value, conditional } = entry;
  if (conditional || typeof value.value !== 'string' || typeof key.value !== 'string' || key.text === '$patch')
    return [];
  if (value.type === 'null') return [];
  // kustomize converts the labels and annotations that it adds to strings.
  if (value.type !== 'string') return value.origin === undefined ? [{ entry, path, holds, type: value.type }] : [];
  const isInvalid =
    isSyntaxChecked && (!isLabelKey(key.value) || (holds !== 'annotation' && !isLabelValue(value.value)));
  return isInvalid ? [{ entry, path, holds }] : [];
}
