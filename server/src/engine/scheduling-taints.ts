/** Decides whether the taints of a node and its field `unschedulable` keep a pod from being scheduled onto it. */

import { type Taint, type Toleration, tolerates } from './taints.ts';
import type { Answer, Value } from './types.ts';
import { isUnknown } from './types.ts';

/** The taints of a node and the tolerations of a pod; unknown if a template determines the list. */
export interface TaintedNode {
  readonly taints: readonly Taint[] | 'unknown';
  readonly unschedulable: Value | undefined;
}

/** The taint that the scheduler checks for a node whose field `unschedulable` is true. */
const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** The tolerations that the DaemonSet controller adds to its pods. Defined by `AddOrUpdateDaemonPodTolerations` in k8s.io/kubernetes/pkg/controller/daemon/util. */
export const daemonTolerations: readonly Toleration[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
].map(([name = '', effect = '']) => ({
  key: `node.kubernetes.io/${name}`,
  value: '',
  operator: 'Exists',
  effect,
  hasSeconds: false,
}));

/** The answer, and what excludes the node: a taint without a toleration, or that the node is unschedulable. */
export interface TaintAnswer {
  readonly answer: Answer;
  readonly taint?: Taint;
  readonly isUnschedulable?: true;
}

/**
 * Returns whether a pod can be scheduled onto a node according to its taints. Defined by the scheduler's plugins
 * `NodeUnschedulable` and `TaintToleration`: only taints with the effects `NoSchedule` and `NoExecute` count.
 */
export function taintAnswer(
  { taints, unschedulable }: TaintedNode,
  tolerations: readonly Toleration[] | 'unknown',
): TaintAnswer {
  const toleratedBy = (taint: Taint): Answer => {
    if (tolerations === 'unknown') return 'maybe';
    const answers = tolerations.map((each) => tolerates(each, taint));
    return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
  };
  let isCertain = taints !== 'unknown';
  if (unschedulable !== undefined && unschedulable !== 'false') {
    const tolerated = toleratedBy(unschedulableTaint);
    if (tolerated === 'no' && unschedulable === 'true') return { answer: 'no', isUnschedulable: true };
    isCertain &&= tolerated === 'yes';
  }
  for (const taint of taints === 'unknown' ? [] : taints) {
    if (taint.effect === 'PreferNoSchedule') continue;
    const tolerated = toleratedBy(taint);
    if (tolerated === 'yes') continue;
    if (tolerated === 'no' && !isUnknown(taint.effect)) return { answer: 'no', taint };
    isCertain = false;
  }
  return { answer: isCertain ? 'yes' : 'maybe' };
}
