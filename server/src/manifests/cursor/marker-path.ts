/** Where in a tree is the word at the cursor? A marker stands for it, and the way leads there from an object's root. */

import type { ManifestObject } from '../model.ts';
import type { MapEntry, Node, ScalarNode } from '../yaml/tree.ts';

/** The way from an object's root to the word at the cursor. */
export interface Trail {
  readonly steps: readonly Step[];
  /** Whether the word is the key of the last step's entry, or what the last step leads to. */
  readonly on: 'key' | 'value';
  readonly scalar: ScalarNode;
}

export type Step =
  | { readonly kind: 'entry'; readonly entry: MapEntry; readonly holder: Node }
  | { readonly kind: 'item'; readonly index: number; readonly holder: Node };

/** A word that nobody types. */
export const marker = 'selectorLensCursor';

/** The way to the one scalar that holds the marker, and none that a template fills. */
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

/** An object, its tree, and the way from its root to the word. */
export interface InObject {
  readonly object: ManifestObject;
  readonly root: Node;
  readonly trail: Trail;
}

/** A document may hold many objects: the innermost around the word, and the way from its own root. */
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
