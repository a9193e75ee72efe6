/** Finds the part of a graph around one node. */

import { type Graph, type GraphEdge, isPrimary } from './graph.ts';

/** The maximum number of nodes in a neighborhood. */
const maximumNodes = 300;

/** Returns the neighborhood of a node, with its edges: the nodes that lead to the node, the nodes that it leads to, and the nodes with a direct edge, other than a reference, to one of the latter. For a Service, the neighborhood contains its workloads, their ConfigMaps, the Ingress in front of it, and the policies and autoscalers of the workloads, but not everything else that uses the ConfigMaps. Peer edges are followed for one step from the node and from the policies that select it; connections are followed only from the node itself. */
export function neighborhoodOf({ nodes, edges }: Graph, focus: string): Graph {
  const primary = edges.filter(isPrimary);
  const [targets, sources] = [ends(primary, 'from', 'to'), ends(primary, 'to', 'from')];
  const below = reached(focus, targets);
  const above = reached(focus, sources);
  const beside = [...below].slice(1).flatMap(
    ends(
      primary.filter(({ relation }) => relation !== 'references'),
      'to',
      'from',
    ),
  );
  const peers = edges.filter(({ relation }) => relation === 'peer');
  const own = new Set([focus, ...sources(focus)]);
  const atPeers = peers.flatMap(({ from, to }) => (own.has(from) ? [to] : to === focus ? [from] : []));
  const isConnection = ({ relation, from, to }: GraphEdge) =>
    relation === 'connects' && (from === focus || to === focus);
  const connected = edges.filter(isConnection).flatMap(({ from, to }) => [from, to]);
  const all = [...below, ...above, ...beside, ...atPeers, ...connected];
  const found = new Set([...new Set(all)].slice(0, maximumNodes));
  const isShown = (edge: GraphEdge) =>
    found.has(edge.from) && found.has(edge.to) && (edge.relation !== 'connects' || isConnection(edge));
  return { nodes: nodes.filter(({ id }) => found.has(id)), edges: edges.filter(isShown) };
}

type Next = (id: string) => readonly string[];

function ends(edges: readonly GraphEdge[], near: 'from' | 'to', far: 'from' | 'to'): Next {
  const known = new Map<string, string[]>();
  for (const edge of edges) {
    const list = known.get(edge[near]);
    if (list === undefined) known.set(edge[near], [edge[far]]);
    else list.push(edge[far]);
  }
  return (id) => known.get(id) ?? [];
}

/** Returns a node and all nodes that it leads to, the nearest nodes first. */
function reached(focus: string, next: Next): ReadonlySet<string> {
  const found = new Set([focus]);
  // The iteration includes the nodes that are added during it.
  for (const id of found) for (const other of next(id)) if (found.size < maximumNodes) found.add(other);
  return found;
}
