/** Finds the label and annotation keys in a file, with the kinds of the objects that have them. */

import type { GroupKind, LabelKeyField } from '../../engine/catalogue/types.ts';
import { lastAnswer } from '../../engine/last-result.ts';
import type { LabelEntry, Manifest, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import { isPositive } from '../fixes/fit-selector.ts';
import type { RuleContext } from '../framework/rule.ts';
import { isLookedAt } from './certain-objects.ts';
import { objectsOfHelpers } from './labels-in-helpers.ts';
import { patchParts } from './patch-parts.ts';
import { hasValues, spanOfValue, valueOfRelease } from './release-values.ts';
import { requirementSites } from './requirement-ranges.ts';
import {
  annotationEntries,
  isKnownMap,
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
  /** Whether the key is in the values with which a GitOps object installs a chart, and `object` is in this chart. */
  readonly inValues?: true;
  /** Whether a helper of a chart contains the key; `object` then has only the labels of this helper file. */
  readonly inHelpers?: true;
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

/** Returns the keys that the patches in a file set. */
export function keysInPatches(context: RuleContext): readonly KeySite[] {
  const parts = patchParts(context);
  if (parts.length === 0) return [];
  const { manifest } = context;
  const others = [...keySites(manifest), ...keysInCommands(manifest)];
  const known = new Set(others.map(({ key }) => key.span.start));
  const { inline: _inline, ...document } = manifest;
  const inParts = keysIn({ ...document, objects: parts.map(({ object }) => object) });
  return inParts.filter(({ key }) => !known.has(key.span.start));
}

/** Returns the keys that the helpers in a file write into the objects of charts. */
export function keysInHelpers(context: RuleContext): readonly KeySite[] {
  const objects = objectsOfHelpers(context);
  if (objects.length === 0) return [];
  const { inline: _inline, ...document } = context.manifest;
  return keysIn({ ...document, objects }).map((place) => ({ ...place, inHelpers: true }));
}

/** Returns the keys of labels and annotations that the values of GitOps objects in a file write into the objects of charts. */
export function keysInReleases(context: RuleContext): readonly KeySite[] {
  const { workspace, catalogue, uri } = context;
  const found = new Map<number, KeySite>();
  for (const scope of setsValues(context) ? buildsWithAny(workspace, new Set([uri])) : []) {
    if (scope.gitops?.uri !== uri || !hasValues(workspace, scope)) continue;
    const seen = new Set<string>();
    const objects = workspace.rendering(scope.path, catalogue)?.objects.map(({ object }) => object) ?? [];
    for (const place of objects.flatMap(labelKeysOf)) {
      const { key, as } = place;
      if (!key.text.includes('/') || seen.has(`${as} ${key.text}`)) continue;
      seen.add(`${as} ${key.text}`);
      const value = valueOfRelease(workspace, scope, { is: 'key', text: key.text });
      if (value === undefined) continue;
      const span = spanOfValue(context.text, value);
      found.set(span.start, { ...place, key: { ...written(value.node), span }, inValues: true });
    }
  }
  return [...found.values()];
}

/** Returns the keys in the labels and annotations of a built object. Several may have one position, that of the action that writes them. */
function labelKeysOf(object: ManifestObject): readonly KeySite[] {
  return object.labelSites.filter(isKnownMap).flatMap(({ entries, path, place: { holds, of } }) =>
    entries.flatMap((entry): readonly KeySite[] => {
      if (typeof entry.key.value !== 'string' || entry.conditional) return [];
      const as = holds === 'labels' ? 'label' : 'annotation';
      return [{ object, key: entry.key, as, where: 'map', labeledObjects: [of ?? object], entry, path }];
    }),
  );
}

/** Whether a file contains GitOps objects, which may install charts with values of their own. */
export function setsValues({ uri, workspace }: Pick<RuleContext, 'uri' | 'workspace'>): boolean {
  const { objects = [] } = workspace.files.get(uri)?.manifest ?? {};
  return objects.some(({ gitopsSpec }) => gitopsSpec !== undefined);
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
