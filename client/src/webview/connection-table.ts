/** Shows the connections of a graph as a table: a row for each target and its ports, with all sources. A drawing of many connections is not readable. */

import { type Graph, type GraphEdge, titleOf } from '../../../server/src/drawing/graph.ts';
import { button, html } from './elements.ts';

interface Row {
  readonly to: string;
  readonly ports: string;
  readonly certain: boolean;
  readonly edges: GraphEdge[];
}

export function connectionTable(graph: Graph, { openEdge }: { openEdge(edge: GraphEdge): void }): HTMLElement {
  const names = new Map(
    graph.nodes.map((node) => [node.id, { title: titleOf(node), namespace: node.namespace ?? '' }]),
  );
  const nameOf = (id: string, from?: string) => {
    const { title, namespace } = names.get(id) ?? { title: id, namespace: '' };
    return namespace === '' || namespace === from ? title : `${title}, namespace ${namespace}`;
  };
  const lines = rowsOf(graph).map(({ to, ports, certain, edges }) => {
    const home = names.get(to)?.namespace;
    const sources = edges.flatMap((edge, index) => [
      ...(index === 0 ? [] : [', ']),
      button(nameOf(edge.from, home), { class: 'link', title: edge.reason }, () => openEdge(edge)),
    ]);
    return html(
      'tr',
      {},
      html('th', { scope: 'row' }, nameOf(to)),
      html('td', {}, certain ? ports : `${ports} (uncertain)`),
      html('td', {}, ...sources),
    );
  });
  const head = ['To', 'Ports', 'From'].map((title) => html('th', { scope: 'col' }, title));
  return html(
    'table',
    { class: 'connections' },
    html('caption', {}, 'Connections that network policies allow'),
    html('thead', {}, html('tr', {}, ...head)),
    html('tbody', {}, ...lines),
  );
}

/** The connections with the same target, ports and certainty, in the order of the objects of the graph. */
function rowsOf({ nodes, edges }: Graph): readonly Row[] {
  const order = new Map(nodes.map(({ id }, index) => [id, index]));
  const rows = new Map<string, Row>();
  for (const edge of edges) {
    if (edge.relation !== 'connects') continue;
    const { to, label: ports, certain } = edge;
    const key = JSON.stringify([to, ports, certain]);
    const row = rows.get(key) ?? { to, ports, certain, edges: [] };
    rows.set(key, row);
    row.edges.push(edge);
  }
  return [...rows.values()].sort((a, b) => (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0));
}
