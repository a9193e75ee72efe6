/** What stands on the way to labels and selectors and decides what a patch does? Nulls, `$patch`, the lengths of lists. */

import type { Mark } from './manifest.ts';
import type { Branch } from './places.ts';
import { childOf, type Node } from './tree.ts';

/** The marks of an object whose kind has the places of `branch`. */
export function marksOf(root: Node, branch: Branch): readonly Mark[] {
  const marks: Mark[] = [];
  visit(root, '', branch, marks);
  const metadata = childOf(root, 'metadata');
  markNode(metadata, 'metadata', marks);
  for (const key of ['labels', 'annotations']) markNode(childOf(metadata, key), `metadata.${key}`, marks);
  return marks;
}

function markNode(node: Node | undefined, path: string, marks: Mark[]): void {
  if (node?.kind === 'scalar' && node.type === 'null') marks.push({ path, is: 'null' });
  const directive = childOf(node, '$patch');
  if (directive?.kind !== 'scalar') return;
  const is = directive.text;
  if (is === 'delete' || is === 'replace' || is === 'merge') marks.push({ path, is });
}

/** Volumes are merged by their names: how many there are decides nothing, and most pods have some. */
function visit(node: Node, path: string, branch: Branch, marks: Mark[]): void {
  markNode(node, path, marks);
  if (node.kind === 'list') {
    const items = branch.children.get('[]');
    if (items === undefined) return;
    if (!path.endsWith('.volumes')) marks.push({ path, is: node.items.length });
    for (const [index, item] of node.items.entries()) {
      const at = `${path}[${index}]`;
      const name = childOf(item, 'name');
      if (name?.kind === 'scalar' && !path.endsWith('.volumes')) marks.push({ path: at, is: { name: name.text } });
      visit(item, at, items, marks);
    }
  } else if (node.kind === 'map' && branch.children.size > 0) {
    const every = branch.children.get('*');
    for (const { key, value } of node.entries) {
      const next = branch.children.get(key.text) ?? every;
      if (next !== undefined) visit(value, path === '' ? key.text : `${path}.${key.text}`, next, marks);
    }
  }
}
