/**
 * Tests conversions of selectors over the protocol: actions that copy one, pasted text, and insertion into a manifest.
 */
import assert from 'node:assert/strict';
import { CodeActionRequest } from 'vscode-languageserver/node';
import { type InsertAnswer, insertRequest, type PasteAnswer, pasteRequest } from '../../server/src/protocol.ts';
import { ableEditor, type Client } from './client.ts';
import { service } from './manifests.ts';
import { placeOf, rangeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const script = `kubectl get pods -l ''
kubectl get pods -l app=web
`;

const copying = { commands: { copy: 'editor.copy' } };
const anyAction = {
  ...ableEditor,
  textDocument: {
    ...ableEditor.textDocument,
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [''] } } },
  },
};

describe('another form of a selector', () => {
  afterEach(stopEverything);

  async function opened(initializationOptions: object = copying): Promise<{ client: Client; uri: string }> {
    const folder = makeFolder({ 'web.yaml': service('web') });
    const client = await startServer({ capabilities: anyAction, folders: [folder.uri], initializationOptions });
    const uri = folder.uriOf('look.sh');
    await client.open(uri, script);
    return { client, uri };
  }

  it('is offered only for text that is pasted between quotes', async () => {
    const { client, uri } = await opened();
    const paste = (line: number, character: number, text: string) =>
      client.connection.sendRequest<PasteAnswer | null>(pasteRequest, {
        textDocument: { uri },
        position: { line, character },
        text,
      });
    const { line, character } = placeOf(script, "''");
    const found = await paste(line, character + 1, 'matchLabels:\n  app: web\n  tier: front\n');
    assert.deepEqual(found, { title: 'Paste as the text of a selector', text: 'app=web,tier=front' });
    assert.equal(await paste(line, character + 1, 'app=web'), null);
    assert.equal(await paste(0, 3, 'matchLabels:\n  app: web\n'), null);
    assert.equal(await paste(99, 0, 'matchLabels:\n  app: web\n'), null);
  });

  it('is rejected for invalid parameters', async () => {
    const { client } = await opened();
    await assert.rejects(client.connection.sendRequest(pasteRequest, { text: 'app: web' }), /must be/);
  });

  it('is copied by the command of the client, if it has one', async () => {
    const actions = async ({ client, uri }: { client: Client; uri: string }) => {
      const params = { textDocument: { uri }, range: rangeOf(script, 'app=web'), context: { diagnostics: [] } };
      const found = (await client.connection.sendRequest(CodeActionRequest.type, params)) ?? [];
      return found.filter((each) => 'kind' in each && each.kind === 'refactor.selectorLens.copy');
    };
    const [yaml, url, ...others] = await actions(await opened());
    assert.deepEqual(others, []);
    assert.deepEqual(yaml?.command, {
      title: 'Copy the selector as matchLabels and matchExpressions',
      command: 'editor.copy',
      arguments: [{ text: 'matchLabels:\n  app: web' }],
    });
    assert.equal(url?.title, 'Copy the selector for a URL');
    assert.deepEqual(await actions(await opened({})), []);
  });

  it('is written at the cursor of a manifest, or rejected with a sentence', async () => {
    const { client, uri } = await opened();
    const manifest = 'apiVersion: v1\nkind: Service\nmetadata: {name: api}\nspec:\n  selector:\n';
    const other = uri.replace('look.sh', 'api.yaml');
    await client.open(other, manifest);
    const insert = (line: number, to: { line: number; character: number }) =>
      client.connection.sendRequest<InsertAnswer>(insertRequest, {
        from: { textDocument: { uri }, position: { line, character: 0 } },
        to: { textDocument: { uri: other }, position: to },
      });
    const field = { line: 4, character: 11 };
    assert.deepEqual(await insert(1, field), { range: { start: field, end: field }, newText: '\n    app: web' });
    await assert.rejects(insert(2, field), /Place the cursor on the line of a selector/);
    await assert.rejects(
      insert(1, { line: 0, character: 3 }),
      /A selector is not allowed at the cursor of the manifest/,
    );
    const broken = client.connection.sendRequest(insertRequest, { from: { textDocument: { uri } } });
    await assert.rejects(broken, /must be/);
  });

  it('is offered to manifests by the command of the client', async () => {
    const titles = async (initializationOptions: object) => {
      const { client, uri } = await opened(initializationOptions);
      const params = { textDocument: { uri }, range: rangeOf(script, 'app=web'), context: { diagnostics: [] } };
      const found = (await client.connection.sendRequest(CodeActionRequest.type, params)) ?? [];
      return found.map(({ title }) => title);
    };
    const title = 'Insert into a manifest as matchLabels';
    assert.ok((await titles({ commands: { insert: 'editor.insert' } })).includes(title));
    assert.ok(!(await titles(copying)).includes(title));
  });
});
