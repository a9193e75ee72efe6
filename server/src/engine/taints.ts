/** Validates taints and tolerations, and decides whether a toleration tolerates a taint. */

import { validateLabelKey, validateLabelValue } from './labels.ts';
import { excerpt } from './messages.ts';
import type { Answer, Problem, ProblemCode, Value } from './types.ts';
import { isUnknown } from './types.ts';

/** The effects of taints. Defined by `TaintEffect` in k8s.io/api/core/v1. */
export const taintEffects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The operators of tolerations. `Lt` and `Gt` compare numbers; the API server accepts them behind a feature gate since 1.35. */
export const tolerationOperators: readonly string[] = ['Equal', 'Exists', 'Lt', 'Gt'];

/** The fields of a taint; an absent field is an empty string. */
export interface Taint {
  readonly key: Value;
  readonly value: Value;
  readonly effect: Value;
}

/** The fields of a toleration; an absent field is an empty string. */
export interface Toleration extends Taint {
  readonly operator: Value;
  /** Whether `tolerationSeconds` is set. */
  readonly hasSeconds: boolean;
}

/**
 * Returns every fault of a taint that is certain, with the name of the field as `path`. Defined by `validateNodeTaints` in
 * k8s.io/kubernetes/pkg/apis/core/validation.
 */
export function validateTaint({ key, value, effect }: Taint): readonly Problem[] {
  return [
    ...at('key', isUnknown(key) ? [] : worded(validateLabelKey(key), 'label key', 'key of a taint')),
    ...at('value', isUnknown(value) ? [] : worded(validateLabelValue(value), 'label value', 'value of a taint')),
    ...effectProblems(effect, 'a taint', false),
  ];
}

/**
 * Returns every fault of a toleration that is certain, with the name of the field as `path`. Defined by
 * `ValidateTolerations` in k8s.io/kubernetes/pkg/apis/core/validation.
 */
export function validateToleration(toleration: Toleration): readonly Problem[] {
  const { key, value, operator, effect, hasSeconds } = toleration;
  const problems: Problem[] = [];
  if (!isUnknown(key) && key !== '')
    problems.push(...at('key', worded(validateLabelKey(key), 'label key', 'key of a toleration')));
  if (!isUnknown(operator)) {
    if (operator !== '' && !tolerationOperators.includes(operator)) {
      const message = `operator of a toleration must be 'Equal' or 'Exists', not '${excerpt(operator)}'`;
      problems.push(problem('operator', 'operator-unknown', message));
    } else if (key === '' && operator !== 'Exists') {
      const message = "operator must be 'Exists' if a toleration has no key: it then tolerates all taints";
      problems.push(problem('operator', 'operator-unknown', message));
    } else if (operator === 'Exists' && !isUnknown(value) && value !== '') {
      const message = "value of a toleration must be empty if its operator is 'Exists'";
      problems.push(problem('value', 'values-forbidden', message));
    } else if (operator !== 'Exists' && !isUnknown(value))
      problems.push(...at('value', worded(validateLabelValue(value), 'label value', 'value of a toleration')));
  }
  problems.push(...effectProblems(effect, 'a toleration', true));
  if (hasSeconds && !isUnknown(effect) && effect !== 'NoExecute') {
    const message = "effect must be 'NoExecute' if `tolerationSeconds` is set";
    if (effect === '' || taintEffects.includes(effect)) problems.push(problem('effect', 'field-conflict', message));
  }
  return problems;
}

/**
 * Whether a toleration tolerates a taint. Defined by `Toleration.ToleratesTaint` in k8s.io/api/core/v1. The operators that
 * compare numbers are unknown, because a feature gate decides about them.
 */
export function tolerates({ key, value, operator, effect }: Toleration, taint: Taint): Answer {
  const isAnyKey = operator === 'Exists' && key === '';
  const answers: readonly Answer[] = [
    effect === '' ? 'yes' : equal(effect, taint.effect),
    isAnyKey ? 'yes' : equal(key, taint.key),
    isUnknown(operator) || operator === 'Lt' || operator === 'Gt'
      ? 'maybe'
      : operator === 'Exists'
        ? 'yes'
        : operator === '' || operator === 'Equal'
          ? equal(value, taint.value)
          : 'no',
  ];
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

function equal(left: Value, right: Value): Answer {
  if (isUnknown(left) || isUnknown(right)) return 'maybe';
  return left === right ? 'yes' : 'no';
}

function effectProblems(effect: Value, of: string, isOptional: boolean): readonly Problem[] {
  if (isUnknown(effect) || taintEffects.includes(effect) || (isOptional && effect === '')) return [];
  if (effect === '') return [problem('effect', 'field-required', `${of} must have an effect: ${allowedEffects}`)];
  return [
    problem('effect', 'value-unsupported', `effect of ${of} must be ${allowedEffects}, not '${excerpt(effect)}'`),
  ];
}

const allowedEffects = "'NoSchedule', 'PreferNoSchedule' or 'NoExecute'";

function problem(field: string, code: ProblemCode, message: string): Problem {
  return { code, message, path: [field] };
}

function at(field: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ code, message }) => ({ code, message, path: [field] }));
}

/** Words problems of label keys and values for taints and tolerations. */
function worded(problems: readonly Problem[], from: string, to: string): readonly Problem[] {
  return problems.map((each) => ({ ...each, message: each.message.replace(from, to) }));
}
