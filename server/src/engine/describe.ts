/** Describes a selector in plain English. */

import { bound, joined, listed } from './messages.ts';
import type { Requirement, Selector } from './types.ts';

/**
 * Describes a selector in one sentence, with keys in backticks and values in single quotes; `what` names the selected
 * objects ("Pods").
 */
export function describe(selector: Selector, what?: string): string {
  if (selector.kind === 'nothing') return what === undefined ? 'Nothing.' : `No ${what}.`;
  const clauses = selector.kind === 'all' ? selector.requirements.map(clauseOf) : [];
  if (selector.kind === 'all' && selector.open) {
    clauses.push(`${clauses.length > 0 ? 'further ' : ''}conditions hold that are not known`);
  }
  if (clauses.length > 0) return `${what ?? 'Everything'} where ${joined(clauses, 'and')}.`;
  return what === undefined ? 'Everything, whatever its labels.' : `All ${what}, whatever their labels.`;
}

function clauseOf({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return `\`${key}\` has any value`;
    case '!':
      return `\`${key}\` is absent`;
    case 'gt':
      return `\`${key}\` is an integer greater than ${bound(values)}`;
    case 'lt':
      return `\`${key}\` is an integer less than ${bound(values)}`;
    case '!=':
    case 'notin':
      if (values.length === 1) return `\`${key}\` is absent or not ${listed(values, 'or')}`;
      return `\`${key}\` is absent or neither ${listed(values, 'nor')}`;
    default:
      return `\`${key}\` is ${listed(values, 'or')}`;
  }
}
