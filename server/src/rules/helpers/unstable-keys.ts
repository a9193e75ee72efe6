/** Recognizes labels whose values change with every release, by their keys or by the form of their values. */

import type { Requirement, Value } from '../../engine/index.ts';
import { english, localized } from '../../text/localize.ts';

/** The keys of labels that change with releases, each with the reason, which follows the key in messages. */
const changingKeys: ReadonlyMap<string, string> = new Map([
  ['helm.sh/chart', english`its value contains the chart version`],
  ['app.kubernetes.io/version', english`the version changes with every release`],
]);

/** Whether the value of a label usually changes with each release, judging by the key of the label. */
export function changesWithReleases(key: string): boolean {
  return changingKeys.has(key);
}

/** Returns the reason why the value of a label changes; undefined if there is no evidence that it does. */
export function changes({ key, values }: Pick<Requirement, 'key' | 'values'>): string | undefined {
  const value = onlyValue(values);
  if (changingKeys.has(key)) return localized(changingKeys.get(key) ?? '');
  if (value !== undefined) {
    const why = kinds.find(({ pattern }) => pattern.test(value))?.why;
    return why && localized(why);
  }
  return values.length === 1 && values.every(isOfChart) ? localized(namesVersion) : undefined;
}

/** Whether a value is the version of a chart, which users cannot choose independently of the version that is installed. */
function isOfChart(value: Value): boolean {
  if (typeof value === 'string' || !value.assumed) return false;
  return /\.Chart\.(?:App)?Version\b/.test(value.unknown) && !value.unknown.includes('.Values');
}

/** Returns the required value, if there is exactly one and it is known. */
export function onlyValue(values: Requirement['values']): string | undefined {
  const [value, ...others] = values;
  return others.length === 0 && typeof value === 'string' ? value : undefined;
}

const namesVersion = english`its value is a version`;

const kinds: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /^[A-Za-z][A-Za-z0-9-]*-v?\d+\.\d+\.\d+(?:[-+._][A-Za-z0-9._-]*)?$/, why: namesVersion },
  // Matches text that has a usual length of a commit hash and a random mixture of digits and letters.
  {
    pattern: /^(?=[a-f]*\d[a-f]*\d)(?=\d*[a-f]\d*[a-f])(?:[0-9a-f]{7,8}|[0-9a-f]{10}|[0-9a-f]{12}|[0-9a-f]{40})$/,
    why: english`its value is a commit hash`,
  },
  {
    pattern:
      /^20\d\d(?:-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:$|[-_.T])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-_.T])/,
    why: english`its value is a date`,
  },
];
