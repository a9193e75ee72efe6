/** Shows connections as tables: of a graph, with a row for each target, its ports and the rules that decide; and of one object. A drawing of many connections is not readable. */

import { type Graph, type GraphEdge, titleOf } from '../../../server/src/drawing/graph.ts';
import { button, html } from './elements.ts';

interface Row {
  readonly to: string;
  readonly ports: string;
  readonly certain: boolean;
  readonly why: string;
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
  const lines = rowsOf(graph).map(({ to, ports, certain, why, edges }) => {
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
      html('td', { class: 'why' }, why),
    );
  });
  return table('Connections that network policies allow', ['To', 'Ports', 'From', 'Why'], lines);
}

/** The connections of one object, with a row for each other end; empty without connections. */
export function connectionsOf(
  id: string,
  edges: readonly GraphEdge[],
  nodes: Graph['nodes'],
  { openEdge }: { openEdge(edge: GraphEdge): void },
): readonly HTMLElement[] {
  const titles = new Map(nodes.map((node) => [node.id, titleOf(node)]));
  return (['from', 'to'] as const).flatMap((end) => {
    const own = edges.filter((edge) => edge.relation === 'connects' && edge[end === 'from' ? 'to' : 'from'] === id);
    const lines = own.map((edge) => {
      const other = button(titles.get(edge[end]) ?? '', { class: 'link', title: edge.reason }, () => openEdge(edge));
      const ports = edge.certain ? edge.label : `${edge.label} (uncertain)`;
      return html(
        'tr',
        {},
        html('th', { scope: 'row' }, other),
        html('td', {}, ports),
        html('td', { class: 'why' }, edge.why ?? ''),
      );
    });
    const caption = end === 'from' ? 'Reachable from' : 'Can reach';
    return lines.length === 0 ? [] : [table(caption, [end === 'from' ? 'From' : 'To', 'Ports', 'Why'], lines)];
  });
}

function table(caption: string, titles: readonly string[], lines: readonly HTMLElement[]): HTMLElement {
  const head = titles.map((title) => html('th', { scope: 'col', ...(title === 'Why' && { class: 'why' }) }, title));
  return html(
    'table',
    { class: 'connections' },
    html('caption', {}, caption),
    html('thead', {}, html('tr', {}, ...head)),
    html('tbody', {}, ...lines),
  );
}

/** The connections with the same target, ports, certainty and rules, in the order of the objects of the graph. */
function rowsOf({ nodes, edges }: Graph): readonly Row[] {
  const order = new Map(nodes.map(({ id }, index) => [id, index]));
  const rows = new Map<string, Row>();
  for (const edge of edges) {
    if (edge.relation !== 'connects') continue;
    const { to, label: ports, certain, why = '' } = edge;
    const key = JSON.stringify([to, ports, certain, why]);
    const row = rows.get(key) ?? { to, ports, certain, why, edges: [] };
    rows.set(key, row);
    row.edges.push(edge);
  }
  return [...rows.values()].sort((a, b) => (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0));
}
