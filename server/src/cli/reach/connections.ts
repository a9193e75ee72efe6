/** Lists the connections between endpoints, and the rules that decide about them. */

import {
  type Direction,
  hasPort,
  type PeerClass,
  type PortSet,
  type Protocol,
  portsByProtocol,
} from '../../engine/index.ts';
import type { RequestedPort } from '../../features/reach/proofs.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import { decisionsBetween, rulesAt, rulesBetween } from '../../workspace/reach/decisions.ts';
import { type Endpoint, endpointName } from '../../workspace/reach/endpoints.ts';
import { connectionsText } from '../../workspace/reach/sentences.ts';
import { podClasses } from '../../workspace/reach/summaries.ts';
import type { World } from '../environment.ts';

/** The largest limit on listed connections. */
export const maximumLimit = 500_000;

/** The maximum numbers of rules that are evaluated to find the listed connections, and to find the rules that decide about them: a few seconds of work. */
const maximumRules = { connections: 10_000_000, decisions: 2_000_000 };

export interface Connection {
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly allow: readonly { readonly protocol: Protocol; readonly ports: string }[];
  readonly unknown: readonly { readonly protocol: Protocol; readonly ports: string }[];
  /** The ports of `allow` and `unknown`. */
  readonly sets: { readonly allowed: PortSet; readonly unknown: PortSet };
  readonly text: string;
}

interface Listing {
  readonly limit?: number;
  /** Whether an endpoint is listed; a connection is listed if one of its endpoints is. */
  readonly isListed?: ((end: Endpoint) => boolean) | undefined;
}

/** Returns the connections between some endpoints, up to a limit, or until too many rules would have to be evaluated, which is reported. */
export function connectionsIn(
  world: World,
  cluster: Cluster,
  sources: readonly Endpoint[],
  targets: readonly Endpoint[],
  { limit = maximumLimit, isListed = () => true }: Listing = {},
): readonly Connection[] {
  const found: Connection[] = [];
  const workOf = workOfConnections(cluster);
  let work = 0;
  const known = new Map<PeerClass, Map<PeerClass, Omit<Connection, 'from' | 'to'>>>();
  for (const from of sources) {
    const row = known.get(from.peer) ?? new Map<PeerClass, Omit<Connection, 'from' | 'to'>>();
    known.set(from.peer, row);
    for (const to of targets) {
      if (from.kind === 'address' && to.kind === 'address') continue;
      if (from.kind === 'workload' && to.kind === 'workload' && from.workload === to.workload) continue;
      if (!isListed(from) && !isListed(to)) continue;
      let connection = row.get(to.peer);
      if (connection === undefined) {
        work += workOf(from, to);
        if (work > maximumRules.connections) {
          world.err(workText(found.length));
          return found;
        }
        const connections = cluster.reachability.connections(from.peer, to.peer);
        const [allow, unknown] = [portsByProtocol(connections.allowed), portsByProtocol(connections.unknown)];
        connection = { allow, unknown, sets: connections, text: connectionsText(connections) };
        row.set(to.peer, connection);
      }
      if (connection.allow.length === 0 && connection.unknown.length === 0) continue;
      if (found.length === limit) {
        world.err(limitText(limit));
        return found;
      }
      found.push({ from, to, ...connection });
    }
  }
  return found;
}

/** Returns a function that estimates the work for a connection in evaluated rules: for the first connection of an endpoint, the rules at this end are evaluated for all classes of pods at once, which is faster. */
function workOfConnections(cluster: Cluster): (from: Endpoint, to: Endpoint) => number {
  const { count } = podClasses(cluster);
  const known = { egress: new Set<PeerClass>(), ingress: new Set<PeerClass>() };
  const workAt = (end: Endpoint, direction: Direction) => {
    const rules = rulesAt(cluster, end, direction);
    if (known[direction].has(end.peer)) return rules;
    known[direction].add(end.peer);
    return rules * (1 + count / 8);
  };
  return (from, to) => workAt(from, 'egress') + workAt(to, 'ingress');
}

function workText(listed: number): string {
  return `selector-lens: Only ${listed} connections are listed, because too many rules would have to be evaluated. Specify FROM or TO.`;
}

export function limitText(limit: number): string {
  return `selector-lens: Only ${limit} connections are listed. Specify FROM or TO, or use '--limit'.`;
}

/** Yields the connections with the decisions about them, until too many rules would have to be evaluated. */
function* decided(world: World, cluster: Cluster, connections: readonly Connection[]) {
  let rules = 0;
  for (const [index, { from, to, text }] of connections.entries()) {
    if (rules > maximumRules.decisions) {
      world.err(workText(index));
      return;
    }
    const decisions = decisionsBetween(cluster, from, to);
    rules += rulesBetween(cluster, from, to) * decisions.length;
    yield { pair: `${endpointName(from)} -> ${endpointName(to)}`, text, decisions };
  }
}

/** Returns a line for each pair of ends and the rules that decide, up to the limit: each pair may have many rules. */
export function textLines(
  world: World,
  cluster: Cluster,
  connections: readonly Connection[],
  limit: number,
): readonly string[] {
  const lines: string[] = [];
  let listed = 0;
  for (const { pair, decisions } of decided(world, cluster, connections)) {
    if (lines.length > 0 && lines.length + decisions.length > limit) {
      world.err(limitText(listed));
      break;
    }
    for (const { ports, why } of decisions) lines.push(`${pair}: ${ports} (${why})`);
    listed++;
  }
  return lines.length > 0 ? lines : [noConnection];
}

/** Returns a line for each pair of ends with the rule that decides about a port. */
export function portLines(
  world: World,
  cluster: Cluster,
  connections: readonly Connection[],
  { protocol, port }: RequestedPort,
): readonly string[] {
  const lines = Array.from(decided(world, cluster, connections), ({ pair, text, decisions }) => {
    const deciding = decisions.find(({ set }) => hasPort(set, protocol, port));
    return `${pair}: ${text} (${deciding?.why ?? ''})`;
  });
  return lines.length > 0 ? lines : [noConnection];
}

const noConnection = 'No connection is allowed.';
