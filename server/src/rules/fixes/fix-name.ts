/** Makes invalid names valid with as few changes as possible. */

import { type NameRule, validateName } from '../../engine/index.ts';

/** Returns the most similar valid name; undefined if there is none, or if the name is already valid. */
export function correctName(rule: NameRule, name: string, maxLength?: number): string | undefined {
  // Without these characters, or without its letters that are not ASCII letters, the name would say something else.
  if (/[!=,|*<>()&?;]|(?![\p{ASCII}\s])./u.test(name)) return undefined;
  const corrected = rule === 'pathSegment' ? name.replace(/[/%]+/g, '-') : dnsName(rule, withoutReserved(rule, name));
  if (corrected === name || corrected === '' || corrected.length > (maxLength ?? corrected.length)) return undefined;
  return validateName(rule, corrected).length === 0 ? corrected : undefined;
}

function dnsName(rule: NameRule, name: string): string {
  const letters = name.toLowerCase().replace(/^dns1\d{3}Label$/.test(rule) ? /[^a-z0-9]+/g : /[^a-z0-9.]+/g, '-');
  return letters
    .split('.')
    .map((part) => part.replace(/^-/, '').replace(/-$/, ''))
    .filter((part) => part !== '')
    .join('.');
}

function withoutReserved(rule: NameRule, name: string): string {
  return rule === 'priorityClass' ? name.replace(/^(?:system-)+/, '') : name;
}
