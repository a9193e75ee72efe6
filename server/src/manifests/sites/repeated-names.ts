/** Finds containers, volumes, ports and other parts of an object that have the same name. */

import type { Span } from '../../text/span.ts';
import { childOf, effectiveEntries, itemsOf, type MapNode, type Node, type ScalarNode } from '../yaml/tree.ts';

/** Lists whose items must have different values of a field. Lists in one row share their names. */
const lists: readonly { readonly part: string; readonly fields: readonly string[]; readonly key: string }[] = [
  { part: 'container', fields: ['initContainers', 'containers', 'ephemeralContainers'], key: 'name' },
  { part: 'volume', fields: ['volumes'], key: 'name' },
  { part: 'port', fields: ['ports'], key: 'name' },
  { part: 'mount', fields: ['volumeMounts'], key: 'mountPath' },
];

/** The API server accepts variables with the same name, although only the last one counts. */
const listsToKeep = [...lists, { part: 'variable', fields: ['env'], key: 'name' }];

const fieldsOfLists: ReadonlySet<string> = new Set(listsToKeep.flatMap(({ fields }) => fields));

/** A name that an earlier part has. */
export interface RepeatedName {
  readonly part: string;
  /** The path of the list that contains the part, with list indexes. */
  readonly path: string;
  readonly scalar: ScalarNode;
  readonly first: ScalarNode;
}

/** Yields the names of parts that earlier parts have. Names at which `isIgnored` is true are left out. */
export function repeatedNames(root: Node, isIgnored: (span: Span) => boolean): Iterable<RepeatedName> {
  return repeatedIn(childOf(root, 'spec'), lists, isIgnored);
}

/** Returns the number of parts with the names of earlier parts in a tree, which an edit must not increase. */
export function repeatedParts(root: Node): number {
  return [...repeatedIn(root, listsToKeep, () => false)].length;
}

function* repeatedIn(
  root: Node | undefined,
  rows: typeof lists,
  isIgnored: (span: Span) => boolean,
): Iterable<RepeatedName> {
  // An alias repeats the parts of a map.
  const reported = new Set<number>();
  for (const { map, path } of mapsIn(root)) {
    // Most maps contain none of the lists.
    if (!map.entries.some(({ key }) => fieldsOfLists.has(key.text))) continue;
    for (const { part, fields, key } of rows) {
      let seen: Map<string, ScalarNode> | undefined;
      for (const field of fields)
        for (const scalar of valuesIn(childOf(map, field), key)) {
          if (isIgnored(scalar.span)) continue;
          seen ??= new Map();
          const first = seen.get(scalar.text);
          seen.set(scalar.text, first ?? scalar);
          if (first === undefined || first.span.start === scalar.span.start || reported.has(scalar.span.start))
            continue;
          reported.add(scalar.span.start);
          yield { part, path: `${path}.${field}`, scalar, first };
        }
    }
  }
}

export function repeatsNames(root: Node): boolean {
  for (const _ of repeatedNames(root, () => false)) return true;
  return false;
}

/** Returns the known values of a field in the items of a list. */
function valuesIn(list: Node | undefined, key: string): readonly ScalarNode[] {
  return itemsOf(list).flatMap((item) => {
    const value = childOf(item, key);
    return value?.kind === 'scalar' && value.pattern === undefined && value.type === 'string' ? [value] : [];
  });
}

/** Yields the maps of an object's `spec` that may contain the lists, with their paths. */
function* mapsIn(spec: Node | undefined): Iterable<{ readonly map: MapNode; readonly path: string }> {
  const waiting = [{ node: spec, path: 'spec' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path } = next;
    if (node?.kind === 'list')
      waiting.push(...node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` })));
    if (node?.kind !== 'map') continue;
    yield { map: node, path };
    for (const { key, value } of effectiveEntries(node))
      if (value.kind !== 'scalar') waiting.push({ node: value, path: `${path}.${key.text}` });
  }
}
