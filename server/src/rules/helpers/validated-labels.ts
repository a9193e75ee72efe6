/** Finds the labels and annotations of a manifest that the API server validates, and the severity of a violation. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { lastAnswer } from '../../engine/last-result.ts';
import { kustomizeGroup } from '../../manifests/kustomize/kustomization-sites.ts';
import { makesNodes } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabelSite, Manifest, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import type { Severity } from '../framework/rule.ts';
import { isLookedAt } from './certain-objects.ts';

export interface LabelMapEntry {
  readonly object: ManifestObject;
  readonly site: LabelSite | SelectorSite;
  readonly entry: LabelEntry;
  /** The severity of an invalid key or value; undefined if the severity of the rule applies. */
  readonly severity: Severity | undefined;
  /** The severity of a key or value that is not a string; undefined if the severity of the rule applies. */
  readonly typeSeverity: Severity | undefined;
  /**
   * Whether the selector matches labels of something other than Kubernetes objects, such as metrics, so that any string
   * is valid.
   */
  readonly free: boolean;
}

/** Returns every label of a file: labels of objects and templates, and the equality requirements of selectors. Omits entries from a merge key (they are validated where they are defined), entries that a later entry with the same key replaces, directives of patches, and selectors that contain wildcards or use a different syntax. */
export function labelMapEntries(manifest: Manifest): readonly LabelMapEntry[] {
  return labels(manifest);
}

/** Returns the entries of `labelMapEntries`, entries from merge keys, and the labels and selectors that kubectl commands in the file set; only the syntax of the latter is validated. */
export function allLabelMapEntries(manifest: Manifest): readonly LabelMapEntry[] {
  return allLabels(manifest);
}

/** Returns the labels and requirements that a merge key (`<<`) adds and that are in no map of labels themselves. */
export function mergedLabelEntries(manifest: Manifest): readonly LabelMapEntry[] {
  return fromMergeKeys(manifest);
}

/** Returns the labels that kubectl commands in the file set. */
export function labelsInCommands(manifest: Manifest): readonly LabelMapEntry[] {
  return entriesInCommands(manifest, (site) => isLabelSite(site) && site.place.holds === 'labels');
}

/** Returns every annotation of a file: annotations of objects and of templates. */
export function annotationEntries(manifest: Manifest): readonly LabelMapEntry[] {
  return annotations(manifest);
}

/** Returns the entries of `annotationEntries` and the annotations that kubectl commands in the file set. */
export function allAnnotationEntries(manifest: Manifest): readonly LabelMapEntry[] {
  return allAnnotations(manifest);
}

type Site = LabelSite | SelectorSite;

const isOfLabels = (site: Site): boolean =>
  isLabelSite(site) ? site.place.holds === 'labels' && isKnownMap(site) : site.fact.plain;

const isOfAnnotations = (site: Site): boolean =>
  isLabelSite(site) && site.place.holds === 'annotations' && isKnownMap(site);

// Caches the latest result, because many rules in succession request the entries of one manifest.
const labels = lastAnswer((manifest: Manifest) => entriesIn(manifest, isOfLabels));

const fromMergeKeys = lastAnswer((manifest: Manifest) => {
  const seen = new Set(labels(manifest).map(({ entry }) => entry.key.span.start));
  return entriesIn(manifest, isOfLabels, { merged: true, seen });
});

const annotations = lastAnswer((manifest: Manifest) => entriesIn(manifest, isOfAnnotations));

const allLabels = lastAnswer((manifest: Manifest) => [
  ...labels(manifest),
  ...fromMergeKeys(manifest),
  ...entriesInCommands(manifest, (site) => (isLabelSite(site) ? site.place.holds === 'labels' : site.fact.plain)),
]);

const allAnnotations = lastAnswer((manifest: Manifest) => [
  ...annotations(manifest),
  ...entriesInCommands(manifest, (site) => isLabelSite(site) && site.place.holds === 'annotations'),
]);

function entriesInCommands({ inline = [] }: Manifest, isMeant: (site: Site) => boolean): readonly LabelMapEntry[] {
  return inline.flatMap((object) =>
    [...object.labelSites, ...object.selectorSites]
      .filter(isMeant)
      .flatMap((site) => site.entries.map((entry) => ({ object, site, entry, ...usual, free: false }))),
  );
}

/** The entries that are collected: those from merge keys, or all others. */
interface Wanted {
  readonly merged: boolean;
  /** The offsets of the keys of the entries that are already known. */
  readonly seen: Set<number>;
}

function entriesIn(
  manifest: Manifest,
  isMeant: (site: Site) => boolean,
  wanted: Wanted = { merged: false, seen: new Set() },
): readonly LabelMapEntry[] {
  const entries: LabelMapEntry[] = [];
  // Visits the objects in reverse: the members of an OpenShift Template follow the Template in the list, and an entry
  // that belongs to both must be attributed to the member, which is the object that the API server receives.
  for (const object of manifest.objects.toReversed()) {
    if (!isLookedAt(object) && !object.templates.some(makesNodes)) continue;
    for (const sites of [object.labelSites, object.selectorSites]) {
      for (const site of sites) if (isMeant(site)) addEntries(entries, wanted, object, site);
    }
  }
  return entries;
}

function addEntries(entries: LabelMapEntry[], { merged, seen }: Wanted, object: ManifestObject, site: Site): void {
  // The metadata of a kustomization is not applied to the cluster.
  if (!object.forCluster && !object.inValues && site.path.startsWith('metadata.')) return;
  const free = !isLabelSite(site) && mayMatchAnything(site);
  const { severity, typeSeverity } = attention(object, site.path);
  for (const entry of effective(site.entries)) {
    // Aliases can make one entry appear at several sites.
    if (
      entry.merged !== merged ||
      (merged && entry.rendered) ||
      entry.key.text === '$patch' ||
      seen.has(entry.key.span.start)
    )
      continue;
    seen.add(entry.key.span.start);
    entries.push({ object, site, entry, severity, typeSeverity, free });
  }
}

/** Returns entries without those that a later entry with the same key certainly replaces. */
export function effective(entries: readonly LabelEntry[]): readonly LabelEntry[] {
  if (entries.length < 2) return entries;
  const last = new Map<string, LabelEntry>();
  const certain = new Set(entries.filter((entry) => !entry.conditional && typeof entry.key.value === 'string'));
  for (const entry of certain) last.set(entry.key.text, entry);
  if (last.size === certain.size) return entries;
  return entries.filter((entry) => !certain.has(entry) || last.get(entry.key.text) === entry);
}

/** Whether a site is a map of labels or annotations, not a selector. */
export function isLabelSite(site: LabelSite | SelectorSite): site is LabelSite {
  return 'place' in site;
}

/** Whether a selector may match labels of something other than Kubernetes objects, such as metrics. A selector that is known to reach objects matches their labels, although another field decides on their kind. */
export function mayMatchAnything({ fact: { targets, reach } }: SelectorSite): boolean {
  return targets.length === 0 && reach === 'unknown';
}

/** Whether it is known which objects get the labels of a map. A map named `labels` in a custom resource may contain other data, such as metric labels. */
export function isKnownMap({ path, place }: LabelSite): boolean {
  return path === `metadata.${place.holds}` || place.of !== undefined;
}

/** Returns the severity of invalid metadata at a path; undefined if the severity of the rule applies. */
export function severityAt(object: ManifestObject, path: string): Severity | undefined {
  return attention(object, path).severity;
}

/** Returns the severity of metadata of a wrong type at a path; undefined if the severity of the rule applies. */
export function typeSeverityAt(object: ManifestObject, path: string): Severity | undefined {
  return attention(object, path).typeSeverity;
}

type Attention = Pick<LabelMapEntry, 'severity' | 'typeSeverity'>;

const usual: Attention = { severity: undefined, typeSeverity: undefined };

/** Returns how strictly the API server validates labels at a path. The API server knows the fields of built-in kinds, and the metadata of every kind. */
function attention({ group }: ManifestObject, path: string): Attention {
  if (path === 'metadata.labels' || path === 'metadata.annotations') return usual;
  // kustomize decodes the labels and annotations of a kustomization as strings, and fails otherwise. The API server
  // rejects the objects that it builds with invalid ones.
  if (group === kustomizeGroup) return usual;
  if (!isBuiltIn(group)) return { severity: 'warning', typeSeverity: 'warning' };
  return acceptedUnchecked.some((pattern) => pattern.test(path))
    ? { severity: 'warning', typeSeverity: undefined }
    : usual;
}

/** Metadata of templates whose keys and values the API server does not validate; the objects created from them are rejected later. */
const acceptedUnchecked: readonly RegExp[] = [/^spec\.volumeClaimTemplates\[\d+\]\./, /^spec\.jobTemplate\.metadata\./];
