/** Converts network policies to plain data for the engine. Parts that depend on a template are marked. */

import { markOpen, markOptional } from '../../engine/index.ts';
import { put, scalarValue } from '../yaml/plain-data.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { effectiveEntries, type ListNode, type MapEntry, type MapNode, type Node } from '../yaml/tree.ts';

/** Converts a node to plain data: numbers and booleans keep their types, and values that a template generates become unknown values. Maps and lists are marked if a template may add entries to them or omit them. */
export function policyData(node: Node): unknown {
  switch (node.kind) {
    case 'scalar':
      if (node.type === 'null') return null;
      if (node.pattern !== undefined) return scalarValue(node);
      if (node.type === 'boolean') return /^(?:y|yes|true|on)$/i.test(node.text);
      return node.type === 'number' && Number.isFinite(Number(node.text)) ? Number(node.text) : node.text;
    case 'list':
      return listData(node);
    case 'map':
      return mapData(node);
  }
}

function listData({ items, open }: ListNode): unknown {
  const data = items.map((item) => {
    const condition = conditionOf(item);
    if (condition === undefined) return policyData(item);
    const value = policyData(withoutCondition(item, condition));
    return typeof value === 'object' && value !== null ? markOptional(value) : value;
  });
  return open ? markOpen(data) : data;
}

/** Returns the condition under which a template writes a list item; undefined if the item has no condition, or if its entries have different conditions. */
function conditionOf(item: Node): string | undefined {
  if (item.kind !== 'map' || item.open || item.entries.length === 0) return undefined;
  const [first] = item.entries;
  const condition = first?.conditional ? (first.condition ?? '') : undefined;
  const isWhole = item.entries.every((each) => each.conditional && (each.condition ?? '') === condition);
  return isWhole ? condition : undefined;
}

/** Returns a list item for the case that a template writes it; the same node if it has no condition. */
export function ifCreated(item: Node): Node {
  const condition = conditionOf(item);
  return condition === undefined ? item : withoutCondition(item, condition);
}

/** Returns the map for the case that the condition on all of its entries is true. */
function withoutCondition(item: Node, condition: string): Node {
  if (item.kind !== 'map') return item;
  return { ...item, entries: item.entries.map((entry) => certain(entry, condition)) };
}

function certain(entry: MapEntry, condition: string): MapEntry {
  return { ...entry, conditional: false, value: inside(entry.value, condition) };
}

/** Returns a node for the case that a condition is true: the condition is removed from the nodes in it. */
function inside(node: Node, condition: string): Node {
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => inside(item, condition)) };
  if (node.kind === 'scalar') return node;
  return {
    ...node,
    entries: node.entries.map((entry) =>
      entry.conditional && (entry.condition ?? '') === condition
        ? certain(entry, condition)
        : { ...entry, value: inside(entry.value, condition) },
    ),
  };
}

function mapData(node: MapNode): unknown {
  const data: Record<string, unknown> = {};
  let isOpen = node.open;
  for (const { key, value, conditional, condition = '' } of effectiveEntries(node)) {
    if (key.pattern !== undefined) isOpen = true;
    else if (!conditional) put(data, readKey(key), policyData(value));
    else {
      const inner = policyData(inside(value, condition));
      // A scalar cannot be marked as optional, so the map that contains it is marked as incomplete.
      if (typeof inner !== 'object' || inner === null) isOpen = true;
      else put(data, readKey(key), markOptional(inner));
    }
  }
  return isOpen ? markOpen(data) : data;
}
