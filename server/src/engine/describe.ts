/** What does a selector say in plain English? */

import { alternatives, joined, named } from './messages.ts';
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
  const [value = ''] = values;
  switch (operator) {
    case 'exists':
      return `\`${key}\` has any value`;
    case '!':
      return `\`${key}\` is absent`;
    case 'gt':
      return `\`${key}\` is an integer greater than ${typeof value === 'string' ? value : named(value)}`;
    case 'lt':
      return `\`${key}\` is an integer less than ${typeof value === 'string' ? value : named(value)}`;
    case '!=':
    case 'notin':
      if (values.length === 1) return `\`${key}\` is absent or not ${named(value)}`;
      return `\`${key}\` is absent or neither ${joined(values.map(named), 'nor')}`;
    default:
      return `\`${key}\` is ${alternatives(values)}`;
  }
}
