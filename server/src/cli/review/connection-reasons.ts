/** Explains changed connections by the changed match of a network policy with one of their workloads. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Change } from '../objects/compare.ts';
import type { Cause } from './causes.ts';
import type { ConnectionStatement } from './connection-sentences.ts';
import { brief } from './grouped.ts';
import type { Statement } from './model.ts';

interface Reason {
  readonly sentence: string | undefined;
  readonly cause: Cause | undefined;
}

/** Returns a function that adds the only match of a network policy with the workloads of a statement that changed. Without a single reason, the statement is the same. */
export function connectionReasons(
  changes: readonly Change[],
  causeOf: (change: Change) => Cause | undefined,
): (statement: ConnectionStatement) => Statement {
  const byWorkload = new Map<string, Change[]>();
  for (const change of changes) {
    const { kind, owner, target } = change;
    if (owner.kind !== 'NetworkPolicy' || target === undefined || (kind !== 'lost' && kind !== 'gained')) continue;
    const { namespace, kind: type, name } = target;
    getOrAdd(byWorkload, [...(namespace === undefined ? [] : [namespace]), type, name].join('/'), () => []).push(
      change,
    );
  }
  return ({ workloads, ...statement }) => {
    const reasons = new Map<string, Reason>();
    for (const change of workloads.flatMap((name) => byWorkload.get(name) ?? [])) {
      const cause = causeOf(change);
      const sentence = cause?.change === undefined ? undefined : `${brief(change).slice(0, -1)}: ${cause.change}.`;
      reasons.set(JSON.stringify([sentence, cause]), { sentence, cause });
    }
    const [only, second] = reasons.values();
    if (only?.cause === undefined || second !== undefined) return statement;
    const text = only.sentence === undefined ? statement.text : `${statement.text} ${only.sentence}`;
    return { ...statement, text, cause: only.cause };
  };
}
