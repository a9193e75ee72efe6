/** Tests the page about the labels of the workspace, and the allowed values in an editor. */

import assert from 'node:assert/strict';
import { type Explained, labelsRequest } from '../../server/src/protocol.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    team: red
spec:
  containers: [{name: web, image: 'example/web:1.0'}]
`;

describe('the page about labels', () => {
  afterEach(stopEverything);

  it('is sent when the workspace is indexed, with links to lines of the folder', async () => {
    const folder = makeFolder({
      'shop/pod.yaml': pod,
      '.selector-lens.yaml': 'labels: { team: { meaning: On call } }\n',
    });
    const client = await startServer({ folders: [folder.uri] });
    const page = await client.connection.sendRequest<Explained | null>(labelsRequest);
    assert.equal(page?.title, 'Labels');
    assert.match(page?.markdown ?? '', /### `team`\n\nOn call\.\n/);
    assert.match(page?.markdown ?? '', /\| `red` \| 0 \| 1 \| \[Pod\/web\]\(<\/shop\/pod\.yaml#L6>\) \|/);
  });
});
