/** Finds the label and annotation keys in a file, with the kinds of the objects that have them. */

import type { GroupKind, LabelKeyField } from '../../engine/catalogue/types.ts';
import { lastAnswer } from '../../engine/last-result.ts';
import type { LabelEntry, Manifest, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import { isLookedAt } from './certain-objects.ts';
import { requirementSites } from './requirement-ranges.ts';
import {
  annotationEntries,
  isLabelSite,
  type LabelMapEntry,
  labelMapEntries,
  labelsInCommands,
} from './validated-labels.ts';

export interface KeySite {
  readonly object: ManifestObject;
  readonly key: Written;
  readonly as: 'label' | 'annotation';
  /** `map`: the key is in a map of labels or annotations. `asked`: a selector or a field refers to the key. */
  readonly where: 'map' | 'asked';
  /** The kinds of the objects that have the key; empty if they are unknown. */
  readonly labeledObjects: readonly GroupKind[];
  /** The map entry that contains the key; absent if the key is not in a map. */
  readonly entry?: LabelEntry;
  /** The path of the map that contains the key, such as `metadata.annotations`; absent if the key is not in a map. */
  readonly path?: string;
}

/** Returns the label and annotation keys of a manifest, without duplicates; omits keys that are not certain to exist or whose text is unknown. */
export function keySites(manifest: Manifest): readonly KeySite[] {
  return places(manifest);
}

// Caches the latest result, because several rules in succession request the keys of one manifest.
const places = lastAnswer(keysIn);

function keysIn(manifest: Manifest): readonly KeySite[] {
  const found: KeySite[] = [];
  for (const place of labelMapEntries(manifest)) addEntry(found, place, 'label');
  for (const place of annotationEntries(manifest)) addEntry(found, place, 'annotation');
  const seen = new Set<number>();
  const ask = (object: ManifestObject, key: Written, labeledObjects: KeySite['labeledObjects']) => {
    if (typeof key.value !== 'string' || seen.has(key.span.start)) return;
    seen.add(key.span.start);
    found.push({ object, key, as: 'label', where: 'asked', labeledObjects });
  };
  for (const object of manifest.objects.toReversed()) {
    if (!isLookedAt(object)) continue;
    for (const { fact, expressions } of object.selectorSites) {
      if (!fact.plain) continue;
      for (const { key } of expressions) if (key !== undefined) ask(object, key, fact.targets);
    }
    for (const { key, place } of object.labelKeySites)
      if (isWholeKey(place)) ask(object, key, place.of === undefined ? [] : [place.of]);
  }
  return found;
}

/** Returns the keys of the labels that commands set, and of the labels that their selectors require. */
export function keysInCommands(manifest: Manifest): readonly KeySite[] {
  return inCommands(manifest);
}

const inCommands = lastAnswer((manifest: Manifest): readonly KeySite[] => {
  const found: KeySite[] = [];
  for (const place of labelsInCommands(manifest)) addEntry(found, place, 'label');
  for (const object of manifest.inline ?? [])
    for (const site of object.selectorSites) {
      const { text, fact } = site;
      if (text === undefined || fact.form === 'fieldSelectorString') continue;
      for (const { requirement, key: span } of requirementSites(site, ({ operator }) => isPositive(operator))) {
        const key: Written = { ...text, text: requirement.key, value: requirement.key, span };
        found.push({ object, key, as: 'label', where: 'asked', labeledObjects: fact.targets });
      }
    }
  return found;
});

function isWholeKey({ form }: LabelKeyField): boolean {
  return form === undefined || form === 'fieldPath';
}

function addEntry(found: KeySite[], { object, site, entry, free }: LabelMapEntry, as: KeySite['as']): void {
  if (free || entry.conditional || typeof entry.key.value !== 'string') return;
  if (isLabelSite(site))
    found.push({
      object,
      key: entry.key,
      as,
      where: 'map',
      labeledObjects: [site.place.of ?? object],
      entry,
      path: site.path,
    });
  else found.push({ object, key: entry.key, as, where: 'asked', labeledObjects: site.fact.targets });
}

/** Returns the edits that rename a label key everywhere in an object, including its selectors; undefined if a map already has the new key. */
export function renameKey(object: ManifestObject, from: string, to: string): readonly Edit[] | undefined {
  const maps = [...object.labelSites.filter(({ place }) => place.holds === 'labels'), ...object.selectorSites];
  const isUsed = maps.some(({ entries }) => {
    const keys = entries.map((entry) => entry.key.text);
    return keys.includes(from) && keys.includes(to);
  });
  if (isUsed) return undefined;
  const keys = [
    ...maps.flatMap(({ entries }) => entries.map((entry) => entry.key)),
    ...object.selectorSites.flatMap((site: SelectorSite) => site.expressions.flatMap(({ key }) => key ?? [])),
    ...object.labelKeySites.flatMap(({ key, place }) => (isWholeKey(place) ? [key] : [])),
  ].filter((key) => key.value === from);
  const byPosition = new Map(keys.map((key) => [key.span.start, replaceScalar(key, to)]));
  return [...byPosition.values()];
}
