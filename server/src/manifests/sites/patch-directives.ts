/** Finds the nodes that determine the effect of a patch on labels and selectors: nulls, `$patch` directives, and the lengths of lists. */

import type { KindFact } from '../../engine/catalogue/types.ts';
import type { Mark, SelectorSite } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { type Branch, nodeAt } from './catalogue-paths.ts';

/** Returns the nodes of an object that affect a patch; `branch` contains the relevant paths of its kind. If the kind is unknown, any path may be relevant. */
export function marksOf(root: Node, branch: Branch, isKnown: boolean): readonly Mark[] {
  const marks: Mark[] = [];
  if (isKnown) visit(root, '', branch, marks);
  else visitMaps(root, '', marks, new Set());
  const metadata = childOf(root, 'metadata');
  markNode(metadata, 'metadata', marks);
  for (const key of ['labels', 'annotations']) markNode(childOf(metadata, key), `metadata.${key}`, marks);
  return marks;
}

/** Returns the nodes with the namespaces that a patch lists next to selectors, if they are not part of the site of a selector. */
export function namespaceMarks(
  root: Node,
  { selectors }: KindFact,
  sites: readonly Pick<SelectorSite, 'path' | 'namespaces'>[],
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const { path, reach } of selectors) {
    if (typeof reach === 'string') continue;
    const isShown = sites.some((site) => site.path === path && site.namespaces !== undefined);
    for (const at of [reach.namesAt, reach.anyAt]) {
      // A patch replaces an item of a list together with its selector.
      if (at === undefined || at.includes('[')) continue;
      const steps = at.split('.');
      for (const [index] of steps.entries()) {
        const above = steps.slice(0, index + 1).join('.');
        markNode(nodeAt(root, above), above, marks);
      }
      if (!isShown) markNames(nodeAt(root, at), at, marks);
    }
  }
  return marks;
}

function markNames(node: Node | undefined, path: string, marks: Mark[]): void {
  if (node?.kind === 'list') {
    marks.push({ path, is: node.items.length });
    for (const [index, item] of node.items.entries()) markNames(item, `${path}[${index}]`, marks);
  } else if (node?.kind === 'scalar' && node.type !== 'null') {
    const { text, pattern } = node;
    marks.push({ path, is: pattern === undefined ? { text } : { text, pattern } });
  }
}

function markNode(node: Node | undefined, path: string, marks: Mark[]): void {
  if (node?.kind === 'scalar' && node.type === 'null') marks.push({ path, is: 'null' });
  const directive = childOf(node, '$patch');
  if (directive?.kind !== 'scalar') return;
  const is = directive.text;
  if (is === 'delete' || is === 'replace' || is === 'merge') marks.push({ path, is });
}

/** Visits only maps, because a patch for an unknown kind replaces lists as a whole. */
function visitMaps(node: Node, path: string, marks: Mark[], seen: Set<Node>): void {
  if (node.kind === 'list' || seen.has(node)) return;
  seen.add(node);
  markNode(node, path, marks);
  if (node.kind !== 'map') return;
  for (const { key, value } of node.entries) {
    if (path === '' && key.text === 'metadata') continue;
    if (/^[\w-]+$/.test(key.text)) visitMaps(value, path === '' ? key.text : `${path}.${key.text}`, marks, seen);
  }
}

/** Visits all nodes on the paths in `branch` except volumes. Volumes are merged by name, so their number has no effect, and most pods have volumes. */
function visit(node: Node, path: string, branch: Branch, marks: Mark[]): void {
  markNode(node, path, marks);
  if (node.kind === 'list') {
    const items = branch.children.get('[]');
    if (items === undefined) return;
    if (!path.endsWith('.volumes')) marks.push({ path, is: node.items.length });
    for (const [index, item] of node.items.entries()) {
      const at = `${path}[${index}]`;
      const key = path.endsWith('opologySpreadConstraints') ? 'whenUnsatisfiable' : 'name';
      const found = childOf(item, key);
      if (found?.kind === 'scalar' && !path.endsWith('.volumes')) {
        marks.push({ path: `${at}.${key}`, is: { text: found.text } });
      }
      visit(item, at, items, marks);
    }
  } else if (node.kind === 'map' && branch.children.size > 0) {
    const every = branch.children.get('*');
    for (const { key, value } of node.entries) {
      const next = branch.children.get(key.text) ?? every;
      if (next === undefined) continue;
      const below = path === '' ? key.text : `${path}.${key.text}`;
      // Scalars that are not null have no effect on how a patch is applied.
      if (value.kind !== 'scalar' || value.type === 'null') visit(value, below, next, marks);
      else if (next.places.some(({ kind }) => kind === 'switch')) marks.push({ path: below, is: { text: value.text } });
    }
  }
}
