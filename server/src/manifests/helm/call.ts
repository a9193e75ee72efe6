/** What does a call write, where its parameters are not all known? As much of them as the function leaves as it is. */

import { quotedText } from './actions.ts';
import { inParentheses, isScalar, known, open, textOf, type Value } from './value.ts';

/** Functions that write what they are given, around or between other text. */
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

/** `printf "%s-%s" a b`. */
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

export function indented(name: 'nindent' | 'indent', width: number, value: Value): Value {
  const blanks = ' '.repeat(width);
  const lines = value.text
    .split('\n')
    .map((line) => blanks + line)
    .join('\n');
  return { ...value, certain: false, data: undefined, text: name === 'nindent' ? `\n${lines}` : lines };
}

/** `dict "name" .Values.name "context" $`. */
export function dictionary(parameters: readonly Value[]): Value {
  const fields = new Map<string, Value>();
  for (let at = 0; at + 1 < parameters.length; at += 2) {
    const [key, value] = [parameters[at], parameters[at + 1]];
    if (key === undefined || value === undefined || typeof key.data !== 'string' || !key.certain)
      return open(codeOf('dict', parameters));
    fields.set(key.data, value);
  }
  const code = `dict ${parameters.map((each) => inParentheses(each.code)).join(' ')}`;
  return { ...open(code), field: (name) => fields.get(name) ?? known(null) };
}

/** Cut off twice is cut off once, and blanks around it make no other value. */
export function isSettled(name: string, parameters: readonly Value[]): boolean {
  const [first, last = first] = parameters;
  if (name === 'trim') return true;
  const cut = last?.code.endsWith(' | trunc 63 | trimSuffix "-"') ?? false;
  return cut && ((name === 'trunc' && first?.data === 63) || (name === 'trimSuffix' && first?.data === '-'));
}

/** As a person would write it: what is changed comes first. */
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
]);
