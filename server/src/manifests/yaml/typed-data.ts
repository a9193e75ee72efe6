/** Converts syntax trees to the values to which Kubernetes decodes them: numbers are numbers, and values that depend on a template are unknown. */

import type { OpenMap } from '../../engine/catalogue/types.ts';
import { put } from './plain-data.ts';
import { readKey, scalarData } from './scalar-types.ts';
import { effectiveEntries, type MapNode, type Node } from './tree.ts';

/** Converts a node to plain data. Scalars that depend on a template become `Unknown`s, and maps to which a template may add entries become `OpenMap`s. */
export function typedData(node: Node): unknown {
  switch (node.kind) {
    case 'scalar': {
      const { text, type, pattern } = node;
      return pattern === undefined ? scalarData(text, type) : { unknown: text, pattern };
    }
    case 'list':
      return node.open ? { unknown: `items of a template` } : node.items.map(typedData);
    case 'map':
      return mapData(node);
  }
}

function mapData(node: MapNode): unknown {
  const entries: Record<string, unknown> = {};
  let isOpen = node.open;
  for (const { key, value, conditional } of effectiveEntries(node)) {
    if (conditional || key.pattern !== undefined) isOpen = true;
    else put(entries, readKey(key), typedData(value));
  }
  return isOpen ? openMap(entries) : entries;
}

/** Returns a map with the given entries, to which a template may add more. */
export function openMap(entries: Readonly<Record<string, unknown>>): OpenMap {
  return { unknown: `entries of a template`, entries };
}
