/**
 * Tests that exactly the findings that other extensions report too are left out, and that our fixes are offered for
 * theirs.
 */
import assert from 'node:assert/strict';
import { type CodeAction, CodeActionRequest, type Range } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { coveredBy } from '../../server/src/lsp/other-tools.ts';
import { type OtherDiagnostic, otherDiagnosticsNotification } from '../../server/src/protocol.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import type { Client } from './client.ts';
import { rangeOf, withFix } from './places.ts';
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
    owner: 'blue'
  annotations:
    port: 8080
    routes: [a]
    nested:
      deep: true
`;

async function rules(client: Client, of = uri): Promise<readonly string[]> {
  return (await client.pull(of)).map(({ code, range }) => `${code} ${text.split('\n')[range.start.line]?.trim()}`);
}

async function actionsAt(client: Client, range: Range, only?: string[]): Promise<readonly CodeAction[]> {
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context: { diagnostics: [], only: only ?? ['quickfix'] },
  });
  return (found ?? []) as CodeAction[]; // the response contains no commands
}

const everything = [
  'duplicate-key owner: blue',
  'label-value-type old: yes',
  'label-value-type team: 42',
  'annotation-value-type port: 8080',
  'annotation-value-type routes: [a]',
  'annotation-value-type nested:',
];

const but = (...gone: readonly string[]) => everything.filter((each) => !gone.some((words) => each.includes(words)));

/** As the YAML extension reports them: a duplicate key with its value, a wrong type on the value. */
const duplicate = { range: rangeOf(text, "owner: 'blue'"), severity: 1, source: 'YAML' };
const wrongType = (value: string, source = 'yaml-schema: file:///team/all.json'): OtherDiagnostic => {
  return { range: rangeOf(text, value), severity: 1, source };
};

async function report(client: Client, diagnostics: readonly unknown[], of = uri): Promise<void> {
  await client.connection.sendNotification(otherDiagnosticsNotification, { textDocument: { uri: of }, diagnostics });
}

describe('diagnostics of other extensions', () => {
  afterEach(stopEverything);

  it('replace ours, whatever the source of the schema is, and no others', async () => {
    const client = await startServer();
    await client.open(uri, text);
    assert.deepEqual(await rules(client), everything);
    const nested = { start: { line: 13, character: 6 }, end: { line: 14, character: 0 } };
    for (const [diagnostics, gone] of [
      [[duplicate], 'duplicate-key'],
      [[wrongType('42')], 'team'],
      [[wrongType('8080', 'yaml-schema: kubernetes://schema/v1')], 'port'],
      [[wrongType('[a]')], 'routes'],
      [[wrongType('yes', 'Cloud')], 'old'],
      [[{ range: nested, source: 'YAML' }], 'nested'],
    ] as const) {
      await report(client, diagnostics);
      assert.deepEqual(await rules(client), but(gone));
    }
    await report(client, []);
    assert.deepEqual(await rules(client), everything);
  });

  it('replace ours for an unknown field, unless it concerns labels, selectors or metadata', async () => {
    const fields = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  lables: {}\nspec:\n  replica: 1\n';
    const client = await startServer();
    const found = () => client.pull(uri).then((all) => all.map(({ range }) => fields.split('\n')[range.start.line]));
    await client.open(uri, fields);
    assert.deepEqual(await found(), ['  lables: {}', '  replica: 1']);
    const unknown = (key: string, severity = 1): OtherDiagnostic => {
      return { range: rangeOf(fields, key), severity, source: 'yaml-schema: kubernetes://schema/v1' };
    };
    await report(client, [unknown('lables'), unknown('replica')]);
    assert.deepEqual(await found(), ['  lables: {}']);
    // A warning does not say that the API server rejects the field.
    await report(client, [unknown('replica', 2)]);
    assert.deepEqual(await found(), ['  lables: {}', '  replica: 1']);
    await report(client, [{ ...unknown('replica'), source: 'a linter' }]);
    assert.deepEqual(await found(), ['  lables: {}', '  replica: 1']);
  });

  it('do not replace ours if they have another subject', async () => {
    const client = await startServer();
    await client.open(uri, text);
    const lines = (from: number, to: number) => {
      return { start: { line: from, character: 0 }, end: { line: to, character: 99 } };
    };
    for (const other of [
      { range: lines(0, 13), severity: 1, source: 'yaml-schema: whole object' },
      { range: lines(4, 8), severity: 1, source: 'YAML' },
      { range: rangeOf(text, 'team'), severity: 1, source: 'YAML' },
      { range: rangeOf(text, '42'), severity: 2, source: 'a linter whose warning is no error' },
      { range: rangeOf(text, '42'), severity: 3, source: 'a spell checker' },
      { ...duplicate, severity: 3 },
      { ...duplicate, source: 'yaml-schema: property is not allowed' },
      { range: rangeOf(text, 'prices'), severity: 1, source: 'YAML' },
    ]) {
      await report(client, [other]);
      assert.deepEqual(await rules(client), everything, JSON.stringify(other));
    }
  });

  it('replace ours in every language and kind, unless the user disables that', async () => {
    const client = await startServer();
    const helm = 'file:///shop/k8s/chart.yaml';
    const widget = text.replace('apiVersion: v1', 'apiVersion: shop.example.com/v1');
    await client.open(helm, widget, 'helm');
    await report(client, [duplicate, wrongType('42')], helm);
    assert.deepEqual(await rules(client, helm), but('duplicate-key', 'team'));
    // The end of indexing causes a refresh, too.
    await client.whenReady();
    const refreshes = client.refreshes;
    await client.changeSettings({ coexist: 'off' });
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await rules(client, helm), everything);
  });

  it('may arrive before the document is opened, and are dropped with it', async () => {
    const client = await startServer();
    await report(client, [duplicate]);
    await client.open(uri, text);
    assert.deepEqual(await rules(client), but('duplicate-key'));
    await client.close(uri);
    await client.open(uri, text);
    assert.deepEqual(await rules(client), everything);
  });

  it('cause a new request only if the hidden findings change', async () => {
    const client = await startServer();
    await client.open(uri, text);
    assert.deepEqual(await rules(client), everything);
    await client.whenReady();
    const { refreshes } = client;
    await report(client, [wrongType('42')]);
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await rules(client), but('team'));
    await report(client, [wrongType('42'), wrongType('prices')]);
    for (const nonsense of [[7, null, {}, { range: {} }, { range: { start: {}, end: { line: 'x' } } }], 'x'])
      await client.connection.sendNotification(otherDiagnosticsNotification, {
        textDocument: { uri },
        diagnostics: nonsense,
      });
    await client.connection.sendNotification(otherDiagnosticsNotification, 7);
    await client.until(() => client.refreshes > refreshes + 1);
    assert.deepEqual(await rules(client), everything);
    assert.equal(client.refreshes, refreshes + 2);
  });

  it('are fixed by us, and no comment of ours disables them', async () => {
    const client = await startServer();
    await client.open(uri, text);
    await report(client, [duplicate, wrongType('42')]);
    const titles = async (range: Range) => (await actionsAt(client, range)).map(({ title }) => title);
    for (const range of [rangeOf(text, 'owner: blue'), duplicate.range]) {
      const actions = await actionsAt(client, range);
      assert.deepEqual(
        actions.map(({ title }) => title),
        ["Remove this 'owner'"],
      );
      for (const action of actions) assert.equal(withFix(text, uri, action), text.replace('    owner: blue\n', ''));
    }
    assert.deepEqual(await titles(rangeOf(text, '42')), ['Quote the value', 'Fix all label-value-type in this file']);
    const [fixAll] = await actionsAt(client, rangeOf(text, 'owner'), ['source.fixAll.selectorLens']);
    assert.ok(fixAll);
    const fixed = withFix(text, uri, fixAll);
    assert.ok(fixed.includes('team: "42"') && fixed.includes('port: "8080"'), fixed);
  });
});

describe('a syntax error', () => {
  const broken = `apiVersion: v1
kind: ConfigMap
data:
  text: "never closed
  more: here
---
apiVersion: v1
 kind: ConfigMap
---
apiVersion: v1
kind: ConfigMap
labels:
  team: blue
  team: red
  text: a: b
`;
  const document = TextDocument.create(uri, 'yaml', 1, broken);
  const spanOf = (words: string) => {
    const start = broken.indexOf(words);
    return { start, end: start + words.length };
  };
  const finding = (words: string, more: Partial<Finding> = {}): Finding => {
    const facts = { rule: 'syntax-error', severity: 'error', common: 'syntax', message: words } as const;
    return { ...facts, span: spanOf(words), related: [], tags: [], fixes: () => [], ...more };
  };
  const repeated = finding('team: blue', { common: 'duplicateKeys', reportedAt: [spanOf('team: red')] });
  const found = [finding('"never'), finding(' kind'), repeated, finding('a: b')];
  const covered = (...diagnostics: readonly OtherDiagnostic[]) =>
    [...coveredBy(diagnostics, found, document)].map(({ message }) => message);
  const parseError = (words: string): OtherDiagnostic => ({ range: rangeOf(broken, words), source: 'YAML' });

  it('is hidden if another parser reports one in the same YAML document', () => {
    assert.deepEqual(covered(parseError('more')), ['"never']);
    assert.deepEqual(covered(parseError('v1\n kind')), [' kind']);
    assert.deepEqual(covered(parseError('text: a')), ['a: b']);
    assert.deepEqual(covered(parseError('more'), parseError('text: a')), ['"never', 'a: b']);
  });

  it('is hidden if another parser reports an unclosed quote at the end of the file', () => {
    const end = document.positionAt(broken.length);
    const atEnd = { range: { start: end, end }, source: 'YAML' };
    assert.deepEqual(covered(atEnd), ['"never']);
    assert.deepEqual(covered(atEnd, parseError('more'), parseError('v1\n kind')), ['"never', ' kind', 'a: b']);
  });

  it('is not hidden by a schema, a linter, or a diagnostic about a duplicate key', () => {
    assert.deepEqual(covered(parseError('team: red')), ['team: blue']);
    assert.deepEqual(covered({ ...parseError('more'), source: 'yaml-schema: all' }), []);
    assert.deepEqual(covered({ ...parseError('more'), severity: 2 }), []);
  });
});

describe('the page of a rule', () => {
  afterEach(stopEverything);

  it('is opened by a command of the client, once for each rule, if the client has one', async () => {
    const client = await startServer({ initializationOptions: { commands: { rulePage: 'shop.openPage' } } });
    await client.open(uri, text);
    const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const pages = (await actionsAt(client, whole)).flatMap(({ command }) => command ?? []);
    const names = ['duplicate-key', 'label-value-type', 'annotation-value-type'];
    assert.deepEqual(
      pages,
      names.map((rule) => ({ title: `Show documentation for ${rule}`, command: 'shop.openPage', arguments: [rule] })),
    );
    const other = await startServer({ initializationOptions: 'none' as unknown as object });
    await other.open(uri, text);
    assert.ok((await actionsAt(other, whole)).every(({ command }) => command === undefined));
  });
});
