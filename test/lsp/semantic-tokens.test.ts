/** Tests that an editor receives the tokens of selectors, and of no other text. */
import assert from 'node:assert/strict';
import {
  type Range,
  type SemanticTokens,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver/node';
import type { Client } from './client.ts';
import { service } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const script = `ls -l app=web
kubectl get pods -l 'example.com/app in (web,api),!canary,tier=$TIER,n>5' # and
oc get po --field-selector=status.phase!=Running
curl "https://cluster/api/v1/pods?labelSelector=app%3Dweb"
kubectl run web --labels=app=web
`;

const all = [
  ...[
    'namespace example.com',
    'property app',
    'keyword in',
    'string web',
    'string api',
    'operator !',
    'property canary',
  ],
  ...['property tier', 'operator =', 'property n', 'operator >', 'number 5'],
  ...['property status.phase', 'operator !=', 'string Running'],
  ...['property app', 'operator %3D', 'string web'],
  ...['property app', 'string web'],
];

describe('semantic tokens', () => {
  afterEach(stopEverything);

  async function opened(name: string, text: string, settings = {}) {
    const folder = makeFolder({ 'web.yaml': service('web') });
    const client = await startServer({ folders: [folder.uri], settings });
    await client.whenReady();
    const uri = folder.uriOf(name);
    await client.open(uri, text);
    return { client, uri };
  }

  it('contain only the parts of every selector in a script, with any quotes', async () => {
    const { client, uri } = await opened('look.sh', script);
    assert.deepEqual(read(client, script, await full(client, uri)), all);
  });

  it('can be requested for a part of the file', async () => {
    const { client, uri } = await opened('look.sh', script);
    const range: Range = { start: { line: 2, character: 0 }, end: { line: 2, character: 80 } };
    const found = await client.connection.sendRequest(SemanticTokensRangeRequest.type, {
      textDocument: { uri },
      range,
    });
    assert.deepEqual(read(client, script, found), ['property status.phase', 'operator !=', 'string Running']);
  });

  it('contain the parts of selectors on separate lines', async () => {
    const text = '# which\napp=web, !db\n';
    const { client, uri } = await opened('try.selector', text);
    const expected = ['property app', 'operator =', 'string web', 'operator !', 'property db'];
    assert.deepEqual(read(client, text, await full(client, uri)), expected);
  });

  it('are absent in manifests, and in languages that are turned off', async () => {
    const { client, uri } = await opened('other.yaml', service('web'));
    assert.deepEqual((await full(client, uri))?.data, []);
    const off = await opened('look.sh', script, { inlineSelectors: { shell: false } });
    assert.deepEqual((await full(off.client, off.uri))?.data, []);
  });
});

function full(client: Client, uri: string): Promise<SemanticTokens | null> {
  return client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } });
}

/** Each token as `type text`, decoded with the legend. */
function read({ initialized }: Client, text: string, tokens: SemanticTokens | null): readonly string[] {
  const legend = initialized.capabilities.semanticTokensProvider?.legend.tokenTypes ?? [];
  const lines = text.split('\n');
  const { data } = tokens ?? { data: [] };
  let line = 0;
  let character = 0;
  return Array.from({ length: data.length / 5 }, (_, index) => {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(5 * index);
    line += down;
    character = down === 0 ? character + right : right;
    return `${legend[type]} ${lines[line]?.slice(character, character + length)}`;
  });
}
