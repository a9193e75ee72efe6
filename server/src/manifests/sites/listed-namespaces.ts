/** Finds the namespaces that an object lists next to a selector: their names, and the field that selects all namespaces. */

import type { Reach } from '../../engine/catalogue/types.ts';
import type { Value } from '../../engine/index.ts';
import type { NamespaceNames } from '../model.ts';
import type { Node } from '../yaml/tree.ts';
import { concretePath, nodeAt } from './catalogue-paths.ts';
import { written } from './sites.ts';

/** Returns the namespaces in the fields that the catalogue defines next to the selector at `path`; undefined if these fields are not set. */
export function namespaceNames(root: Node, reach: Reach, path: string): NamespaceNames | undefined {
  if (typeof reach === 'string') return undefined;
  const at = (place: string | undefined) => (place === undefined ? undefined : nodeAt(root, concretePath(place, path)));
  const names = at(reach.namesAt);
  const any = at(reach.anyAt);
  if (names === undefined && any === undefined) return undefined;
  return {
    names: names === undefined ? [] : valuesOf(names),
    any: any?.kind === 'scalar' && (any.pattern === undefined ? /^true$/i.test(any.text) : 'unknown'),
    open: names !== undefined && isOpen(names),
    ...(names?.kind === 'scalar' && names.type !== 'null' && { isSingle: true }),
  };
}

/** Returns the values in a list of names, or the value of a single name. */
function valuesOf(node: Node): readonly Value[] {
  const items = node.kind === 'list' ? node.items : [node];
  return items.flatMap((item) => (item.kind === 'scalar' && item.type !== 'null' ? [written(item).value] : []));
}

function isOpen(node: Node): boolean {
  return node.kind === 'scalar' ? false : node.open;
}
