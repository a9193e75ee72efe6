/** Converts a graph of objects to the input of the text formats (Mermaid and Graphviz). */

import { type Graph, type GraphNode, titleOf } from './graph.ts';
import type { Drawing } from './text-formats.ts';

/** Returns the nodes and edges of a graph with the labels that Mermaid and Graphviz show. */
export function drawingOf({ nodes, edges }: Graph): Drawing {
  return {
    name: 'selectors',
    nodes: nodes.map((node) => ({ id: node.id, label: labelOf(node) })),
    edges: edges.map(({ from, to, label, certain }) => ({ from, to, label, certain })),
  };
}

function labelOf(node: GraphNode): string {
  return node.namespace === undefined ? titleOf(node) : `${titleOf(node)} (${node.namespace})`;
}
