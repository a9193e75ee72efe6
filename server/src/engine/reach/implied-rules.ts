/**
 * Decides whether one rule of a NetworkPolicy allows everything that another rule of that policy allows, in every
 * reachability model.
 */

import { implies } from '../algebra.ts';
import type { Selector } from '../types.ts';
import { type AddressBlock, isWithin } from './addresses.ts';
import type { Peer, PortMatch, Rule } from './types.ts';

/** Whether `wide` certainly allows whatever `narrow` allows. Both are rules of one direction of one policy. */
export function ruleImplies(narrow: Rule, wide: Rule): boolean {
  if (wide.isOptional || narrow.isOptional || wide.action !== 'Accept' || narrow.action !== 'Accept') return false;
  return peersImply(narrow, wide) && portsImply(narrow, wide);
}

function peersImply(narrow: Rule, wide: Rule): boolean {
  if (wide.anyPeer === 'yes') return true;
  if (narrow.anyPeer !== 'no') return false;
  return narrow.peers.every((peer) => wide.peers.some((other) => peerImplies(peer, other)));
}

function peerImplies(narrow: Peer, wide: Peer): boolean {
  if (narrow.kind === 'block' && wide.kind === 'block') {
    return narrow.block !== undefined && wide.block !== undefined && blockImplies(narrow.block, wide.block);
  }
  if (narrow.kind !== 'pods' || wide.kind !== 'pods') return false;
  return namespacesImply(narrow.namespaces, wide.namespaces) && implies(narrow.pods, wide.pods);
}

/** Whether `wide` includes all namespaces that `narrow` includes. A peer without a namespace selector refers to the namespace of the policy, which every selector that selects all namespaces includes. */
function namespacesImply(narrow: Selector | undefined, wide: Selector | undefined): boolean {
  if (wide === undefined) return narrow === undefined;
  return narrow === undefined ? wide.kind === 'everything' : implies(narrow, wide);
}

function blockImplies(narrow: AddressBlock, wide: AddressBlock): boolean {
  if (!isWithin(narrow.range, wide.range) || wide.exceptOpen) return false;
  const isApart = (one: AddressBlock['range'], other: AddressBlock['range']) =>
    one.family !== other.family || one.last < other.first || other.last < one.first;
  return wide.except.every(
    (each) => isApart(each, narrow.range) || narrow.except.some((other) => isWithin(each, other)),
  );
}

function portsImply(narrow: Rule, wide: Rule): boolean {
  if (wide.anyPort === 'yes') return true;
  if (narrow.anyPort !== 'no') return false;
  return narrow.ports.every((port) => wide.ports.some((other) => portImplies(port, other)));
}

function portImplies(narrow: PortMatch, wide: PortMatch): boolean {
  if (narrow.kind === 'range' && wide.kind === 'range')
    return narrow.protocol === wide.protocol && wide.from <= narrow.from && narrow.to <= wide.to;
  if (narrow.kind !== 'name') return false;
  if (wide.kind === 'name') return narrow.name === wide.name && narrow.protocol === wide.protocol;
  return wide.kind === 'range' && narrow.protocol === wide.protocol && wide.from === 1 && wide.to === 65_535;
}
