/** The template functions of ApplicationSets, in addition to the functions that charts can use. */

import { ofTexts, type TemplateFunction } from '../../../manifests/helm/functions.ts';
import { isMap, isScalar, textOf } from '../../../manifests/helm/value.ts';
import { readData } from '../../../manifests/helm/values.ts';

export const setFunctions: Readonly<Record<string, TemplateFunction>> = {
  base: ofTexts((path = '') => (path === '' || path.endsWith('/') ? undefined : path.slice(path.lastIndexOf('/') + 1))),
  dir: ofTexts((path = '') => (/^[^/.]+(?:\/[^/.]+)+$/.test(path) ? path.slice(0, path.lastIndexOf('/')) : undefined)),
  splitList: ofTexts((by = '', a = '') => (by === '' ? undefined : a.split(by))),
  join: (by, list) => {
    const texts = Array.isArray(list) ? list.map((each) => (isScalar(each) ? textOf(each) : undefined)) : [undefined];
    return typeof by === 'string' && texts.every((each) => each !== undefined) ? texts.join(by) : undefined;
  },
  first: (list) => (Array.isArray(list) ? (list[0] ?? null) : undefined),
  last: (list) => (Array.isArray(list) ? (list.at(-1) ?? null) : undefined),
  has: (item, list) => (Array.isArray(list) && isScalar(item ?? undefined) ? list.includes(item ?? null) : undefined),
  len: (data) => {
    if (typeof data === 'string' || Array.isArray(data)) return data.length;
    return isMap(data) ? Object.keys(data).length : undefined;
  },
  substr: ofTexts((start, end, a = '') => (/^[ -~]*$/.test(a) ? substring(a, Number(start), Number(end)) : undefined)),
  rest: (list) => (Array.isArray(list) ? list.slice(1) : undefined),
  initial: (list) => (Array.isArray(list) ? list.slice(0, -1) : undefined),
  without: (list, ...others) => (Array.isArray(list) ? list.filter((each) => !others.includes(each)) : undefined),
  split: ofTexts((by = '', a = '') => {
    return by === '' ? undefined : Object.fromEntries(a.split(by).map((part, index) => [`_${index}`, part]));
  }),
  dig: (...parameters) => {
    const keys = parameters.slice(0, -2);
    let data = parameters.at(-1);
    for (const key of keys) {
      if (!isMap(data) || typeof key !== 'string') return undefined;
      if (!Object.hasOwn(data, key)) return parameters.at(-2);
      data = data[key];
    }
    return data;
  },
  fromJson: (text) => (typeof text === 'string' ? readData(text) : undefined),
  normalize: ofTexts((a = '') => normalized(a)),
};

function substring(of: string, start: number, end: number): string {
  if (start < 0) return of.slice(0, Math.max(end, 0));
  return end < 0 || end > of.length ? of.slice(start) : of.slice(start, end);
}

/** The maximum length of a DNS subdomain name. */
const maximumName = 253;

/** Converts a string to a DNS subdomain name as Argo CD does: `Team_A/b` becomes `team-a-b`. */
export function normalized(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, maximumName);
  let [start, end] = [0, plain.length];
  while (start < end && '-.'.includes(plain[start] ?? '')) start++;
  while (end > start && '-.'.includes(plain[end - 1] ?? '')) end--;
  return plain.slice(start, end);
}
