/** Validates the names of the parts of a pod. */

import { type Problem, validateLabelKey, validateName } from '../../engine/index.ts';
import type { FieldName } from '../model.ts';

const maximumPortName = 15;

/** Returns every fault of the name of a port: `IsValidPortName` in k8s.io/apimachinery/pkg/util/validation. */
function validatePortName(text: string): readonly Problem[] {
  const messages = [
    text.length > maximumPortName && `name must be no more than ${maximumPortName} characters`,
    !/^[-a-z0-9]+$/.test(text) && "name must consist of lower-case letters, digits and '-'",
    !/[a-z]/.test(text) && 'name must contain a letter',
    text.includes('--') && "name must not contain '--'",
    /^-|-$/.test(text) && "name must not begin or end with '-'",
  ];
  return messages
    .filter((message) => message !== false)
    .map((message) => ({ code: 'name-syntax', message, start: 0, end: text.length }));
}

/** Returns the fault of the name of an environment variable: `IsRelaxedEnvVarName` in k8s.io/apimachinery/pkg/util/validation and, before Kubernetes 1.32, `IsEnvVarName`. */
function validateVariableName(text: string, isRelaxed: boolean): readonly Problem[] {
  const isSound = isRelaxed
    ? /^[ -<>-~]+$/.test(text)
    : /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(text) && !/^\.\.?/.test(text);
  if (isSound) return [];
  const message = isRelaxed
    ? "name must consist of printable ASCII characters other than '='"
    : "name must consist of letters, digits, '_', '-' and '.', and must not begin with a digit";
  return [{ code: 'name-syntax', message, start: 0, end: text.length }];
}

/** Returns the problems of the name in a field; `isRelaxed` states whether the names of variables follow the rule of Kubernetes 1.32. */
export function problemsOfName(rule: FieldName, name: string, isRelaxed: boolean): readonly Problem[] {
  if (rule === 'port') return validatePortName(name);
  if (rule === 'variable') return validateVariableName(name, isRelaxed);
  return rule === 'qualified' ? validateLabelKey(name) : validateName(rule, name);
}
