/** Makes invalid names valid with the least change. */

import { type NameRule, validateName } from '../../engine/index.ts';

/** The nearest valid name. Undefined if nothing is left of it, or if it is valid already. */
export function mendName(rule: NameRule, name: string, maxLength?: number): string | undefined {
  const mended = rule === 'pathSegment' ? name.replace(/[/%]+/g, '-') : dnsName(rule, name);
  if (mended === name || mended === '' || mended.length > (maxLength ?? mended.length)) return undefined;
  return validateName(rule, mended).length === 0 ? mended : undefined;
}

function dnsName(rule: NameRule, name: string): string {
  const letters = name.toLowerCase().replace(rule === 'dns1123Subdomain' ? /[^a-z0-9.]+/g : /[^a-z0-9]+/g, '-');
  return letters
    .split('.')
    .map((part) => part.replace(/^-/, '').replace(/-$/, ''))
    .filter((part) => part !== '')
    .join('.');
}
