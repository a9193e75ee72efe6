/** Tests that a finding can be disabled from the editor, and that all safe fixes can be applied at once. */
import assert from 'node:assert/strict';
import {
  type ApplyWorkspaceEditParams,
  ApplyWorkspaceEditRequest,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  ExecuteCommandRequest,
} from 'vscode-languageserver/node';
import { ableEditor, type Client } from './client.ts';
import { configMap, service } from './manifests.ts';
import { rangeOf, withFix } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const bad = configMap('owner: Team Blue');
const badJson = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'prices', labels: { owner: 'Team Blue' } },
});
const creates = {
  ...ableEditor,
  workspace: {
    ...ableEditor.workspace,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create' as const] },
  },
};

/** Resolves code actions, and shows the annotations of edits. */
const able = {
  ...creates,
  textDocument: {
    ...creates.textDocument,
    codeAction: {
      ...creates.textDocument?.codeAction,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
  workspace: {
    ...creates.workspace,
    applyEdit: true,
    workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
  },
};

async function actions(client: Client, uri: string, text: string, words: string, only?: string[]) {
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: rangeOf(text, words),
    context: { diagnostics: [], ...(only && { only }) },
  });
  return (found ?? []) as CodeAction[]; // the server answers no commands
}

function disabling(all: readonly CodeAction[]): readonly CodeAction[] {
  return all.filter(({ title }) => title.startsWith('Disable'));
}

describe('suppressions', () => {
  afterEach(stopEverything);

  it('is offered after the fixes, for the line and the file, and removes the finding', async () => {
    const uri = 'file:///shop/prices.yaml';
    for (const text of [bad, bad.replaceAll('\n', '\r\n'), `#@ data\n${bad}`]) {
      const client = await startServer();
      await client.open(uri, text);
      const all = await actions(client, uri, text, 'Team Blue', ['quickfix']);
      assert.deepEqual(all.slice(-2), disabling(all));
      const fixed = disabling(all).map((action) => withFix(text, uri, action));
      const [opening] = text.startsWith('#@') ? ['#!'] : ['#'];
      assert.match(
        fixed[0] ?? '',
        new RegExp(`\n    ${opening} selector-lens-disable-next-line label-value-syntax\r?\n    owner`),
      );
      assert.ok(fixed[1]?.startsWith(`${opening} selector-lens-disable-file label-value-syntax`));
      for (const each of fixed) {
        await client.change(uri, { text: each });
        assert.deepEqual(await client.pull(uri), []);
      }
    }
  });

  it('is not offered for faults of the configuration', async () => {
    const uri = 'file:///shop/.selector-lens.yaml';
    const client = await startServer();
    await client.open(uri, 'rulez: {}\n');
    const titles = (await actions(client, uri, 'rulez: {}\n', 'rulez', ['quickfix'])).map(({ title }) => title);
    assert.deepEqual(titles, ["Change to 'rules'"]);
  });

  it('creates a .selector-lens.yaml for JSON, if the editor can create files', async () => {
    const folder = makeFolder();
    const client = await startServer({ capabilities: creates, folders: [folder.uri] });
    const uri = folder.write('shop/prices.json', badJson);
    await client.open(uri, badJson, 'json');
    await client.whenReady();
    const [action, ...others] = disabling(await actions(client, uri, badJson, '"Team Blue"'));
    assert.deepEqual(others, []);
    const [create, change] = action?.edit?.documentChanges ?? [];
    assert.ok(create !== undefined && 'kind' in create && create.kind === 'create');
    assert.equal(create.uri, folder.uriOf('.selector-lens.yaml'));
    assert.ok(change !== undefined && 'edits' in change);
    assert.deepEqual(
      change.edits.map((edit) => 'newText' in edit && edit.newText),
      ['ignore:\n  - { rule: label-value-syntax, files: ["shop/prices.json"] }\n'],
    );
  });

  it('is not offered for JSON if the editor cannot create the file', async () => {
    const client = await startServer();
    const uri = 'file:///shop/prices.json';
    await client.open(uri, badJson, 'json');
    const all = await actions(client, uri, badJson, '"Team Blue"');
    assert.ok(all.length > 0);
    assert.deepEqual(disabling(all), []);
  });

  it('adds to an existing .selector-lens.yaml', async () => {
    const folder = makeFolder({
      '.selector-lens.yaml': 'rules:\n  label-key-syntax: hint\nignore:\n  - rule: all\n    files: [a]\n',
    });
    const client = await startServer({ folders: [folder.uri] });
    const uri = folder.write('prices.json', badJson);
    await client.open(uri, badJson, 'json');
    await client.whenReady();
    const [action] = disabling(await actions(client, uri, badJson, '"Team Blue"'));
    const [change, ...others] = action?.edit?.documentChanges ?? [];
    assert.deepEqual(others, []);
    assert.ok(change !== undefined && 'edits' in change);
    const start = { line: 3, character: 0 };
    assert.deepEqual(change.edits, [
      { range: { start, end: start }, newText: '  - { rule: label-value-syntax, files: ["prices.json"] }\n' },
    ]);
  });
});

describe('a fix in a closed file', () => {
  afterEach(stopEverything);

  it('is offered only if the file on disk is the one that was indexed', async () => {
    const pods = 'apiVersion: v1\nkind: Pod\nmetadata: {name: website, labels: {app: wbesite}}\n';
    const text = service('website');
    const folder = makeFolder({ 'pods.yaml': pods });
    const client = await startServer({ folders: [folder.uri] });
    const uri = folder.write('service.yaml', text);
    await client.open(uri, text);
    await client.whenReady();
    const titles = async () => (await actions(client, uri, text, 'app: website')).map(({ title }) => title);
    const title = "Change the label of Pod/website to 'website'";
    assert.ok((await titles()).includes(title));
    folder.write('pods.yaml', `# a comment\n${pods}`);
    assert.ok(!(await titles()).includes(title));
  });
});

describe('fixing all', () => {
  afterEach(stopEverything);

  it('applies the safe fixes of a document, only on request', async () => {
    const client = await startServer();
    const uri = 'file:///shop/prices.yaml';
    const text = `# selector-lens-disable-file label-key-syntax: nothing is\n${bad}# selector-lens-disable-file label-value-type\n`;
    await client.open(uri, text);
    assert.deepEqual(await actions(client, uri, bad, 'kind', ['quickfix']), []);
    for (const kind of ['source.fixAll.selectorLens', 'source.fixAll', 'source']) {
      const [all, ...others] = await actions(client, uri, text, 'kind', [kind]);
      assert.deepEqual(others, []);
      assert.equal(all?.kind, 'source.fixAll.selectorLens');
      assert.equal(withFix(text, uri, all), bad);
    }
    assert.deepEqual(await actions(client, uri, text, 'kind', ['source.organizeImports']), []);
    await client.change(uri, { text: bad });
    assert.deepEqual(await actions(client, uri, bad, 'kind', ['source.fixAll']), []);
  });

  it('fixes one rule in a file or in the workspace, and lists the edits of several files first', async () => {
    const numbers = 'key1: 1\n    key2: 2\n    owner: Team Blue';
    const folder = makeFolder({ 'other.yaml': configMap('key: 3'), 'fine.yaml': configMap('key: fine') });
    const uri = folder.write('prices.yaml', configMap(numbers));
    const client = await startServer({ capabilities: able, folders: [folder.uri] });
    const applied: ApplyWorkspaceEditParams[] = [];
    client.connection.onRequest(ApplyWorkspaceEditRequest.type, (params) => {
      applied.push(params);
      return { applied: true };
    });
    const text = configMap(numbers);
    await client.open(uri, text);
    await client.whenReady();
    const isOfRule = ({ title }: CodeAction) => title.startsWith('Fix all');
    const [inFile, everywhere, ...others] = (await actions(client, uri, text, 'key1: 1')).filter(isOfRule);
    assert.deepEqual(others, []);
    assert.equal(inFile?.title, 'Fix all label-value-type in this file');
    const resolved = await client.connection.sendRequest(CodeActionResolveRequest.type, inFile);
    assert.equal(withFix(text, uri, resolved), text.replaceAll(/(key\d): (\d)/g, '$1: "$2"'));
    const [safe] = await actions(client, uri, text, 'owner', ['source.fixAll.selectorLens.label-value-type']);
    assert.ok(safe);
    assert.equal(withFix(text, uri, safe), withFix(text, uri, resolved));

    assert.equal(everywhere?.title, 'Fix all label-value-type in the workspace\u2026');
    assert.ok(everywhere.command);
    const result = await client.connection.sendRequest(ExecuteCommandRequest.type, everywhere.command);
    assert.deepEqual(result, { applied: true, files: 2 });
    const [{ edit } = { edit: {} }] = applied;
    assert.deepEqual(
      edit.documentChanges?.map((change) => 'edits' in change && [change.textDocument.uri, change.edits.length]),
      [
        [uri, 2],
        [folder.uriOf('other.yaml'), 1],
      ],
    );
    assert.deepEqual(
      Object.values(edit.changeAnnotations ?? {}).map(({ needsConfirmation }) => needsConfirmation),
      [true],
    );
    const [one, ...more] = (await actions(client, uri, text, 'Team Blue')).filter(isOfRule);
    assert.deepEqual([one?.title, more], ['Fix all label-value-syntax in the workspace\u2026', []]);
    await assert.rejects(
      client.connection.sendRequest(ExecuteCommandRequest.type, {
        command: everywhere.command.command,
        arguments: [{ rule: 'selects-nothing' }],
      }),
      /No finding of selects-nothing has a fix/,
    );
  });

  it('applies all safe fixes of hundreds, of which a range offers the first hundred', async () => {
    const client = await startServer();
    const uri = 'file:///shop/prices.yaml';
    const numbers = Array.from({ length: 200 }, (_, number) => `key${number}: ${number}`);
    const text = configMap(numbers.join('\n    '));
    await client.open(uri, text);
    const [all] = await actions(client, uri, text, text, ['source.fixAll']);
    assert.ok(all);
    assert.equal(withFix(text, uri, all), text.replaceAll(/(key\d+): (\d+)/g, '$1: "$2"'));
    const range = { start: { line: 0, character: 0 }, end: { line: 1_000, character: 0 } };
    const fixes = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context: { diagnostics: [], only: ['quickfix'] },
    });
    assert.equal(
      new Set(fixes?.map((fix) => JSON.stringify('diagnostics' in fix && fix.diagnostics?.[0]?.range))).size,
      100,
    );
  });
});
