/** Formats user-supplied text, values and requirements for messages. */

import { isUnknown, type Requirement, type Value } from './types.ts';

/** Shortens a text for a message, and shows invisible characters as their code points. */
export function excerpt(text: string): string {
  if (plainText.test(text)) return text;
  let shown = '';
  for (const character of text.slice(0, 40)) {
    const code = character.codePointAt(0) ?? 0;
    shown += visible.test(character) ? character : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return text.length > 40 ? `${shown}...` : shown;
}

const plainText = /^[ -~]{0,40}$/;

/** Matches a letter, mark, digit, punctuation mark, symbol or space. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Formats a value for a message: its known parts, in single quotes. */
export function quoted(value: Value): string {
  if (typeof value === 'string') return `'${excerpt(value)}'`;
  if (value.assumed !== undefined) return `${quotedAssumed(value.assumed)} with chart defaults`;
  if (value.oneOf !== undefined) return listed(value.oneOf, 'or');
  return isBlank(value) ? 'unknown' : `'${excerpt(value.pattern ?? '')}'`;
}

/** Whether a value is completely unknown. */
function isBlank({ pattern }: Exclude<Value, string>): boolean {
  return pattern === undefined || pattern === '*';
}

function quotedAssumed(value: Value): string {
  return `'${excerpt(typeof value === 'string' ? value : value.unknown)}'`;
}

/** Formats a requirement as the second half of a sentence, after the actual value: "the selector wants 'a' or 'b'". */
export function wantOf({ operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return 'the selector wants any value';
    case '!':
      return 'the selector wants the label to be absent';
    case 'gt':
      return `the selector wants an integer greater than ${bound(values)}`;
    case 'lt':
      return `the selector wants an integer less than ${bound(values)}`;
    case '!=':
    case 'notin':
      return `the selector excludes ${listed(values, 'and')}`;
    default:
      return values.length === 1 && values[0] === ''
        ? 'the selector wants an empty value'
        : `the selector wants ${listed(values, 'or')}`;
  }
}

/** Lists the values of which a label may have one ('or') or none ('nor', 'and'): "'a', 'b' or 'c'". Long lists are shortened. */
export function listed(values: readonly Value[], conjunction: 'and' | 'or' | 'nor'): string {
  if (values.length <= longList) return joined(values.map(named), conjunction);
  const first = values.slice(0, longList - 1).map(named);
  return joined([...first, `${values.length - first.length} more`], conjunction);
}

const longList = 10;

/** Joins parts as in "one", "one and two", or "one, two and three". */
export function joined(parts: readonly string[], conjunction: 'and' | 'or' | 'nor'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`;
}

/** Formats one of several possible values of a label. */
function named(value: Value): string {
  if (value === '') return 'empty';
  return isUnknown(value) && value.assumed === undefined && isBlank(value) ? 'an unknown value' : quoted(value);
}

/** Returns the number with which `gt` and `lt` compare the value of a label. */
export function bound([value = '']: readonly Value[]): string {
  return typeof value === 'string' ? excerpt(value) : named(value);
}
