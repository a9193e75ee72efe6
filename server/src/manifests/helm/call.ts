/** Evaluates calls of functions whose parameters are unknown, if the output contains the parameters unchanged. */

import { quotedText } from './actions.ts';
import { inParentheses, isScalar, isTrue, open, textOf, type Value } from './value.ts';

/** Evaluates functions whose result contains their parameters unchanged, possibly with additional text; returns undefined for other functions. */
export function writtenBy(name: string, parameters: readonly Value[]): string | undefined {
  const last = parameters.at(-1);
  if (last === undefined) return undefined;
  if (name === 'printf') return printed(parameters);
  if (parameters.length > 1) return undefined;
  if (name === 'trim') return last.text.trim();
  if (last.text.includes('\n')) return undefined;
  if (name === 'quote' || name === 'squote')
    return isScalar(last.data) && last.certain ? quotedText(textOf(last.data)) : inQuotes(last.text);
  return name === 'toString' || name === 'print' ? last.text : undefined;
}

function inQuotes(text: string): string {
  return text.startsWith('"') ? text : `"${text}"`;
}

/** Evaluates a call such as `printf "%s-%s" a b`; undefined if its output cannot be determined. */
function printed([format, ...others]: readonly Value[]): string | undefined {
  if (typeof format?.data !== 'string' || !format.certain) return undefined;
  let next = 0;
  let isPlain = true;
  const text = format.data.replace(/%(.)/gs, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = others[next++];
    if (!'svd'.includes(verb) || value === undefined || value.text.includes('\n')) isPlain = false;
    return value?.text ?? '';
  });
  return isPlain && next === others.length ? text : undefined;
}

/** Evaluates `default`. */
export function firstOf(value: Value, otherwise: Value): Value {
  const { data } = value;
  if (value.filled) return value;
  if (value.certain && data !== undefined) return isTrue(data) ? value : otherwise;
  const code = codeOf('default', [otherwise, value]);
  const filled = isFilledText(otherwise) ? { filled: true as const } : {};
  if (data === undefined) return { ...open(code), ...filled };
  const chosen = isTrue(data) ? value : otherwise;
  return { ...open(code, chosen.data), ...usually(chosen), ...filled };
}

function isFilledText({ filled, certain, data }: Value): boolean {
  return filled === true || (certain && data !== undefined && isTrue(data));
}

/** Returns the output that a value has with the default values of the chart. */
function usually({ data, usual, text, made, items }: Value): Pick<Value, 'usual'> {
  if (isScalar(data)) return { usual: textOf(data) };
  if (made !== undefined || items !== undefined || text.includes('\n')) return {};
  return { usual: usual ?? text };
}

/** Returns the output of `indent` or `nindent` for a value, in which every line is indented by `width` columns. */
export function indented(name: 'nindent' | 'indent', width: number, value: Value): Value {
  const blanks = ' '.repeat(width);
  const lines = value.text
    .split('\n')
    .map((line) => blanks + line)
    .join('\n');
  return { ...value, certain: false, data: undefined, text: name === 'nindent' ? `\n${lines}` : lines };
}

/** Whether a call leaves its parameter unchanged, for example `trim`, or truncation of text that has already been truncated. */
export function isSettled(name: string, parameters: readonly Value[]): boolean {
  const [first, last = first] = parameters;
  if (name === 'trim') return true;
  const cut = last?.code.endsWith(' | trunc 63 | trimSuffix "-"') ?? false;
  return cut && ((name === 'trunc' && first?.data === 63) || (name === 'trimSuffix' && first?.data === '-'));
}

/** Returns the code of a call in a normalized form: a pipeline that starts with the last parameter. */
export function codeOf(name: string, parameters: readonly Value[]): string {
  const given = parameters.map((each) => inParentheses(each.code));
  const last = parameters.at(-1);
  if (last === undefined) return name;
  const isPiped = parameters.length > 1 || ['quote', 'trim', 'lower', 'upper'].includes(name);
  if (!isPiped || notPiped.has(name)) return [name, ...given].join(' ');
  return [last.code, '|', name, ...given.slice(0, -1)].join(' ');
}

const notPiped = new Set([
  'call',
  'dict',
  'list',
  'tuple',
  'printf',
  'print',
  'eq',
  'ne',
  'and',
  'or',
  'index',
  'include',
  'tpl',
  'set',
  'unset',
  'pick',
  'omit',
  'merge',
  'mustMerge',
  'mergeOverwrite',
  'mustMergeOverwrite',
  'hasKey',
]);
