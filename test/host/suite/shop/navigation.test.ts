/** Tests lenses, hints and navigation through the commands of VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { behind, open } from '../documents.ts';
import { extension } from '../extension.ts';

const { executeCommand } = vscode.commands;

/** In the Service, in the Deployment's template, in the name of the Deployment. */
const selector = 'selector:\n    app: bas';
const template = 'template:\n    metadata:\n      labels:\n        app: bas';
const workload = 'kind: Deployment\nmetadata:\n  name: bas';

interface Found {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Locations and links. */
function placesOf(found: readonly (vscode.Location | vscode.LocationLink)[]): readonly Found[] {
  return found.map((each) =>
    'targetUri' in each ? { uri: each.targetUri, range: each.targetSelectionRange ?? each.targetRange } : each,
  );
}

/** `basket.yaml:21`, in the order of the files. */
function printed(found: readonly (vscode.Location | vscode.LocationLink)[]): readonly string[] {
  const places = placesOf(found).map(({ uri, range }) => `${uri.path.split('/').at(-1)}:${range.start.line + 1}`);
  return [...new Set(places)].sort();
}

async function ask<T>(command: string, document: vscode.TextDocument, text: string): Promise<readonly T[]> {
  return (await executeCommand<T[]>(command, document.uri, behind(document, text))) ?? [];
}

describe('navigation in the editor', () => {
  let document: vscode.TextDocument;
  before(async () => {
    await (await extension().activate()).whenReady();
  });
  beforeEach(async () => {
    document = await open('basket.yaml');
  });
  afterEach(async () => {
    await executeCommand('workbench.action.closeAllEditors');
  });

  it('leads to the labels that match a selector, and to the workload of a Service', async () => {
    assert.deepEqual(printed(await ask('vscode.executeDefinitionProvider', document, selector)), ['basket.yaml:23']);
    assert.deepEqual(printed(await ask('vscode.executeImplementationProvider', document, selector)), [
      'basket.yaml:15',
    ]);
  });

  it('finds all selectors and objects of a label', async () => {
    const found = await ask<vscode.Location>('vscode.executeReferenceProvider', document, template);
    const wanted = ['basket.yaml:19', 'basket.yaml:23', 'basket.yaml:36', 'basket.yaml:8'];
    assert.deepEqual(
      printed(found).filter((line) => line.startsWith('basket.yaml')),
      wanted,
    );
  });

  it('highlights the labels and requirements of a label', async () => {
    const found = await ask<vscode.DocumentHighlight>('vscode.executeDocumentHighlights', document, selector);
    const lines = found.map(({ range }) => range.start.line + 1);
    assert.deepEqual([...new Set(lines)], [8, 19, 23, 36]);
  });

  it('lists objects with their labels and selectors, and finds them in the workspace', async () => {
    const symbols = await executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    const names = symbols.map(({ name }) => name);
    for (const name of ['Service/basket', 'Deployment/basket', 'NetworkPolicy/basket'])
      assert.ok(names.includes(name), name);
    const service = symbols.find(({ name }) => name === 'Service/basket');
    assert.deepEqual(
      service?.children.map(({ name, detail }) => `${name} ${detail}`),
      ['spec.selector app=basket'],
    );
    const found = await executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'Deployment/orders',
    );
    assert.ok(found.some(({ name }) => name === 'Deployment/orders'));
  });

  it('leads from a Service to the selected objects, and back', async () => {
    const [service] = await ask<vscode.CallHierarchyItem>('vscode.prepareCallHierarchy', document, selector);
    assert.equal(service?.name, 'Service/basket');
    const outgoing = await executeCommand<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', service);
    assert.deepEqual(
      outgoing.map(({ to }) => to.name),
      ['Deployment/basket'],
    );
    const [deployment] = await ask<vscode.CallHierarchyItem>('vscode.prepareCallHierarchy', document, workload);
    const incoming = await executeCommand<vscode.CallHierarchyIncomingCall[]>(
      'vscode.provideIncomingCalls',
      deployment,
    );
    assert.deepEqual(incoming.map(({ from }) => from.name).sort(), ['NetworkPolicy/basket', 'Service/basket']);
  });

  it('shows a lens on each object, which opens a peek view', async () => {
    const lenses = await executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
    const shown = lenses.map(({ command }) => command?.title).sort();
    assert.deepEqual(shown, [
      'selected by Service/basket; isolated by NetworkPolicy/basket',
      'selects Deployment/basket',
      'selects Deployment/basket; denies all ingress of 1 workload',
    ]);
    const [lens] = lenses;
    assert.ok(lens?.command);
    assert.equal(lens.command.command, 'selectorLens.peekMatches');
    await executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    assert.equal(vscode.window.activeTextEditor?.document, document);
    await executeCommand('closeReferenceSearch');
  });

  it('shows hints only if the user enables them', async () => {
    const range = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = () => executeCommand<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, range);
    assert.deepEqual(await hints(), []);
    const settings = vscode.workspace.getConfiguration('selectorLens');
    await settings.update('inlayHints', true, vscode.ConfigurationTarget.Global);
    try {
      // The server receives the setting by a separate message.
      let shown = await hints();
      while (shown.length === 0) shown = await hints();
      assert.ok(shown.some(({ label }) => label === 'selects Deployment/basket'));
    } finally {
      await settings.update('inlayHints', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('shows on hover what selects a workload, with links that only run our commands', async () => {
    const hovers = await ask<vscode.Hover>('vscode.executeHoverProvider', document, workload);
    const text = hovers
      .flatMap(({ contents }) => contents)
      .map((part) => (typeof part === 'string' ? part : part.value))
      .join('\n');
    assert.match(text, /Selected by/);
    assert.match(text, /Isolated by.*\n.*NetworkPolicy\/basket/);
    await executeCommand('selectorLens.copySelector', { text: 'kubectl get pods -l app=basket' });
    assert.equal(await vscode.env.clipboard.readText(), 'kubectl get pods -l app=basket');
  });
});
