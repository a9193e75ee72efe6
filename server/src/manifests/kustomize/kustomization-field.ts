/** Finds the field of a kustomization under the cursor, and the item under the cursor if the field is a list. */

import { type Span, touches } from '../../text/span.ts';
import type { MapEntry, Node } from '../yaml/tree.ts';
import { kustomizationTree } from './kustomization.ts';

export interface KustomizationField {
  /** The name of the top-level field. */
  readonly field: string;
  /**
   * The list item under the cursor; if the field is not a list, or if the cursor is on its key, the whole value of the
   * field.
   */
  readonly node: Node;
  /** Whether `node` is an item of the list in the field. */
  readonly isItem: boolean;
  /** The keys on the path from `node` to the key or value under the cursor. */
  readonly below: readonly string[];
  /** The key or scalar under the cursor. */
  readonly span: Span;
}

/** Returns the field at an offset in a kustomization; undefined between fields, and inside of inline patches. */
export function kustomizationFieldAt(text: string, offset: number): KustomizationField | undefined {
  const root = kustomizationTree(text);
  for (const entry of root?.kind === 'map' ? root.entries : []) {
    const field = entry.key.text;
    const whole = { field, node: entry.value, isItem: false };
    if (touches(entry.key.span, offset)) return { ...whole, below: [], span: entry.key.span };
    if (!touches(entry.value.span, offset)) continue;
    const items = entry.value.kind === 'list' ? entry.value.items : [];
    const node = items.find(({ span }) => touches(span, offset));
    const found = leafAt(node ?? entry.value, offset);
    return found && { ...whole, ...(node && { node, isItem: true }), ...found };
  }
  return undefined;
}

interface Leaf {
  readonly below: readonly string[];
  readonly span: Span;
}

/** Returns the key or scalar at an offset. The text inside of a block scalar is not treated as a scalar under the cursor. */
function leafAt(node: Node, offset: number): Leaf | undefined {
  if (!touches(node.span, offset)) return undefined;
  if (node.kind === 'scalar') return node.style === 'block' ? undefined : { below: [], span: node.span };
  if (node.kind === 'list') {
    for (const item of node.items) {
      const found = leafAt(item, offset);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const entry of node.entries) {
    const found = inEntry(entry, offset);
    if (found !== undefined) return { ...found, below: [entry.key.text, ...found.below] };
  }
  return undefined;
}

function inEntry({ key, value }: MapEntry, offset: number): Leaf | undefined {
  return touches(key.span, offset) ? { below: [], span: key.span } : leafAt(value, offset);
}
