/** Divides matches by their certainty. */

import type { Match } from '../../workspace/selection/model.ts';

/** Divides matches elsewhere; a match is possible if it has a reason for doubt. */
export function byCertainty(matches: readonly Match[]) {
  return {
    certain: matches.filter(({ reasons }) => reasons.length === 0),
    possible: matches.filter(({ reasons }) => reasons.length > 0),
  };
}
