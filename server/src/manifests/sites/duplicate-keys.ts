/** Finds duplicate keys in labels, in selectors and in the maps that contain them, and objects that are not separated by `---`. */

import type { RepeatedKey, Written } from '../model.ts';
import { readKey } from '../yaml/scalar-types.ts';
import { childOf, type MapEntry, type MapNode, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** Returns the duplicate keys of the root (only with `withRoot`), of the metadata, and of every map at or below one of the paths. */
export function repeatedKeys(
  root: Node,
  paths: { readonly withRoot: boolean; readonly holders: readonly string[]; readonly sites: readonly string[] },
): readonly RepeatedKey[] {
  const maps = new Set<MapNode>();
  const seen = new Set<Node>();
  const add = (node: Node | undefined) => node?.kind === 'map' && maps.add(node);
  if (paths.withRoot) add(root);
  add(childOf(root, 'metadata'));
  for (const path of paths.holders) walk(root, path, add);
  for (const path of paths.sites) addAll(walk(root, path, add), maps, seen);
  return [...maps].flatMap(repeatedIn);
}

/** Calls `visit` for each node on a path such as `spec.ingress[0].from`, and returns the last node. */
function walk(root: Node, path: string, visit: (node: Node | undefined) => void): Node | undefined {
  let node: Node | undefined = root;
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (node?.kind === 'list') node = node.items[Number(step)];
    else node = childOf(node, step);
    visit(node);
  }
  return node;
}

/** Adds all maps in a tree to `maps`. Aliases can repeat a node many times and can make a tree too deep for recursion, so nodes are visited once, in a loop. */
function addAll(node: Node | undefined, maps: Set<MapNode>, seen: Set<Node>): void {
  const waiting = [node];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (next === undefined || next.kind === 'scalar' || seen.has(next)) continue;
    seen.add(next);
    if (next.kind === 'map') maps.add(next);
    for (const below of next.kind === 'list' ? next.items : next.entries.map(({ value }) => value)) waiting.push(below);
  }
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
