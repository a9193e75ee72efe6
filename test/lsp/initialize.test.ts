/** Tests that the capabilities of the server equal its handlers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  type ClientCapabilities,
  type CompletionItemKind,
  ErrorCodes,
  ResponseError,
  type ServerCapabilities,
  type SymbolKind,
} from 'vscode-languageserver/node';
import { ableEditor, type Client, plainEditor } from './client.ts';
import { deployment } from './manifests.ts';
import { rangeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

/** Every request about a document or the workspace, and its capability. */
const requests: Readonly<Record<string, (capabilities: ServerCapabilities) => unknown>> = {
  'textDocument/hover': (each) => each.hoverProvider,
  'textDocument/completion': (each) => each.completionProvider,
  'completionItem/resolve': (each) => each.completionProvider?.resolveProvider,
  'textDocument/signatureHelp': (each) => each.signatureHelpProvider,
  'textDocument/declaration': (each) => each.declarationProvider,
  'textDocument/definition': (each) => each.definitionProvider,
  'textDocument/typeDefinition': (each) => each.typeDefinitionProvider,
  'textDocument/implementation': (each) => each.implementationProvider,
  'textDocument/references': (each) => each.referencesProvider,
  'textDocument/documentHighlight': (each) => each.documentHighlightProvider,
  'textDocument/documentSymbol': (each) => each.documentSymbolProvider,
  'textDocument/codeAction': (each) => each.codeActionProvider,
  'codeAction/resolve': (each) =>
    typeof each.codeActionProvider === 'object' && each.codeActionProvider.resolveProvider,
  'textDocument/codeLens': (each) => each.codeLensProvider,
  'codeLens/resolve': (each) => each.codeLensProvider?.resolveProvider,
  'textDocument/documentLink': (each) => each.documentLinkProvider,
  'textDocument/documentColor': (each) => each.colorProvider,
  'textDocument/formatting': (each) => each.documentFormattingProvider,
  'textDocument/rangeFormatting': (each) => each.documentRangeFormattingProvider,
  'textDocument/onTypeFormatting': (each) => each.documentOnTypeFormattingProvider,
  'textDocument/rename': (each) => each.renameProvider,
  'textDocument/prepareRename': (each) =>
    typeof each.renameProvider === 'object' && each.renameProvider.prepareProvider,
  'textDocument/foldingRange': (each) => each.foldingRangeProvider,
  'textDocument/selectionRange': (each) => each.selectionRangeProvider,
  'textDocument/linkedEditingRange': (each) => each.linkedEditingRangeProvider,
  'textDocument/prepareCallHierarchy': (each) => each.callHierarchyProvider,
  'textDocument/prepareTypeHierarchy': (each) => each.typeHierarchyProvider,
  'textDocument/semanticTokens/full': (each) => each.semanticTokensProvider,
  'textDocument/moniker': (each) => each.monikerProvider,
  'textDocument/inlayHint': (each) => each.inlayHintProvider,
  'textDocument/inlineValue': (each) => each.inlineValueProvider,
  'textDocument/diagnostic': (each) => each.diagnosticProvider,
  'workspace/diagnostic': (each) => each.diagnosticProvider?.workspaceDiagnostics,
  'workspace/symbol': (each) => each.workspaceSymbolProvider,
  'workspace/executeCommand': (each) => each.executeCommandProvider,
};

describe('initialize', () => {
  afterEach(stopEverything);

  it('returns the name of the server and its position encoding', async () => {
    const { initialized } = await startServer();
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(initialized.serverInfo, { name: 'selector-lens', version });
    assert.equal(initialized.capabilities.positionEncoding, 'utf-16');
    assert.deepEqual(initialized.capabilities.textDocumentSync, { openClose: true, change: 2, save: false });
    const plain = await startServer({ capabilities: plainEditor });
    assert.deepEqual(plain.initialized.capabilities.textDocumentSync, { openClose: true, change: 2, save: true });
    assert.deepEqual(initialized.capabilities.workspace?.workspaceFolders, {
      supported: true,
      changeNotifications: true,
    });
  });

  for (const [name, capabilities] of Object.entries({ 'can pull': ableEditor, 'cannot pull': plainEditor })) {
    it(`declares exactly the requests that have a handler, for an editor that ${name}`, async () => {
      const folder = makeFolder();
      const uri = folder.uriOf('web.yaml');
      const client = await startServer({ capabilities, folders: [folder.uri] });
      await client.open(uri, deployment('web'));
      await client.whenReady();
      const answered = await answeredRequests(client, uri);
      const later = client.registrations.map(({ method }) => method);
      const promised = Object.keys(requests).filter(
        (each) => requests[each]?.(client.initialized.capabilities) || later.includes(each),
      );
      assert.deepEqual(answered, promised);
      assert.equal(promised.includes('textDocument/diagnostic'), capabilities === ableEditor);
    });
  }

  it('uses only the kinds of symbols and completions that an editor supports', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const uri = folder.uriOf('pdb.yaml');
    const requirement = '- {key: app, operator: ';
    const text = `apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec:\n  selector:\n    matchExpressions:\n    ${requirement}}\n`;
    const kinds = async (capabilities: ClientCapabilities) => {
      const client = await startServer({ capabilities, folders: [folder.uri] });
      await client.open(uri, text);
      await client.whenReady();
      const ask = async (method: string, params: object) => {
        const found: readonly { kind: number }[] | { items: readonly { kind: number }[] } =
          await client.connection.sendRequest(method, params);
        return [...new Set(('items' in found ? found.items : found).map(({ kind }) => kind))].toSorted((a, b) => a - b);
      };
      const textDocument = { uri };
      return [
        await ask('textDocument/documentSymbol', { textDocument }),
        await ask('workspace/symbol', { query: 'web' }),
        await ask('textDocument/completion', { textDocument, position: rangeOf(text, requirement).end }),
      ];
    };
    const valueSet = Array.from({ length: 25 }, (_, index) => (index + 1) as SymbolKind & CompletionItemKind);
    const drawing = {
      textDocument: { documentSymbol: { symbolKind: { valueSet } }, completion: { completionItemKind: { valueSet } } },
      workspace: { symbol: { symbolKind: { valueSet } } },
    };
    assert.deepEqual(await kinds(plainEditor), [[5, 12], [5, 7], [14]]);
    assert.deepEqual(await kinds(drawing), [[19, 25], [19, 20], [24]]);
  });

  it('reads no file before a manifest is opened or requested', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri] });
    const notes = folder.uriOf('notes.yaml');
    await client.open(notes, 'just: notes\n');
    await client.hoverAt(notes, { line: 0, character: 0 });
    assert.deepEqual(client.progress, []);
    await client.open(folder.uriOf('web.yaml'), deployment('web'));
    await client.until(() => client.progress.includes('ready'));
  });

  it('accepts the single root of an older editor', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ capabilities: plainEditor, rootUri: folder.uri });
    assert.deepEqual(await client.whenReady(), { files: 1, objects: 1, skipped: 0 });
  });

  it('works without a folder', async () => {
    const client = await startServer({ capabilities: plainEditor });
    assert.deepEqual(await client.whenReady(), { files: 0, objects: 0, skipped: 0 });
  });

  it('watches the files that it reads, if the editor supports that', async () => {
    const client = await startServer();
    await client.until(() => client.registrations.length >= 3);
    const methods = client.registrations.map(({ method }) => method);
    assert.ok(methods.includes('workspace/didChangeWatchedFiles'));
    assert.ok(methods.includes('workspace/didChangeConfiguration'));
  });
});

/** The requests to which the server does not respond that the method is unknown. */
async function answeredRequests(client: Client, uri: string): Promise<readonly string[]> {
  const position = { line: 0, character: 0 };
  const range = { start: position, end: position };
  const params = {
    textDocument: { uri },
    position,
    range,
    context: { diagnostics: [] },
    previousResultIds: [],
    command: 'unknown',
  };
  const answered: string[] = [];
  for (const method of Object.keys(requests)) {
    const known = await client.connection.sendRequest(method, params).then(
      () => true,
      (error) => !(error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound),
    );
    if (known) answered.push(method);
  }
  return answered;
}
