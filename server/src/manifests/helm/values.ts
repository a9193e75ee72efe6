/** Parses the default values of a chart: its `values.yaml` as plain data. */

import { spend } from '../../engine/work-budget.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { ReadDocument } from '../yaml/parsed-document.ts';
import { readKey, scalarData } from '../yaml/scalar-types.ts';
import { effectiveEntries, type MapNode, type Node, treeSizeOf } from '../yaml/tree.ts';
import { type Data, isMap } from './value.ts';

/** The maximum number of syntax nodes in the values of a chart. */
export const maximumValues = 50_000;

/** Parses the values of a chart; the result is an empty map if the text is not a map, and undefined if the text is too large to be read. */
export function readValues(text: string): Data | undefined {
  const read = firstDocument(text);
  if (isTooLarge(read)) return undefined;
  return read.root?.kind === 'map' ? dataOf(read.root) : {};
}

/** Returns the syntax tree of the values in a text; undefined if the text is not a map, or too large. */
export function valuesTree(text: string): MapNode | undefined {
  const read = firstDocument(text);
  return read.root?.kind === 'map' && !isTooLarge(read) ? read.root : undefined;
}

/** Parses the first document of a YAML or JSON text as plain data; null if the document is empty, and undefined if it has a syntax error or is too large. */
export function readData(text: string): Data | undefined {
  const read = firstDocument(text);
  if (read.errors.length > 0 || isTooLarge(read)) return undefined;
  return read.root === undefined ? null : dataOf(read.root);
}

/** Whether the first document of a text is nested too deeply to be read, or contains too many nodes. */
export function isTooLargeToRead(text: string): boolean {
  return isTooLarge(firstDocument(text));
}

function firstDocument(text: string): ReadDocument {
  const blanked = { text, blanks: [], placeholders: [], conditionals: [], mergesInOrder: true as const };
  const [first] = splitDocuments(text);
  return first === undefined ? { root: undefined, errors: [] } : parseYaml(text, blanked, first);
}

function isTooLarge({ root, tooLargeAt }: ReadDocument): boolean {
  return tooLargeAt !== undefined || (root !== undefined && treeSizeOf(root).size > maximumValues);
}

/** Returns a syntax tree as plain data, decoded as YAML 1.1; scalars with placeholders keep their source text. */
export function dataOf(node: Node): Data {
  switch (node.kind) {
    case 'scalar':
      return scalarData(node.text, node.type);
    case 'list':
      return node.items.map(dataOf);
    case 'map':
      return Object.fromEntries(effectiveEntries(node).map(({ key, value }) => [readKey(key), dataOf(value)]));
  }
}

/** Merges the chosen values into the default values; nested maps are merged recursively. */
export function overridden(defaults: Data, chosen: Data | undefined): Data {
  if (chosen === undefined) return defaults;
  if (!isMap(defaults) || !isMap(chosen)) return chosen;
  spendOnEntries(defaults);
  spendOnEntries(chosen);
  const merged = new Map(Object.entries(defaults));
  for (const [name, value] of Object.entries(chosen)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : overridden(known, value));
  }
  return Object.fromEntries(merged);
}

/** Counts the work of copying data, without its nested data. */
function spendOnEntries(data: object): void {
  spend(1 + Object.keys(data).length / entriesOfStep);
}

/** The number of entries of a map that are copied in one step. */
const entriesOfStep = 2;

/** Returns the part of two values that is equal, which may be a part of a map, but not of a list; undefined if nothing is equal. */
export function sharedValues(some: Data, others: Data): Data | undefined {
  if (!isMap(some) || !isMap(others)) return JSON.stringify(some) === JSON.stringify(others) ? some : undefined;
  const known = new Map(Object.entries(others));
  const shared = Object.entries(some).flatMap(([name, value]) => {
    const other = known.get(name);
    const both = other === undefined ? undefined : sharedValues(value, other);
    return both === undefined ? [] : [[name, both] as const];
  });
  return Object.fromEntries(shared);
}
