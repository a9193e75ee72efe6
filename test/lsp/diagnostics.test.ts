/** Tests that an editor receives diagnostics in the one way that it supports, and again when they change. */
import assert from 'node:assert/strict';
import { CodeActionRequest, DidChangeConfigurationNotification } from 'vscode-languageserver/node';
import { actingEditor, plainEditor } from './client.ts';
import { configMap } from './manifests.ts';
import { rangeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const bad = configMap('owner: Team Blue');
const good = configMap('owner: team-blue');
const uri = 'file:///shop/prices.yaml';

describe('diagnostics', () => {
  afterEach(stopEverything);

  it('are pulled by an editor with that capability, and never pushed to it', async () => {
    const client = await startServer();
    await client.open(uri, bad);
    const [found, ...others] = await client.pull(uri);
    assert.deepEqual(others, []);
    assert.deepEqual(found?.range, rangeOf(bad, 'Team Blue'));
    assert.equal(found?.severity, 1);
    assert.equal(found?.source, 'selector-lens');
    assert.equal(found?.code, 'label-value-syntax');
    assert.match(found?.codeDescription?.href ?? '', /\/docs\/rules\/label-value-syntax\.md$/);
    assert.match(String(found?.message), /\bmust\b/);
    await client.change(uri, { range: rangeOf(bad, 'Team Blue'), text: 'team-blue' });
    assert.deepEqual(await client.pull(uri), []);
    await client.close(uri);
    assert.deepEqual(await client.pull(uri), []);
    await client.stop();
    assert.deepEqual(client.published, []);
  });

  it('are pushed to other editors, with the version of the document', async () => {
    const client = await startServer({ capabilities: plainEditor });
    await client.open(uri, bad);
    await client.until(() => client.published.length === 1);
    await client.change(uri, { text: good });
    await client.until(() => client.published.some(({ version }) => version === 2));
    await client.close(uri);
    await client.stop();
    const about = client.published.filter((each) => each.uri === uri);
    assert.deepEqual(about[0]?.version, 1);
    assert.deepEqual(
      about[0]?.diagnostics.map(({ range, code }) => ({ range, code })),
      [{ range: rangeOf(bad, 'Team Blue'), code: 'label-value-syntax' }],
    );
    assert.deepEqual(about.find(({ version }) => version === 2)?.diagnostics, []);
    assert.deepEqual(about.at(-1)?.diagnostics, []);
  });

  it('are rejected as a request if they are pushed', async () => {
    const client = await startServer({ capabilities: plainEditor });
    await client.open(uri, bad);
    await assert.rejects(client.pull(uri), /Unhandled method/);
  });

  it('are refreshed when a rule is turned off and on', async () => {
    const client = await startServer();
    await client.until(() => client.registrations.some(({ method }) => method === 'workspace/didChangeConfiguration'));
    await client.open(uri, bad);
    await client.whenReady();
    assert.equal((await client.pull(uri)).length, 1);
    const refreshes = client.refreshes;
    await client.changeSettings({ rules: { 'label-value-syntax': 'off' } });
    await client.until(() => client.refreshes > refreshes);
    assert.deepEqual(await client.pull(uri), []);
    const later = client.refreshes;
    await client.changeSettings({ rules: { 'label-value-syntax': 'hint' } });
    await client.until(() => client.refreshes > later);
    assert.deepEqual(
      (await client.pull(uri)).map(({ severity }) => severity),
      [4],
    );
  });

  it('are pushed again when a rule is turned off', async () => {
    const client = await startServer({ capabilities: { workspace: { configuration: true } } });
    await client.open(uri, bad);
    await client.until(() => client.published.some(({ diagnostics }) => diagnostics.length === 1));
    await client.changeSettings({ rules: { 'label-value-syntax': 'off' } });
    await client.until(() => client.published.at(-1)?.diagnostics.length === 0);
  });

  it('follow the initial settings of an editor', async () => {
    const client = await startServer({ settings: { rules: { 'label-value-syntax': 'warning' } } });
    await client.until(() => client.refreshes > 0);
    await client.open(uri, bad);
    assert.deepEqual(
      (await client.pull(uri)).map(({ severity }) => severity),
      [2],
    );
  });

  it('follow the settings of the innermost workspace folder', async () => {
    const folders = ['file:///shop', 'file:///shop/east'];
    const client = await startServer({ folders, settings: { rules: { 'label-value-syntax': 'hint' } } });
    client.settingsByFolder.set('file:///shop', { rules: { 'label-value-syntax': 'information' } });
    client.settingsByFolder.set('file:///shop/east', { rules: { 'label-value-syntax': 'warning' } });
    const refreshes = client.refreshes;
    await client.changeSettings(client.settings);
    await client.until(() => client.refreshes > refreshes);
    const severityIn = async (folder: string) => {
      await client.open(`${folder}/prices.yaml`, bad);
      return (await client.pull(`${folder}/prices.yaml`)).map(({ severity }) => severity);
    };
    assert.deepEqual(await severityIn('file:///shop/east'), [2]);
    assert.deepEqual(await severityIn('file:///shop/west'), [3]);
    assert.deepEqual(await severityIn('file:///market'), [4]);
  });

  it('follow the settings that an editor sends without a request, at the start and later', async () => {
    const rules = (severity: string) => ({ rules: { 'label-value-syntax': severity } });
    const client = await startServer({
      capabilities: plainEditor,
      initializationOptions: { settings: rules('warning') },
    });
    const severity = () => client.published.at(-1)?.diagnostics[0]?.severity;
    const tell = (settings: unknown) =>
      client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
    await client.open(uri, bad);
    await client.until(() => severity() === 2);
    await tell({ selectorLens: rules('hint') });
    await client.until(() => severity() === 4);
    await tell(rules('information'));
    await client.until(() => severity() === 3);
    const { length } = client.published;
    await tell(null);
    await tell({ selectorLens: rules('off') });
    await client.until(() => client.published.at(-1)?.diagnostics.length === 0);
    assert.equal(client.published.length, length + 1);
  });

  it('report a configured rule that does not exist', async () => {
    const client = await startServer({ settings: { rules: { 'label-value-sintax': 'hint' } } });
    await client.until(() => client.refreshes > 0);
    const told = client.log.filter((line) => line.includes("there is no rule 'label-value-sintax'"));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /Did you mean 'label-value-syntax'\?/);
  });

  it('use the default for an invalid setting, and log it', async () => {
    const client = await startServer({ settings: { rules: { 'label-value-syntax': 'loud' } } });
    await client.until(() => client.refreshes > 0);
    await client.open(uri, bad);
    assert.deepEqual(
      (await client.pull(uri)).map(({ severity }) => severity),
      [1],
    );
    assert.equal(client.log.filter((line) => line.includes("'label-value-syntax' must be one of")).length, 1);
  });
});

describe('quick fixes', () => {
  afterEach(stopEverything);

  it('name the diagnostic that they fix, and the version of the document', async () => {
    const folder = makeFolder();
    const client = await startServer();
    const prices = folder.uriOf('prices.yaml');
    await client.open(prices, good);
    await client.change(prices, { text: bad });
    const [diagnostic] = await client.pull(prices);
    assert.ok(diagnostic !== undefined);
    const fixes = await client.fixes(prices, diagnostic);
    assert.ok(fixes.length > 0);
    assert.equal(fixes.filter(({ isPreferred }) => isPreferred).length, 1);
    for (const fix of fixes) {
      assert.equal(fix.kind, 'quickfix');
      assert.deepEqual(fix.diagnostics, [diagnostic]);
      assert.equal(fix.edit?.changes, undefined);
      const documents = fix.edit?.documentChanges?.map((change) => 'textDocument' in change && change.textDocument);
      assert.deepEqual(documents, [{ uri: prices, version: 2 }]);
    }
  });

  it('are plain changes if the editor does not support versions', async () => {
    const client = await startServer({ capabilities: actingEditor });
    await client.open(uri, bad);
    await client.until(() => client.published.length > 0);
    const [diagnostic] = client.published[0]?.diagnostics ?? [];
    assert.ok(diagnostic !== undefined);
    for (const fix of await client.fixes(uri, diagnostic)) {
      assert.equal(fix.edit?.documentChanges, undefined);
      assert.deepEqual(Object.keys(fix.edit?.changes ?? {}), [uri]);
    }
  });

  it('are not offered without a finding, nor for other requested kinds', async () => {
    const client = await startServer();
    await client.open(uri, bad);
    const ask = (words: string, only?: string[]) =>
      client.connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri },
        range: rangeOf(bad, words),
        context: { diagnostics: [], ...(only && { only }) },
      });
    assert.deepEqual(await ask('kind', ['quickfix']), []);
    assert.deepEqual(await ask('Team Blue', ['refactor.inline']), []);
    assert.deepEqual(await ask('Team Blue', ['quickfix.other']), []);
    assert.ok((await ask('Team Blue', ['quickfix']))?.length);
    assert.ok((await ask('Team Blue', ['']))?.length);
  });
});
