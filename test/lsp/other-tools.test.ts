/** Is left to another extension what it reports, and nothing else, and are our fixes still at hand? */
import assert from 'node:assert/strict';
import { type CodeAction, CodeActionRequest, type Range } from 'vscode-languageserver/node';
import { kubernetesPatterns } from '../../client/src/kubernetes-patterns.ts';
import { type OtherTools, otherToolsNotification } from '../../server/src/protocol.ts';
import type { Client } from './client.ts';
import { placeOf, rangeOf, withFix } from './places.ts';
import { startServer, stopEverything } from './start.ts';

const uri = 'file:///shop/prices.yaml';
const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    owner: blue
    old: yes
    team: 42
    owner: blue # again
  annotations:
    port: 8080
    routes: [a]
`;
const both: OtherTools = { syntax: [], duplicateKeys: true, types: ['*.yaml'] };

async function rules(client: Client, of = uri): Promise<readonly string[]> {
  return (await client.pull(of)).map(({ code, range }) => `${code} ${text.split('\n')[range.start.line]?.trim()}`);
}

async function actionsAt(client: Client, range: Range, only?: string[]): Promise<readonly CodeAction[]> {
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context: { diagnostics: [], only: only ?? ['quickfix'] },
  });
  return (found ?? []) as CodeAction[]; // the server answers no commands
}

const ours = ['label-value-type old: yes'];
const everything = [
  'duplicate-key owner: blue',
  'label-value-type old: yes',
  'label-value-type team: 42',
  'annotation-value-type port: 8080',
  'annotation-value-type routes: [a]',
];

describe('what other extensions report', () => {
  afterEach(stopEverything);

  it('is left to them, but for what only YAML 1.1 takes for no string', async () => {
    const client = await startServer({ initializationOptions: { otherTools: both } });
    await client.open(uri, text);
    assert.deepEqual(await rules(client), ours);
    const types = await startServer({ initializationOptions: { otherTools: { ...both, types: [] } } });
    await types.open(uri, text);
    assert.deepEqual(await rules(types), everything.slice(1));
  });

  it('is reported where they do not look: in other languages, files and kinds, or where the user wants it', async () => {
    const client = await startServer({ initializationOptions: { otherTools: { ...both, types: ['k8s/*.yaml'] } } });
    await client.open(uri, text);
    assert.deepEqual(await rules(client), everything.slice(1));
    const there = 'file:///shop/k8s/prices.yaml';
    await client.open(there, text);
    assert.deepEqual(await rules(client, there), ours);
    const helm = 'file:///shop/k8s/chart.yaml';
    await client.open(helm, text, 'helm');
    assert.deepEqual(await rules(client, helm), everything);
    const widget = 'file:///shop/k8s/widget.yaml';
    await client.open(widget, text.replace('apiVersion: v1', 'apiVersion: shop.example.com/v1'));
    assert.deepEqual(await rules(client, widget), everything.slice(1));
    const refreshes = client.refreshes;
    await client.changeSettings({ coexist: 'off' });
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await rules(client, there), everything);
  });

  it('is asked for again when they come and go', async () => {
    const client = await startServer();
    await client.open(uri, text);
    assert.deepEqual(await rules(client), everything);
    await client.whenReady();
    const { refreshes } = client;
    await client.connection.sendNotification(otherToolsNotification, both);
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await rules(client), ours);
    await client.connection.sendNotification(otherToolsNotification, both);
    await client.connection.sendNotification(otherToolsNotification, { types: 7 });
    await client.until(() => client.refreshes > refreshes + 1);
    assert.deepEqual(await rules(client), everything);
    assert.equal(client.refreshes, refreshes + 2);
  });

  it('is mended by us at either of the two keys, and is not silenced by a comment that nobody heeds', async () => {
    const client = await startServer({ initializationOptions: { otherTools: both } });
    await client.open(uri, text);
    const later = placeOf(text, 'owner: blue # again');
    for (const range of [rangeOf(text, 'owner'), { start: later, end: later }]) {
      const actions = await actionsAt(client, range);
      assert.deepEqual(
        actions.map(({ title }) => title),
        ["Remove this 'owner'"],
      );
      for (const action of actions) assert.equal(withFix(text, uri, action), text.replace('    owner: blue\n', ''));
    }
    const [fixAll] = await actionsAt(client, rangeOf(text, 'owner'), ['source.fixAll.selectorLens']);
    assert.ok(fixAll);
    const mended = withFix(text, uri, fixAll);
    assert.ok(mended.includes('team: "42"') && mended.includes('port: "8080"'), mended);
  });

  it('is known from the patterns of the schemas of Kubernetes', () => {
    const schemas = {
      kubernetes: ['/*.yaml', 7],
      'https://raw.githubusercontent.com/yannh/kubernetes-json-schema/master/all.json': 'apps/*',
      'https://json.schemastore.org/github-workflow.json': '*.yml',
    };
    assert.deepEqual(kubernetesPatterns(schemas), ['/*.yaml', 'apps/*']);
    for (const nothing of [undefined, null, 'x', {}]) assert.deepEqual(kubernetesPatterns(nothing), []);
  });
});

describe('the page of a rule', () => {
  afterEach(stopEverything);

  it('is opened by a command of the client, once for each rule, where the client has one', async () => {
    const client = await startServer({ initializationOptions: { commands: { rulePage: 'shop.openPage' } } });
    await client.open(uri, text);
    const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const pages = (await actionsAt(client, whole)).flatMap(({ command }) => command ?? []);
    const names = ['duplicate-key', 'label-value-type', 'annotation-value-type'];
    assert.deepEqual(
      pages,
      names.map((rule) => ({ title: `Open the page of ${rule}`, command: 'shop.openPage', arguments: [rule] })),
    );
    const other = await startServer({ initializationOptions: 'none' as unknown as object });
    await other.open(uri, text);
    assert.ok((await actionsAt(other, whole)).every(({ command }) => command === undefined));
  });
});
