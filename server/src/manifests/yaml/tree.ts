/** The syntax tree of one YAML or JSON document, independent of the library that parsed it. */

import type { Span } from '../../text/span.ts';
import { readKey, type ScalarType } from './scalar-types.ts';

export type Node = MapNode | ListNode | ScalarNode;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

export interface ScalarNode {
  readonly kind: 'scalar';
  /** The span, including the quotes. */
  readonly span: Span;
  /** The value as a string, before its type is resolved; placeholders are as written. */
  readonly text: string;
  readonly style: ScalarStyle;
  readonly type: ScalarType;
  /** The literal text with `*` for each placeholder; absent if it contains none. */
  readonly pattern?: string;
  /** The other file that wrote the scalar into the object. */
  readonly origin?: Origin;
  /** The text with the default output of its placeholders, computed from its chart. */
  readonly assumed?: string;
  /** Whether the text comes from a helper of its chart. */
  readonly rendered?: boolean;
  /** Whether the node has an anchor, so that aliases may repeat it. */
  readonly anchored?: true;
  /** The known text that a controller overwrites with this scalar, if it differs. */
  readonly replaced?: string;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: Node;
  /** Whether the entry was merged through `<<`. */
  readonly merged: boolean;
  /** Whether the existence of the entry depends on a template. */
  readonly conditional: boolean;
  /** The condition of the template on which the entry depends. */
  readonly condition?: string;
  /** Whether the chart writes the entry, by an action at this position. */
  readonly rendered?: true;
}

export interface MapNode {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
  /** Whether a template adds entries that are not in the file. */
  readonly open: boolean;
  /** The code of the template parts that add entries, with all known values inserted. Equal parts add equal entries. */
  readonly parts?: readonly string[];
  readonly treeSize: TreeSize;
}

export interface ListNode {
  readonly kind: 'list';
  readonly span: Span;
  readonly flow: boolean;
  readonly items: readonly Node[];
  readonly open: boolean;
  readonly treeSize: TreeSize;
}

/** Returns the entry of a key; for a duplicate key, the last entry, as in Kubernetes. */
export function entryOf(node: Node | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== 'map') return undefined;
  const { entries } = node;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.key.text === key && entry.key.pattern === undefined) return entry;
  }
  return undefined;
}

/** Returns the value of a key; undefined if the node is not a map or does not have the key. */
export function childOf(node: Node | undefined, key: string): Node | undefined {
  return entryOf(node, key)?.value;
}

/** Returns the items of a list; empty for any other node. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** Returns the text of a scalar; undefined for any other node. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text : undefined;
}

/** Returns the text of a scalar without placeholders; undefined for any other node. */
export function knownTextOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.pattern === undefined ? node.text : undefined;
}

/** Whether a node is a null scalar. */
export function isNull(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type === 'null';
}

/** Whether the value, further entries or items, or the existence of an entry depend on a template. */
export function mayHoldMore(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}

/** Returns the node at a path of keys. */
export function nodeAt(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce(childOf, node);
}

/** Returns the entries as Kubernetes decodes them: for a duplicate key, the last entry at the position of the first. */
export function effectiveEntries(map: MapNode): readonly MapEntry[] {
  if (!repeatsText(map.entries)) return map.entries;
  const byKey = new Map<string, MapEntry>();
  for (const entry of map.entries) byKey.set(entry.key.text, entry);
  return [...byKey.values()];
}

/** Up to this number of entries, comparing all pairs is faster than building a set. */
const fewEntries = 10;

function repeatsText(entries: readonly MapEntry[]): boolean {
  if (entries.length > fewEntries) return new Set(entries.map(({ key }) => key.text)).size < entries.length;
  for (let index = 1; index < entries.length; index++) {
    const text = entries[index]?.key.text;
    for (let above = 0; above < index; above++) if (entries[above]?.key.text === text) return true;
  }
  return false;
}

/**
 * Whether two entries have the same key. With `isTyped`, some keys are not strings, and their decoded texts are
 * compared.
 */
export function holdsTwice(entries: readonly MapEntry[], isTyped: boolean): boolean {
  return isTyped ? new Set(entries.map(({ key }) => readKey(key))).size < entries.length : repeatsText(entries);
}

/** The size of a tree with all aliases expanded: a short text may have an immense tree. */
export interface TreeSize {
  /** The number of nodes. */
  readonly size: number;
  /** The maximum depth of nested collections. */
  readonly depth: number;
  /** Whether any map in the tree has a duplicate key. */
  readonly repeats: boolean;
}

const leaf: TreeSize = { size: 1, depth: 0, repeats: false };

/** The maximum depth of nodes, which only aliases of aliases exceed. Deeper nodes are ignored. */
export const maximumDepth = 600;

/** Returns the size of a tree with all aliases expanded, which each collection stores. */
export function treeSizeOf(node: Node): TreeSize {
  return node.kind === 'scalar' ? leaf : node.treeSize;
}

/** Maximum number of nodes of one document with all aliases expanded; `length` is the length of its text in UTF-16 code units. Text without aliases has fewer than one node for every two characters. kubectl rejects documents that expand further ("excessive aliasing"). */
export function maximumTreeSize(length: number): number {
  return 1_000 + 2 * length;
}

/** Returns the size of a collection of nodes; `hasRepeats` is true if the collection itself has a duplicate key. */
export function treeSizeAround(nodes: readonly Node[], hasRepeats: boolean): TreeSize {
  let size = 1;
  let depth = 0;
  let repeats = hasRepeats;
  for (const node of nodes) {
    const below = treeSizeOf(node);
    size += below.size;
    depth = Math.max(depth, below.depth);
    repeats ||= below.repeats;
  }
  return { size, depth: depth + 1, repeats };
}

/** Returns the size of a map with the given entries. */
export function treeSizeAroundEntries(entries: readonly MapEntry[], hasRepeats: boolean): TreeSize {
  let size = 1;
  let depth = 0;
  let repeats = hasRepeats;
  for (const { value } of entries) {
    const below = treeSizeOf(value);
    size += below.size;
    depth = Math.max(depth, below.depth);
    repeats ||= below.repeats;
  }
  return { size, depth: depth + 1, repeats };
}

/** Returns an empty span at the start of a node, since messages never refer to a whole block. */
export function startOf(node: Node): Span {
  if (node.kind === 'scalar' && node.style !== 'block') return node.span;
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

/** Returns a copy of the tree in which all nodes have the same span; as in a folded block, single characters have no positions. */
export function movedTo<N extends Node>(node: N, span: Span): N;
export function movedTo(node: Node, span: Span): Node {
  if (node.kind === 'scalar') return { ...node, span, style: 'block' };
  if (node.kind === 'list') return { ...node, span, items: node.items.map((item) => movedTo(item, span)) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: movedTo(entry.key, span),
    value: movedTo(entry.value, span),
  }));
  return { ...node, span, entries };
}

/** The position of a part of an object that comes from another file. */
export interface Origin {
  readonly uri: string;
  readonly span: Span;
}
