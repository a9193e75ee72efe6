/** Determines whether a template may add labels or objects that are not visible in the file. */

import type { KindFact } from '../../engine/catalogue/types.ts';
import { entryOf, type Node } from '../yaml/tree.ts';

/** Whether a template may add a map of labels that the object does not contain. Entries that a template adds to existing maps of labels are ignored. */
export function hidesLabels(root: Node, facts: KindFact): boolean {
  // Lines that a template adds at the top level of an object may contain any field, and even another object.
  if (root.kind !== 'map' || root.open) return true;
  return pathsOf(facts).some((steps) => isHidden(root, steps, 0));
}

/** A key on a path. If the value of the key is a list, the path continues in all of its items. */
interface Step {
  readonly name: string;
  readonly isList: boolean;
}

const places = new WeakMap<KindFact, readonly (readonly Step[])[]>();

/** Returns the paths of the labels of an object and of the objects that it creates. */
function pathsOf(facts: KindFact): readonly (readonly Step[])[] {
  const known = places.get(facts);
  if (known !== undefined) return known;
  const made = facts.templates.flatMap(({ path, labelsAt }) => {
    if (labelsAt !== undefined) return [labelsAt];
    return path === '' ? [] : [`${path}.metadata.labels`];
  });
  const all = ['metadata.labels', ...made].map((path) => {
    return path.split('.').map((step) => ({ name: step.replaceAll('[]', ''), isList: step.endsWith('[]') }));
  });
  places.set(facts, all);
  return all;
}

function isHidden(node: Node, steps: readonly Step[], at: number): boolean {
  const step = steps[at];
  if (step === undefined) return false;
  if (node.kind === 'scalar') return node.pattern !== undefined;
  const entry = step.name === '*' ? undefined : entryOf(node, step.name);
  if (node.kind === 'list' || entry === undefined) return node.open;
  const { value } = entry;
  if (!step.isList) return isHidden(value, steps, at + 1);
  return value.kind === 'list' && (value.open || value.items.some((item) => isHidden(item, steps, at + 1)));
}
