/** Applies strategic merge patches as kustomize does: maps are merged by key, and a few lists by a field of their items. */

import {
  childOf,
  effectiveEntries,
  isNull,
  type ListNode,
  type MapNode,
  type Node,
} from '../../manifests/yaml/tree.ts';
import {
  adopted,
  listOf,
  mapOf,
  type Overwriting,
  type Source,
  withEntry,
  withOrigin,
  withoutEntry,
} from './edit-tree.ts';

/** Lists of built-in kinds whose items are identified by fields; all other lists are replaced as a whole. */
const mergeKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['containers', ['name']],
  ['initContainers', ['name']],
  ['ephemeralContainers', ['name']],
  ['volumes', ['name']],
  ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable']],
  ['webhooks', ['name']],
]);

/** Returns the merge keys of a list. The ports of a container are identified by their number; the ports of a network policy are replaced as a whole. */
function mergeKeysOf(field: string, target: ListNode): readonly string[] | undefined {
  if (field !== 'ports') return mergeKeys.get(field);
  return target.items.some((item) => childOf(item, 'containerPort') !== undefined) ? ['containerPort'] : undefined;
}

/** Returns the patched object; undefined if the patch deletes it. */
export function mergedByPatch(target: MapNode, patch: Node, merging: Merging): MapNode | undefined {
  const merged = merge(target, patch, merging, '');
  return merged?.kind === 'map' ? merged : undefined;
}

export interface Merging {
  readonly source: Source;
  readonly overwriting: Overwriting;
  /** Whether kustomize has a schema of the kind. It has schemas only for built-in kinds. */
  readonly knowsLists: boolean;
}

function merge(target: Node | undefined, patch: Node, merging: Merging, field: string): Node | undefined {
  if (isNull(patch)) return undefined;
  if (patch.kind === 'map') return mergedMap(target, patch, merging);
  if (patch.kind === 'list' && target?.kind === 'list') {
    const keys = merging.knowsLists ? mergeKeysOf(field, target) : undefined;
    if (keys !== undefined) return mergedList(target, patch, keys, merging);
  }
  const after = withOrigin(target, adopted(patch, merging.source));
  return patch.kind === 'scalar' ? merging.overwriting.over(target, after) : after;
}

function mergedMap(target: Node | undefined, patch: MapNode, merging: Merging): Node | undefined {
  const described = childOf(patch, '$patch');
  const directive = described?.kind === 'scalar' ? described.text : 'merge';
  if (directive === 'delete') return undefined;
  const bare = withoutEntry(patch, '$patch');
  if (directive === 'replace' || target?.kind !== 'map') return withoutDirectives(adopted(bare, merging.source));
  let merged = target;
  for (const entry of effectiveEntries(bare)) {
    const name = entry.key.text;
    const value = merge(childOf(target, name), entry.value, merging, name);
    if (value === undefined) merged = withoutEntry(merged, name);
    else {
      const key = adopted(entry.key, merging.source);
      merged = withEntry(merged, { key, value, merged: false, conditional: entry.conditional });
    }
  }
  return bare.open ? { ...merged, open: true } : merged;
}

/** Returns a part of a patch that has no counterpart in the target, without merge directives and nulls. */
function withoutDirectives(node: Node): Node {
  if (node.kind !== 'map') return node;
  const entries = node.entries.flatMap((entry) => {
    if (entry.key.text === '$patch' || isNull(entry.value)) return [];
    if (entry.value.kind !== 'map') return entry;
    const described = childOf(entry.value, '$patch');
    return described?.kind === 'scalar' && described.text === 'delete'
      ? []
      : { ...entry, value: withoutDirectives(entry.value) };
  });
  return mapOf(entries, node.span, node.open);
}

/** Whether an item of a patch, in which some keys may be missing, selects an item of the list. */
function isMeant(target: Node, item: Node, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const wanted = childOf(item, key);
    const found = childOf(target, key);
    return wanted === undefined || (wanted.kind === 'scalar' && found?.kind === 'scalar' && found.text === wanted.text);
  });
}

/** Merges two lists. The items of the patch come first, as in kustomize. */
function mergedList(target: ListNode, patch: ListNode, keys: readonly string[], merging: Merging): ListNode {
  const isKeyed = (item: Node) => keys.some((key) => childOf(item, key) !== undefined);
  const first = patch.items.find((item) => childOf(item, '$patch') !== undefined && !isKeyed(item));
  if (first !== undefined) {
    const items = patch.items.filter((item) => item !== first).map((item) => adopted(item, merging.source));
    return listOf(items, target.span, target.open);
  }
  const patched: Node[] = [];
  let others: readonly Node[] = target.items;
  for (const item of patch.items) {
    const same = isKeyed(item) ? others.find((each) => isMeant(each, item, keys)) : undefined;
    others = others.filter((each) => each !== same);
    const merged = merge(same, item, merging, '');
    if (merged !== undefined) patched.push(merged);
  }
  return listOf([...patched, ...others], target.span, target.open || patch.open);
}
