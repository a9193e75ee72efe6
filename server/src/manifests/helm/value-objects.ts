/** Builds the objects to which the values of a chart contribute. A value that a template writes with `toYaml .Values.x` is parsed as if it were at the position of this action. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../model.ts';
import { readObject } from '../parse-manifest.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { MapEntry, MapNode, Node } from '../yaml/tree.ts';
import { entryOf, nodeAt, treeSizeAround, treeSizeOf } from '../yaml/tree.ts';
import type { ValueSite } from './value-site.ts';

/** Returns the objects to which a values file contributes. They are partial, so they are not applied by themselves. */
export function valueObjects(
  text: string,
  sites: readonly ValueSite[],
  catalogue: Catalogue,
): readonly ManifestObject[] {
  if (sites.length === 0) return [];
  const blanked = blankManifest(text);
  const [first] = splitDocuments(blanked.text);
  const root = first === undefined ? undefined : parseYaml(text, blanked, first).root;
  return root === undefined ? [] : valueObjectsIn(root, sites, catalogue);
}

/** Returns the objects to which a parsed values file contributes. */
function valueObjectsIn(root: Node, sites: readonly ValueSite[], catalogue: Catalogue): readonly ManifestObject[] {
  const seen = new Set<string>();
  return sites.flatMap((site): readonly ManifestObject[] => {
    const { path, value } = site;
    const node = nodeAt(root, ...value);
    // One value often contributes to several objects; it is evaluated only once for all fields whose paths end with the
    // same two keys.
    const place = [...path.slice(-2), ...value].join('\n');
    if (node === undefined || node.kind === 'scalar' || seen.has(place)) return [];
    const { object } = filledObject(root, site, catalogue) ?? {};
    if (object === undefined || isWithoutFacts(object)) return [];
    seen.add(place);
    return [object];
  });
}

/** Whether an object has neither labels nor selectors nor tolerations. */
function isWithoutFacts({ labelSites, selectorSites, fieldValues, templates }: ManifestObject): boolean {
  const isTolerated = [{ fieldValues }, ...templates].some((part) => part.fieldValues?.['spec.tolerations']);
  return labelSites.length === 0 && selectorSites.length === 0 && !isTolerated;
}

/** Returns an object that contains only the value of a site, at the path of the site, and the syntax tree of the object. */
export function filledObject(
  root: Node,
  { group, version, kind, path, value, looped }: ValueSite,
  catalogue: Catalogue,
): { readonly object: ManifestObject; readonly root: Node } | undefined {
  const entry = value.length === 0 ? wholeText(root) : entryOf(nodeAt(root, ...value.slice(0, -1)), value.at(-1) ?? '');
  if (entry === undefined) return undefined;
  const filled = around({ ...entry, value: looped ? asTexts(entry.value) : entry.value }, path);
  const object = readObject(filled, catalogue, { group, version, kind, kindSpan: entry.value.span })[0];
  return object && { object: { ...object, forCluster: false, inValues: true }, root: filled };
}

/** Returns an entry without a key of its own, whose value is the whole text. */
function wholeText(value: Node): MapEntry {
  const span = { start: value.span.start, end: value.span.start };
  const key = { kind: 'scalar', span, text: '', style: 'plain', type: 'string' } as const;
  return { key, value, merged: false, conditional: false };
}

/** Returns a map with its values as the strings that a template writes for them. */
function asTexts(node: Node): Node {
  if (node.kind !== 'map') return node;
  const entries = node.entries.map((entry): MapEntry => {
    const { value } = entry;
    return value.kind === 'scalar' ? { ...entry, value: { ...value, type: 'string' } } : entry;
  });
  return { ...node, entries };
}

/** Returns the syntax tree of an object that contains only the value of an entry, at a path. The last key of the path has the position of the entry's key. */
function around({ key, value }: MapEntry, path: readonly string[]): Node {
  return path.reduceRight<Node>((inner, step, index) => {
    const own = index === path.length - 1 && step !== '[]' ? key.span : undefined;
    const treeSize = treeSizeAround([inner], treeSizeOf(inner).repeats);
    const span = inner.span;
    if (step === '[]') return { kind: 'list', span, flow: false, items: [inner], open: true, treeSize };
    const start = { start: span.start, end: span.start };
    const entry: MapEntry = {
      key: { kind: 'scalar', span: own ?? start, text: step, style: 'plain', type: 'string' },
      value: inner,
      merged: false,
      conditional: false,
    };
    const map: MapNode = { kind: 'map', span, flow: false, entries: [entry], open: true, treeSize };
    return map;
  }, value);
}
