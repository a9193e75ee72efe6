/** Finds the path from the root of an object to the word at the cursor, which is represented by a marker in the tree. */

import type { ManifestObject } from '../model.ts';
import type { MapEntry, Node, ScalarNode } from '../yaml/tree.ts';

/** The path from the root of an object to the word at the cursor. */
export interface Trail {
  readonly steps: readonly Step[];
  /**
   * Whether the word is the key of the entry in the last step of the path, or the value to which the last step leads.
   */
  readonly on: 'key' | 'value';
  readonly scalar: ScalarNode;
}

export type Step =
  | { readonly kind: 'entry'; readonly entry: MapEntry; readonly holder: Node }
  | { readonly kind: 'item'; readonly index: number; readonly holder: Node };

/** A word that does not occur in real manifests. It replaces the word at the cursor. */
export const marker = 'selectorLensCursor';

/** Returns the path to the scalar that contains the marker. Scalars that a template generates are ignored. */
export function findMarker(root: Node): Trail | undefined {
  const seen = new Set<Node>();
  const search = (node: Node, steps: readonly Step[]): Trail | undefined => {
    if (node.kind === 'scalar') return holdsMarker(node) ? { steps, on: 'value', scalar: node } : undefined;
    if (seen.has(node)) return undefined;
    seen.add(node);
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) {
        const found = search(item, [...steps, { kind: 'item', index, holder: node }]);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    for (const entry of node.entries) {
      const step: Step = { kind: 'entry', entry, holder: node };
      if (holdsMarker(entry.key)) return { steps: [...steps, step], on: 'key', scalar: entry.key };
      const found = search(entry.value, [...steps, step]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(root, []);
}

function holdsMarker(node: ScalarNode): boolean {
  return node.pattern === undefined && node.style !== 'block' && node.text.includes(marker);
}

/** An object, its syntax tree, and the path from the root of the tree to the word at the cursor. */
export interface InObject {
  readonly object: ManifestObject;
  readonly root: Node;
  readonly trail: Trail;
}

/** Returns the innermost object that contains the word at the cursor, and the path from the root of this object; a document may contain many objects. */
export function trailInObject(
  { steps, on, scalar }: Trail,
  root: Node,
  objects: readonly ManifestObject[],
): InObject | undefined {
  for (let index = steps.length - 1; index >= 0; index--) {
    const holder = steps[index]?.holder ?? root;
    const object = objects.find(({ span }) => span.start === holder.span.start && span.end === holder.span.end);
    const isItem = index === 0 || steps[index - 1]?.kind === 'item';
    if (object !== undefined && isItem)
      return { object, root: holder, trail: { steps: steps.slice(index), on, scalar } };
  }
  return undefined;
}
