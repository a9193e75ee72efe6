/** Tests that an editor that requests diagnostics of all files receives them once, and again only when they change. */
import assert from 'node:assert/strict';
import {
  CancellationTokenSource,
  type ClientCapabilities,
  DocumentDiagnosticRequest,
  FileChangeType,
  type PreviousResultId,
  type WorkspaceDiagnosticReport,
  WorkspaceDiagnosticRequest,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import { ableEditor, type Client } from './client.ts';
import { configMap, deployment, service } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const bad = configMap('owner: Team Blue');
const good = configMap('owner: team-blue');
const everywhere = { problems: 'workspace' };
const pushing: ClientCapabilities = { workspace: { configuration: true } };

/** The diagnostics that an editor has received, by file. */
class Reader {
  readonly client: Client;
  readonly known = new Map<string, { readonly id: string | undefined; readonly rules: readonly string[] }>();
  parts = 0;

  constructor(client: Client) {
    this.client = client;
  }

  async ask(partialResultToken?: string, token = new CancellationTokenSource().token): Promise<readonly string[]> {
    const previousResultIds = [...this.known].flatMap(([uri, { id }]): PreviousResultId[] =>
      id === undefined ? [] : [{ uri, value: id }],
    );
    const told: string[] = [];
    const listening =
      partialResultToken === undefined
        ? undefined
        : this.client.connection.onProgress(
            WorkspaceDiagnosticRequest.partialResult,
            partialResultToken,
            (part: WorkspaceDiagnosticReport) => {
              this.parts++;
              told.push(...this.#learn(part.items));
            },
          );
    const params = { previousResultIds, ...(partialResultToken && { partialResultToken }) };
    const answer = await this.client.connection.sendRequest(WorkspaceDiagnosticRequest.type, params, token);
    listening?.dispose();
    return [...told, ...this.#learn(answer.items)].toSorted();
  }

  #learn(items: readonly WorkspaceDocumentDiagnosticReport[]): readonly string[] {
    return items.map((item) => {
      assert.equal(item.kind, 'full');
      const rules = item.items.map(({ code }) => String(code));
      this.known.set(item.uri, { id: item.resultId, rules });
      return `${item.uri.slice(item.uri.lastIndexOf('/') + 1)}: ${rules.join() || 'nothing'}`;
    });
  }
}

async function start(
  files: Readonly<Record<string, string>>,
  settings: object = everywhere,
  capabilities = ableEditor,
) {
  const folder = makeFolder(files);
  const client = await startServer({ capabilities, folders: [folder.uri], settings });
  if (capabilities === ableEditor)
    await client.until(() => client.registrations.some(({ method }) => method === 'textDocument/diagnostic'));
  return { folder, client, reader: new Reader(client) };
}

function isPromised({ registrations }: Client): boolean | undefined {
  const [only, ...others] = registrations.filter(({ method }) => method === 'textDocument/diagnostic');
  assert.deepEqual(others, [], 'two promises would report everything twice');
  return only?.registerOptions.workspaceDiagnostics;
}

describe('diagnostics of the whole workspace', () => {
  afterEach(stopEverything);

  it('are disabled by default', async () => {
    const { client, reader } = await start({ 'prices.yaml': bad }, {});
    assert.equal(isPromised(client), false);
    await assert.rejects(reader.ask(), /Unhandled method/);
  });

  it('are reported for every file with findings, and the next request waits for a change', async () => {
    const { client, folder, reader } = await start({ 'prices.yaml': bad, 'other.yaml': bad, 'good.yaml': good });
    assert.equal(isPromised(client), true);
    assert.deepEqual(await reader.ask(), ['other.yaml: label-value-syntax', 'prices.yaml: label-value-syntax']);
    const next = reader.ask();
    const uri = folder.write('prices.yaml', good);
    await client.changedOutside([uri, FileChangeType.Changed]);
    assert.deepEqual(await next, ['prices.yaml: nothing']);
    const last = reader.ask();
    await client.changedOutside([folder.remove('other.yaml'), FileChangeType.Deleted]);
    assert.deepEqual(await last, ['other.yaml: nothing']);
  });

  it('are sent in parts if the editor supports partial results', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`prices-${index}.yaml`, bad]));
    const { reader } = await start(many);
    assert.equal((await reader.ask('parts')).length, 250);
    assert.ok(reader.parts > 1, `${reader.parts} parts`);
  });

  it('end with a cancelled request, and start again with the next', async () => {
    const { reader } = await start({ 'prices.yaml': bad });
    assert.equal((await reader.ask()).length, 1);
    const { token, cancel } = cancellation();
    const waiting = reader.ask(undefined, token);
    cancel();
    await assert.rejects(waiting, /cancelled/);
    reader.known.clear();
    assert.deepEqual(await reader.ask(), ['prices.yaml: label-value-syntax']);
  });

  it('follow changes of other files', async () => {
    const { client, folder, reader } = await start({
      'kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'web.yaml': deployment('basket'),
      'service.yaml': service('basket'),
    });
    const first = reader.ask();
    const web = folder.uriOf('web.yaml');
    folder.write('web.yaml', deployment('basket', { app: 'baskte' }));
    await client.whenReady();
    await client.changedOutside([web, FileChangeType.Changed]);
    assert.deepEqual(await first, ['service.yaml: selects-nothing']);
  });

  it('exclude an open document, which the editor requests separately, until it is closed', async () => {
    const { client, folder, reader } = await start({ 'prices.yaml': bad, 'other.yaml': bad });
    const uri = folder.uriOf('prices.yaml');
    await client.open(uri, bad);
    assert.deepEqual(await reader.ask(), ['other.yaml: label-value-syntax']);
    assert.equal((await client.pull(uri)).length, 1);
    const next = reader.ask();
    await client.close(uri);
    assert.deepEqual(await next, ['prices.yaml: label-value-syntax']);
    const once = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    assert.equal(once.kind === 'full' && once.items.length, 1);
  });

  it('drop unsaved text', async () => {
    const { client, folder, reader } = await start({ 'prices.yaml': good, 'other.yaml': bad });
    const uri = folder.uriOf('prices.yaml');
    await client.open(uri, good);
    await client.change(uri, { text: bad });
    assert.equal((await client.pull(uri)).length, 1);
    assert.deepEqual(await reader.ask(), ['other.yaml: label-value-syntax']);
    const next = reader.ask();
    await client.close(uri);
    assert.deepEqual(await next, ['prices.yaml: nothing']);
  });

  it('are removed when the setting is turned off', async () => {
    const { client, reader } = await start({ 'prices.yaml': bad });
    await reader.ask();
    const waiting = reader.ask();
    await client.changeSettings({});
    assert.deepEqual(await waiting, []);
    await client.until(() => isPromised(client) === false);
    await assert.rejects(reader.ask(), /Unhandled method/);
    await client.changeSettings(everywhere);
    await client.until(() => isPromised(client) === true);
    reader.known.clear();
    assert.deepEqual(await reader.ask(), ['prices.yaml: label-value-syntax']);
    const method = 'textDocument/diagnostic';
    const about = client.registered.filter((each) => each.endsWith(method));
    assert.deepEqual(about, [`+${method}`, `-${method}`, `+${method}`, `-${method}`, `+${method}`]);
  });

  it('follow the configured severities', async () => {
    const { client, reader } = await start({ 'prices.yaml': bad });
    await reader.ask();
    const next = reader.ask();
    await client.changeSettings({ ...everywhere, rules: { 'label-value-syntax': 'off' } });
    assert.deepEqual(await next, ['prices.yaml: nothing']);
  });

  it('are pushed to an editor that cannot pull, and cleared when the setting is turned off', async () => {
    const { client, folder } = await start({ 'prices.yaml': bad, 'good.yaml': good }, everywhere, pushing);
    await client.until(() => client.published.length > 0);
    const about = () => client.published.map(({ uri, diagnostics }) => [uri, diagnostics.length]);
    const prices = folder.uriOf('prices.yaml');
    assert.deepEqual(about(), [[prices, 1]]);
    await client.changeSettings({});
    await client.until(() => client.published.length > 1);
    assert.deepEqual(about().at(-1), [prices, 0]);
  });

  it('are not declared from the start for an editor without dynamic registration', async () => {
    const capabilities: ClientCapabilities = { ...ableEditor, textDocument: { diagnostic: {} } };
    const { client } = await start({ 'prices.yaml': bad }, everywhere, capabilities);
    assert.equal(client.initialized.capabilities.diagnosticProvider?.workspaceDiagnostics, false);
    await client.whenReady();
    assert.deepEqual(client.published, []);
  });
});

function cancellation() {
  const source = new CancellationTokenSource();
  return { token: source.token, cancel: () => source.cancel() };
}
