/** Syntax trees as the plain data that the engine takes. */

import type { Value } from '../../engine/index.ts';
import { readKey } from './scalar-types.ts';
import { effectiveEntries, type Node, type ScalarNode } from './tree.ts';

/**
 * A node as plain data for the engine, strings that a template fills as unknowns. Numbers and booleans come as the text
 * that was typed: rules say that they must be quoted, and the reader sees what the selector means once they are.
 */
export function plainData(node: Node): unknown {
  switch (node.kind) {
    case 'scalar':
      if (node.type === 'null') return null;
      return scalarValue(node);
    case 'list':
      return node.items.map(itemData);
    case 'map': {
      const data: Record<string, unknown> = {};
      for (const { key, value, conditional } of effectiveEntries(node))
        if (!conditional && key.pattern === undefined) put(data, readKey(key), plainData(value));
      return data;
    }
  }
}

/** An item of a list. Of one that a template decides on, the fields are there and unknown, so that no field is missing. */
function itemData(node: Node): unknown {
  if (node.kind !== 'map' || node.entries.every(({ conditional }) => !conditional)) return plainData(node);
  const entries = node.entries.map(({ key, value, conditional }): readonly [string, unknown] => {
    const isUnknown = conditional && value.kind === 'scalar';
    return [readKey(key), isUnknown ? { unknown: `conditional ${value.span.start}` } : plainData(value)];
  });
  return Object.fromEntries(entries);
}

/** The string that the API server reads, or an unknown for what a template writes. */
export function scalarValue({ text, type, pattern, assumed }: ScalarNode): Value {
  // However null is written, the API server reads it as the empty string.
  if (pattern === undefined) return type === 'null' ? '' : text;
  if (assumed === undefined) return { unknown: text, pattern };
  // What stays open even so is another unknown.
  return { unknown: text, pattern, assumed: assumed.includes('{{') ? { unknown: assumed } : assumed };
}

const ordinary = { enumerable: true, configurable: true, writable: true };

/** Sets an own property, whatever its name. */
export function put<T>(record: Record<string, T>, key: string, value: T): void {
  // Assigning to this one key would change the object's prototype.
  if (key === '__proto__') Object.defineProperty(record, key, { ...ordinary, value });
  else record[key] = value;
}
