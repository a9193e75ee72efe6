/** May a template write labels, or more objects, where a file shows none? */

import type { KindFact } from '../engine/catalogue/types.ts';
import { entryOf, type Node } from './tree.ts';

/** True where an object has labels that nothing of it shows; those of a map that is there are its own business. */
export function hidesLabels(root: Node, { templates }: KindFact): boolean {
  // What is written beside the fields of an object may as well be another object.
  if (root.kind !== 'map' || root.open) return true;
  const paths = templates.map(({ path, labelsAt }) => labelsAt ?? (path === '' ? '' : `${path}.metadata.labels`));
  return ['metadata.labels', ...paths].some((path) => isHidden(root, path === '' ? [] : path.split('.')));
}

function isHidden(node: Node, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined || node.kind === 'scalar') return false;
  const name = step.replaceAll('[]', '');
  const entry = name === '*' ? undefined : entryOf(node, name);
  if (node.kind === 'list' || entry === undefined) return node.open;
  if (name === step) return isHidden(entry.value, rest);
  const items = entry.value;
  return items.kind === 'list' && (items.open || items.items.some((item) => isHidden(item, rest)));
}
