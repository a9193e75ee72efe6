/** Tests taints and tolerations with the cases of `validateNodeTaints`, `ValidateTolerations` and `ToleratesTaint` of Kubernetes. */

import assert from 'node:assert/strict';
import {
  type Taint,
  type Toleration,
  tolerates,
  validateTaint,
  validateToleration,
} from '../../server/src/engine/index.ts';

const taint = (fields: Partial<Taint>): Taint => ({ key: '', value: '', effect: '', ...fields });
const toleration = (fields: Partial<Toleration>): Toleration => ({
  ...taint(fields),
  operator: '',
  hasSeconds: false,
  ...fields,
});
const unknown = { unknown: '{{ .Values.x }}' };

const codes = (problems: readonly { readonly path?: readonly (string | number)[]; readonly code: string }[]) =>
  problems.map(({ path, code }) => `${path?.join('.')} ${code}`).join(', ');

describe('a taint', () => {
  const cases: readonly (readonly [Partial<Taint>, string])[] = [
    [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }, ''],
    [{ key: 'example.com/spot', effect: 'PreferNoSchedule' }, ''],
    [{ key: 'a', effect: 'NoExecute', value: unknown }, ''],
    [{ key: unknown, effect: unknown }, ''],
    [{ effect: 'NoSchedule' }, 'key name-empty, key name-syntax'],
    [{ key: 'a b', effect: 'NoSchedule' }, 'key name-syntax'],
    [{ key: 'Example.com/a', effect: 'NoSchedule' }, 'key prefix-syntax'],
    [{ key: 'a', value: '-', effect: 'NoSchedule' }, 'value value-syntax'],
    [{ key: 'a', value: 'x'.repeat(64), effect: 'NoSchedule' }, 'value value-too-long'],
    [{ key: 'a' }, 'effect field-required'],
    [{ key: 'a', effect: 'noSchedule' }, 'effect value-unsupported'],
  ];
  for (const [fields, expected] of cases)
    it(`${JSON.stringify(fields)} has the faults '${expected}'`, () => {
      assert.equal(codes(validateTaint(taint(fields))), expected);
    });
});

describe('a toleration', () => {
  const cases: readonly (readonly [Partial<Toleration>, string])[] = [
    [{ operator: 'Exists' }, ''],
    [{ operator: 'Exists', effect: 'NoExecute', hasSeconds: true }, ''],
    [{ key: 'a', value: 'b' }, ''],
    [{ key: 'a', operator: 'Gt', value: '4' }, ''],
    [{ key: 'a', operator: unknown, value: 'b c' }, ''],
    [{ key: 'a', effect: unknown, hasSeconds: true }, ''],
    [{}, 'operator operator-unknown'],
    [{ operator: 'Equal', value: 'a' }, 'operator operator-unknown'],
    [{ key: 'a', operator: 'In' }, 'operator operator-unknown'],
    [{ key: 'a/', operator: 'Exists' }, 'key name-empty, key name-syntax'],
    [{ key: 'a', operator: 'Exists', value: 'b' }, 'value values-forbidden'],
    [{ key: 'a', value: 'b c' }, 'value value-syntax'],
    [{ key: 'a', effect: 'NoScheduled' }, 'effect value-unsupported'],
    [{ key: 'a', effect: 'NoSchedule', hasSeconds: true }, 'effect field-conflict'],
    [{ key: 'a', hasSeconds: true }, 'effect field-conflict'],
  ];
  for (const [fields, expected] of cases)
    it(`${JSON.stringify(fields)} has the faults '${expected}'`, () => {
      assert.equal(codes(validateToleration(toleration(fields))), expected);
    });

  const node = taint({ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' });
  const tolerated: readonly (readonly [Partial<Toleration>, string])[] = [
    [{ operator: 'Exists' }, 'yes'],
    [{ operator: 'Exists', effect: 'NoExecute' }, 'no'],
    [{ key: 'dedicated', operator: 'Exists' }, 'yes'],
    [{ key: 'dedicated', value: 'gpu' }, 'yes'],
    [{ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }, 'yes'],
    [{ key: 'dedicated', value: 'cpu' }, 'no'],
    [{ key: 'dedicated' }, 'no'],
    [{ key: 'spot', operator: 'Exists' }, 'no'],
    [{ key: 'dedicated', value: unknown }, 'maybe'],
    [{ key: unknown, value: 'cpu' }, 'no'],
    [{ key: 'dedicated', operator: 'Lt', value: '4' }, 'maybe'],
    [{ key: 'dedicated', operator: 'In', value: 'gpu' }, 'no'],
  ];
  for (const [fields, expected] of tolerated)
    it(`${JSON.stringify(fields)} tolerates dedicated=gpu:NoSchedule: ${expected}`, () => {
      assert.equal(tolerates(toleration(fields), node), expected);
    });
});
