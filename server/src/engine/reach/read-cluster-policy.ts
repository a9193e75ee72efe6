/** Parses a ClusterNetworkPolicy from plain data, and reports the problems for which the API server would reject it. */

import { excerpt } from '../messages.ts';
import { parsed } from '../problems.ts';
import { allOf, everything } from '../selector.ts';
import { StructuredParser } from '../structured.ts';
import { isUnknown, type Parsed, type Path } from '../types.ts';
import { isOpen, isOptional } from './partial.ts';
import { maxPort } from './ports.ts';
import {
  isPortName,
  isSet,
  mayBeSet,
  readCidr,
  readList,
  readPortNumber,
  readRules,
  readSelector,
  rulesIn,
  setField,
} from './read-parts.ts';
import type { Action, Direction, Peer, PortMatch, Protocol, ReachPolicy, Rule, Tier } from './types.ts';

const maxPriority = 1000;
/** The maximum number of rules in a direction, peers in a rule, networks in a peer and protocols in a rule. */
const maxItems = 25;

const tiers: readonly Tier[] = ['Admin', 'Baseline'];
const actions: readonly Action[] = ['Accept', 'Deny', 'Pass'];
const transports = [
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
] as const;

type PodPeer = Extract<Peer, { kind: 'pods' }>;

/**
 * Parses the `spec` of a ClusterNetworkPolicy (`policy.networking.k8s.io/v1alpha2`) from plain data, in which any value
 * may be an unknown. Returns the policy, or the problems for which the API server rejects it: `field-conflict`,
 * `field-required`, `value-unsupported`, `port-syntax`, `port-range`, `cidr-syntax`, `wrong-type`, and the problems of
 * selectors, each with its path. Defined by `ClusterNetworkPolicySpec` in sigs.k8s.io/network-policy-api/apis/v1alpha2.
 */
export function readClusterNetworkPolicy(spec: unknown): Parsed<ReachPolicy> {
  const parser = new StructuredParser();
  if (!isUnknown(spec)) parser.map(spec, ['spec'], '`spec`');
  const rules = (direction: Direction) =>
    readRules(parser, spec, direction, undefined, (item, path, index) =>
      readRule(parser, item, path, index, direction),
    );
  const [ingress, egress] = [rules('ingress'), rules('egress')];
  for (const [direction, { items }] of Object.entries({ ingress, egress }))
    if (items.length > maxItems) parser.problem('value-unsupported', ['spec', direction], tooMany);
  const policy: ReachPolicy = {
    tier: readWord(parser, spec, 'tier', ['spec'], tiers),
    priority: readPriority(parser, spec),
    namespace: undefined,
    subject: readSubject(parser, spec),
    ingress: rulesIn(ingress, 'yes'),
    egress: rulesIn(egress, 'yes'),
  };
  return parsed(parser.problems, policy, true);
}

const tooMany = `must have no more than ${maxItems} items`;

/** Parses one of several allowed words; returns undefined if the value is unknown, or if it is invalid, which is reported as a problem. */
function readWord<Word extends string>(
  parser: StructuredParser,
  owner: unknown,
  field: string,
  path: Path,
  words: readonly Word[],
): Word | undefined {
  if (isUnknown(owner) || !isSet(parser, owner, field, path)) return undefined;
  const text = parser.string(setField(owner, field), [...path, field], `\`${field}\``);
  const word = words.find((each) => each === text);
  if (word === undefined && typeof text === 'string' && text !== '') {
    const list = words.map((each) => `'${each}'`).join(', ');
    parser.problem('value-unsupported', [...path, field], `must be one of ${list}, not '${excerpt(text)}'`);
  }
  return word;
}

function readPriority(parser: StructuredParser, spec: unknown): number | undefined {
  if (isUnknown(spec) || !isSet(parser, spec, 'priority', ['spec'])) return undefined;
  const priority = setField(spec, 'priority');
  if (isUnknown(priority) || priority === undefined) return undefined;
  if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0 && priority <= maxPriority)
    return priority;
  parser.problem('value-unsupported', ['spec', 'priority'], `must be an integer from 0 to ${maxPriority}`);
  return undefined;
}

const anyPods: PodPeer = { kind: 'pods', namespaces: allOf([], true), pods: allOf([], true) };

function readSubject(parser: StructuredParser, spec: unknown): PodPeer {
  const path = ['spec', 'subject'];
  if (isUnknown(spec) || !isSet(parser, spec, 'subject', ['spec'])) return anyPods;
  const subject = setField(spec, 'subject');
  if (subject === undefined || isUnknown(subject)) return anyPods;
  const peer = readPods(parser, subject, path);
  if (peer === undefined && !isOpen(subject))
    parser.problem('field-required', path, '`subject` must have one of `namespaces` or `pods`');
  if (setField(subject, 'namespaces') !== undefined && setField(subject, 'pods') !== undefined)
    parser.problem('field-conflict', path, '`subject` must have only one field');
  return peer === undefined || isOptional(subject) ? anyPods : peer;
}

/** Returns a selection of pods by `namespaces` or `pods`; undefined if neither is set. */
function readPods(parser: StructuredParser, owner: unknown, path: Path): PodPeer | undefined {
  const namespaces = setField(owner, 'namespaces');
  if (namespaces !== undefined)
    return { kind: 'pods', namespaces: readSelector(parser, namespaces, [...path, 'namespaces']), pods: everything };
  const pods = setField(owner, 'pods');
  if (pods === undefined) return undefined;
  const at = [...path, 'pods'];
  if (isUnknown(pods) || parser.map(pods, at, '`pods`') === undefined) return anyPods;
  const [inNamespaces, ofPods] = ['namespaceSelector', 'podSelector'].map((field) => {
    isSet(parser, pods, field, at);
    const selector = setField(pods, field);
    return selector === undefined ? allOf([], true) : readSelector(parser, selector, [...at, field]);
  });
  return { kind: 'pods', namespaces: inNamespaces ?? everything, pods: ofPods ?? everything };
}

function readRule(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  index: number,
  direction: Direction,
): Rule | undefined {
  if (parser.map(item, path, 'rule') === undefined) return undefined;
  const action = readWord(parser, item, 'action', path, actions);
  const field = direction === 'ingress' ? 'from' : 'to';
  isSet(parser, item, field, path);
  const peers = readList(parser, item, field, path, (peer, at) => readPeer(parser, peer, at, direction));
  const ports = readList(parser, item, 'protocols', path, (port, at) => readPort(parser, port, at, direction));
  const hasProtocols = setField(item, 'protocols') !== undefined;
  if ((peers.isEmpty === 'yes' && setField(item, field) !== undefined) || (hasProtocols && ports.isEmpty === 'yes'))
    parser.problem('field-required', path, `\`${field}\` and \`protocols\` must not be empty lists`);
  if (peers.items.length > maxItems || ports.items.length > maxItems)
    parser.problem('value-unsupported', path, `\`${field}\` and \`protocols\` ${tooMany}`);
  const isNamed = ports.items.some(({ kind }) => kind === 'name');
  if (isNamed && peers.items.some((peer) => peer !== 'unsupported' && isAddressPeer(peer)))
    parser.problem(
      'field-conflict',
      path,
      '`destinationNamedPort` must not be set with `networks`, `nodes` or `domainNames`',
    );
  const name = setField(item, 'name');
  const rule: Rule = {
    index,
    ...(typeof name === 'string' && { name }),
    action,
    peers: peers.items.filter((peer) => peer !== 'unsupported'),
    anyPeer: 'no',
    ports: ports.isOpen ? [...ports.items, { kind: 'unknown', protocol: undefined }] : ports.items,
    anyPort: ports.isEmpty,
  };
  if (peers.items.includes('unsupported')) return failClosed(rule);
  return peers.isOpen ? { ...rule, peers: [...rule.peers, { kind: 'unknown' }] } : rule;
}

function isAddressPeer({ kind }: Peer): boolean {
  return kind === 'networks' || kind === 'nodes' || kind === 'domains';
}

/** Replaces a rule with a peer of a later API version: by no rule if its action is Accept, otherwise by a rule that denies everything. */
function failClosed(rule: Rule): Rule | undefined {
  if (rule.action === 'Accept') return undefined;
  const isCertain = rule.action !== undefined;
  return { ...rule, action: 'Deny', anyPeer: isCertain ? 'yes' : 'maybe', anyPort: isCertain ? 'yes' : 'maybe' };
}

function readPeer(parser: StructuredParser, peer: unknown, path: Path, direction: Direction): Peer | 'unsupported' {
  if (isUnknown(peer) || isOptional(peer)) return { kind: 'unknown' };
  if (parser.map(peer, path, 'peer') === undefined) return { kind: 'unknown' };
  const fields = ['namespaces', 'pods', ...(direction === 'egress' ? ['networks', 'nodes', 'domainNames'] : [])];
  const [field, ...others] = fields.filter((each) => setField(peer, each) !== undefined);
  if (field === undefined) return isOpen(peer) ? { kind: 'unknown' } : 'unsupported';
  if (others.length > 0) parser.problem('field-conflict', path, 'a peer must have only one field');
  const value = setField(peer, field);
  if (isOptional(value)) return { kind: 'unknown' };
  if (field === 'nodes') return { kind: 'nodes' };
  if (field === 'domainNames') return { kind: 'domains' };
  if (field !== 'networks') return readPods(parser, peer, path) ?? { kind: 'unknown' };
  const networks = readList(parser, peer, 'networks', path, (item, at) => {
    const range = isUnknown(item) ? undefined : readCidr(parser, item, at);
    return range && { range, except: [] };
  });
  const blocks = networks.items.filter((block) => block !== undefined);
  return { kind: 'networks', blocks, isOpen: networks.isOpen || blocks.length < networks.items.length };
}

function readPort(parser: StructuredParser, item: unknown, path: Path, direction: Direction): PortMatch {
  const unknown: PortMatch = { kind: 'unknown', protocol: undefined };
  if (isUnknown(item) || isOptional(item) || parser.map(item, path, 'protocol') === undefined) return unknown;
  const found = transports.filter(([field]) => setField(item, field) !== undefined);
  const name = setField(item, 'destinationNamedPort');
  const [first] = found;
  if (found.length + (name === undefined ? 0 : 1) > 1)
    parser.problem('field-conflict', path, 'a protocol must have only one field');
  if (first !== undefined) {
    const [field, protocol] = first;
    return readTransport(parser, setField(item, field), protocol, [...path, field]);
  }
  if (name === undefined) {
    if (!isOpen(item))
      parser.problem('field-required', path, 'must have one of `tcp`, `udp`, `sctp` or `destinationNamedPort`');
    return unknown;
  }
  if (typeof name === 'string' && isPortName(name))
    return { kind: 'name', protocol: undefined, name, ...(direction === 'egress' && { isOfEgress: true }) };
  if (!isUnknown(name)) parser.problem('port-syntax', [...path, 'destinationNamedPort'], 'must be the name of a port');
  return unknown;
}

function readTransport(parser: StructuredParser, value: unknown, protocol: Protocol, path: Path): PortMatch {
  const unknown: PortMatch = { kind: 'unknown', protocol };
  if (isUnknown(value) || parser.map(value, path, `\`${path.at(-1)}\``) === undefined) return unknown;
  const port = setField(value, 'destinationPort');
  if (port === undefined)
    return mayBeSet(value, 'destinationPort') ? unknown : { kind: 'range', protocol, from: 1, to: maxPort };
  const at = [...path, 'destinationPort'];
  if (isUnknown(port) || isOpen(port) || parser.map(port, at, '`destinationPort`') === undefined) return unknown;
  const number = setField(port, 'number');
  const range = setField(port, 'range');
  if ((number === undefined) === (range === undefined)) {
    parser.problem('field-conflict', at, 'must have exactly one of `number` or `range`');
    return unknown;
  }
  const [start, end] = range === undefined ? [number, number] : [setField(range, 'start'), setField(range, 'end')];
  if (isUnknown(range)) return unknown;
  const from = readPortNumber(parser, start, at, range === undefined ? 'number' : 'start');
  const to = readPortNumber(parser, end, at, range === undefined ? 'number' : 'end');
  if (from === undefined || to === undefined) return unknown;
  if (range !== undefined && from >= to) parser.problem('port-range', at, '`start` must be less than `end`');
  return { kind: 'range', protocol, from, to };
}
