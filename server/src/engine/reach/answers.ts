/** Three-valued logic: conjunction and disjunction of answers. */

import type { Answer } from '../types.ts';

export function and(a: Answer, b: Answer): Answer {
  if (a === 'no' || b === 'no') return 'no';
  return a === 'yes' && b === 'yes' ? 'yes' : 'maybe';
}

export function or(a: Answer, b: Answer): Answer {
  if (a === 'yes' || b === 'yes') return 'yes';
  return a === 'no' && b === 'no' ? 'no' : 'maybe';
}
