/** Formats the objects that a kustomization builds as lines, for comparison with the output of kubectl. */

import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { format } from '../../server/src/engine/index.ts';
import type { LabelEntry, ManifestObject } from '../../server/src/manifests/model.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';

/** Sorted lines with all properties that must equal those of kubectl. */
export function linesOf(objects: readonly ManifestObject[]): readonly string[] {
  return objects.map(lineOf).toSorted();
}

/** Formats the objects in the output of kubectl. */
export function linesOfText(text: string): readonly string[] {
  return linesOf(readManifest(text, catalogue).objects);
}

function lineOf(object: ManifestObject): string {
  const { group, version, kind, name, namespace, labelSites, selectorSites } = object;
  const sites = labelSites
    .filter(({ entries }) => entries.length > 0)
    .map(({ path, entries }) => `  ${path}: ${entriesText(entries)}`);
  const selectors = selectorSites.map((site) => {
    const text = site.selector?.ok ? format(site.selector.value, 'canonical') : JSON.stringify(site.data);
    return `  ${site.path} [${site.state}]: ${text}`;
  });
  const head = `${group}/${version} ${kind} ${namespace?.text ?? '-'}/${name?.text ?? ''}`;
  return [head, ...[...sites, ...selectors].toSorted()].join('\n');
}

function entriesText(entries: readonly LabelEntry[]): string {
  const byKey = new Map(entries.map(({ key, value }) => [key.text, value.text]));
  return [...byKey]
    .toSorted()
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}
