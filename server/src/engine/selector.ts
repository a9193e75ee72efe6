/** What does a selector text mean? */

import { parsed } from './problems.ts';
import type { Hole } from './selector-lexer.ts';
import { parseSelectorTree, type SelectorTree } from './selector-syntax.ts';
import type { Parsed, Requirement, Selector } from './types.ts';

export const everything: Selector = { kind: 'everything' };
export const nothing: Selector = { kind: 'nothing' };

/**
 * Takes a selector in the syntax of `kubectl -l`, and which parts of it are not known; gives its meaning. Blank text is
 * everything. The problems are those of `parseSelectorTree`, `partial` has the requirements without one. Defined by
 * `Parse` in k8s.io/apimachinery/pkg/labels.
 */
export function parseSelector(text: string, holes: readonly Hole[] = []): Parsed<Selector> {
  return selectorOf(parseSelectorTree(text, holes));
}

/** Takes a text that was taken apart, gives its meaning as `parseSelector` does. */
export function selectorOf(tree: SelectorTree): Parsed<Selector> {
  const requirements: Requirement[] = [];
  for (const node of tree.requirements) if (node.requirement) requirements.push(node.requirement);
  return parsed(tree.problems, allOf(requirements, tree.open), requirements.length > 0);
}

/** The conjunction of `requirements`, in the order that Kubernetes gives them: by key, else as they came. */
export function allOf(requirements: Requirement[], open: boolean): Selector {
  if (requirements.length > 1) requirements.sort(byKey);
  if (open) return { kind: 'all', requirements, open };
  return requirements.length === 0 ? everything : { kind: 'all', requirements };
}

/** Valid keys are ASCII, so that units compare as bytes do; others come here only from unknown sources. */
function byKey(a: Requirement, b: Requirement): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
