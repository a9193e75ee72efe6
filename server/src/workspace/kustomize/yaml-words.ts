/** Converts words such as `yes` and `y` to strings: kustomize parses resources and patches as YAML 1.2, in which they are not booleans. */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import { isOldBoolean } from '../../manifests/yaml/scalar-types.ts';
import type { MapNode, Node, ScalarNode } from '../../manifests/yaml/tree.ts';
import { listOf, mapOf } from './edit-tree.ts';
import { partialTree } from './partial-tree.ts';

/** Rebuilds the tree of an object as kustomize parses it; returns `tree` itself if the labels and selectors contain no such word. */
export function kustomizeTree(object: ManifestObject, tree = partialTree(object)): MapNode {
  const { labelSites, selectorSites } = object;
  const hasWord = labelSites.some(containsWord) || selectorSites.some(containsWord);
  return hasWord ? withStringsInMap(tree) : tree;
}

function containsWord({ entries }: Pick<ManifestObject['labelSites'][number], 'entries'>): boolean {
  return entries.some(({ key, value }) => isWord(key) || isWord(value));
}

/** Whether a scalar is a boolean only in YAML 1.1. With a tag such as `!!bool`, it is not a string in YAML 1.2 either. */
function isWord({ type, text, tagged }: Pick<Written, 'type' | 'text' | 'tagged'>): boolean {
  return type === 'boolean' && tagged === undefined && isOldBoolean(text);
}

function withStrings(node: Node): Node {
  if (node.kind === 'scalar') return asString(node);
  return node.kind === 'map' ? withStringsInMap(node) : listOf(node.items.map(withStrings), node.span, node.open);
}

function withStringsInMap(map: MapNode): MapNode {
  const entries = map.entries.map((entry) => ({ ...entry, key: asString(entry.key), value: withStrings(entry.value) }));
  return { ...map, ...mapOf(entries, map.span, map.open) };
}

function asString(scalar: ScalarNode): ScalarNode {
  return isWord(scalar) ? { ...scalar, type: 'string' } : scalar;
}
