/**
 * Where does an object of a kind that nobody knows hold labels and selectors? By their shape: a map with `matchLabels` or
 * `matchExpressions` is a label selector, one with `metadata` and a pod's `spec` a pod template. What they mean is
 * unknown, so that nothing certain is ever said of them.
 */

import type { GroupKind, KindFact, LabelPlace, SelectorFact, TemplateFact } from '../engine/catalogue/types.ts';
import { childOf, type Node } from './tree.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };

/** The facts that the shape of one object suggests. */
export function shapesOf(root: Node, type: GroupKind): KindFact {
  const selectors = new Map<string, SelectorFact>();
  const templates = new Map<string, TemplateFact>();
  const labels: LabelPlace[] = [];
  const seen = new Set<Node>();
  const visit = (node: Node, path: string): void => {
    // An alias shows one node at many places, and a hostile file at exponentially many.
    if (node.kind === 'scalar' || seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'list') {
      for (const item of node.items) visit(item, `${path}[]`);
      return;
    }
    if (isLabelSelector(node)) selectors.set(path, selectorFact(path));
    if (isPodTemplate(node)) {
      templates.set(path, { path, makes: pod, open: true });
      labels.push({ path: `${path}.metadata.labels`, holds: 'labels', of: pod });
    }
    for (const entry of node.entries) {
      if (entry.key.text.includes('.') || entry.key.pattern !== undefined) continue;
      visit(entry.value, path === '' ? entry.key.text : `${path}.${entry.key.text}`);
    }
  };
  visit(root, '');
  return {
    group: type.group,
    kind: type.kind,
    versions: [],
    selectors: [...selectors.values()],
    labels,
    templates: [...templates.values()],
    labelKeys: [],
  };
}

/** The fact about a selector of which only the shape is known. */
export function selectorFact(path: string): SelectorFact {
  return {
    path,
    form: 'labelSelector',
    targets: [],
    reach: 'unknown',
    absent: 'unknown',
    null: 'unknown',
    empty: 'unknown',
    mustMatchTemplate: false,
    immutable: false,
    plain: false,
  };
}

function isLabelSelector(node: Node): boolean {
  return childOf(node, 'matchLabels')?.kind === 'map' || childOf(node, 'matchExpressions')?.kind === 'list';
}

function isPodTemplate(node: Node): boolean {
  const spec = childOf(node, 'spec');
  return childOf(node, 'metadata')?.kind === 'map' && childOf(spec, 'containers')?.kind === 'list';
}
