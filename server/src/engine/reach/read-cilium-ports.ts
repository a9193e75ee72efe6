/** Parses the ports of rules of Cilium from plain data: `toPorts` and `icmps`. */

import { excerpt } from '../messages.ts';
import { isRecord, type StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Path } from '../types.ts';
import { checkMessages, checkRequestRules } from './cilium-requests.ts';
import { isOpen, isOptional } from './partial.ts';
import { maxPort, protocols } from './ports.ts';
import { mayBeSet, readList, setField } from './read-parts.ts';
import type { Direction, PortMatch, Protocol } from './types.ts';

/** The ports of a rule. */
export interface PortRules {
  /** Ports on which every request is allowed or denied. */
  readonly plain: readonly PortMatch[];
  /** Ports on which only some requests are allowed. */
  readonly partial: readonly PortMatch[];
  /** Whether the rule matches every port of every protocol. */
  readonly anyPort: Answer;
  /** Whether the rule names ports or messages of ICMP. */
  readonly isSet: Answer;
  /** Whether it is uncertain if Cilium accepts the policy. */
  readonly isUncertain: boolean;
}

interface Context {
  readonly direction: Direction;
  readonly isDeny: boolean;
}

/** The maximum number of ports in an entry. */
const maxPorts = 40;

const anyPorts: PortMatch = { kind: 'unknown', protocol: undefined };

/** Parses the ports of a rule. `icmps` alone matches no port of TCP, UDP or SCTP. */
export function readCiliumPorts(parser: StructuredParser, rule: unknown, path: Path, context: Context): PortRules {
  const plain: PortMatch[] = [];
  const partial: PortMatch[] = [];
  let isUncertain = false;
  const entries = readList(parser, rule, 'toPorts', path, (item, at) => {
    const read = readEntry(parser, item, at, context);
    isUncertain ||= read.isUncertain;
    (read.isPartial ? partial : plain).push(...read.ports);
  });
  const messages = setField(rule, 'icmps');
  const hasMessages: Answer = mayBeSet(rule, 'icmps')
    ? 'maybe'
    : Array.isArray(messages) && messages.length > 0
      ? 'yes'
      : isUnknown(messages)
        ? 'maybe'
        : 'no';
  if (hasMessages === 'yes' && entries.isEmpty === 'no')
    parser.problem('field-conflict', path, '`icmps` and `toPorts` must not be combined in one rule');
  if (entries.isOpen) plain.push(anyPorts);
  const isEmpty = entries.isEmpty;
  const isSet: Answer = isEmpty === 'no' || hasMessages === 'yes' ? 'yes' : isEmpty === 'yes' ? hasMessages : 'maybe';
  const anyPort: Answer = isSet === 'yes' ? 'no' : isSet === 'no' ? 'yes' : 'maybe';
  const isUnclear = checkMessages(parser, rule, path);
  return { plain, partial, anyPort, isSet, isUncertain: isUncertain || isUnclear };
}

interface Entry {
  readonly ports: readonly PortMatch[];
  readonly isPartial: boolean;
  readonly isUncertain: boolean;
}

function readEntry(parser: StructuredParser, item: unknown, path: Path, { direction, isDeny }: Context): Entry {
  const unknown: Entry = { ports: [anyPorts], isPartial: false, isUncertain: false };
  if (isUnknown(item) || isOptional(item) || item === null) return unknown;
  if (parser.map(item, path, 'entry of `toPorts`') === undefined) return unknown;
  const list = readList(parser, item, 'ports', path, (port, at) => readPort(parser, port, at, direction));
  const read = list.items.flat();
  if (list.items.length > maxPorts)
    parser.problem('value-unsupported', [...path, 'ports'], `must have no more than ${maxPorts} items`);
  const fields = Object.keys(isRecord(item) ? item : {}).filter((field) => setField(item, field) !== undefined);
  const others = fields.filter((field) => field !== 'ports' && field !== 'rules');
  // An entry without ports matches no port, unless other fields give it a meaning.
  const hasNone = list.isEmpty === 'yes' && others.length === 0 && setField(item, 'rules') === undefined;
  const ports = list.isOpen || (list.isEmpty !== 'no' && !hasNone) ? [...read, anyPorts] : read;
  if (isDeny) return { ports, isPartial: false, isUncertain: isOpen(item) || others.length > 0 };
  const rules = setField(item, 'rules');
  const isPartial = others.length > 0 || isOpen(item) || (rules !== undefined && !allowsEverything(rules));
  // These fields must not be combined with rules for requests or, in part, with ingress.
  const isCombined = others.length > 0 && (rules !== undefined || direction === 'ingress');
  if (direction === 'ingress' && setField(item, 'listener') !== undefined)
    parser.problem('field-conflict', [...path, 'listener'], '`listener` must not be used for `ingress`');
  const isUnclear = checkRequestRules(parser, rules, [...path, 'rules']);
  const isRejected = isRejectedInPart(parser, rules, ports, path, direction);
  return { ports, isPartial, isUncertain: isRejected || isUnclear || isCombined };
}

/** Reports rules for requests that Cilium rejects. Returns whether Cilium may reject the rules for other reasons. */
function isRejectedInPart(
  parser: StructuredParser,
  rules: unknown,
  ports: readonly PortMatch[],
  path: Path,
  direction: Direction,
): boolean {
  const dns = setField(rules, 'dns');
  if (direction === 'ingress' && Array.isArray(dns) && dns.length > 0)
    parser.problem('field-conflict', [...path, 'rules', 'dns'], 'rules for names must not be used for `ingress`');
  if (!isRecord(rules) || isUnknown(rules) || Object.keys(rules).length === 0) return false;
  const isOfNames = Array.isArray(dns) && dns.length > 0;
  const [first, second] = ['http', 'kafka', 'dns', 'l7proto'].filter((field) => isFilled(setField(rules, field)));
  if (first !== undefined && second !== undefined)
    parser.problem('field-conflict', [...path, 'rules'], `\`${first}\` and \`${second}\` must not be combined`);
  else if (first !== undefined && first !== 'dns' && ports.some(isOtherThanTcp))
    parser.problem('field-conflict', [...path, 'rules'], `\`${first}\` requires ports with the protocol TCP`);
  const isEveryPort = (port: PortMatch) => port.kind === 'range' && port.from === 1 && port.to === maxPort;
  const isRejected = (port: PortMatch) => port.protocol !== 'TCP' || isEveryPort(port);
  return Object.keys(rules).length > 1 || (!isOfNames && ports.some(isRejected));
}

function isFilled(value: unknown): boolean {
  if (isUnknown(value) || isOptional(value)) return false;
  return Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '';
}

/** Whether a port certainly has a protocol other than TCP, or any protocol. */
function isOtherThanTcp({ kind, protocol }: PortMatch): boolean {
  return protocol === undefined ? kind === 'name' : protocol !== 'TCP';
}

/** Whether rules for requests allow every request. */
function allowsEverything(rules: unknown): boolean {
  if (isUnknown(rules) || isOpen(rules) || isOptional(rules) || typeof rules !== 'object' || rules === null)
    return false;
  const fields = Object.entries(rules).filter(([, value]) => value !== null);
  const [first, ...others] = fields;
  if (first === undefined) return true;
  const [field, list] = first;
  if (others.length > 0 || !Array.isArray(list)) return false;
  const isAny = (item: unknown) =>
    field === 'dns'
      ? setField(item, 'matchPattern') === '*' && setField(item, 'matchName') === undefined
      : field === 'http' && isEmptyMap(item);
  return list.some((item: unknown) => !isOpen(item) && !isOptional(item) && isAny(item));
}

function isEmptyMap(item: unknown): boolean {
  return item === null || (isRecord(item) && Object.keys(item).length === 0);
}

/** The protocols without ports that TCP, UDP and SCTP may use. */
const otherProtocols: ReadonlySet<string> = new Set(['ICMP', 'ICMPV6', 'ICMPv6', 'VRRP', 'IGMP']);

/** Parses a port; a port of any protocol becomes one of each. */
function readPort(parser: StructuredParser, item: unknown, path: Path, direction: Direction): readonly PortMatch[] {
  if (isUnknown(item) || isOptional(item) || item === null || isOpen(item)) return [anyPorts];
  if (parser.map(item, path, 'port') === undefined) return [anyPorts];
  const given = readProtocols(parser, setField(item, 'protocol'), [...path, 'protocol']);
  const port = parser.string(setField(item, 'port'), [...path, 'port'], '`port`');
  const end = setField(item, 'endPort');
  if (given === undefined) return [anyPorts];
  const all = given.map((protocol): PortMatch => ({ kind: 'unknown', protocol }));
  if (port === undefined || isUnknown(port) || isUnknown(end)) return all;
  if (isServiceName(port)) {
    const shared = direction === 'egress' ? { isOfEgress: true as const } : {};
    const name = port.toLowerCase();
    // A name without a protocol means the ports with the name, each with its own protocol.
    const named = given.length === protocols.length ? [undefined] : given;
    return named.map((protocol): PortMatch => ({ kind: 'name', protocol, name, ...shared }));
  }
  // Other notations of numbers, such as '0x50', depend on the parser of Go.
  if (/^[1-9]\d*$/.test(port) && Number(port) > maxPort) {
    const message = `\`port\` must be from 0 to ${maxPort}, not ${excerpt(port)}`;
    parser.problem('port-range', [...path, 'port'], message);
    return all;
  }
  if (!/^(?:0|[1-9]\d*)$/.test(port)) {
    if (!/^0/.test(port) || port === '')
      parser.problem(
        'port-syntax',
        [...path, 'port'],
        `\`port\` must be a number or a port name, not '${excerpt(port)}'`,
      );
    return all;
  }
  const from = Number(port);
  if (from === 0) return given.map((protocol): PortMatch => ({ kind: 'range', protocol, from: 1, to: maxPort }));
  if (end !== undefined && (typeof end !== 'number' || !Number.isInteger(end) || end < 0 || end > maxPort)) {
    parser.problem('port-range', [...path, 'endPort'], `\`endPort\` must be an integer from 0 to ${maxPort}`);
    return all;
  }
  const to = typeof end === 'number' && end > from ? end : from;
  return given.map((protocol): PortMatch => ({ kind: 'range', protocol, from, to }));
}

/** Returns the protocols that a field names; undefined if they are unknown, and none for protocols without ports. */
function readProtocols(parser: StructuredParser, given: unknown, path: Path): readonly Protocol[] | undefined {
  if (given === undefined) return protocols;
  const text = parser.string(given, path, '`protocol`');
  if (typeof text !== 'string') return undefined;
  if (text === 'ANY' || text === '') return protocols;
  if (otherProtocols.has(text)) return [];
  const protocol = protocols.find((each) => each === text);
  if (protocol !== undefined) return [protocol];
  parser.oneOf(text, [...protocols, 'ANY'], path);
  return undefined;
}

/** Whether a text is the name of a service as IANA defines it: at most 15 letters, digits and hyphens, with a letter. */
function isServiceName(text: string): boolean {
  return text.length <= 15 && /^[a-z\d](?:-?[a-z\d])*$/i.test(text) && /[a-z]/i.test(text);
}
