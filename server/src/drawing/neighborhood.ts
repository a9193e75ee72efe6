/** Finds the part of a graph around one node. */

import type { Graph, GraphEdge } from './graph.ts';

/** The maximum number of nodes of a neighborhood. */
const maximumNodes = 300;

/**
 * Returns the nodes from which a node is reached, those that it reaches, and the nodes that lead directly to these;
 * with all edges between them. For a Service these are its workloads, the Ingress in front of it, and the policies and
 * autoscalers of the workloads. Connections are not followed: they only lead from the node itself to its peers.
 */
export function neighborhoodOf({ nodes, edges }: Graph, focus: string): Graph {
  const followed = edges.filter(({ relation }) => relation !== 'connects');
  const found = new Set([focus]);
  reach(found, [focus], ends(followed, 'from', 'to'));
  const reached = [...found].slice(1);
  const sources = ends(followed, 'to', 'from');
  for (const id of reached) for (const source of sources(id)) if (found.size < maximumNodes) found.add(source);
  const above = new Set([focus]);
  reach(above, [focus], sources);
  for (const id of above) if (found.size < maximumNodes) found.add(id);
  for (const { relation, from, to } of edges) {
    if (relation !== 'connects' || found.size >= maximumNodes) continue;
    if (from === focus) found.add(to);
    if (to === focus) found.add(from);
  }
  const isIn = ({ from, to, relation }: GraphEdge) =>
    relation === 'connects' ? from === focus || to === focus : found.has(from) && found.has(to);
  return {
    nodes: nodes.filter(({ id }) => found.has(id)),
    edges: edges.filter(isIn).filter(({ from, to }) => found.has(from) && found.has(to)),
  };
}

function ends(edges: readonly GraphEdge[], near: 'from' | 'to', far: 'from' | 'to'): (id: string) => readonly string[] {
  const known = new Map<string, string[]>();
  for (const edge of edges) {
    const list = known.get(edge[near]);
    if (list === undefined) known.set(edge[near], [edge[far]]);
    else list.push(edge[far]);
  }
  return (id) => known.get(id) ?? [];
}

function reach(found: Set<string>, from: readonly string[], next: (id: string) => readonly string[]): void {
  const waiting = [...from];
  for (let id = waiting.shift(); id !== undefined && found.size < maximumNodes; id = waiting.shift())
    for (const other of next(id))
      if (!found.has(other)) {
        found.add(other);
        waiting.push(other);
      }
}
