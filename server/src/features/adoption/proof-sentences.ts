/** States what the comparison of the present and the planned state of an adoption proved. */

import { localize } from '../../text/localize.ts';
import type { AdoptionPlan } from './model.ts';

/** The maximum number of workloads in a sentence. */
const mostNamed = 4;

/** Returns sentences about a plan: what no selector changes, and which workloads restart. */
export function proofSentences({ proof }: Pick<AdoptionPlan, 'proof'>): readonly string[] {
  const { objects, matches, notes } = proof;
  const compared = matches === 1 ? localize`1 match` : localize`${matches} matches`;
  const of = objects === 1 ? localize`1 object` : localize`${objects} objects`;
  return [
    localize`Every selector matches exactly what it matched (${compared} of ${of} compared).`,
    localize`No other selector in the indexed files gains a match.`,
    localize`No update is rejected by the API server.`,
    restartSentence(proof),
    ...notes,
  ];
}

function restartSentence({ restarts, pods }: AdoptionPlan['proof']): string {
  if (restarts.length === 0) return localize`No workload restarts.`;
  const shown = restarts.slice(0, mostNamed);
  const more = restarts.length - shown.length;
  const names = shown.join(', ') + (more === 0 ? '' : localize` and ${more} more`);
  const count = pods === undefined ? '' : pods === 1 ? localize` (1 pod)` : localize` (${pods} pods)`;
  return restarts.length === 1
    ? localize`1 workload replaces its pods${count}: ${names}.`
    : localize`${restarts.length} workloads replace their pods${count}: ${names}.`;
}
