/** Finds parts of rules that network plugins reject, or may reject, and that are not evaluated otherwise. Sources: pkg/policy/api of Cilium; libcalico-go/lib/validator/v3 of Calico. */

import { isRecord } from '../structured.ts';
import { isUnknown } from '../types.ts';
import { setField } from './read-parts.ts';

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = setField(value, field);
  return Array.isArray(list) ? list : [];
}

/** Whether Cilium may reject rules for requests. */
export function hasUnclearRequests(rules: unknown): boolean {
  return listAt(rules, 'http').some(isUnclearRequest) || listAt(rules, 'dns').some(isUnclearName);
}

function isUnclearRequest(request: unknown): boolean {
  if (isUnknown(request) || request === null) return false;
  if (!isRecord(request)) return true;
  const patterns = ['path', 'method', 'host'].map((field) => setField(request, field));
  return patterns.some(isUnclearPattern) || listAt(request, 'headerMatches').some(isUnclearHeader);
}

/** Whether Go may not accept a regular expression: it has no lookaround and no references, and at most 1000 repetitions. */
function isUnclearPattern(pattern: unknown): boolean {
  if (pattern === undefined || isUnknown(pattern)) return false;
  if (typeof pattern !== 'string') return true;
  if (/\(\?|\\[1-9k]|\{\d{4}|[*+?}][*+?]{2}/.test(pattern)) return true;
  try {
    new RegExp(pattern, 'u');
    return false;
  } catch {
    // A rule with needless escapes, as in `\-`, is valid in Go.
    return !isValid(pattern);
  }
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

function isUnclearHeader(header: unknown): boolean {
  if (isUnknown(header)) return false;
  const mismatch = setField(header, 'mismatch');
  const isKnown =
    mismatch === undefined || isUnknown(mismatch) || /^(?:LOG|ADD|DELETE|REPLACE)?$/.test(String(mismatch));
  return setField(header, 'name') === undefined || !isKnown;
}

/** Whether Cilium may reject a name in a rule for names: one with both or none of its fields, or with other characters. */
export function isUnclearName(each: unknown): boolean {
  const [name, pattern] = [setField(each, 'matchName'), setField(each, 'matchPattern')];
  if (isUnknown(each) || isUnknown(name) || isUnknown(pattern)) return false;
  if (name === undefined) return typeof pattern !== 'string' || !/^[-a-z0-9_.*]+$/i.test(pattern);
  return pattern !== undefined || typeof name !== 'string' || !/^[-a-z0-9_.]+$/i.test(name);
}

/** Whether Cilium may reject a message of ICMP: a family or a type that it may not know. */
export function isUnclearMessage(field: unknown): boolean {
  const [family, type] = [setField(field, 'family'), setField(field, 'type')];
  if (family !== undefined && !isUnknown(family) && family !== 'IPv4' && family !== 'IPv6') return true;
  if (type === undefined || isUnknown(type)) return false;
  return !(Number.isInteger(Number(type)) && Number(type) >= 0 && Number(type) <= 255);
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
