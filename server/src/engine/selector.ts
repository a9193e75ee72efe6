/** Parses selectors in the syntax of `kubectl -l`. */

import { parsed } from './problems.ts';
import type { Placeholder } from './selector-lexer.ts';
import { parseSelectorTree, type SelectorTree } from './selector-syntax.ts';
import type { Parsed, Requirement, Selector } from './types.ts';

export const everything: Selector = { kind: 'everything' };
export const nothing: Selector = { kind: 'nothing' };

/**
 * Parses a selector in the syntax of `kubectl -l`; `placeholders` are the placeholders in the text. Blank text selects
 * everything. The problems are those of `parseSelectorTree`; `partial` has the requirements without a problem. Defined
 * by `Parse` in k8s.io/apimachinery/pkg/labels.
 */
export function parseSelector(text: string, placeholders: readonly Placeholder[] = []): Parsed<Selector> {
  return selectorOf(parseSelectorTree(text, placeholders));
}

/** Converts a syntax tree to a selector, as `parseSelector` does. */
export function selectorOf(tree: SelectorTree): Parsed<Selector> {
  const requirements: Requirement[] = [];
  for (const node of tree.requirements) if (node.requirement) requirements.push(node.requirement);
  return parsed(tree.problems, allOf(requirements, tree.open), requirements.length > 0);
}

/** Returns the conjunction of `requirements`, sorted as in Kubernetes: by key, and in the given order for equal keys. */
export function allOf(requirements: Requirement[], open: boolean): Selector {
  if (requirements.length > 1) requirements.sort(byKey);
  if (open) return { kind: 'all', requirements, open };
  return requirements.length === 0 ? everything : { kind: 'all', requirements };
}

/**
 * Valid keys are ASCII, so the order of UTF-16 units is the order of bytes; other keys come only from unknown sources.
 */
function byKey(a: Requirement, b: Requirement): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Returns the requirements of a selector; empty for a selector that matches everything or nothing. */
export function requirementsOf(selector: Selector): readonly Requirement[] {
  return selector.kind === 'all' ? selector.requirements : [];
}
