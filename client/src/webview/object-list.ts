/** Shows the graph as a list of objects with their edges, for screen readers and for users who prefer text. */

import { type Graph, type GraphEdge, type GraphNode, titleOf } from '../../../server/src/drawing/graph.ts';
import type { Group } from '../../../server/src/drawing/groups.ts';
import { nodeText } from '../../../server/src/drawing/shapes.ts';
import { button, html } from './elements.ts';

export interface ListEvents {
  openNode(id: string): void;
  openEdge(edge: GraphEdge): void;
}

export function objectList(graph: Graph, groups: readonly Group[], events: ListEvents): HTMLElement {
  const edges = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges) {
    const own = edges.get(edge.from) ?? [];
    own.push(edge);
    edges.set(edge.from, own);
  }
  const sections = groups.map(({ title, nodes }) =>
    html(
      'section',
      {},
      ...(title === '' ? [] : [html('h2', {}, title)]),
      html('ul', {}, ...nodes.map((node) => objectItem(node, edges.get(node.id) ?? [], events))),
    ),
  );
  return html('div', { class: 'list' }, ...sections);
}

function objectItem(node: GraphNode, edges: readonly GraphEdge[], events: ListEvents): HTMLElement {
  const name = button(titleOf(node), { class: 'link', 'aria-label': nodeText(node) }, () => events.openNode(node.id));
  const items = edgeItems(edges, events);
  return html('li', {}, name, ...(items.length === 0 ? [] : [html('ul', {}, ...items)]));
}

/** Returns a list item for each edge; clicking an item opens the field that causes the edge. Edges with equal reasons, such as several references to one object, are one item. */
export function edgeItems(
  edges: readonly GraphEdge[],
  { openEdge }: Pick<ListEvents, 'openEdge'>,
): readonly HTMLElement[] {
  const byReason = new Map(edges.map((edge) => [edge.reason, edge]));
  return [...byReason.values()].map((edge) => {
    const text = edge.certain ? edge.reason : `${edge.reason} (uncertain)`;
    return html(
      'li',
      {},
      button(text, { class: 'link', title: edge.label }, () => openEdge(edge)),
    );
  });
}
