/** The cases that the documentation of taints, tolerations and unschedulable nodes describes. */

import assert from 'node:assert/strict';
import { daemonTolerations, type Taint, type Toleration, taintAnswer } from '../../server/src/engine/index.ts';

const taint = (key: string, value: string, effect: string): Taint => ({ key, value, effect });
const toleration = (key: string, operator: string, value: string, effect: string): Toleration => ({
  ...taint(key, value, effect),
  operator,
  hasSeconds: false,
});

const dedicated = taint('dedicated', 'gpu', 'NoSchedule');
const evicting = taint('maintenance', '', 'NoExecute');
const soft = taint('spot', '', 'PreferNoSchedule');

const cases: readonly (readonly [
  name: string,
  taints: readonly Taint[] | 'unknown',
  tolerations: readonly Toleration[] | 'unknown',
  unschedulable: string | undefined,
  expected: string,
])[] = [
  ['no taints', [], [], undefined, 'yes'],
  ['no toleration', [dedicated], [], undefined, 'no dedicated'],
  ['an equal value', [dedicated], [toleration('dedicated', 'Equal', 'gpu', 'NoSchedule')], undefined, 'yes'],
  ['another value', [dedicated], [toleration('dedicated', 'Equal', 'cpu', 'NoSchedule')], undefined, 'no dedicated'],
  ['no operator', [dedicated], [toleration('dedicated', '', 'gpu', '')], undefined, 'yes'],
  ['the operator Exists', [dedicated], [toleration('dedicated', 'Exists', '', '')], undefined, 'yes'],
  ['another effect', [dedicated], [toleration('dedicated', 'Exists', '', 'NoExecute')], undefined, 'no dedicated'],
  ['no key', [dedicated, evicting], [toleration('', 'Exists', '', '')], 'true', 'yes'],
  [
    'one of two taints',
    [dedicated, evicting],
    [toleration('dedicated', 'Exists', '', '')],
    undefined,
    'no maintenance',
  ],
  ['a taint that is only a preference', [soft], [], undefined, 'yes'],
  ['an unschedulable node', [], [], 'true', 'no unschedulable'],
  ['a schedulable node', [], [], 'false', 'yes'],
  ['a pod of a DaemonSet on an unschedulable node', [], daemonTolerations, 'true', 'yes'],
  ['unknown taints', 'unknown', [], undefined, 'maybe'],
  ['unknown tolerations', [dedicated], 'unknown', undefined, 'maybe'],
  ['unknown tolerations without taints', [], 'unknown', undefined, 'yes'],
  [
    'an operator that a feature gate allows',
    [taint('n', '5', 'NoSchedule')],
    [toleration('n', 'Gt', '3', '')],
    undefined,
    'maybe',
  ],
];

describe('the taints of a node', () => {
  for (const [name, taints, tolerations, unschedulable, expected] of cases) {
    it(`with ${name}: ${expected}`, () => {
      const found = taintAnswer({ taints, unschedulable }, tolerations);
      const why = found.isUnschedulable
        ? ' unschedulable'
        : found.taint === undefined
          ? ''
          : ` ${String(found.taint.key)}`;
      assert.equal(`${found.answer}${why}`, expected);
    });
  }
});
