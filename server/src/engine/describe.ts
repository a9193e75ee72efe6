/** What does a selector say in plain English? */

import { bound, joined, listed } from './messages.ts';
import type { Requirement, Selector } from './types.ts';

/** Takes a selector, gives one sentence, with keys in backticks and values in single quotes. */
export function describe(selector: Selector): string {
  if (selector.kind === 'nothing') return 'Nothing.';
  const clauses = selector.kind === 'all' ? selector.requirements.map(clauseOf) : [];
  if (selector.kind === 'all' && selector.open) {
    clauses.push(`${clauses.length > 0 ? 'further ' : ''}conditions hold that are not known`);
  }
  return clauses.length === 0 ? 'Everything, whatever its labels.' : `Everything where ${joined(clauses, 'and')}.`;
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
