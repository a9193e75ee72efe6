/** Helper functions for parsing the fields of a kustomization. */

import type { Written } from '../model.ts';
import { written } from '../sites/sites.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import type { PathReference } from './model.ts';

/** Returns the path in a scalar. A string that contains line breaks is an inline patch rather than a path, so the result is empty. */
export function referenceOf(node: Node | undefined): readonly PathReference[] {
  if (node?.kind !== 'scalar' || node.text === '' || node.text.includes('\n')) return [];
  return [{ path: node.text, span: node.span }];
}

/** Returns the scalar value of a key; undefined if it is absent, null, empty or not a scalar. */
export function writtenAt(node: Node | undefined, key: string): Written | undefined {
  const found = childOf(node, key);
  return found?.kind === 'scalar' && found.type !== 'null' && found.text !== '' ? written(found) : undefined;
}

/** Returns an object with one property, or without properties if the value is undefined. */
export function named<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [K in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [K in Name]: Value }); // the only key
}

/** Whether the value of a key is the boolean `true`. */
export function isTrue(node: Node | undefined, key: string): boolean {
  return writtenAt(node, key)?.text === 'true';
}
