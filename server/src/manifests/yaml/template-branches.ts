/** Separates the branches of a template's blocks, which never exist together, in the tree of the template's text. */

import type { Span } from '../../text/span.ts';
import { branchesOf, regionsAround } from '../placeholders/conditionals.ts';
import type { BlankedText } from '../placeholders/placeholders.ts';
import type { Node } from './tree.ts';

/** Returns the value of a key without the content in other branches of the blocks that contain the key. After `else`, such content belongs to an outer collection, even if it is indented more deeply than the last entry before `else`. */
export function withoutOtherBranches(value: Node, key: number, conditionals: BlankedText['conditionals']): Node {
  if (value.kind === 'scalar' || value.flow) return value;
  const { end } = value.span;
  const others = regionsAround(conditionals, key)
    .filter((region) => region.end < end)
    .flatMap(({ block }) => branchesOf(conditionals, block))
    .filter(({ start }) => start > key && start < end);
  return others.length === 0 ? value : withoutRegions(value, others);
}

/** Returns a collection without the entries and items that begin in some regions. A collection that loses any of them is open. */
function withoutRegions(node: Node, regions: readonly Span[]): Node {
  if (node.kind === 'scalar' || node.flow) return node;
  const isOutside = (offset: number) => !regions.some(({ start, end }) => start <= offset && offset < end);
  if (node.kind === 'list') {
    const items = node.items.filter((item) => isOutside(item.span.start));
    const open = node.open || items.length < node.items.length;
    return { ...node, open, items: items.map((item) => withoutRegions(item, regions)) };
  }
  const entries = node.entries.filter(({ key, merged }) => merged || isOutside(key.span.start));
  const open = node.open || entries.length < node.entries.length;
  return { ...node, open, entries: entries.map((each) => ({ ...each, value: withoutRegions(each.value, regions) })) };
}
