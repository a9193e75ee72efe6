/** Which keys of an object are there twice? Looked for where labels and selectors are, and in what holds them. */

import type { RepeatedKey } from './manifest.ts';
import { readKey } from './scalar.ts';
import { written } from './sites.ts';
import { childOf, type MapEntry, type MapNode, type Node } from './tree.ts';

/** Repeated keys of the root, of the metadata, of every map on the way to one of the paths and of all maps below it. */
export function repeatedKeys(
  root: Node,
  paths: { readonly holders: readonly string[]; readonly sites: readonly string[] },
): readonly RepeatedKey[] {
  const maps = new Set<MapNode>();
  const seen = new Set<Node>();
  const add = (node: Node | undefined) => node?.kind === 'map' && maps.add(node);
  add(root);
  add(childOf(root, 'metadata'));
  for (const path of paths.holders) walk(root, path, add);
  for (const path of paths.sites) addAll(walk(root, path, add), maps, seen);
  return [...maps].flatMap(repeatedIn);
}

/** Goes down a path such as `spec.ingress[0].from`; answers with what is at its end. */
function walk(root: Node, path: string, visit: (node: Node | undefined) => void): Node | undefined {
  let node: Node | undefined = root;
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (node?.kind === 'list') node = node.items[Number(step)];
    else node = childOf(node, step);
    visit(node);
  }
  return node;
}

/** Aliases may show one node many times, and nest deeper than calls can. */
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

/** Only what is certainly there, under a name that is known. */
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
  // What an alias shows stands above.
  const here = value.span.start >= key.span.end;
  return {
    key: written(key),
    ...(here && { span: { start: key.span.start, end: value.span.end } }),
    flow,
    winner: written(winner.key),
  };
}
