/** Tests that completions have the form that an editor can show and accept. */
import assert from 'node:assert/strict';
import {
  type CompletionItem,
  type CompletionList,
  CompletionRequest,
  CompletionResolveRequest,
  type CompletionTriggerKind,
  InsertTextFormat,
  type Position,
  type TextEdit,
} from 'vscode-languageserver/node';
import { ableEditor, type Client } from './client.ts';
import { deployment, service } from './manifests.ts';
import { withEdits } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

/** The capabilities of VS Code for completion. */
const completing = {
  ...ableEditor,
  textDocument: {
    ...ableEditor.textDocument,
    completion: {
      completionItem: {
        snippetSupport: true,
        labelDetailsSupport: true,
        documentationFormat: ['markdown' as const],
        insertTextModeSupport: { valueSet: [1 as const, 2 as const] },
      },
    },
  },
};

const policy = `# 🐋\r
apiVersion: networking.k8s.io/v1\r
kind: NetworkPolicy\r
metadata: { name: web }\r
spec:\r
  podSelector: \r
`;

async function asked(capabilities = {}, text = policy, behind = 'podSelector: ') {
  const folder = makeFolder({ 'a.yaml': deployment('basket', { app: 'basket', tier: 'front' }) });
  const client = await startServer({ folders: [folder.uri], capabilities });
  const uri = folder.uriOf('policy.yaml');
  await client.open(uri, text);
  await client.whenReady();
  assert.ok(text.includes(behind));
  const before = text.slice(0, text.indexOf(behind) + behind.length).split('\n');
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return { client, uri, position, list: await complete(client, uri, position) };
}

async function complete(client: Client, uri: string, position: Position, trigger?: string): Promise<CompletionList> {
  const triggerKind: CompletionTriggerKind = 2;
  const context = trigger === undefined ? {} : { context: { triggerKind, triggerCharacter: trigger } };
  const found = await client.connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri },
    position,
    ...context,
  });
  assert.ok(found !== null && !Array.isArray(found));
  return found;
}

function accepted(text: string, { textEdit, additionalTextEdits = [] }: CompletionItem): string {
  assert.ok(textEdit !== undefined && 'range' in textEdit);
  const edit: TextEdit = textEdit;
  return withEdits(text, [...additionalTextEdits, edit]);
}

describe('completion', () => {
  afterEach(stopEverything);

  it('writes several lines with their indentation, and with the line ends of the file', async () => {
    const { list } = await asked(completing);
    const [item] = list.items;
    assert.ok(item !== undefined);
    assert.equal(list.isIncomplete, false);
    assert.equal(item.label, 'Deployment/basket');
    assert.deepEqual(item.labelDetails, { detail: ' app=basket,tier=front', description: 'matches 1' });
    assert.equal(item.insertTextMode, 1);
    const whole = '  podSelector:\r\n    matchLabels:\r\n      app: basket\r\n      tier: front\r\n';
    assert.equal(accepted(policy, item), policy.replace('  podSelector: \r\n', whole));
  });

  it('moves a note aside that would cut off its value', async () => {
    const value = 'a-release-with-a-rather-long-name-for-its-track';
    const client = await startServer({
      folders: [makeFolder({ 'a.yaml': deployment('basket', { track: value }) }).uri],
      capabilities: completing,
    });
    const text = service('basket', { track: '' });
    const uri = 'untitled:Untitled-1';
    await client.open(uri, text);
    await client.whenReady();
    const { items } = await complete(client, uri, { line: 6, character: '    track: '.length });
    const [item] = items;
    assert.equal(item?.label, value);
    assert.deepEqual([item?.labelDetails, item?.detail], [{}, 'elsewhere, in a.yaml']);
  });

  it('provides the same text to an editor with fewer capabilities', async () => {
    const { list } = await asked();
    const [item] = list.items;
    assert.equal(item?.detail, 'app=basket,tier=front · matches 1');
    assert.deepEqual(
      [item?.labelDetails, item?.insertTextMode, item?.insertTextFormat],
      [undefined, undefined, undefined],
    );
  });

  it('provides tab stops to an editor with snippets, and plain text to others', async () => {
    const text = policy.replace('podSelector: ', 'podSelector:\r\n    m');
    const fields = async (capabilities: object) => {
      const { list } = await asked(capabilities, text, '\n    m');
      return list.items.find(({ label }) => label === 'matchExpressions');
    };
    const snippet = await fields(completing);
    assert.equal(snippet?.insertTextFormat, InsertTextFormat.Snippet);
    assert.match(snippet?.textEdit?.newText ?? '', /key: \$1\r\n/);
    const plain = await fields({});
    assert.equal(plain?.insertTextFormat, undefined);
    assert.doesNotMatch(plain?.textEdit?.newText ?? '', /\$/);
  });

  it('documents an item when it is resolved, and none of an older list', async () => {
    const { client, uri, position, list } = await asked(completing);
    const [item] = list.items;
    assert.ok(item !== undefined);
    assert.equal(item.documentation, undefined);
    const resolved = await client.connection.sendRequest(CompletionResolveRequest.type, item);
    assert.deepEqual(resolved.documentation, { kind: 'markdown', value: 'Selects app=basket, tier=front: matches 1.' });
    await complete(client, uri, position);
    const lazy = await client.connection.sendRequest(CompletionResolveRequest.type, item);
    assert.deepEqual(lazy, item);
    const strange = { label: 'x', data: ['nonsense'] };
    assert.deepEqual(await client.connection.sendRequest(CompletionResolveRequest.type, strange), strange);
  });

  it('keeps the order, and filters by the text before the cursor', async () => {
    const json = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"selector": {"a"}}}';
    const { list } = await asked(completing, json, '"selector": {"a');
    assert.deepEqual(
      list.items.map(({ label, sortText, filterText }) => [label, sortText, filterText]),
      [
        ['app', '0000', '"app'],
        ['tier', '0001', '"tier'],
        ['Deployment/basket', '0002', '"Deployment/basket'],
      ],
    );
  });

  it('works in the values of a chart that a template writes into labels', async () => {
    const folder = makeFolder({
      'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'values.yaml': 'podLabels: {}\n',
      'templates/basket.yaml': deployment('basket', { app: 'basket', tier: 'front' }).replace(
        '        app: basket\n',
        '        app: basket\n        {{- toYaml .Values.podLabels | nindent 8 }}\n',
      ),
    });
    const client = await startServer({ folders: [folder.uri], capabilities: completing });
    const uri = folder.uriOf('values.yaml');
    await client.open(uri, 'podLabels: {}\n');
    await client.whenReady();
    await client.change(uri, { text: 'podLabels:\n  \nother: 1\n' });
    const keys = await complete(client, uri, { line: 1, character: 2 });
    assert.ok(keys.items.some(({ label }) => label === 'tier'));
    await client.change(uri, { text: 'podLabels:\n  tier: \nother: 1\n' });
    const values = await complete(client, uri, { line: 1, character: 8 });
    assert.deepEqual(
      values.items.map(({ label }) => label),
      ['front', 'frontend', 'backend', 'cache'],
    );
    assert.deepEqual((await complete(client, uri, { line: 2, character: 5 })).items, []);
  });

  it('is empty while the user indents', async () => {
    const text = policy.replace('podSelector: ', 'podSelector:\r\n    ');
    const { client, uri, position, list } = await asked(completing, text, 'podSelector:\r\n    ');
    assert.ok(list.items.length > 0);
    assert.deepEqual((await complete(client, uri, position, ' ')).items, []);
    assert.ok((await complete(client, uri, position, '.')).items.length > 0);
  });

  it('returns nothing if there is nothing to offer', async () => {
    const { client, uri } = await asked(completing);
    for (const position of [
      { line: 0, character: 3 },
      { line: 3, character: 5 },
      { line: 99, character: 0 },
    ]) {
      assert.deepEqual(await complete(client, uri, position), { isIncomplete: false, items: [] });
    }
  });
});
