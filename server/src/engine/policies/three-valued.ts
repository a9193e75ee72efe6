/** Combines answers of policies, and evaluates label selectors in plain data. */

import { and, not, or } from '../answers.ts';
import { evaluate } from '../evaluate.ts';
import { fromLabelSelector } from '../label-selector.ts';
import { isOpen, isOptional } from '../reach/partial.ts';
import { fieldOf, isRecord } from '../structured.ts';
import { type Answer, isUnknown, type LabelSet, type Value } from '../types.ts';
import type { PolicyAnswer } from './types.ts';

export const yes: PolicyAnswer = { answer: 'yes' };
export const no: PolicyAnswer = { answer: 'no' };
export const invalid: PolicyAnswer = { answer: 'no', isInvalid: true };

/** Returns the answer *maybe* with its reason, which has no period. */
export function maybe(reason: string): PolicyAnswer {
  return { answer: 'maybe', reason };
}

/** Returns an answer, with the reason if it is *maybe*. */
export function because(answer: Answer, reason: string): PolicyAnswer {
  return answer === 'maybe' ? maybe(reason) : { answer };
}

/** Returns the conjunction; an invalid part makes the whole invalid. */
export function all(parts: Iterable<PolicyAnswer>): PolicyAnswer {
  let result = yes;
  for (const part of parts) {
    if (part.isInvalid) return part;
    if (and(result.answer, part.answer) !== result.answer) result = part;
  }
  return result;
}

/** Returns the disjunction; an invalid part makes the whole invalid. */
export function any(parts: Iterable<PolicyAnswer>): PolicyAnswer {
  let result = no;
  for (const part of parts) {
    if (part.isInvalid) return part;
    if (or(result.answer, part.answer) !== result.answer) result = part;
  }
  return result;
}

/** Returns `first` unless `excluded` holds. */
export function except(first: PolicyAnswer, excluded: PolicyAnswer): PolicyAnswer {
  if (excluded.isInvalid) return excluded;
  return all([first, { ...excluded, answer: not(excluded.answer) }]);
}

/** Evaluates a label selector in plain data; an absent selector matches everything. */
export function selectorAnswer(data: unknown, labels: LabelSet, reason: string): PolicyAnswer {
  if (data === undefined || data === null) return yes;
  const read = fromLabelSelector(data);
  return read.ok ? because(evaluate(read.value, labels), reason) : invalid;
}

/** Whether plain data contains a part that depends on a template. */
export function dependsOnTemplate(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (isUnknown(data) || isOpen(data) || isOptional(data)) return true;
  return Object.values(data).some(dependsOnTemplate);
}

/** The answer for a part that depends on a template. */
export const byTemplate = maybe('it depends on a template');

/** Returns the answer of a field of plain data; *maybe* if the field depends on a template, or if a template may add it. */
export function fieldAnswer(data: unknown, name: string, answer: (field: unknown) => PolicyAnswer): PolicyAnswer {
  const field = fieldOf(data, name);
  const mayBeAdded = field === undefined && isOpen(data);
  return mayBeAdded || dependsOnTemplate(field) ? byTemplate : answer(field);
}

/** Returns the strings of a list; empty for anything else. */
export function stringsOf(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.filter((each) => typeof each === 'string') : [];
}

/** Returns the items of a list; empty for anything else. */
export function itemsOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [];
}

/** Whether a list or map has content. */
export function isFilled(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0;
  return isRecord(data) ? Object.keys(data).length > 0 : data !== undefined && data !== null && data !== '';
}

/** Whether a value, which may be unknown, fulfills a condition; *maybe* for unknown values. */
export function ofValue(value: Value | undefined, test: (text: string) => boolean): Answer {
  if (value === undefined) return 'no';
  return typeof value === 'string' ? (test(value) ? 'yes' : 'no') : 'maybe';
}
