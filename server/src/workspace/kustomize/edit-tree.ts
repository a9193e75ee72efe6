/** Edits syntax trees without mutation: copies the nodes along one path, and adopts nodes of other files. */

import {
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  type TreeSize,
  treeSizeAround,
  treeSizeAroundEntries,
  treeSizeOf,
} from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';

/** Returns a map with entries and a span; `open` is set if the map may have further entries. */
export function mapOf(entries: readonly MapEntry[], span: Span, open = false): MapNode {
  return { kind: 'map', span, flow: false, entries, open, treeSize: treeSizeAroundEntries(entries, false) };
}

/** Returns a list with items and a span; `open` is set if the list may have further items. */
export function listOf(items: readonly Node[], span: Span, open = false): ListNode {
  return { kind: 'list', span, flow: false, items, open, treeSize: treeSizeAround(items, false) };
}

/** Returns a plain string scalar. */
export function scalarOf(text: string, span: Span): ScalarNode {
  return { kind: 'scalar', span, text, style: 'plain', type: 'string' };
}

/** Returns an entry that exists unconditionally and was not merged. */
export function entryFor(key: ScalarNode, value: Node): MapEntry {
  return { key, value, merged: false, conditional: false };
}

/** Returns the map with an entry that replaces the entries with the same key, or is appended. An existing key node is retained. */
export function withEntry(map: MapNode, entry: MapEntry): MapNode {
  return replaced(map, entry.key.text, entry.value, entry.conditional) ?? extended(map, entry);
}

/** The number of entries up to which setting them one by one is faster. */
export const fewEntries = 8;

/** Returns the map with entries that replace the entries with the same keys, or are appended, like `withEntry` for each of them. The work is linear, so that many entries can be set. */
export function withEntries(map: MapNode, added: readonly MapEntry[]): MapNode {
  if (added.length <= fewEntries) return added.reduce(withEntry, map);
  const isPlain = !map.treeSize.repeats && map.entries.every(({ key }) => key.pattern === undefined);
  if (!isPlain) return added.reduce(withEntry, map);
  const changes = new Map<string, MapEntry>();
  for (const entry of added) {
    const earlier = changes.get(entry.key.text);
    changes.set(entry.key.text, earlier === undefined ? entry : { ...earlier, value: entry.value });
  }
  const entries = map.entries.map((each) => {
    const change = changes.get(each.key.text);
    changes.delete(each.key.text);
    return change === undefined ? each : { ...each, value: change.value, conditional: change.conditional };
  });
  return mapOf([...entries, ...changes.values()], map.span, map.open);
}

/** Returns the map with a value under a key. A new key node gets `span`. */
export function withValue(map: MapNode, key: string, value: Node, span: Span): MapNode {
  return replaced(map, key, value, false) ?? extended(map, entryFor(scalarOf(key, span), value));
}

/** Returns the map with an appended entry. Unlike a spread, `concat` allocates the exact capacity. */
function extended({ entries, span, open, treeSize }: MapNode, entry: MapEntry): MapNode {
  if (treeSize.repeats) return mapOf(entries.concat(entry), span, open);
  const added = treeSizeOf(entry.value);
  const around: TreeSize = {
    size: treeSize.size + added.size,
    depth: Math.max(treeSize.depth, added.depth + 1),
    repeats: added.repeats,
  };
  return { kind: 'map', span, flow: false, entries: entries.concat(entry), open, treeSize: around };
}

/** Returns the map with a different value in the last entry of a key, without earlier entries of the key; undefined if the map does not have the key. */
function replaced(map: MapNode, key: string, value: Node, conditional: boolean): MapNode | undefined {
  const { entries, span, open } = map;
  const at = lastAt(entries, key, entries.length);
  const last = entries[at];
  if (last === undefined) return undefined;
  const changed = entries.with(at, { ...last, value, conditional });
  if (lastAt(entries, key, at) !== -1) {
    return mapOf(
      changed.filter((each, index) => index === at || each.key.text !== key),
      span,
      open,
    );
  }
  const treeSize = treeSizeWith(map, last.value, value) ?? treeSizeAroundEntries(changed, false);
  return { kind: 'map', span, flow: false, entries: changed, open, treeSize };
}

/** Returns the index of the last entry of a key before a given index; -1 if there is none. */
function lastAt(entries: readonly MapEntry[], key: string, before: number): number {
  let at = before - 1;
  while (at >= 0 && entries[at]?.key.text !== key) at--;
  return at;
}

/** Returns the size of a map after one value is replaced with another; undefined if all values would have to be examined. */
function treeSizeWith({ treeSize }: MapNode, before: Node, after: Node): TreeSize | undefined {
  const [old, added] = [treeSizeOf(before), treeSizeOf(after)];
  if (treeSize.repeats || added.repeats) return undefined;
  const isDeepest = old.depth + 1 >= treeSize.depth;
  if (isDeepest && added.depth < old.depth) return undefined;
  return {
    size: treeSize.size - old.size + added.size,
    depth: Math.max(treeSize.depth, added.depth + 1),
    repeats: false,
  };
}

export function withoutEntry(map: MapNode, key: string): MapNode {
  if (map.entries.every((each) => each.key.text !== key)) return map;
  return mapOf(
    map.entries.filter((each) => each.key.text !== key),
    map.span,
    map.open,
  );
}

/** Returns the later of two nodes. If both are equal scalars, the result is at the position of the earlier node, with the origin of the later node. */
export function withOrigin(before: Node | undefined, after: Node): Node {
  if (before?.kind !== 'scalar' || after.kind !== 'scalar' || after.origin === undefined) return after;
  const isSame = before.text === after.text && before.type === after.type && before.pattern === after.pattern;
  return isSame ? { ...before, origin: after.origin } : after;
}

/** Collects the changes to nodes that are shared by several positions. */
export class Overwriting {
  readonly #shared: ReadonlySet<Node> | undefined;
  /** Created lazily, because no node is shared in most objects. */
  #written: Map<Node, Node> | undefined;

  constructor(shared: ReadonlySet<Node> | undefined) {
    this.#shared = shared;
  }

  /**
   * Returns the node that replaces `before`. If `before` is shared by several positions, it is retained until all of
   * them are changed.
   */
  over(before: Node | undefined, after: Node): Node {
    if (before === undefined || !this.#shared?.has(before)) return after;
    this.#written ??= new Map();
    this.#written.set(before, after);
    return before;
  }

  /** Returns the tree with all changes at all positions, and the nodes that several positions share afterwards. */
  finished(tree: MapNode): { readonly tree: MapNode; readonly shared: ReadonlySet<Node> | undefined } {
    const written = this.#written;
    if (written === undefined) return { tree, shared: this.#shared };
    const changed = overwritten(tree, written);
    const shared = new Set([...(this.#shared ?? [])].map((node) => written.get(node) ?? node));
    return { tree: changed.kind === 'map' ? changed : tree, shared };
  }
}

function overwritten(node: Node, written: ReadonlyMap<Node, Node>): Node {
  if (node.kind === 'scalar') return written.get(node) ?? node;
  if (node.kind === 'list') {
    const items = node.items.map((item) => overwritten(item, written));
    return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
  }
  const entries = node.entries.map((entry) => {
    const value = overwritten(entry.value, written);
    return value === entry.value ? entry : { ...entry, value };
  });
  const isSame = entries.every((entry, index) => entry === node.entries[index]);
  return isSame ? node : mapOf(entries, node.span, node.open);
}

/** The origin of a node that is inserted into an object of another file. */
export interface Source {
  /** The URI of the file that contains the node. */
  readonly uri: string;
  /** The URI of the file that contains the object. */
  readonly into: string;
  /** The span of the object in its file, used for nodes of other files. */
  readonly anchor: Span;
}

/** Returns a node for use in the object's file: a node of another file is placed at the anchor and refers to its origin. */
export function adopted<N extends Node>(node: N, source: Source): N;
export function adopted(node: Node, source: Source): Node {
  if (source.uri === source.into) return node;
  const span = source.anchor;
  switch (node.kind) {
    case 'scalar':
      return { ...node, span, origin: node.origin ?? { uri: source.uri, span: node.span } };
    case 'list':
      return { ...node, span, items: node.items.map((item) => adopted(item, source)) };
    case 'map':
      return {
        ...node,
        span,
        entries: node.entries.map((entry) => ({
          ...entry,
          key: adopted(entry.key, source),
          value: adopted(entry.value, source),
        })),
      };
  }
}
