/** How is one YAML or JSON document built? A small tree of our own, whatever library read it. */

import type { Span } from '../text/span.ts';
import type { ScalarType } from './scalar.ts';

export type Node = MapNode | ListNode | ScalarNode;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

export interface ScalarNode {
  readonly kind: 'scalar';
  /** With the quotes. */
  readonly span: Span;
  /** The string it stands for, before its type is looked at; placeholders as they were written. */
  readonly text: string;
  readonly style: ScalarStyle;
  readonly type: ScalarType;
  /** The literal text with `*` for each placeholder, where it holds one. */
  readonly pattern?: string;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: Node;
  /** It came through `<<`. */
  readonly merged: boolean;
  /** A template decides whether it is there. */
  readonly conditional: boolean;
}

export interface MapNode {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
  /** A template adds entries that the file does not show. */
  readonly open: boolean;
}

export interface ListNode {
  readonly kind: 'list';
  readonly span: Span;
  readonly flow: boolean;
  readonly items: readonly Node[];
  readonly open: boolean;
}

/** The entry of a key; of a repeated key the last one, as Kubernetes reads it. */
export function entryOf(node: Node | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== 'map') return undefined;
  return node.entries.findLast((entry) => entry.key.text === key && entry.key.pattern === undefined);
}

/** The value of a key, or undefined where the node is no map or does not have it. */
export function childOf(node: Node | undefined, key: string): Node | undefined {
  return entryOf(node, key)?.value;
}

/** The node at a path of keys. */
export function nodeAt(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce(childOf, node);
}

/** The entries as Kubernetes sees them: of a repeated key the last one, at the place of the first. */
export function effectiveEntries(map: MapNode): readonly MapEntry[] {
  const byKey = new Map<string, MapEntry>();
  for (const entry of map.entries) byKey.set(entry.key.text, entry);
  return byKey.size === map.entries.length ? map.entries : [...byKey.values()];
}

/** How large a tree is when every alias is written out. */
export interface Extent {
  /** The number of its nodes. */
  readonly size: number;
  /** How many collections stand in each other. */
  readonly depth: number;
}

const extents = new WeakMap<Node, Extent>();
const leaf: Extent = { size: 1, depth: 0 };

/** No person nests so deeply; aliases of aliases do. What is deeper is not looked at. */
export const maximumDepth = 600;

/** The extent of a tree: aliases are measured once, so that it costs what is written, not what it stands for. */
export function extentOf(node: Node, above = 0): Extent {
  if (node.kind === 'scalar') return leaf;
  const known = extents.get(node);
  if (known !== undefined) return known;
  let size = 1;
  let depth = above > maximumDepth ? maximumDepth : 0;
  if (above <= maximumDepth) {
    for (const each of node.kind === 'list' ? node.items : node.entries) {
      const below = extentOf('key' in each ? each.value : each, above + 1);
      size += below.size;
      depth = Math.max(depth, below.depth);
    }
  }
  const extent = { size, depth: depth + 1 };
  extents.set(node, extent);
  return extent;
}
