/** Finds parts of rules that Calico rejects, or may reject, and that are not evaluated otherwise. Source: libcalico-go/lib/validator/v3 of Calico. */

import { isUnknown } from '../types.ts';
import { setField } from './read-parts.ts';

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = setField(value, field);
  return Array.isArray(list) ? list : [];
}

/** Whether only some versions of Calico accept a rule, or none does. */
export function isUnclearRule(rule: unknown): boolean {
  const [protocol, excluded, version] = ['protocol', 'notProtocol', 'ipVersion'].map((field) => setField(rule, field));
  if (typeof excluded === 'string' && /^[a-z]+$/.test(excluded)) return true;
  if ((version === 6 && protocol === 'ICMP') || (version === 4 && protocol === 'ICMPv6')) return true;
  if (['icmp', 'notICMP'].some((field) => isUnclearType(setField(rule, field)))) return true;
  const ends = ['source', 'destination'].map((field) => setField(rule, field));
  if (protocol === undefined && ends.some(hasNamedPort)) return true;
  return ends.some(
    (end) =>
      setField(end, 'services') !== undefined &&
      ['ports', 'notPorts', 'namespaceSelector', 'serviceAccounts'].some((field) => setField(end, field) !== undefined),
  );
}

function isUnclearType(message: unknown): boolean {
  const [type, code] = [setField(message, 'type'), setField(message, 'code')];
  if (isUnknown(message) || isUnknown(type) || isUnknown(code)) return false;
  const isOutside = (value: unknown, most: number) =>
    value !== undefined && !(typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most);
  return isOutside(type, 254) || isOutside(code, 255) || (code !== undefined && type === undefined);
}

function hasNamedPort(end: unknown): boolean {
  return ['ports', 'notPorts'].some((field) =>
    listAt(end, field).some((port) => typeof port === 'string' && !/^\d/.test(port)),
  );
}
