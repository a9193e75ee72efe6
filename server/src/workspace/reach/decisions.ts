/** Rows of connections: the other end, the ports, and the rules that decide. Hovers, pages, the map and the command line show the same rows. */

import {
  type Direction,
  firstPort,
  type PeerClass,
  type PortSet,
  type Profile,
  type Proof,
  policiesIn,
  type Rule,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { localize } from '../../text/localize.ts';
import type { Cluster } from './cluster.ts';
import type { Endpoint, WorkloadEnd } from './endpoints.ts';
import { portsText, ruleText, uncertaintyText } from './sentences.ts';
import { type Allowed, allowedBy, reachedFrom } from './summaries.ts';

/** Ports for which the same rules decide. */
export interface Decision {
  /** The ports: `TCP 80,443`, or `unknown: TCP 80` if it is unknown whether they are allowed. */
  readonly ports: string;
  readonly certain: boolean;
  readonly why: string;
  readonly set: PortSet;
}

export interface ConnectionRow extends Omit<Decision, 'set'> {
  readonly end: Endpoint;
}

type Decisions = Map<PeerClass, Map<PeerClass, readonly Decision[]>>;

const decisionsOfClusters = new WeakMap<Cluster, Decisions>();

/** Returns the ports on which the members of one end may connect to those of the other, or possibly may, and why. Ports for which different rules decide are never united. */
export function decisionsBetween(cluster: Cluster, from: Endpoint, to: Endpoint): readonly Decision[] {
  const ofCluster = getOrAdd(decisionsOfClusters, cluster, (): Decisions => new Map());
  const ofSource = getOrAdd(ofCluster, from.peer, () => new Map<PeerClass, readonly Decision[]>());
  return getOrAdd(ofSource, to.peer, () => decide(cluster, from, to));
}

/** Returns the number of rules that must be evaluated for a connection: those of the policies that apply to its ends. */
export function rulesBetween(cluster: Cluster, from: Endpoint, to: Endpoint): number {
  return rulesAt(cluster, from, 'egress') + rulesAt(cluster, to, 'ingress');
}

/** Returns the number of rules of the policies that apply to an endpoint in one direction. */
export function rulesAt({ reachability }: Cluster, { peer }: Endpoint, direction: Direction): number {
  return peer.kind === 'pods' ? rulesIn(reachability.policiesOn(peer, direction), direction) : 0;
}

const counts = new WeakMap<Profile, Map<Direction, number>>();

function rulesIn(profile: Profile, direction: Direction): number {
  const byDirection = getOrAdd(counts, profile, () => new Map<Direction, number>());
  return getOrAdd(byDirection, direction, () => {
    let rules = 0;
    for (const { policy } of policiesIn(profile)) rules += policy[direction].rules.length;
    return rules;
  });
}

function decide(cluster: Cluster, from: Endpoint, to: Endpoint): readonly Decision[] {
  const { reachability } = cluster;
  const { allowed, unknown } = reachability.connections(from.peer, to.peer);
  const whyOf = (ports: PortSet) => {
    const first = firstPort(ports);
    return first === undefined ? '' : whyText(cluster, reachability.prove(from, to, first.protocol, first.port));
  };
  return [allowed, unknown].flatMap((set): readonly Decision[] => {
    const certain = set === allowed;
    const shown = (ports: PortSet) => (certain ? portsText(ports) : localize`unknown: ${portsText(ports)}`);
    if (set === reachability.ports.none) return [];
    const parts = reachability.dividedByRules(set, from.peer, to.peer);
    if (parts === undefined) return [{ ports: shown(set), certain, why: localize`several rules`, set }];
    const byReason = new Map<string, PortSet>();
    for (const part of parts) {
      const why = whyOf(part);
      byReason.set(why, reachability.ports.union(byReason.get(why) ?? reachability.ports.none, part));
    }
    return [...byReason].map(([why, ports]) => ({ ports: shown(ports), certain, why, set: ports }));
  });
}

/** The maximum number of rules in a reason. */
const maximumRules = 3;

/** Names the rules that allow a connection, or why it is unknown. */
function whyText(cluster: Cluster, { answer, allowedBy: rules, doubts }: Proof): string {
  const [doubt] = doubts;
  if (answer !== 'yes') return doubt === undefined ? localize`unknown` : uncertaintyText(cluster, doubt);
  const names = [...new Set(rules.map((each) => ruleText(cluster, each)))];
  if (names.length === 0) return localize`no policy restricts it`;
  const more = names.length > maximumRules ? localize` and ${names.length - maximumRules} more` : '';
  return names.slice(0, maximumRules).join(', ') + more;
}

/** Returns the connections with the pods of a workload: from its sources (`ingress`), or to its targets (`egress`). */
export function rowsOfWorkload(cluster: Cluster, subject: WorkloadEnd, direction: Direction): readonly ConnectionRow[] {
  return reachedFrom(cluster, subject, direction).flatMap(({ end }) => {
    const [from, to] = direction === 'ingress' ? [end, subject] : [subject, end];
    return decisionsBetween(cluster, from, to).map(({ ports, certain, why }) => ({ end, ports, certain, why }));
  });
}

/** Returns the connections that rules of a policy allow, with a row for each peer and rule. */
export function rowsOfRules(
  cluster: Cluster,
  policy: number,
  direction: Direction,
  rules: readonly Rule[],
): readonly ConnectionRow[] {
  const byEnd = new Map<unknown, ConnectionRow[]>();
  for (const rule of rules) {
    const why = ruleText(cluster, { policy, direction, rule: rule.index, list: rule.list });
    const { peers }: Allowed = allowedBy(cluster, policy, direction, [rule]);
    for (const { end, ports, variesByPod } of peers) {
      const text = variesByPod ? localize`${portsText(ports)}, but not on every pod` : portsText(ports);
      const rows = getOrAdd(byEnd, end.kind === 'workload' ? end.workload : end.peer, (): ConnectionRow[] => []);
      const same = rows.findIndex((each) => each.ports === text);
      const [before] = same === -1 ? [] : [rows[same]];
      if (before === undefined) rows.push({ end, ports: text, certain: true, why });
      else rows[same] = { ...before, why: `${before.why}, ${why}` };
    }
  }
  return [...byEnd.values()].flat();
}
