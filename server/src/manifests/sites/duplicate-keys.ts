/** Finds duplicate keys in objects, and objects that are not separated by `---`. */

import type { RepeatedKey, Written } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import type { MapEntry, MapNode, Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** Returns the duplicate keys of all maps in a tree, and of its root only with `withRoot`. Aliases can repeat a node many times and can make a tree too deep for recursion, so nodes are visited once, in a loop. */
export function repeatedKeys(root: Node, withRoot: boolean): readonly RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const seen = new Set<Node>();
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'scalar' || seen.has(node)) continue;
    seen.add(node);
    if (node.kind === 'map' && (withRoot || node !== root)) found.push(...repeatedIn(node));
    for (const below of node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)) waiting.push(below);
  }
  return found;
}

/** Returns the duplicate keys in a map, considering only entries that certainly exist and have a known key. */
function repeatedIn({ entries, flow }: MapNode): readonly RepeatedKey[] {
  const certain = entries.filter((entry) => !entry.merged && !entry.conditional && entry.key.pattern === undefined);
  const last = new Map(certain.map((entry) => [readKey(entry.key), entry]));
  if (last.size === certain.length) return [];
  return certain.flatMap((entry) => {
    const winner = last.get(readKey(entry.key));
    return winner === undefined || winner === entry ? [] : [repeated(entry, winner, flow)];
  });
}

function repeated({ key, value }: MapEntry, winner: MapEntry, flow: boolean): RepeatedKey {
  // The value of an alias is located at its anchor, before the key, so the entry has no contiguous span.
  const here = value.span.start >= key.span.end;
  return {
    key: written(key),
    ...(here && { span: { start: key.span.start, end: value.span.end } }),
    flow,
    winner: written(winner.key),
    equal: areEqual(value, winner.value),
  };
}

/** The maximum number of nodes that are compared, because aliases can make values very large. */
const mostCompared = 1000;

/** Whether two values are certainly equal after Kubernetes decodes them. */
function areEqual(one: Node, other: Node): boolean {
  const pairs: [Node, Node][] = [[one, other]];
  for (let compared = 0; compared < mostCompared; compared++) {
    const pair = pairs.pop();
    if (pair === undefined) return true;
    const [a, b] = pair;
    if (a.kind === 'scalar' && b.kind === 'scalar') {
      if (a.text !== b.text || a.type !== b.type || a.pattern !== undefined || b.pattern !== undefined) return false;
    } else if (a.kind === 'list' && b.kind === 'list') {
      if (a.open || b.open || a.items.length !== b.items.length) return false;
      for (const [index, item] of a.items.entries()) pairs.push([item, b.items[index] ?? item]);
    } else if (a.kind === 'map' && b.kind === 'map') {
      if (a.open || b.open || a.entries.length !== b.entries.length) return false;
      for (const { key, value, conditional } of a.entries) {
        const entry = b.entries.find((each) => readKey(each.key) === readKey(key));
        if (entry === undefined || conditional || entry.conditional) return false;
        pairs.push([value, entry.value]);
      }
    } else return false;
  }
  return false;
}

/** Returns the keys at which a further object begins in the root of a document. kubectl decodes all of them as one object, in which the last value of each key wins. @returns none unless each of the objects has its own `kind` or `apiVersion`, and the root is written as a block */
export function joinedObjects(root: Node): readonly Written[] {
  if (root.kind !== 'map' || root.flow || root.open) return [];
  const groups: MapEntry[][] = [[]];
  for (const entry of root.entries) {
    if (entry.merged || entry.conditional || entry.key.pattern !== undefined) return [];
    const group = groups.at(-1);
    if (group?.every(({ key }) => key.text !== entry.key.text)) group.push(entry);
    else groups.push([entry]);
  }
  const areObjects = groups.every((group) => group.some(({ key }) => /^(?:kind|apiVersion)$/.test(key.text)));
  return areObjects ? groups.slice(1).flatMap(([first]) => (first === undefined ? [] : [written(first.key)])) : [];
}
