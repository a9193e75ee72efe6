/** Determines the fields of an object that a patch or another transformer replaces, including fields without labels and selectors. */

import type { Span } from '../../text/span.ts';
import type { ManifestObject } from '../model.ts';
import { childOf, isNull, itemsOf, type Node, nodeAt, textOf } from '../yaml/tree.ts';
import { hasSchema, mergeKeysOf } from './merge-keys.ts';

/** A path in an object: keys, and items of lists. An item is `[` followed by its merge key; the position of an item is a number, or `-` for the end of the list. */
export type FieldPath = readonly string[];

/** Returns the segments of a concrete path such as `spec.ports[0].name`. */
export function fieldPath(path: string): FieldPath {
  return path.split(/[.[\]]+/).filter((segment) => segment !== '');
}

/** The maximum number of paths that are stored for a patch. */
const maximumPaths = 100;

/** Returns the fields that a patch certainly or possibly replaces, as JSON pointers; undefined if there are too many. */
export function replacedFields(root: Node, group: string): readonly string[] | undefined {
  const found: string[] = [];
  const visit = (node: Node, path: string, parent: string, field: string): void => {
    if (found.length > maximumPaths) return;
    if (node.kind === 'map' && !node.open && childOf(node, '$patch') === undefined) {
      for (const { key, value } of node.entries) visit(value, `${path}/${pointerSegment(key.text)}`, field, key.text);
      return;
    }
    const mergeKey = node.kind === 'list' && !node.open ? mergeKeyOf(group, parent, field) : undefined;
    const names = mergeKey === undefined ? [] : itemsOf(node).map((item) => textOf(childOf(item, mergeKey)));
    if (mergeKey === undefined || names.includes(undefined)) found.push(path);
    else
      for (const [index, item] of itemsOf(node).entries())
        visit(item, `${path}/[${pointerSegment(names[index] ?? '')}`, '', field);
  };
  visit(root, '', '', '');
  const identity = new Set(['/apiVersion', '/kind', '/metadata/namespace']);
  return found.length > maximumPaths ? undefined : found.filter((path) => !identity.has(path));
}

/** Returns the first of the merge keys of a list: items that differ only in the others possibly replace each other. */
function mergeKeyOf(group: string, parent: string, field: string): string | undefined {
  return hasSchema(group) ? mergeKeysOf(parent, field)?.[0] : undefined;
}

/** Returns a segment as it is written in a JSON pointer. */
export function pointerSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function segmentsOfPointer(pointer: string): FieldPath {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The fields without which the API server rejects an object of a kind, so that a document without them is a patch; for the other kinds, a patch is not recognized. */
const requiredFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['Deployment', ['selector']],
  ['StatefulSet', ['selector']],
  ['DaemonSet', ['selector']],
  ['Service', ['ports', 'externalName']],
  ['Ingress', ['rules', 'defaultBackend']],
  ['HelmRelease', ['interval']],
]);

/** Whether a document can only be a patch, because a required field is absent. */
export function isIncomplete({ kind }: Pick<ManifestObject, 'kind'>, root: Node): boolean {
  return requiredFields.get(kind)?.every((field) => nodeAt(root, 'spec', field) === undefined) ?? false;
}

/** Returns the path of the scalar, or of the key, at an offset in an object; undefined if there is none. If the node is a part of the object, `above` is its path. */
export function pathAt(
  root: Node | undefined,
  group: string,
  offset: number,
  above: FieldPath = [],
): FieldPath | undefined {
  const contains = ({ span }: { readonly span: Span }) => span.start <= offset && offset < span.end;
  const path = [...above];
  let node: Node | undefined = root;
  let [field = '', parent = ''] = above.filter((segment) => !isItem(segment)).toReversed();
  while (node !== undefined && node.kind !== 'scalar') {
    let next: Node | undefined;
    if (node.kind === 'map') {
      const entry = node.entries.find(({ key, value }) => contains(key) || contains(value));
      if (entry === undefined) return undefined;
      path.push(entry.key.text);
      [parent, field] = [field, entry.key.text];
      next = contains(entry.key) ? entry.key : entry.value;
    } else {
      next = node.items.find(contains);
      const mergeKey = mergeKeyOf(group, parent, field);
      path.push(`[${mergeKey === undefined ? '' : (textOf(childOf(next, mergeKey)) ?? '')}`);
    }
    node = next;
  }
  return node === undefined ? undefined : path;
}

/** Whether a change of one field also changes the field at a path. */
export function isWithinField(path: FieldPath, field: FieldPath): boolean {
  return field.length <= path.length && field.every((segment, index) => mayBeEqual(segment, path[index] ?? ''));
}

function mayBeEqual(a: string, b: string): boolean {
  return a === b || (isPosition(a) && isItem(b)) || (isPosition(b) && isItem(a));
}

function isItem(segment: string): boolean {
  return isPosition(segment) || segment.startsWith('[');
}

function isPosition(segment: string): boolean {
  return /^(?:\d+|-)$/.test(segment);
}

/** Returns the fields that a JSON patch replaces or removes. An operation that inserts an item into a list replaces nothing. */
export function fieldsOfOperations(operations: Node): readonly FieldPath[] {
  return itemsOf(operations).flatMap((operation): readonly FieldPath[] => {
    const [op, path, from] = ['op', 'path', 'from'].map((key) => textOf(childOf(operation, key)) ?? '');
    if (op === 'test') return [];
    const target = segmentsOfPointer(path ?? '');
    const inserts = (op === 'add' || op === 'copy' || op === 'move') && isPosition(target.at(-1) ?? '');
    return [...(inserts ? [] : [target]), ...(op === 'move' ? [segmentsOfPointer(from ?? '')] : [])];
  });
}

/** Returns the fields in which the operations of a JSON patch write or remove something, including lists into which they insert items. */
export function fieldsWrittenBy(operations: Node): readonly FieldPath[] {
  return itemsOf(operations).flatMap((operation) =>
    textOf(childOf(operation, 'op')) === 'test'
      ? []
      : ['path', 'from'].flatMap((key) => {
          const pointer = textOf(childOf(operation, key));
          return pointer === undefined ? [] : [segmentsOfPointer(pointer)];
        }),
  );
}

/** Returns the path of the field that an operation of a JSON patch writes at an offset; undefined if there is none. */
export function pathInOperations(operations: Node, group: string, offset: number): FieldPath | undefined {
  for (const operation of itemsOf(operations)) {
    if (offset < operation.span.start || operation.span.end <= offset) continue;
    const value = childOf(operation, 'value');
    const target = segmentsOfPointer(textOf(childOf(operation, 'path')) ?? '');
    return value === undefined || isNull(value) ? undefined : pathAt(value, group, offset, target);
  }
  return undefined;
}
