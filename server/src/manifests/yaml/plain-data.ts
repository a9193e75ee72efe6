/** Converts syntax trees to the plain data that the engine evaluates. */

import type { Value } from '../../engine/index.ts';
import { readKey } from './scalar-types.ts';
import { effectiveEntries, type Node, type ScalarNode } from './tree.ts';

/** Converts a node to plain data for the engine. Strings that a template fills become unknown values. Numbers and booleans become strings with their source text: rules report that they must be quoted, and results show what the selector means once they are quoted. */
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

/** Returns the data of a list item. In an item that depends on a template, conditional fields are included, and their scalars are unknown values, so that no rule reports a missing field. */
function itemData(node: Node): unknown {
  if (node.kind !== 'map' || node.entries.every(({ conditional }) => !conditional)) return plainData(node);
  const entries = node.entries.map(({ key, value, conditional }): readonly [string, unknown] => {
    const isUnknown = conditional && value.kind === 'scalar';
    return [readKey(key), isUnknown ? { unknown: `conditional ${value.span.start}` } : plainData(value)];
  });
  return Object.fromEntries(entries);
}

/** Returns the string to which the API server decodes a scalar, or an unknown value if a template generates the scalar. */
export function scalarValue({ text, type, pattern, assumed }: ScalarNode): Value {
  // The API server decodes null, in any notation, as an empty string.
  if (pattern === undefined) return type === 'null' ? '' : text;
  if (assumed === undefined) return { unknown: text, pattern };
  // If the text is unknown even with the default values, its default is an unknown value, too.
  return { unknown: text, pattern, assumed: assumed.includes('{{') ? { unknown: assumed } : assumed };
}

const ordinary = { enumerable: true, configurable: true, writable: true };

/** Sets a property of a record, even if its name is `__proto__`. */
export function put<T>(record: Record<string, T>, key: string, value: T): void {
  // Assigning to the key `__proto__` would change the prototype of the object.
  if (key === '__proto__') Object.defineProperty(record, key, { ...ordinary, value });
  else record[key] = value;
}
