/** Tests the components of a graph by comparing them with the nodes that each node reaches. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stronglyConnected } from '../../server/src/workspace/scopes/strongly-connected.ts';

/** All nodes that a node reaches. */
function reached(graph: readonly (readonly number[])[], from: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const waiting = [from];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    for (const below of graph[node] ?? []) {
      if (!seen.has(below)) waiting.push(below);
      seen.add(below);
    }
  return seen;
}

describe('strongly connected components', () => {
  it('contain the nodes that lead to each other, after all that they lead to', () => {
    const graphs = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(graphs, (graph) => {
        const components = stronglyConnected(graph.keys(), (node) => graph[node] ?? []);
        assert.deepEqual(components.flat().toSorted(), [...graph.keys()]);
        const numberOf = (node: number) => components.findIndex((each) => each.includes(node));
        for (const node of graph.keys()) {
          const below = reached(graph, node);
          for (const other of graph.keys()) {
            const areMutual = node === other || (below.has(other) && reached(graph, other).has(node));
            assert.equal(numberOf(node) === numberOf(other), areMutual);
            if (below.has(other)) assert.ok(numberOf(other) <= numberOf(node));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are found in a long chain', () => {
    const components = stronglyConnected([0], (node) => (node < 100_000 ? [node + 1] : []));
    assert.equal(components.length, 100_001);
  });
});
