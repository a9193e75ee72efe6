/** Computes the ports that a rule matches on a target. Named ports are looked up among the ports that the target's pods declare. */

import type { Answer } from '../types.ts';
import { isSame } from '../unknowns.ts';
import type { PortSet, PortSets } from './ports.ts';
import type { ContainerPort, PortMatch, ReachPod } from './types.ts';

/** The ports that match for all values of the unknowns, and the ports that may match. */
export interface MatchedPorts {
  readonly certain: PortSet;
  readonly possible: PortSet;
}

/** Returns the union of the ports that the entries of `matches` match on a target. An address (`undefined`) has no named ports. `pods` are the pods among which Cilium may look up names for egress; undefined if it does not run. */
export function matchedPorts(
  sets: PortSets,
  matches: readonly PortMatch[],
  target: ReachPod | undefined,
  pods: readonly ReachPod[] | undefined,
): MatchedPorts {
  let certain = sets.none;
  let possible = sets.none;
  for (const match of matches) {
    const one = matchedBy(sets, match, target, pods);
    certain = sets.union(certain, one.certain);
    possible = sets.union(possible, one.possible);
  }
  return { certain, possible };
}

function matchedBy(
  sets: PortSets,
  match: PortMatch,
  target: ReachPod | undefined,
  pods: readonly ReachPod[] | undefined,
): MatchedPorts {
  if (match.kind === 'unknown') return { certain: sets.none, possible: sets.range(match.protocol) };
  if (match.kind === 'range') {
    const range = sets.range(match.protocol, match.from, match.to);
    return { certain: range, possible: range };
  }
  const own = target === undefined ? { certain: sets.none, possible: sets.none } : namedPorts(sets, match, target);
  if (!match.isOfEgress || pods === undefined) return own;
  // Versions of Cilium look up the name among all pods, among the peers, or on the target.
  const any = amongPods(sets, match, pods);
  return {
    certain: sets.intersection(own.certain, any.certain),
    possible: sets.union(own.possible, any.possible),
  };
}

/** Resolves a named port among all pods. The result is certain only if all pods that have the name agree. */
function amongPods(
  sets: PortSets,
  match: Extract<PortMatch, { kind: 'name' }>,
  pods: readonly ReachPod[],
): MatchedPorts {
  let possible = sets.none;
  let found: PortSet | undefined;
  let isCertain = true;
  for (const pod of pods) {
    const one = namedPorts(sets, match, pod);
    if (one.possible === sets.none) continue;
    isCertain &&= one.certain === one.possible && (found === undefined || found === one.certain);
    found = one.certain;
    possible = sets.union(possible, one.possible);
  }
  return { certain: isCertain ? (found ?? sets.none) : sets.none, possible };
}

/**
 * Resolves a named port. The result is certain only if one port has the name: if several ports of one protocol have it,
 * network plugins differ in the port that they use.
 */
function namedPorts(
  sets: PortSets,
  { name, protocol }: Extract<PortMatch, { kind: 'name' }>,
  { ports = [], portsOpen }: ReachPod,
): MatchedPorts {
  let isCertain = portsOpen !== true;
  let possible = portsOpen === true ? sets.range(protocol) : sets.none;
  let found: PortSet | undefined;
  for (const port of ports) {
    const answer = hasName(port, name);
    const isOther = protocol !== undefined && port.protocol !== undefined && port.protocol !== protocol;
    if (answer === 'no' || isOther) continue;
    const one = numbersOf(sets, port, protocol);
    possible = sets.union(possible, one);
    isCertain &&= answer === 'yes' && port.protocol !== undefined && port.number !== undefined && !port.isInit;
    isCertain &&= found === undefined || found === one;
    found = one;
  }
  return { certain: isCertain ? (found ?? sets.none) : sets.none, possible };
}

function hasName({ name }: ContainerPort, evaluated: string): Answer {
  return name === undefined ? 'no' : isSame(name, evaluated);
}

function numbersOf(sets: PortSets, port: ContainerPort, protocol: ContainerPort['protocol']): PortSet {
  return sets.range(port.protocol ?? protocol, port.number, port.number);
}
