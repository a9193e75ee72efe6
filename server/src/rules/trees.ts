/** What stands where in an object? The tree that it was read from, for rules that look closer than its sites. */

import type { Path } from '../engine/index.ts';
import { splitDocuments } from '../manifests/documents.ts';
import type { Manifest, ManifestObject } from '../manifests/manifest.ts';
import { type Masked, mask } from '../manifests/masks.ts';
import { readYaml } from '../manifests/read-yaml.ts';
import { childOf, entryOf, type MapEntry, type Node } from '../manifests/tree.ts';
import type { RuleContext } from './rule.ts';

interface Read {
  readonly masked: Masked;
  /** By where the document begins. */
  readonly roots: Map<number, Node | undefined>;
}

/** Trees are read once for all rules that look at a file. */
const read = new WeakMap<Manifest, Read>();

/** The tree of an object; of a file that is not checked, what is asked of it is enough. */
export function treeOf(
  { text, manifest, workspace, uri }: Pick<RuleContext, 'text' | 'manifest' | 'workspace' | 'uri'>,
  object: ManifestObject,
): Node | undefined {
  let known = read.get(manifest);
  if (known === undefined) {
    known = { masked: mask(text, workspace.configs().of(uri)?.config.reading.placeholders), roots: new Map() };
    read.set(manifest, known);
  }
  const { masked, roots } = known;
  const span = splitDocuments(masked.text).find(
    ({ start, end }) => start <= object.span.start && object.span.end <= end,
  );
  if (span === undefined) return undefined;
  if (!roots.has(span.start)) roots.set(span.start, readYaml(text, masked, span).root);
  return objectIn(roots.get(span.start), object);
}

/** The document itself, an item of its List, or a member of its Template. */
function objectIn(root: Node | undefined, { span }: ManifestObject): Node | undefined {
  const lists = [childOf(root, 'items'), childOf(root, 'objects')];
  const held = lists.flatMap((list) => (list?.kind === 'list' ? list.items : []));
  return [root, ...held].find(
    (node) => node?.kind === 'map' && node.span.start === span.start && node.span.end === span.end,
  );
}

/** The steps of a site's path: `spec.terms[0]` is `['spec', 'terms', 0]`. */
export function stepsOf(path: string): Path {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** What a path leads to: the node, and the entry of the map that holds it. */
export interface Place {
  readonly node: Node;
  readonly entry?: MapEntry;
}

export function placeAt(root: Node | undefined, path: Path): Place | undefined {
  let place: Place | undefined = root && { node: root };
  for (const step of path) {
    if (place === undefined) return undefined;
    if (typeof step === 'number') {
      const item: Node | undefined = place.node.kind === 'list' ? place.node.items[step] : undefined;
      place = item && { node: item };
    } else {
      const entry: MapEntry | undefined = entryOf(place.node, step);
      place = entry && { node: entry.value, entry };
    }
  }
  return place;
}

/** Whether a template may change what stands in a map or list, or a value. */
export function isOpen(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}
