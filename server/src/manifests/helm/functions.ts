/** Evaluates the template functions that are common in names and labels, if their parameters are known. */

import { type Data, isMap, isScalar, isTrue, textOf, typeOf } from './value.ts';
import { readValues } from './values.ts';

/** A function on known data; it returns undefined if the result is unknown. */
export type TemplateFunction = (...parameters: readonly Data[]) => Data | undefined;

/** Returns the result of a function on known data; undefined if the result is unknown. */
export function applied(
  name: string,
  parameters: readonly Data[],
  table: Readonly<Record<string, TemplateFunction>> = functions,
): Data | undefined {
  return Object.hasOwn(table, name) ? table[name]?.(...parameters) : undefined;
}

/** Whether the result of a function differs for each call, or depends on the cluster. */
export function isUnsteady(name: string): boolean {
  return /^(?:rand|gen|now$|uuid|lookup$|getHostByName$|bcrypt$|htpasswd$|env$|expandenv$|derivePassword$|encryptAES$)/.test(
    name,
  );
}

const text = (data: Data | undefined): string | undefined => (isScalar(data) ? textOf(data) : undefined);

/** Creates a template function whose parameters must all be scalars, which `apply` receives as strings. */
export function ofTexts(apply: (...texts: readonly string[]) => Data | undefined): TemplateFunction {
  return (...parameters) => {
    const texts = parameters.map(text);
    return texts.every((each) => each !== undefined) ? apply(...texts) : undefined;
  };
}

/** Returns the output of `printf` for verbs that print a string or number unchanged; undefined for all other verbs. */
function formatted(format: string, given: readonly Data[]): string | undefined {
  let next = 0;
  let isPlain = true;
  const written = format.replace(/%(.)/gs, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = text(given[next++]);
    if (!'svd'.includes(verb) || value === undefined) isPlain = false;
    return value ?? '';
  });
  return isPlain && next === given.length ? written : undefined;
}

/** The maximum length of a result of `replace`, in UTF-16 code units. */
const maximumLength = 60_000;

const functions: Readonly<Record<string, TemplateFunction>> = {
  default: (otherwise, data = null) => (isTrue(data) ? data : otherwise),
  coalesce: (...all) => all.find(isTrue) ?? null,
  ternary: (yes, no, condition) => (condition === true ? yes : no),
  required: (_, data) => data,
  empty: (data) => data !== undefined && !isTrue(data),
  not: (data) => data !== undefined && !isTrue(data),
  and: (...all) => all.find((each) => !isTrue(each)) ?? all.at(-1),
  or: (...all) => all.find(isTrue) ?? all.at(-1),
  eq: (first, ...others) => (isScalar(first) ? others.includes(first) : undefined),
  ne: (a, b) => (isScalar(a) && isScalar(b) ? a !== b : undefined),
  quote: ofTexts((a) => a),
  squote: ofTexts((a) => a),
  toString: ofTexts((a) => a),
  print: ofTexts((...all) => (all.length === 1 ? all[0] : undefined)),
  printf: (format, ...others) => (typeof format === 'string' ? formatted(format, others) : undefined),
  tpl: (template) => (typeof template === 'string' && !template.includes('{{') ? template : undefined),
  trim: ofTexts((a = '') => a.trim()),
  lower: ofTexts((a = '') => a.toLowerCase()),
  upper: ofTexts((a = '') => a.toUpperCase()),
  nospace: ofTexts((a = '') => a.replace(/\s/g, '')),
  trunc: ofTexts((size, a = '') => {
    const count = Number(size);
    return Number.isInteger(count) ? (count < 0 ? a.slice(count) : a.slice(0, count)) : undefined;
  }),
  trimSuffix: ofTexts((end = '', a = '') => (end !== '' && a.endsWith(end) ? a.slice(0, -end.length) : a)),
  trimPrefix: ofTexts((start = '', a = '') => (a.startsWith(start) ? a.slice(start.length) : a)),
  trimAll: ofTexts((set = '', a = '') => {
    let [start, end] = [0, a.length];
    while (start < end && set.includes(a[start] ?? '')) start++;
    while (end > start && set.includes(a[end - 1] ?? '')) end--;
    return a.slice(start, end);
  }),
  replace: ofTexts((from = '', to = '', a = '') => {
    const parts = from === '' ? [] : a.split(from);
    return parts.length === 0 || parts.length * to.length > maximumLength ? undefined : parts.join(to);
  }),
  contains: ofTexts((part = '', a = '') => a.includes(part)),
  hasPrefix: ofTexts((start = '', a = '') => a.startsWith(start)),
  hasSuffix: ofTexts((end = '', a = '') => a.endsWith(end)),
  toYaml: (data) => (isScalar(data) ? textOf(data) : JSON.stringify(data)),
  toJson: (data) => JSON.stringify(data),
  fromYaml: (data) => (typeof data === 'string' ? readValues(data) : undefined),
  typeIs: (type, data) => (data === undefined ? undefined : typeOf(data) === type),
  kindIs: (type, data) => (data === undefined ? undefined : typeOf(data) === type),
  hasKey: (data, key) => (isMap(data) && typeof key === 'string' ? Object.hasOwn(data, key) : undefined),
};
