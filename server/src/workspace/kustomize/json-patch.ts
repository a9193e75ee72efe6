/** Applies JSON patches (RFC 6902) to objects, on trees that contain only the parts that labels and selectors need. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { segmentsOfPointer } from '../../manifests/kustomize/replaced-paths.ts';
import {
  childOf,
  type ListNode,
  type MapNode,
  maximumDepth,
  type Node,
  type ScalarNode,
  textOf,
} from '../../manifests/yaml/tree.ts';
import { adopted, entryFor, listOf, mapOf, type Source, scalarOf, withEntry, withoutEntry } from './edit-tree.ts';
import { identityOf } from './resource.ts';

/** Returns the patched object. An operation on a path outside of the tree has no effect. `report` is called for the path of a label, an annotation or a part of a selector that an operation removes although the object does not have it. */
export function patchedByOperations(
  target: MapNode,
  operations: Node,
  source: Source,
  report?: (path: ScalarNode) => void,
): MapNode {
  if (operations.kind !== 'list') return target;
  let result: Node = target;
  for (const operation of operations.items) {
    const path = childOf(operation, 'path');
    if (report !== undefined && textOf(childOf(operation, 'op')) === 'remove' && path?.kind === 'scalar')
      if (path.pattern === undefined && isAbsent(result, segmentsOfPointer(path.text))) report(path);
    result = applied(result, operation, source);
  }
  return result.kind === 'map' ? result : target;
}

/** Matches the paths of maps whose entries are all in the trees of objects that have them. */
const wholeMap = /^(?:spec\/template\/)?metadata\/(?:labels|annotations)$/;

/** Matches the paths of selectors that are completely in the trees of objects of built-in kinds. */
const wholeSelector = /^spec\/(?:selector(?:\/matchLabels)?|(?:template\/spec\/)?nodeSelector)$/;

/** Whether a path is that of a label, an annotation or a part of a selector that an object certainly does not have. */
function isAbsent(target: Node, path: readonly string[]): boolean {
  const above = path.slice(0, -1);
  const at = above.join('/');
  if (!wholeMap.test(at) && !(wholeSelector.test(at) && isBuiltIn(identityOf(target).group))) return false;
  const map = nodeAt(target, above);
  // The labels of an object itself are in the tree, whatever its kind is.
  if (map === undefined) return above[0] === 'metadata' && nodeAt(target, ['metadata'])?.kind === 'map';
  if (map.kind !== 'map' || map.open) return false;
  return !map.entries.some(({ key }) => key.text === path.at(-1) || key.pattern !== undefined);
}

function applied(target: Node, operation: Node, source: Source): Node {
  const op = textOf(childOf(operation, 'op'));
  const path = textOf(childOf(operation, 'path'));
  // The text before the first slash is ignored.
  if (path === undefined || !path.includes('/')) return target;
  const segments = segmentsOfPointer(path);
  if (segments.length > maximumDepth) return target;
  // The value of a label is no map, so kustomize fails.
  if (wholeMap.test(segments.slice(0, -2).join('/'))) return target;
  const pathNode = childOf(operation, 'path');
  const value = childOf(operation, 'value');
  const put: Change = { op: 'replace', key: pathNode, value: undefined, source };
  switch (op) {
    case 'add':
    case 'replace':
      return value === undefined ? target : changed(target, segments, { ...put, op, value: adopted(value, source) });
    case 'remove':
      return changed(target, segments, { ...put, op });
    case 'move':
    case 'copy': {
      const from = segmentsOfPointer(textOf(childOf(operation, 'from')) ?? '');
      if (from.length === 0) return target;
      const found = nodeAt(target, from) ?? unknownNode(pathNode, source);
      const rest = op === 'move' ? changed(target, from, { ...put, op: 'remove' }) : target;
      return changed(rest, segments, { ...put, op: 'add', value: found });
    }
    default:
      return target;
  }
}

/** Returns an unknown node, for a value that is copied from a path outside of the tree. */
function unknownNode(at: Node | undefined, source: Source): Node {
  const span = at?.span ?? source.anchor;
  return adopted({ ...scalarOf('copied', span), pattern: '*' }, source);
}

function nodeAt(node: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((at, segment) => {
    return at?.kind === 'list' ? at.items[Number(segment)] : childOf(at, segment);
  }, node);
}

interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  /** The node of the path, which contains the key of an added value. */
  readonly key: Node | undefined;
  readonly value: Node | undefined;
  readonly source: Source;
}

function changed(node: Node, path: readonly string[], change: Change): Node {
  const [segment, ...rest] = path;
  if (segment === undefined) return change.value ?? node;
  if (node.kind === 'list') return changedList(node, segment, rest, change);
  if (node.kind !== 'map') return node;
  if (rest.length > 0) {
    const child = childOf(node, segment) ?? newChild(rest, change);
    if (child === undefined) return node;
    return withEntry(node, entryFor(keyOf(segment, change), changed(child, rest, change)));
  }
  if (change.op === 'remove') return withoutEntry(node, segment);
  if (change.value === undefined) return node;
  return withEntry(node, entryFor(keyOf(segment, change), change.value));
}

/** Returns a node for a missing part of the path. A missing map contains nothing relevant, but a missing list may. */
function newChild(rest: readonly string[], { op, source }: Change): Node | undefined {
  if (op === 'remove' || /^(?:\d+|-)$/.test(rest[0] ?? '')) return undefined;
  return mapOf([], source.anchor);
}

function keyOf(segment: string, { key, source }: Change) {
  return adopted(scalarOf(segment, key?.span ?? source.anchor), source);
}

function changedList(node: ListNode, segment: string, rest: readonly string[], change: Change): Node {
  const at = segment === '-' ? node.items.length : Number.parseInt(segment, 10);
  if (Number.isNaN(at) || at < 0) return node;
  const items = [...node.items];
  if (rest.length > 0) {
    const child = items[at];
    if (child === undefined) return node;
    items[at] = changed(child, rest, change);
  } else if (change.op === 'remove') {
    items.splice(at, 1);
  } else if (change.value !== undefined) {
    items.splice(at, change.op === 'replace' ? 1 : 0, change.value);
  }
  return listOf(items, node.span, node.open);
}
