/** Provides the answer to the question whether one workload can reach another. */

import { canReach } from '../features/reach/can-reach.ts';
import { type ReachParams, type ReachResult, reachRequest } from '../protocol.ts';
import { atPosition, type RequestContext } from './request-helpers.ts';

/** Handles the request for the workloads of a cluster and the connections between two of them (see `protocol.ts`). */
export function provideReach(context: RequestContext): void {
  // `message-check.ts` has already rejected parameters of any other type.
  context.connection.onRequest(reachRequest, (params: ReachParams, token) =>
    atPosition<ReachResult | null>(
      context,
      reachRequest,
      null,
      params,
      token,
      (view, offset) => canReach(view, offset, params) ?? null,
    ),
  );
}
