/** Three-valued logic: conjunction, disjunction and negation of answers. */

import type { Answer } from './types.ts';

/** Returns the conjunction of two answers: *no* if either is *no*, *yes* if both are *yes*, otherwise *maybe*. */
export function and(a: Answer, b: Answer): Answer {
  if (a === 'no' || b === 'no') return 'no';
  return a === 'yes' && b === 'yes' ? 'yes' : 'maybe';
}

/** Returns the disjunction of two answers: *yes* if either is *yes*, *no* if both are *no*, otherwise *maybe*. */
export function or(a: Answer, b: Answer): Answer {
  if (a === 'yes' || b === 'yes') return 'yes';
  return a === 'no' && b === 'no' ? 'no' : 'maybe';
}

/** Returns the negation of an answer: *maybe* remains *maybe*. */
export function not(answer: Answer): Answer {
  if (answer === 'maybe') return 'maybe';
  return answer === 'yes' ? 'no' : 'yes';
}
