/** Tests the request for the graph of a scope over the connection. */
import assert from 'node:assert/strict';
import { type GraphParams, type GraphResult, graphRequest } from '../../server/src/protocol.ts';
import { deployment, service } from './manifests.ts';
import { placeOf, rangeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

/** The range of the first name in a text. */
function nameIn(text: string) {
  const { start, end } = rangeOf(text, 'name: web');
  return { start: { ...start, character: end.character - 'web'.length }, end };
}

describe('the graph request', () => {
  afterEach(stopEverything);

  it('has the locations of objects in closed files, and of selectors', async () => {
    const web = service('web');
    const workload = deployment('web');
    const folder = makeFolder({ 'web.yaml': workload, 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, web);
    await client.whenReady();
    const params: GraphParams = { textDocument: { uri }, position: placeOf(web, 'kind'), around: 'object' };
    const graph = await client.connection.sendRequest<GraphResult | null>(graphRequest, params);
    assert.equal(graph?.title, 'Service/web');
    assert.equal(graph.complete, true);
    assert.deepEqual(
      graph.nodes.map(({ kind, name, uri, range }) => ({ kind, name, uri, range })),
      [
        { kind: 'Service', name: 'web', uri, range: nameIn(web) },
        {
          kind: 'Deployment',
          name: 'web',
          uri: folder.uriOf('web.yaml'),
          range: nameIn(workload),
        },
      ],
    );
    assert.deepEqual(graph.edges[0]?.range, rangeOf(web, 'selector'));
    const outside = { ...params, position: { line: 1000, character: 0 } };
    assert.equal(await client.connection.sendRequest(graphRequest, outside), null);
    await assert.rejects(client.connection.sendRequest(graphRequest, { ...params, around: 1 }), /'around'/);
  });
});
