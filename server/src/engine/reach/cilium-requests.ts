/** Reports rules for requests and messages of ICMP for which Cilium rejects a policy. Sources: http.go, fqdn.go and icmp.go in pkg/policy/api of Cilium. */

import { isGoRegexp } from '../go-regexp.ts';
import { excerpt } from '../messages.ts';
import { isRecord, type StructuredParser } from '../structured.ts';
import { isUnknown, type Path } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { setField } from './read-parts.ts';

/** Reports rules for requests that Cilium rejects. Returns whether versions of Cilium differ in whether they reject the rules, or this is not determined. */
export function checkRequestRules(parser: StructuredParser, rules: unknown, path: Path): boolean {
  const ofHttp = itemsIn(rules, 'http', path).map(({ item, at }) => checkHttp(parser, item, at));
  const ofNames = itemsIn(rules, 'dns', path).map(({ item, at }) => isNameUnclear(parser, item, at));
  return [...ofHttp, ...ofNames].includes(true);
}

interface Item {
  readonly item: unknown;
  readonly at: Path;
}

/** Returns the known items of a list in a field. */
export function itemsIn(owner: unknown, field: string, path: Path): readonly Item[] {
  const list = setField(owner, field);
  if (!Array.isArray(list) || isOptional(list)) return [];
  const items = list.map((item: unknown, index): Item => ({ item, at: [...path, field, index] }));
  return items.filter(({ item }) => !isUnknown(item) && !isOptional(item) && item !== null);
}

const mismatches = ['LOG', 'ADD', 'DELETE', 'REPLACE'];

function checkHttp(parser: StructuredParser, item: unknown, path: Path): boolean {
  if (parser.map(item, path, 'rule for requests') === undefined) return false;
  let isUncertain = false;
  for (const field of ['path', 'method']) {
    const text = parser.string(setField(item, field), [...path, field], `\`${field}\``);
    if (typeof text !== 'string') continue;
    const isValid = isGoRegexp(text);
    isUncertain ||= isValid === 'maybe';
    if (isValid === 'no')
      parser.problem(
        'value-unsupported',
        [...path, field],
        `must be a regular expression of Go, such as '${example(text)}', not '${excerpt(text)}'`,
      );
  }
  for (const { item: match, at } of itemsIn(item, 'headerMatches', path)) {
    if (!isRecord(match) || isOpen(match)) continue;
    if (isEmpty(setField(match, 'name'))) parser.problem('field-required', at, '`name` must be set');
    const secret = setField(match, 'secret');
    if (isRecord(secret) && !isOpen(secret) && isEmpty(setField(secret, 'name')))
      parser.problem('field-required', [...at, 'secret'], '`name` must be set');
    const mismatch = setField(match, 'mismatch');
    if (mismatch === '') isUncertain = true;
    else if (typeof mismatch === 'string') parser.oneOf(mismatch, mismatches, [...at, 'mismatch']);
  }
  return isUncertain;
}

/** Returns a regular expression that may be meant by an invalid one. */
function example(text: string): string {
  return /^[*/\w.-]+$/.test(text) ? excerpt(text.replace(/\.?\*+/g, '.*')) : '/api/.*';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '';
}

/** Reports a DNS name, or a pattern of names, with characters that Cilium rejects. Returns whether versions of Cilium treat the entry differently. */
export function isNameUnclear(parser: StructuredParser, item: unknown, path: Path): boolean {
  const [name, pattern] = [setField(item, 'matchName'), setField(item, 'matchPattern')];
  if (isUnknown(item) || isOpen(item) || isUnknown(name) || isUnknown(pattern)) return false;
  if (typeof name === 'string' && /[^-a-z0-9_.]/i.test(name)) {
    const hint = name.includes('*') ? ": write '*' in `matchPattern`" : '';
    parser.problem(
      'value-unsupported',
      [...path, 'matchName'],
      `must have only letters, digits, '-', '_' and '.', not '${excerpt(name)}'${hint}`,
    );
  }
  if (typeof pattern === 'string' && /[^-a-z0-9_.*]/i.test(pattern))
    parser.problem(
      'value-unsupported',
      [...path, 'matchPattern'],
      `must have only letters, digits, '-', '_', '.' and '*', not '${excerpt(pattern)}'`,
    );
  const given = name ?? pattern;
  const isOne = (name === undefined) !== (pattern === undefined);
  // The definition of the kind, which rejects empty parts of a name, depends on the version.
  return !isOne || typeof given !== 'string' || !/^(?:[-a-z0-9_*]+\.)*[-a-z0-9_*]+\.?$/i.test(given);
}

/** Reports messages of ICMP with types that do not exist. Returns whether Cilium may reject them for other reasons. */
export function checkMessages(parser: StructuredParser, rule: unknown, path: Path): boolean {
  let isUncertain = false;
  for (const { item, at } of itemsIn(rule, 'icmps', path)) {
    const fields = itemsIn(item, 'fields', at);
    isUncertain ||= fields.length > maxFields;
    for (const { item: field, at: place } of fields) {
      const [family, type] = [setField(field, 'family'), setField(field, 'type')];
      isUncertain ||= family !== undefined && family !== 'IPv4' && family !== 'IPv6';
      if (isUnknown(type) || isOpen(field)) continue;
      const names = family === 'IPv6' ? namesOfIPv6 : namesOfIPv4;
      if (typeof type === 'string' && !isNumberOfType(type) && !names.has(type)) {
        if (namesOfIPv4.has(type) || namesOfIPv6.has(type)) isUncertain = true;
        else
          parser.problem(
            'value-unsupported',
            [...place, 'type'],
            `must be the number or the name of a type of ICMP, such as 'EchoRequest', not '${excerpt(type)}'`,
            [...names],
          );
      } else if (typeof type !== 'string' && !(typeof type === 'number' && isNumberOfType(String(type))))
        isUncertain = true;
    }
  }
  return isUncertain;
}

/** The maximum number of types in an entry. */
const maxFields = 40;

function isNumberOfType(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255;
}

const namesOfIPv4: ReadonlySet<string> = new Set([
  ...['EchoReply', 'DestinationUnreachable', 'Redirect', 'Echo', 'EchoRequest', 'RouterAdvertisement'],
  ...['RouterSelection', 'TimeExceeded', 'ParameterProblem', 'Timestamp', 'TimestampReply', 'Photuris'],
  ...['ExtendedEchoRequest', 'ExtendedEcho Reply', 'ExtendedEchoReply'],
]);

const namesOfIPv6: ReadonlySet<string> = new Set([
  ...['DestinationUnreachable', 'PacketTooBig', 'TimeExceeded', 'ParameterProblem', 'EchoRequest', 'EchoReply'],
  ...['MulticastListenerQuery', 'MulticastListenerReport', 'MulticastListenerDone', 'RouterSolicitation'],
  ...['RouterAdvertisement', 'NeighborSolicitation', 'NeighborAdvertisement', 'RedirectMessage'],
  ...['RouterRenumbering', 'ICMPNodeInformationQuery', 'ICMPNodeInformationResponse'],
  ...['InverseNeighborDiscoverySolicitation', 'InverseNeighborDiscoveryAdvertisement'],
  ...['HomeAgentAddressDiscoveryRequest', 'HomeAgentAddressDiscoveryReply', 'MobilePrefixSolicitation'],
  ...['MobilePrefixAdvertisement', 'DuplicateAddressRequestCodeSuffix', 'DuplicateAddressConfirmationCodeSuffix'],
  ...['ExtendedEchoRequest', 'ExtendedEchoReply'],
]);
