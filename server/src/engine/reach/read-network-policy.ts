/** Parses a NetworkPolicy from plain data, and reports the problems for which the API server would reject it. */

import { not } from '../answers.ts';
import { excerpt } from '../messages.ts';
import { parsed } from '../problems.ts';
import { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Parsed, type Path, type Value } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { maxPort, protocols } from './ports.ts';
import {
  isPortName,
  mayBeSet,
  type ReadList,
  readBlock,
  readList,
  readOptionalSelector,
  readPortNumber,
  readRules,
  readSelector,
  rulesIn,
  setField,
} from './read-parts.ts';
import type { Direction, Peer, PortMatch, Protocol, ReachPolicy, Rule } from './types.ts';

/** Parses a NetworkPolicy (`networking.k8s.io/v1`) from its namespace and its `spec` as plain data, in which any value may be an unknown. Returns the policy, or the problems for which the API server rejects it: `field-conflict`, `field-required`, `value-unsupported`, `port-syntax`, `port-range`, `cidr-syntax`, `cidr-range`, `wrong-type`, and the problems of selectors, each with its path. Defaults are defined by `SetDefaults_NetworkPolicy`, and validation by `ValidateNetworkPolicySpec`, in k8s.io/kubernetes/pkg/apis/networking. */
export function readNetworkPolicy(namespace: Value, spec: unknown): Parsed<ReachPolicy> {
  const parser = new StructuredParser();
  if (!isUnknown(spec)) parser.map(spec, ['spec'], '`spec`');
  const rules = (direction: Direction) =>
    readRules(parser, spec, direction, 'Accept', (item, path, index) => readRule(parser, item, path, index, direction));
  const ingress = rules('ingress');
  const egress = rules('egress');
  const covers = readPolicyTypes(parser, spec, egress);
  const policy: ReachPolicy = {
    tier: 'NetworkPolicy',
    priority: undefined,
    namespace,
    subject: { kind: 'pods', namespaces: undefined, pods: readOptionalSelector(parser, spec, 'podSelector', ['spec']) },
    ingress: rulesIn(ingress, covers.ingress),
    egress: rulesIn(egress, covers.egress),
  };
  return parsed(parser.problems, policy, true);
}

function readPolicyTypes(
  parser: StructuredParser,
  spec: unknown,
  egress: ReadList<Rule>,
): Readonly<Record<Direction, Answer>> {
  const types = readList(parser, spec, 'policyTypes', ['spec'], (item, path): Value | undefined => {
    const type = parser.string(item, path, '`policyTypes`');
    if (typeof type === 'string' && type !== 'Ingress' && type !== 'Egress')
      parser.problem('value-unsupported', path, `must be 'Ingress' or 'Egress', not '${excerpt(type)}'`);
    return type;
  });
  if (types.items.length > 2)
    parser.problem('value-unsupported', ['spec', 'policyTypes'], 'must have no more than two items');
  const isUncertain = types.isOpen || types.isEmpty === 'maybe' || types.items.some((item) => typeof item !== 'string');
  if (types.isEmpty === 'yes') return { ingress: 'yes', egress: not(egress.isEmpty) };
  const listed = (type: string): Answer => (types.items.includes(type) ? 'yes' : isUncertain ? 'maybe' : 'no');
  if (types.isEmpty === 'maybe') return { ingress: 'maybe', egress: 'maybe' };
  return { ingress: listed('Ingress'), egress: listed('Egress') };
}

function readRule(parser: StructuredParser, item: unknown, path: Path, index: number, direction: Direction): Rule {
  parser.map(item, path, 'rule');
  const field = direction === 'ingress' ? 'from' : 'to';
  const peers = readList(parser, item, field, path, (peer, at) => readPeer(parser, peer, at));
  const ports = readList(parser, item, 'ports', path, (port, at) => readPort(parser, port, at, direction));
  return {
    index,
    action: 'Accept',
    peers: peers.isOpen ? [...peers.items, { kind: 'unknown' }] : peers.items,
    anyPeer: peers.isEmpty,
    ports: ports.isOpen ? [...ports.items, { kind: 'unknown', protocol: undefined }] : ports.items,
    anyPort: ports.isEmpty,
  };
}

function readPeer(parser: StructuredParser, peer: unknown, path: Path): Peer {
  if (isUnknown(peer) || peer === null || isOptional(peer)) return { kind: 'unknown' };
  if (parser.map(peer, path, 'peer') === undefined) return { kind: 'unknown' };
  const [block, namespaces, pods] = ['ipBlock', 'namespaceSelector', 'podSelector'].map((field) =>
    setField(peer, field),
  );
  if (block !== undefined) {
    if (namespaces !== undefined || pods !== undefined)
      parser.problem('field-conflict', path, '`ipBlock` must not be set together with a selector');
    const read = readBlock(parser, block, [...path, 'ipBlock']);
    return isOptional(block) ? { kind: 'unknown' } : { kind: 'block', block: read };
  }
  if (namespaces === undefined && pods === undefined && !isOpen(peer))
    parser.problem('field-required', path, 'a peer must have one of `podSelector`, `namespaceSelector` or `ipBlock`');
  const selected: Peer = {
    kind: 'pods',
    namespaces: namespaces === undefined ? undefined : readSelector(parser, namespaces, [...path, 'namespaceSelector']),
    pods: readOptionalSelector(parser, peer, 'podSelector', path),
  };
  // A namespace selector that a template adds would widen the peer, and a pod selector would narrow it.
  return isOpen(peer) || isOptional(namespaces) || isOptional(pods) ? { kind: 'unknown' } : selected;
}

function readPort(parser: StructuredParser, item: unknown, path: Path, direction: Direction): PortMatch {
  if (isUnknown(item) || item === null || isOptional(item)) return { kind: 'unknown', protocol: undefined };
  if (parser.map(item, path, 'port') === undefined) return { kind: 'unknown', protocol: undefined };
  const protocol = readProtocol(parser, item, path);
  const port = setField(item, 'port');
  const end = setField(item, 'endPort');
  if (end !== undefined && !isUnknown(end) && !mayBeSet(item, 'port'))
    checkEndPort(parser, port, end, [...path, 'endPort']);
  const unknown: PortMatch = { kind: 'unknown', protocol };
  if (protocol === undefined || isUnknown(port) || isUnknown(end)) return unknown;
  if (mayBeSet(item, 'port') || mayBeSet(item, 'endPort')) return unknown;
  if (port === undefined) return { kind: 'range', protocol, from: 1, to: maxPort };
  if (typeof port === 'string') {
    if (isPortName(port))
      return { kind: 'name', protocol, name: port, ...(direction === 'egress' && { isOfEgress: true }) };
    const hint = /^\d+$/.test(port) ? `: write ${excerpt(port)} without quotes for a number` : '';
    const message = `\`port\` must be a number or a port name (lower-case letters, digits and '-', at least one letter)${hint}`;
    parser.problem('port-syntax', [...path, 'port'], message);
    return unknown;
  }
  const from = readPortNumber(parser, port, [...path, 'port'], 'port');
  const to = end === undefined ? from : readPortNumber(parser, end, [...path, 'endPort'], 'endPort');
  return from === undefined || to === undefined ? unknown : { kind: 'range', protocol, from, to };
}

/** Parses a protocol; returns undefined if it is unknown, or if it is invalid, which is reported as a problem. */
function readProtocol(parser: StructuredParser, item: unknown, path: Path): Protocol | undefined {
  const given = setField(item, 'protocol');
  if (given === undefined) return mayBeSet(item, 'protocol') ? undefined : 'TCP';
  const text = parser.string(given, [...path, 'protocol'], '`protocol`');
  const protocol = protocols.find((each) => each === text);
  if (protocol === undefined && typeof text === 'string')
    parser.problem(
      'value-unsupported',
      [...path, 'protocol'],
      `must be 'TCP', 'UDP' or 'SCTP', not '${excerpt(text)}'`,
    );
  return protocol;
}

function checkEndPort(parser: StructuredParser, port: unknown, end: unknown, path: Path): void {
  if (isUnknown(port)) return;
  if (port === undefined) parser.problem('field-conflict', path, '`endPort` must not be set without `port`');
  else if (typeof port !== 'number')
    parser.problem('field-conflict', path, '`endPort` must not be set with a named port');
  else if (typeof end === 'number' && end < port)
    parser.problem('port-range', path, '`endPort` must be greater than or equal to `port`');
}
