/** How is a tree changed without changing it? Copies along one path, and nodes that another file wrote. */

import type { Origin } from '../../manifests/manifest.ts';
import {
  extentAround,
  type ListNode,
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
} from '../../manifests/tree.ts';
import type { Span } from '../../text/span.ts';

export function mapOf(entries: readonly MapEntry[], span: Span, open = false): MapNode {
  const extent = extentAround(
    entries.map(({ value }) => value),
    false,
  );
  return { kind: 'map', span, flow: false, entries, open, extent };
}

export function listOf(items: readonly Node[], span: Span, open = false): ListNode {
  return { kind: 'list', span, flow: false, items, open, extent: extentAround(items, false) };
}

export function scalarOf(text: string, span: Span, origin?: Origin): ScalarNode {
  return { kind: 'scalar', span, text, style: 'plain', type: 'string', ...(origin && { origin }) };
}

export function entryFor(key: ScalarNode, value: Node): MapEntry {
  return { key, value, merged: false, conditional: false };
}

/** The map with an entry in the place of those of its key, else at the end; the key of before stays. */
export function withEntry(map: MapNode, entry: MapEntry): MapNode {
  const at = map.entries.findLastIndex(({ key }) => key.text === entry.key.text);
  if (at === -1) return mapOf([...map.entries, entry], map.span, map.open);
  const entries = map.entries.filter(({ key }, index) => index === at || key.text !== entry.key.text);
  const changed = entries.map((each) =>
    each.key.text === entry.key.text ? { ...each, value: entry.value, conditional: entry.conditional } : each,
  );
  return mapOf(changed, map.span, map.open);
}

export function withoutEntry(map: MapNode, key: string): MapNode {
  if (map.entries.every((each) => each.key.text !== key)) return map;
  return mapOf(
    map.entries.filter((each) => each.key.text !== key),
    map.span,
    map.open,
  );
}

export function isNull(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type === 'null';
}

/** The later of two nodes; where both say the same it stands at the place of the earlier one, and knows its origin. */
export function withOrigin(before: Node | undefined, after: Node): Node {
  if (before?.kind !== 'scalar' || after.kind !== 'scalar' || after.origin === undefined) return after;
  const isSame = before.text === after.text && before.type === after.type && before.pattern === after.pattern;
  return isSame ? { ...before, origin: after.origin } : after;
}

/** Where something comes from that is put into an object of another file. */
export interface Source {
  /** Of what is put in. */
  readonly uri: string;
  /** Of the object. */
  readonly into: string;
  /** Where the object stands in its file: what others wrote has no place there. */
  readonly anchor: Span;
}

/** A node as it looks from the object's file: what another file wrote stands at the anchor and knows its origin. */
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
