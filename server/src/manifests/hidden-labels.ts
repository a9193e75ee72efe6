/** May a template write labels, or more objects, where a file shows none? */

import type { KindFact } from '../engine/catalogue/types.ts';
import { entryOf, type Node } from './tree.ts';

/** True where an object has labels that nothing of it shows; those of a map that is there are its own business. */
export function hidesLabels(root: Node, facts: KindFact): boolean {
  // What is written beside the fields of an object may as well be another object.
  if (root.kind !== 'map' || root.open) return true;
  return placesOf(facts).some((steps) => isHidden(root, steps));
}

const places = new WeakMap<KindFact, readonly (readonly string[])[]>();

/** The keys that lead to the labels of an object and of what it makes. */
function placesOf(facts: KindFact): readonly (readonly string[])[] {
  const known = places.get(facts);
  if (known !== undefined) return known;
  const made = facts.templates.flatMap(({ path, labelsAt }) => {
    if (labelsAt !== undefined) return [labelsAt.split('.')];
    return path === '' ? [] : [`${path}.metadata.labels`.split('.')];
  });
  const all = [['metadata', 'labels'], ...made];
  places.set(facts, all);
  return all;
}

function isHidden(node: Node, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return false;
  if (node.kind === 'scalar') return node.pattern !== undefined;
  const name = step.replaceAll('[]', '');
  const entry = name === '*' ? undefined : entryOf(node, name);
  if (node.kind === 'list' || entry === undefined) return node.open;
  if (name === step) return isHidden(entry.value, rest);
  const items = entry.value;
  return items.kind === 'list' && (items.open || items.items.some((item) => isHidden(item, rest)));
}
