/** Compares values that may be unknown. */

import { isInteger } from './integers.ts';
import type { Answer, Value } from './types.ts';

/**
 * Whether two values are equal. Two unknowns with equal ids are equal; otherwise an unknown is never certainly equal to
 * another value, but its known parts can rule a value out.
 */
export function isSame(a: Value, b: Value): Answer {
  if (typeof a === 'string') {
    if (typeof b === 'string') return a === b ? 'yes' : 'no';
    if (b.oneOf?.includes(a) === false) return 'no';
    return b.pattern === undefined || fits(a, b.pattern) ? 'maybe' : 'no';
  }
  if (typeof b === 'string') return isSame(b, a);
  if (a.unknown === b.unknown) return 'yes';
  if (a.oneOf?.every((each) => isSame(each, b) === 'no')) return 'no';
  return a.pattern === undefined || b.pattern === undefined || canMeet(a.pattern, b.pattern) ? 'maybe' : 'no';
}

/**
 * Whether the value can be an integer, as `gt` and `lt` require. A sign is allowed only if no known text precedes it.
 */
export function canBeInteger(value: Value): boolean {
  if (typeof value === 'string') return isInteger(value);
  if (value.oneOf?.some(isInteger) === false) return false;
  return value.pattern === undefined || /^[+-]?[0-9]*$/.test(value.pattern.replaceAll('*', ''));
}

/**
 * Whether `text` fits a pattern in which `*` matches any text. Each known part is searched for once, from left to
 * right.
 */
function fits(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === pattern;
  if (text.length < pattern.length - parts.length + 1 || !text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position);
    if (found === -1 || found + part.length > end) return false;
    position = found + part.length;
  }
  return position <= end;
}

/** Whether some string can fit both patterns, judged by their beginnings and ends. */
function canMeet(a: string, b: string): boolean {
  if (!a.includes('*')) return fits(a, b);
  if (!b.includes('*')) return fits(b, a);
  const aHead = a.slice(0, a.indexOf('*'));
  const bHead = b.slice(0, b.indexOf('*'));
  const aTail = a.slice(a.lastIndexOf('*') + 1);
  const bTail = b.slice(b.lastIndexOf('*') + 1);
  return (aHead.startsWith(bHead) || bHead.startsWith(aHead)) && (aTail.endsWith(bTail) || bTail.endsWith(aTail));
}
