/** Parses the protocol and the ports of rules of Calico from plain data. */

import { excerpt } from '../messages.ts';
import type { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Path } from '../types.ts';
import { maxPort, protocols } from './ports.ts';
import { readList, setField } from './read-parts.ts';
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

/** Parses the protocols and the ports of the destination of a rule. */
export function readCalicoPorts(parser: StructuredParser, rule: unknown, path: Path): CalicoPorts {
  const [given, excluded] = [setField(rule, 'protocol'), setField(rule, 'notProtocol')];
  const isKnown = [given, excluded].every((each) => !isUnknown(each));
  const named = given === undefined ? undefined : protocolOf(given);
  const other = excluded === undefined ? undefined : protocolOf(excluded);
  const matched = protocols.filter((each) => (given === undefined || each === named) && each !== other);
  const destination = setField(rule, 'destination');
  const read = (field: string) =>
    readList(parser, destination, field, [...path, 'destination'], (item, at) => readPort(parser, item, at, matched));
  const [ports, notPorts] = [read('ports'), read('notPorts')];
  if (isKnown && named === undefined) requireProtocol(parser, destination, path);
  const sourcePorts = ['ports', 'notPorts'].some((field) => setField(setField(rule, 'source'), field) !== undefined);
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

/** Reports numbers of ports in a rule without a protocol that has ports. */
function requireProtocol(parser: StructuredParser, destination: unknown, path: Path): void {
  const ports = ['ports', 'notPorts'].flatMap((field): unknown => setField(destination, field));
  if (ports.some((port) => typeof port === 'number' || (typeof port === 'string' && /^\d/.test(port))))
    parser.problem('field-conflict', path, 'a rule with numbers of ports needs the protocol TCP, UDP or SCTP');
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
  const [, first, last = first] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (first !== undefined) {
    const [from, to] = [Math.max(1, Number(first)), Number(last)];
    if (to > maxPort || Number(first) > to)
      parser.problem(
        'port-range',
        path,
        `must be a port, or a range of ports such as '8000:8100', not '${excerpt(text)}'`,
      );
    return matched.map((protocol): PortMatch => ({ kind: 'range', protocol, from, to }));
  }
  if (!/^[a-zA-Z0-9_.-]{1,128}$/.test(text)) {
    parser.problem('port-syntax', path, `must be the number, a range or the name of a port, not '${excerpt(text)}'`);
    return unknown;
  }
  return matched.map((protocol): PortMatch => ({ kind: 'name', protocol, name: text }));
}
