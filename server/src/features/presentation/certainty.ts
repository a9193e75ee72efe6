/** Divides matches and references by their certainty, for every view that shows them. */

import type { Certainty } from '../../workspace/references/model.ts';
import type { Match } from '../../workspace/selection/model.ts';

/** Divides matches elsewhere; a match is possible if it has a reason for doubt. */
export function byCertainty(matches: readonly Match[]) {
  return {
    certain: matches.filter(({ reasons }) => reasons.length === 0),
    possible: matches.filter(({ reasons }) => reasons.length > 0),
  };
}

interface ByCertainty<T> {
  readonly certain: readonly T[];
  readonly possible: readonly T[];
}

/** Divides references, or what they name: those that are applied together with the open file, and those elsewhere. */
export function byRelation<T extends Partial<Certainty>>(
  references: readonly T[],
): { readonly here: ByCertainty<T>; readonly elsewhere: ByCertainty<T> } {
  const divided = (isElsewhere: boolean): ByCertainty<T> => {
    const related = references.filter(({ relation }) => (relation === 'elsewhere') === isElsewhere);
    return {
      certain: related.filter(({ answer }) => answer !== 'maybe'),
      possible: related.filter(({ answer }) => answer === 'maybe'),
    };
  };
  return { here: divided(false), elsewhere: divided(true) };
}
