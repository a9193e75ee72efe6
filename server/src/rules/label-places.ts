/** Which labels of a manifest does the API server look at? */

import type { LabelEntry, LabelSite, Manifest, ManifestObject, SelectorSite } from '../manifests/manifest.ts';
import type { Severity } from './rule.ts';

/** One label, in a label map or in a selector that asks for it. */
export interface LabelPlace {
  readonly object: ManifestObject;
  readonly site: LabelSite | SelectorSite;
  readonly entry: LabelEntry;
  /** Absent where the rule's own severity holds. */
  readonly severity?: Severity;
}

/**
 * Every label of a file: own labels, template labels, and the equality part of selectors. Left out: entries that came
 * through a merge key (they are looked at where they stand), directives of patches, and selectors that take wildcards or
 * are of another language.
 */
export function* labelPlaces(manifest: Manifest): Iterable<LabelPlace> {
  const seen = new Set<number>();
  // From the last: the members of an OpenShift Template come after it, and it is they that the API server will see.
  for (const object of manifest.objects.toReversed()) {
    if (!object.forCluster) continue;
    const sites = [
      ...object.labelSites.filter(isKnownLabelMap),
      ...object.selectorSites.filter((site) => site.fact.plain),
    ];
    for (const site of sites) {
      for (const entry of site.entries) {
        // An alias shows the same entries at several sites: they are one text.
        if (entry.merged || entry.key.text === '$patch' || seen.has(entry.key.span.start)) continue;
        seen.add(entry.key.span.start);
        yield { object, site, entry, ...(isChecked(object, site.path) ? {} : { severity: 'warning' as const }) };
      }
    }
  }
}

/** The API server knows the fields of its own kinds, and the metadata of every kind. */
function isChecked(object: ManifestObject, path: string): boolean {
  return path === 'metadata.labels' || !object.group.includes('.') || object.group.endsWith('.k8s.io');
}

/** A map called labels in a custom resource may be anything, metric labels for example, unless it is known who carries it. */
function isKnownLabelMap({ path, place }: LabelSite): boolean {
  return place.holds === 'labels' && (path === 'metadata.labels' || place.of !== undefined);
}
