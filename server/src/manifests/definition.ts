/** Which kind does an object define, and by which of its fields can its objects be selected? */

import type { GroupKind } from '../engine/catalogue/types.ts';
import { childOf, type Node, nodeAt } from './tree.ts';

/** What a CustomResourceDefinition says. */
export interface Definition extends GroupKind {
  /** Of all its versions, beside those of every kind; undefined where a template writes some. */
  readonly selectableFields?: readonly string[];
}

const definitions = 'apiextensions.k8s.io';

export function definitionOf(group: string, root: Node): Definition | undefined {
  if (group !== definitions) return undefined;
  const kind = textOf(nodeAt(root, 'spec', 'names', 'kind'));
  const defined = textOf(nodeAt(root, 'spec', 'group'));
  if (kind === undefined || defined === undefined) return undefined;
  const versions = nodeAt(root, 'spec', 'versions');
  const fields = listOf(versions)?.flatMap((version) => {
    const list = childOf(version, 'selectableFields');
    return list === undefined ? [] : (listOf(list)?.map((item) => textOf(childOf(item, 'jsonPath'))) ?? [undefined]);
  });
  const known = fields?.flatMap((path) => (path === undefined ? [] : path.replace(/^\./, '')));
  const isWhole = fields !== undefined && known?.length === fields.length;
  return { group: defined, kind, ...(isWhole && { selectableFields: known }) };
}

/** The items of a list that no template changes. */
function listOf(node: Node | undefined): readonly Node[] | undefined {
  return node?.kind === 'list' && !node.open ? node.items : undefined;
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.pattern === undefined && node.text !== '' ? node.text : undefined;
}
