/** The syntax tree of one YAML or JSON document, independent of the library that parsed it. */

import type { Span } from '../../text/span.ts';
import type { Letters } from '../inline/source-map.ts';
import { readKey, type ScalarType } from './scalar-types.ts';

export type Node = MapNode | ListNode | ScalarNode;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

export interface ScalarNode {
  readonly kind: 'scalar';
  /** The span of the scalar, including its quotes. */
  readonly span: Span;
  /** The value as a string, before its type is resolved; placeholders appear in it unchanged. */
  readonly text: string;
  readonly style: ScalarStyle;
  readonly type: ScalarType;
  /** The text with `*` in place of each placeholder; absent if the scalar contains none. */
  readonly pattern?: string;
  /** The position in a different file, if that file wrote the scalar into the object. */
  readonly origin?: Origin;
  /** The text with the output that its placeholders have for the default values of the chart. */
  readonly assumed?: string;
  /** Whether the text is the output of a helper of the chart. */
  readonly rendered?: boolean;
  /** Set if the node has an anchor, so that aliases can repeat it. */
  readonly anchored?: true;
  /** Set if a tag such as `!!bool` determines the type. */
  readonly tagged?: true;
  /** The known text that a controller overwrites with this scalar, if it differs. */
  readonly replaced?: string;
  /** The position of each character, for a scalar in a command. */
  readonly letters?: Letters;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: Node;
  /** Whether the entry was added by a merge key (`<<`). */
  readonly merged: boolean;
  /** Whether a condition in a template determines if the entry exists. */
  readonly conditional: boolean;
  /** The template condition on which the existence of the entry depends. */
  readonly condition?: string;
  /** Set if the entry is the output of a template action in the chart, at this position. */
  readonly rendered?: true;
}

export interface MapNode {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
  /** Whether a template may add entries that are not in the file. */
  readonly open: boolean;
  /**
   * The code of the template parts that add entries, with all known values inserted. Parts with the same code add the
   * same entries.
   */
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

/** Returns the entry of a key. If the key occurs more than once, returns the last entry, as Kubernetes does. */
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

/** Returns the items of a list; empty for all other nodes. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

/** Returns the text of a scalar; undefined for all other nodes. */
export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text : undefined;
}

/** Returns the text of a scalar without placeholders; undefined for all other nodes. */
export function knownTextOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.pattern === undefined ? node.text : undefined;
}

export function isNull(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type === 'null';
}

/** Whether a template may change the content of a node: a scalar's value, additional entries or items, or whether an entry exists. */
export function mayHoldMore(node: Node): boolean {
  return isOpen(node) || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}

/** Whether a template writes a part of a scalar, or may add entries to a map or a list. */
export function isOpen(node: Node | undefined): boolean {
  return node?.kind === 'scalar' ? node.pattern !== undefined : node?.open === true;
}

/** Returns the node at a path of keys; undefined if it does not exist. */
export function nodeAt(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  return path.reduce(childOf, node);
}

/** Returns the entries of a map as Kubernetes decodes them: a duplicate key has the position of its first entry and the value of its last entry. */
export function effectiveEntries(map: MapNode): readonly MapEntry[] {
  if (!repeatsText(map.entries)) return map.entries;
  const byKey = new Map<string, MapEntry>();
  for (const entry of map.entries) byKey.set(entry.key.text, entry);
  return [...byKey.values()];
}

/** The maximum number of entries for which comparing all pairs is faster than building a set. */
const fewEntries = 10;

function repeatsText(entries: readonly MapEntry[]): boolean {
  if (entries.length > fewEntries) return new Set(entries.map(({ key }) => key.text)).size < entries.length;
  for (let index = 1; index < entries.length; index++) {
    const text = entries[index]?.key.text;
    for (let above = 0; above < index; above++) if (entries[above]?.key.text === text) return true;
  }
  return false;
}

/** Whether two entries have the same key. `isTyped` must be set if some keys are not strings; the strings to which Kubernetes decodes the keys are then compared. */
export function holdsTwice(entries: readonly MapEntry[], isTyped: boolean): boolean {
  return isTyped ? new Set(entries.map(({ key }) => readKey(key))).size < entries.length : repeatsText(entries);
}

/** The size of a tree with all aliases expanded. Even a short text can have an extremely large tree. */
export interface TreeSize {
  readonly size: number;
  /** The maximum depth of nested collections. */
  readonly depth: number;
  /** Whether any map in the tree has a duplicate key. */
  readonly repeats: boolean;
}

const leaf: TreeSize = { size: 1, depth: 0, repeats: false };

/** The maximum depth of the tree that is processed; nodes below it are ignored. Only nested aliases exceed it. */
export const maximumDepth = 600;

/** Returns the size of a tree with all aliases expanded; every collection stores this size. */
export function treeSizeOf(node: Node): TreeSize {
  return node.kind === 'scalar' ? leaf : node.treeSize;
}

/** The maximum number of nodes in a document with all aliases expanded; `length` is the length of its text in UTF-16 code units. Text without aliases has fewer than one node for every two characters. kubectl rejects documents that expand further ("excessive aliasing"). */
export function maximumTreeSize(length: number): number {
  return 1_000 + 2 * length;
}

/** Returns the size of a collection that contains the given nodes; `hasRepeats` is true if the collection itself has a duplicate key. */
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

/** Returns the span at which messages about a node are shown: the whole span of a scalar, except a block scalar, and only the first character of all other nodes. */
export function startOf(node: Node): Span {
  if (node.kind === 'scalar' && node.style !== 'block') return node.span;
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

/** Returns a copy of the tree in which all nodes have the same span. As in a folded block scalar, the position of single characters is then unknown. */
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

/** The position in a different file from which a part of an object comes. */
export interface Origin {
  readonly uri: string;
  readonly span: Span;
}
