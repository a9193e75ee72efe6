/** Determines the items of a loop, and whether their order matters. */

import type { TemplateNode } from '../syntax.ts';
import { isList, PrintedMap, TemplateMap, type TemplateValue } from './template-value.ts';

/** Whether a loop assigns variables or ends early, so that its result depends on the order of the items. */
export function changesVariables(nodes: readonly TemplateNode[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'jump') return true;
    if (node.kind === 'set') return !node.declares;
    return 'body' in node && (changesVariables(node.body) || changesVariables(node.otherwise));
  });
}

/** Returns the items of a loop with their keys; undefined if they are unknown. */
export function itemsOf(value: TemplateValue): readonly (readonly [TemplateValue, TemplateValue])[] | undefined {
  if (value === null) return [];
  if (value instanceof PrintedMap) return undefined;
  if (isList(value)) return value.map((item, index) => [BigInt(index), item] as const);
  if (value instanceof TemplateMap) return value.keys.map((key) => [key, value.get(key)] as const);
  return undefined;
}
