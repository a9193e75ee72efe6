/** Marks plain data from a template as possibly incomplete. */

import { isUnknown } from '../types.ts';

const open = Symbol('open');
const optional = Symbol('optional');

/** Marks a map or list that may have further entries or items. Returns the value itself. */
export function markOpen<T extends object>(value: T): T {
  return Object.defineProperty(value, open, { value: true });
}

/** Marks a map or list that may be absent. Returns the value itself. */
export function markOptional<T extends object>(value: T): T {
  return Object.defineProperty(value, optional, { value: true });
}

/** Whether a value is unknown, or may have further entries or items. */
export function isOpen(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (isUnknown(value) || Object.hasOwn(value, open));
}

/** Whether a value may be absent. */
export function isOptional(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, optional);
}
