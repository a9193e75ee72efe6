/** Tests the layout of graphs: boxes do not overlap, groups contain their nodes, and lines end at boxes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Graph, GraphEdge, GraphNode } from '../../server/src/drawing/graph.ts';
import { layOut, type Rectangle, type Scene } from '../../server/src/drawing/layout.ts';

const automatic = {
  grouping: 'automatic',
  collapsed: new Set<string>(),
  expanded: new Set<string>(),
  aspect: 1.6,
} as const;

function node(id: string, namespace?: string, labels: GraphNode['labels'] = {}): GraphNode {
  return { id, kind: 'Service', family: 'service', ...(namespace !== undefined && { namespace }), name: id, labels };
}

function edge(from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge {
  return { from, to, relation: 'selects', label: 'spec.selector', certain: true, reason: `${from} to ${to}`, ...more };
}

function overlapping(boxes: readonly Rectangle[]): readonly (readonly [Rectangle, Rectangle])[] {
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => [a, b] as const),
  );
}

function checkScene(scene: Scene): void {
  const boxes = [...scene.nodes, ...scene.groups.filter(({ isCollapsed }) => isCollapsed)];
  assert.deepEqual(overlapping(boxes), []);
  assert.deepEqual(overlapping(scene.groups), []);
  for (const { x, y, width, height } of [...boxes, ...scene.groups]) {
    assert.ok(x >= 0 && y >= 0 && x + width <= scene.width + 0.5 && y + height <= scene.height + 0.5);
  }
  for (const { group, isCollapsed, ...outer } of scene.groups) {
    const members = scene.nodes.filter(({ node }) => group.nodes.includes(node));
    assert.equal(members.length, isCollapsed ? 0 : group.nodes.length);
    for (const { x, y, width, height } of members)
      assert.ok(
        x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height,
      );
  }
  for (const { points } of scene.edges)
    assert.ok(points.length >= 2 && points.every(({ x, y }) => Number.isFinite(x + y)));
}

describe('the layout of a graph', () => {
  it('puts every node into the box of its namespace, without overlap, for any graph', () => {
    const index = fc.nat({ max: 39 });
    const graphs = fc.record({
      namespaces: fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), {
        minLength: 1,
        maxLength: 40,
      }),
      pairs: fc.array(fc.tuple(index, index), { maxLength: 60 }),
      collapsed: fc.subarray(['group:a', 'group:b', 'group:c']),
    });
    fc.assert(
      fc.property(graphs, ({ namespaces, pairs, collapsed }) => {
        const nodes = namespaces.map((namespace, at) => node(`n${at}`, namespace));
        const edges = pairs
          .filter(([from, to]) => from < nodes.length && to < nodes.length && from !== to)
          .map(([from, to]) => edge(`n${from}`, `n${to}`));
        checkScene(layOut({ nodes, edges }, { ...automatic, collapsed: new Set(collapsed) }));
      }),
      { numRuns: 40 },
    );
  });

  it('draws a selecting object to the left of what it selects', () => {
    const scene = layOut({ nodes: [node('b'), node('a')], edges: [edge('a', 'b')] }, automatic);
    const [b, a] = scene.nodes;
    assert.ok(a !== undefined && b !== undefined && a.x + a.width < b.x);
    assert.deepEqual(scene.edges[0]?.points, [
      { x: a.x + a.width, y: a.y + a.height / 2 },
      { x: b.x, y: b.y + b.height / 2 },
    ]);
  });

  it('bundles edges to a collapsed group, and is certain if one of them is', () => {
    const graph: Graph = {
      nodes: [node('a', 'one'), node('b', 'two'), node('c', 'two')],
      edges: [edge('a', 'b', { certain: false }), edge('a', 'c'), edge('b', 'c')],
    };
    const scene = layOut(graph, { ...automatic, collapsed: new Set(['group:two']) });
    assert.deepEqual(
      scene.edges.map(({ from, to, certain, edges }) => ({ from, to, certain, count: edges.length })),
      [{ from: 'a', to: 'group:two', certain: true, count: 2 }],
    );
  });

  it('groups by part-of if there is only one namespace', () => {
    const part = (name: string) => ({ 'app.kubernetes.io/part-of': name });
    const scene = layOut({ nodes: [node('a', 'x', part('shop')), node('b', 'x', part('bank'))], edges: [] }, automatic);
    assert.deepEqual(
      scene.groups.map(({ group }) => group.title),
      ['part-of: bank', 'part-of: shop'],
    );
  });

  it('moves nothing when connections are shown', () => {
    const nodes = ['a', 'b', 'c'].map((id) => node(id));
    const without = layOut({ nodes, edges: [edge('a', 'b')] }, automatic);
    const all = layOut({ nodes, edges: [edge('a', 'b'), edge('c', 'a', { relation: 'connects' })] }, automatic);
    assert.deepEqual(all.nodes, without.nodes);
    assert.equal(all.edges.length, 2);
  });

  it('collapses the largest groups of a graph of 500 nodes, until it is readable', () => {
    const nodes = Array.from({ length: 500 }, (_, at) => node(`n${at}`, `team-${at % 10 < 5 ? 0 : at % 10}`));
    const edges = Array.from({ length: 499 }, (_, at) => edge(`n${at}`, `n${at + 1}`));
    const scene = layOut({ nodes, edges }, automatic);
    assert.ok(scene.nodes.length + scene.groups.filter(({ isCollapsed }) => isCollapsed).length <= 150);
    assert.ok(scene.groups.some(({ group, isCollapsed }) => group.title === 'team-0' && isCollapsed));
    checkScene(layOut({ nodes, edges }, { ...automatic, grouping: 'none' }));
  });
});
