/** Parses the peers of rules of Cilium from plain data. */

import { readEndpointSelector } from '../cilium/endpoint-selector.ts';
import { excerpt } from '../messages.ts';
import type { StructuredParser } from '../structured.ts';
import { type Answer, isUnknown, type Path, type Value } from '../types.ts';
import { type AddressBlock, type AddressRange, everyAddress, isWithin, parseAddress, parseCidr } from './addresses.ts';
import { entityNames, isEntity } from './cilium-peers.ts';
import { isNameUnclear, itemsIn } from './cilium-requests.ts';
import { isOpen, isOptional } from './partial.ts';
import { mayBeSet, readList, readSelector, setField } from './read-parts.ts';
import type { AddressGroupReference, Direction, Peer } from './types.ts';

/** The fields of rules that list peers. */
export const ciliumPeerFields: Readonly<Record<Direction, readonly string[]>> = {
  ingress: ['fromEndpoints', 'fromCIDR', 'fromCIDRSet', 'fromEntities', 'fromNodes', 'fromGroups', 'fromRequires'],
  egress: [
    ...['toEndpoints', 'toCIDR', 'toCIDRSet', 'toEntities', 'toNodes', 'toGroups', 'toRequires'],
    ...['toFQDNs', 'toServices'],
  ],
};

/** The peers of a rule. */
export interface PeerList {
  readonly items: readonly Peer[];
  /** Whether some field for peers is set. */
  readonly isSet: Answer;
  /** Whether settings, or the version of Cilium, decide whether the policy is rejected. */
  readonly isUncertain: boolean;
  /** Whether further requirements may narrow the peers. */
  readonly isNarrowed: boolean;
}

/** Parses the peers of a rule. Different fields for peers must not be combined. */
export function readCiliumPeers(
  parser: StructuredParser,
  rule: unknown,
  path: Path,
  { direction, namespace }: { readonly direction: Direction; readonly namespace: Value | undefined },
): PeerList {
  const items: Peer[] = [];
  const used: string[] = [];
  let isSet: Answer = 'no';
  let hasEmptyList = false;
  let hasEmptyDerived = false;
  for (const field of ciliumPeerFields[direction]) {
    if (field.endsWith('Requires')) continue;
    const value = setField(rule, field);
    if (mayBeSet(rule, field) || isOptional(value)) {
      isSet = isSet === 'yes' ? 'yes' : 'maybe';
      items.push({ kind: 'unknown' });
      if (value === undefined) continue;
    } else if (value !== undefined) isSet = 'yes';
    if (value === undefined) continue;
    const read = readList<Peer>(parser, rule, field, path, (item, at) => readPeer(parser, item, at, field, namespace));
    items.push(...read.items);
    if (['host', 'remote-node'].every((entity) => read.items.some((each) => isOfEntity(each, entity))))
      items.push({ kind: 'entity', entity: 'every node' });
    if (read.isOpen) items.push({ kind: 'unknown' });
    if (read.items.length > 0) used.push(field);
    hasEmptyList ||= read.isEmpty === 'yes';
    // From these lists, Cilium derives other ones; whether an empty list then selects everything depends on its version.
    hasEmptyDerived ||= read.isEmpty === 'yes' && /(?:FQDNs|Groups|Nodes|Services)$/.test(field);
  }
  if (used.length > 1)
    parser.problem('field-conflict', path, `\`${used[0]}\` and \`${used[1]}\` must not be combined in one rule`);
  const required = setField(rule, direction === 'ingress' ? 'fromRequires' : 'toRequires');
  const names = itemsIn(rule, 'toFQDNs', path).map(({ item, at }) => isNameUnclear(parser, item, at));
  return {
    // Beside an empty list, versions of Cilium ignore the peers of other fields.
    items: hasEmptyDerived || (hasEmptyList && items.length > 0) ? [{ kind: 'unknown' }] : items,
    isSet,
    isUncertain: used.some((field) => field.endsWith('Nodes')) || names.includes(true),
    isNarrowed: required !== undefined && !(Array.isArray(required) && required.length === 0 && !isOpen(required)),
  };
}

function readPeer(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  field: string,
  namespace: Value | undefined,
): Peer {
  if (isUnknown(item) || isOptional(item)) return { kind: 'unknown' };
  switch (field.replace(/^(?:from|to)/, '')) {
    case 'Endpoints': {
      const selector = readEndpointSelector(parser, item, { field: 'peer', namespace }, path);
      return { kind: 'endpoints', selector };
    }
    case 'CIDR':
      return outside(readAddresses(parser, item, path, true));
    case 'CIDRSet':
      return readBlockOrGroup(parser, item, path);
    case 'Entities':
      return readEntity(parser, item, path);
    case 'Nodes':
      return { kind: 'entity', entity: 'node' };
    case 'FQDNs':
    case 'Groups':
      return { kind: 'entity', entity: 'name' };
    default:
      return { kind: 'unknown' };
  }
}

function isOfEntity(peer: Peer, entity: string): boolean {
  return peer.kind === 'entity' && peer.entity === entity;
}

function readEntity(parser: StructuredParser, item: unknown, path: Path): Peer {
  const text = parser.string(item, path, 'entity');
  if (typeof text !== 'string') return { kind: 'unknown' };
  if (isEntity(text)) return { kind: 'entity', entity: text };
  parser.problem(
    'value-unsupported',
    path,
    `must be the name of an entity, such as 'cluster' or 'world', not '${excerpt(text)}'`,
    entityNames,
  );
  return { kind: 'unknown' };
}

function outside(range: AddressRange | undefined): Peer {
  return {
    kind: 'outside',
    blocks: range === undefined ? [] : [{ range, except: [] }],
    isOpen: range === undefined,
    groups: [],
  };
}

/** Parses a block of addresses and, if it is allowed, a single address; undefined if it is unknown or invalid. */
function readAddresses(
  parser: StructuredParser,
  item: unknown,
  path: Path,
  isSingleAllowed: boolean,
): AddressRange | undefined {
  const text = isUnknown(item) ? undefined : parser.string(item, path, 'CIDR block');
  if (typeof text !== 'string') return undefined;
  const address = isSingleAllowed ? parseAddress(text) : undefined;
  if (address !== undefined) return { ...everyAddress(address.family), first: address.value, last: address.value };
  const range = parseCidr(text);
  if (range === undefined) {
    const single = parseAddress(text);
    const block = single && `${text}/${single.family === 4 ? 32 : 128}`;
    const message = `must be a valid CIDR block, such as '${block ?? '10.0.0.0/8'}', not '${excerpt(text)}'`;
    parser.problem('cidr-syntax', path, message, block === undefined ? [] : [block]);
  }
  return range;
}

function readBlockOrGroup(parser: StructuredParser, item: unknown, path: Path): Peer {
  if (parser.map(item, path, 'CIDR block') === undefined) return { kind: 'unknown' };
  const fields = ['cidr', 'cidrGroupRef', 'cidrGroupSelector'].filter((each) => setField(item, each) !== undefined);
  const [field] = fields;
  if (isOpen(item)) return { kind: 'outside', blocks: [], isOpen: true, groups: [] };
  if (field === undefined || fields.length > 1) {
    parser.problem('field-conflict', path, 'must have one of `cidr`, `cidrGroupRef` and `cidrGroupSelector`');
    return { kind: 'unknown' };
  }
  const list = readList(parser, item, 'except', path, (each, at) => readAddresses(parser, each, at, false));
  const except = list.items.filter((each) => each !== undefined);
  const exceptOpen = list.isOpen || except.length < list.items.length;
  const value = setField(item, field);
  if (isUnknown(value) || (exceptOpen && field !== 'cidr'))
    return { kind: 'outside', blocks: [], isOpen: true, groups: [] };
  if (field !== 'cidr') {
    const of: AddressGroupReference['of'] =
      field === 'cidrGroupRef' ? String(value) : readSelector(parser, value, [...path, field]);
    return { kind: 'outside', blocks: [], isOpen: false, groups: [{ of, except }] };
  }
  const range = readAddresses(parser, value, [...path, field], false);
  if (range === undefined) return outside(undefined);
  for (const [index, each] of except.entries())
    if (!isWithin({ ...each, last: each.first }, range))
      parser.problem('cidr-range', [...path, 'except', index], 'must be within `cidr`');
  const block: AddressBlock = { range, except, ...(exceptOpen && { exceptOpen: true as const }) };
  return { kind: 'outside', blocks: [block], isOpen: false, groups: [] };
}
