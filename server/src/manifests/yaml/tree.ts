/** How is one YAML or JSON document built? A small tree of our own, whatever library read it. */

import type { Span } from '../../text/span.ts';
import { readKey, type ScalarType } from './scalar-types.ts';

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
  /** The other file that wrote it into the object. */
  readonly origin?: Origin;
  /** What its chart makes of the placeholders unless somebody chooses otherwise. */
  readonly assumed?: string;
  /** A helper of its chart tells what stands here. */
  readonly told?: boolean;
  /** It has an anchor, so that aliases may show it in other places. */
  readonly anchored?: true;
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: Node;
  /** It came through `<<`. */
  readonly merged: boolean;
  /** A template decides whether it is there. */
  readonly conditional: boolean;
  /** On what it decides. */
  readonly condition?: string;
  /** Its chart writes it, by an action that stands here. */
  readonly told?: true;
}

export interface MapNode {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
  /** A template adds entries that the file does not show. */
  readonly open: boolean;
  /** What adds them, each as it reads once all that is known is put in: equal parts are equal entries. */
  readonly parts?: readonly string[];
  readonly extent: Extent;
}

export interface ListNode {
  readonly kind: 'list';
  readonly span: Span;
  readonly flow: boolean;
  readonly items: readonly Node[];
  readonly open: boolean;
  readonly extent: Extent;
}

/** The entry of a key; of a repeated key the last one, as Kubernetes reads it. */
export function entryOf(node: Node | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== 'map') return undefined;
  const { entries } = node;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry?.key.text === key && entry.key.pattern === undefined) return entry;
  }
  return undefined;
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
  if (!repeatsText(map.entries)) return map.entries;
  const byKey = new Map<string, MapEntry>();
  for (const entry of map.entries) byKey.set(entry.key.text, entry);
  return [...byKey.values()];
}

/** Most maps are so small that comparing all with all costs less than a set. */
const fewEntries = 10;

function repeatsText(entries: readonly MapEntry[]): boolean {
  if (entries.length > fewEntries) return new Set(entries.map(({ key }) => key.text)).size < entries.length;
  for (let index = 1; index < entries.length; index++) {
    const text = entries[index]?.key.text;
    for (let above = 0; above < index; above++) if (entries[above]?.key.text === text) return true;
  }
  return false;
}

/** Do two entries have the same key? Of one that is typed as no string, as some then are, another text counts. */
export function holdsTwice(entries: readonly MapEntry[], isTyped: boolean): boolean {
  return isTyped ? new Set(entries.map(({ key }) => readKey(key))).size < entries.length : repeatsText(entries);
}

/** How large a tree is when every alias is written out: what is cheap to write may be immense to walk. */
export interface Extent {
  /** The number of its nodes. */
  readonly size: number;
  /** How many collections stand in each other. */
  readonly depth: number;
  /** Some map in it has a key twice. */
  readonly repeats: boolean;
}

const leaf: Extent = { size: 1, depth: 0, repeats: false };

/** No person nests so deeply; aliases of aliases do. What is deeper is not looked at. */
export const maximumDepth = 600;

export function extentOf(node: Node): Extent {
  return node.kind === 'scalar' ? leaf : node.extent;
}

/**
 * Maximum number of nodes of one document with every alias written out; `length` is that of its text. Text without aliases
 * has less than one node for each two characters. kubectl refuses documents that expand further ("excessive aliasing").
 */
export function maximumExtent(length: number): number {
  return 1_000 + 2 * length;
}

/** The extent of a collection of some nodes, which may itself have a key twice. */
export function extentAround(nodes: readonly Node[], hasRepeats: boolean): Extent {
  let size = 1;
  let depth = 0;
  let repeats = hasRepeats;
  for (const node of nodes) {
    const below = extentOf(node);
    size += below.size;
    depth = Math.max(depth, below.depth);
    repeats ||= below.repeats;
  }
  return { size, depth: depth + 1, repeats };
}

/** The same of the entries of a map. */
export function extentAroundEntries(entries: readonly MapEntry[], hasRepeats: boolean): Extent {
  let size = 1;
  let depth = 0;
  let repeats = hasRepeats;
  for (const { value } of entries) {
    const below = extentOf(value);
    size += below.size;
    depth = Math.max(depth, below.depth);
    repeats ||= below.repeats;
  }
  return { size, depth: depth + 1, repeats };
}

/** A whole block is never pointed at. */
export function startOf(node: Node): Span {
  if (node.kind === 'scalar' && node.style !== 'block') return node.span;
  return { start: node.span.start, end: Math.min(node.span.start + 1, node.span.end) };
}

/** The same tree, all of it at one place; as in a folded block, nothing is there letter by letter. */
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

/** Where something is written that another file puts into an object. */
export interface Origin {
  readonly uri: string;
  readonly span: Span;
}
