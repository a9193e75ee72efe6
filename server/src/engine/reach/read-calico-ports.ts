/** Parses the protocol and the ports of rules of Calico from plain data. */

import { excerpt } from '../messages.ts';
import type { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Path } from '../types.ts';
import { isOptional } from './partial.ts';
import { maxPort, protocols } from './ports.ts';
import { isPortName, readList, setField } from './read-parts.ts';
import type { PortMatch, Protocol } from './types.ts';

/** The ports of a rule. */
export interface CalicoPorts {
  readonly ports: readonly PortMatch[];
  readonly anyPort: Answer;
  readonly notPorts: readonly PortMatch[];
  /** Whether further conditions on ports are not evaluated. */
  readonly isNarrowed: boolean;
}

/** The protocols that have ports, by name and number. */
const transports: ReadonlyMap<string, Protocol> = new Map([
  ...[['TCP', 'TCP'] as const, ['6', 'TCP'] as const],
  ...[['UDP', 'UDP'] as const, ['17', 'UDP'] as const],
  ...[['SCTP', 'SCTP'] as const, ['132', 'SCTP'] as const],
]);

/** The names of all protocols. A name is valid in any case. */
const names = ['TCP', 'UDP', 'SCTP', 'ICMP', 'ICMPv6', 'UDPLite'];

/** Parses the protocols and the ports of the destination of a rule. */
export function readCalicoPorts(parser: StructuredParser, rule: unknown, path: Path): CalicoPorts {
  const [given, excluded] = ['protocol', 'notProtocol'].map((field) => {
    const value = setField(rule, field);
    checkProtocol(parser, value, [...path, field]);
    return value;
  });
  const isKnown = [given, excluded].every((each) => !isUnknown(each));
  const named = given === undefined ? undefined : protocolOf(given);
  const other = excluded === undefined ? undefined : protocolOf(excluded);
  const matched = protocols.filter((each) => (given === undefined || each === named) && each !== other);
  const read = (end: string, field: string) =>
    readList(parser, setField(rule, end), field, [...path, end], (item, at) => readPort(parser, item, at, matched));
  const [ports, notPorts] = [read('destination', 'ports'), read('destination', 'notPorts')];
  const sourcePorts = [read('source', 'ports'), read('source', 'notPorts')].some(({ isEmpty }) => isEmpty !== 'yes');
  if (isKnown && named === undefined) requireProtocol(parser, rule, path, given !== undefined);
  if (!isKnown)
    return { ports: [{ kind: 'unknown', protocol: undefined }], anyPort: 'no', notPorts: [], isNarrowed: true };
  const isOpenList = ports.isOpen || ports.isEmpty === 'maybe';
  const all = matched.map((protocol): PortMatch => ({ kind: 'range', protocol, from: 1, to: maxPort }));
  const unknown = matched.map((protocol): PortMatch => ({ kind: 'unknown', protocol }));
  return {
    ports: isOpenList ? unknown : ports.items.length > 0 ? ports.items.flat() : all,
    anyPort: 'no',
    notPorts: notPorts.items.flat(),
    isNarrowed: sourcePorts || notPorts.isOpen,
  };
}

function checkProtocol(parser: StructuredParser, value: unknown, path: Path): void {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) {
    const number = Number(value);
    if (!Number.isInteger(number) || number < 1 || number > 255)
      parser.problem('value-unsupported', path, `must be from 1 to 255, not ${excerpt(String(value))}`);
  } else if (typeof value === 'string') {
    const upper = value.toUpperCase();
    if (!names.some((each) => each.toUpperCase() === upper)) parser.oneOf(value, names, path);
  } else if (value !== undefined && !isUnknown(value)) parser.string(value, path, 'protocol');
}

/** Reports ports in a rule without a protocol that has ports. Without any protocol, names of ports are valid. */
function requireProtocol(parser: StructuredParser, rule: unknown, path: Path, hasProtocol: boolean): void {
  for (const end of ['source', 'destination'])
    for (const field of ['ports', 'notPorts']) {
      const list = setField(setField(rule, end), field);
      const ports: readonly unknown[] = Array.isArray(list) && !isOptional(list) ? list : [];
      const isNumber = (port: unknown) => typeof port === 'number' || (typeof port === 'string' && /^\d/.test(port));
      if (hasProtocol ? ports.length > 0 : ports.some(isNumber))
        parser.problem('field-conflict', [...path, end, field], 'needs the protocol TCP, UDP or SCTP in the rule');
    }
}

/** Returns the protocol that a name, in any case, or a number means; undefined for a protocol without ports. */
function protocolOf(given: unknown): Protocol | undefined {
  return transports.get(String(given).toUpperCase());
}

/** Parses a number, a range or a name of ports, for each of the protocols. */
function readPort(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  matched: readonly Protocol[],
): readonly PortMatch[] {
  const unknown = matched.map((protocol): PortMatch => ({ kind: 'unknown', protocol }));
  if (isUnknown(item)) return unknown;
  const text = typeof item === 'number' ? String(item) : parser.string(item, path, 'port');
  if (typeof text !== 'string') return unknown;
  const [, first, last = first] = /^(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (first !== undefined) {
    const [from, to] = [Number(first), Number(last)];
    if (from < 1 || to > maxPort || from > to)
      parser.problem(
        'port-range',
        path,
        `must be a port from 1 to ${maxPort}, or a range of ports such as '8000:8100', not '${excerpt(text)}'`,
      );
    return matched.map((protocol): PortMatch => ({ kind: 'range', protocol, from, to }));
  }
  if (!isPortName(text)) {
    parser.problem('port-syntax', path, `must be the number, a range or the name of a port, not '${excerpt(text)}'`);
    return unknown;
  }
  return matched.map((protocol): PortMatch => ({ kind: 'name', protocol, name: text }));
}
