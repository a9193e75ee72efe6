/** Applies strategic merge patches as kustomize does: maps are merged by key, and a few lists by a field of their items. */

import { isMergedSet, mergeKeysOf } from '../../manifests/kustomize/merge-keys.ts';
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

/** Returns the patched object; undefined if the patch deletes it. */
export function mergedByPatch(target: MapNode, patch: Node, merging: Merging): MapNode | undefined {
  const merged = merge(target, patch, merging, '', '');
  return merged?.kind === 'map' ? merged : undefined;
}

export interface Merging {
  readonly source: Source;
  readonly overwriting: Overwriting;
  /** Whether kustomize has a schema of the kind. It has schemas only for built-in kinds. */
  readonly knowsLists: boolean;
}

/** Merges a patch into a field, or into an item of a list; `parent` and `field` are as in `mergeKeysOf`. */
function merge(
  target: Node | undefined,
  patch: Node,
  merging: Merging,
  parent: string,
  field: string,
): Node | undefined {
  if (isNull(patch)) return undefined;
  if (patch.kind === 'map') return mergedMap(target, patch, merging, field);
  if (patch.kind === 'list' && target?.kind === 'list' && merging.knowsLists) {
    const keys = mergeKeysOf(parent, field);
    if (keys !== undefined) return mergedList(target, patch, keys, merging, field);
    if (isMergedSet(field)) return mergedSet(target, patch, merging);
  }
  const after = withOrigin(target, adopted(patch, merging.source));
  return patch.kind === 'scalar' ? merging.overwriting.over(target, after) : after;
}

function mergedMap(target: Node | undefined, patch: MapNode, merging: Merging, field: string): Node | undefined {
  const described = childOf(patch, '$patch');
  const directive = described?.kind === 'scalar' ? described.text : 'merge';
  if (directive === 'delete') return undefined;
  const bare = withoutEntry(patch, '$patch');
  if (directive === 'replace' || target?.kind !== 'map') return withoutDirectives(adopted(bare, merging.source));
  let merged = target;
  for (const entry of effectiveEntries(bare)) {
    const name = entry.key.text;
    const value = merge(childOf(target, name), entry.value, merging, field, name);
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

/** Whether an item of a patch and an item of the list have equal values of the keys; a key may be absent from both. */
function areSame(target: Node, item: Node, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const wanted = childOf(item, key);
    const found = childOf(target, key);
    if (wanted === undefined || found === undefined) return wanted === found;
    return wanted.kind === 'scalar' && found.kind === 'scalar' && found.text === wanted.text;
  });
}

/** Merges two lists. As in kustomize, the items of the patch come first, except those that are merged by several keys. An item of the patch has no effect if only the absence of a key distinguishes it from an item of the list. */
function mergedList(
  target: ListNode,
  patch: ListNode,
  keys: readonly string[],
  merging: Merging,
  field: string,
): ListNode {
  const isKeyed = (item: Node) => keys.some((key) => childOf(item, key) !== undefined);
  const first = patch.items.find((item) => childOf(item, '$patch') !== undefined && !isKeyed(item));
  if (first !== undefined) {
    const items = patch.items.filter((item) => item !== first).map((item) => adopted(item, merging.source));
    return listOf(items, target.span, target.open);
  }
  const [, ...secondary] = keys;
  const used = secondary.filter((key) => [...target.items, ...patch.items].some((item) => childOf(item, key)));
  const patched: Node[] = [];
  let others: readonly Node[] = target.items;
  for (const item of patch.items) {
    const same = isKeyed(item) ? others.find((each) => areSame(each, item, keys)) : undefined;
    const inBoth = (each: Node) => keys.filter((key) => childOf(each, key) && childOf(item, key));
    if (same === undefined && used.length > 0 && others.some((each) => areSame(each, item, inBoth(each)))) continue;
    const merged = merge(same, item, merging, '', field);
    if (same !== undefined && used.length > 0)
      others = others.flatMap((each) => (each === same ? (merged ?? []) : each));
    else {
      others = others.filter((each) => each !== same);
      if (merged !== undefined) patched.push(merged);
    }
  }
  return listOf([...patched, ...others], target.span, target.open || patch.open);
}

/** Merges two lists of distinct values. */
function mergedSet(target: ListNode, patch: ListNode, merging: Merging): ListNode {
  const textIn = (item: Node) => (item.kind === 'scalar' ? item.text : undefined);
  const texts = new Set(patch.items.map(textIn));
  const items = patch.items.map((item) => adopted(item, merging.source));
  const others = target.items.filter((item) => !texts.has(textIn(item)));
  return listOf([...items, ...others], target.span, target.open || patch.open);
}
