/** Finds labels that must be changed together: labels in the selector of a workload, and in the workload's own pod template. */

import type { LabelEntry, Written } from '../../manifests/model.ts';
import { templateOf } from './pod-template.ts';
import type { LabelMapEntry } from './validated-labels.ts';

/** Returns the entry of a label, and the entries with the same key and value in the selector and template that the API server compares. */
export function sameLabels({ object, site, entry }: LabelMapEntry): readonly LabelEntry[] {
  const compared = object.selectorSites.flatMap((selector) => {
    const labels = templateOf(object, selector)?.template.labels;
    return labels !== undefined && (site === selector || site === labels) ? [selector, labels] : [];
  });
  const others = compared
    .flatMap(({ entries }) => entries)
    .filter((each) => !each.merged && each.key.text === entry.key.text && each.value.text === entry.value.text);
  // Aliases can repeat an entry in several maps, so each position is used only once.
  const byPosition = new Map([entry, ...others].map((each) => [each.value.span.start, each]));
  return [...byPosition.values()];
}

/** Returns the keys of a label that must be changed together, and the entries of all maps that contain them. */
export function linkedKeys(
  place: LabelMapEntry,
): readonly [same: readonly Written[], maps: readonly (readonly LabelEntry[])[]] {
  const same = sameLabels(place);
  const { labelSites, selectorSites } = place.object;
  const maps = [...labelSites, ...selectorSites]
    .map(({ entries }) => entries)
    .filter((entries) => entries.some((entry) => same.includes(entry)));
  return [same.map(({ key }) => key), maps];
}
