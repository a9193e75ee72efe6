/** Tests findings, fixes, completion and hover through the commands of VS Code. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { behind, open } from '../documents.ts';
import { extension } from '../extension.ts';

const completions = 'vscode.executeCompletionItemProvider';
const hovers = 'vscode.executeHoverProvider';
const fixes = 'vscode.executeCodeActionProvider';

/** Resolves when the findings of a document are the expected ones. */
function findings(
  document: vscode.TextDocument,
  wanted: (found: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const ours = () => vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'selector-lens');
  return new Promise((resolve) => {
    const look = () => {
      if (!wanted(ours())) return;
      listening.dispose();
      resolve(ours());
    };
    const listening = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
}

/** Resolves when a condition holds, which is evaluated after each event. */
function until(event: vscode.Event<unknown>, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      listening.dispose();
      resolve();
    };
    const listening = event(look);
    look();
  });
}

/** Resolves when the titles of the open tabs are the expected ones. */
function tabs(wanted: (labels: readonly string[]) => boolean): Promise<void> {
  const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  return until(vscode.window.tabGroups.onDidChangeTabs, () => wanted(labels()));
}

function isError({ severity }: vscode.Diagnostic): boolean {
  return severity === vscode.DiagnosticSeverity.Error;
}

function textOf(found: readonly vscode.Hover[]): string {
  return found
    .flatMap(({ contents }) => contents)
    .map((part) => (typeof part === 'string' ? part : part.value))
    .join('\n');
}

describe('the features in the editor', () => {
  before(async () => {
    await (await extension().activate()).whenReady();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('report a bad label value and a selector without matches at their exact positions, and nothing else', async () => {
    const document = await open('orders.yaml');
    const found = await findings(document, ({ length }) => length > 1);
    const shown = found.map(({ range, severity, code }) => {
      const rule = typeof code === 'object' ? code.value : code;
      return `${vscode.DiagnosticSeverity[severity]} ${rule}: ${document.getText(range)}`;
    });
    assert.deepEqual(shown.sort(), ['Error label-value-syntax: bad value', 'Warning selects-nothing: back']);
  });

  it('fix it with a quick fix, after which the finding is gone', async () => {
    const document = await open('orders.yaml');
    const finding = (await findings(document, (found) => found.some(isError))).find(isError);
    assert.ok(finding);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(fixes, document.uri, finding.range);
    const fix = actions.find(({ title }) => title.includes("'bad-value'"));
    assert.ok(fix?.edit, actions.map(({ title }) => title).join());
    await vscode.workspace.applyEdit(fix.edit);
    assert.equal(document.lineAt(finding.range.start.line).text, '    team: bad-value');
    await findings(document, (found) => !found.some(isError));
  });

  it('open the page of a rule from the finding, without a network', async () => {
    const document = await open('orders.yaml');
    const finding = (await findings(document, (found) => found.some(isError))).find(isError);
    assert.ok(finding);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(fixes, document.uri, finding.range);
    const { command } = actions.find(({ title }) => title === 'Show documentation for label-value-syntax') ?? {};
    assert.ok(command, actions.map(({ title }) => title).join());
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    await tabs((labels) => labels.some((label) => label.includes('label-value-syntax.md')));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('show findings in files that are not open, as long as the user wants it', async () => {
    const [file] = await vscode.workspace.findFiles('mixed.yaml');
    assert.ok(file);
    const rules = () => vscode.languages.getDiagnostics(file).map(({ source }) => source);
    const becomes = (wanted: readonly string[]) =>
      until(vscode.languages.onDidChangeDiagnostics, () => `${rules()}` === `${wanted}`);
    assert.deepEqual(rules(), []);
    const settings = vscode.workspace.getConfiguration('selectorLens');
    await settings.update('problems', 'workspace', vscode.ConfigurationTarget.Workspace);
    await becomes(['selector-lens']);
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await becomes(['selector-lens']);
    await settings.update('problems', undefined, vscode.ConfigurationTarget.Workspace);
    await becomes([]);
  });

  it('complete the six recommended labels', async () => {
    const document = await open('new.yaml');
    const at = behind(document, 'app.kubernetes.io/');
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(completions, document.uri, at);
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    const names = ['component', 'instance', 'managed-by', 'name', 'part-of', 'version'];
    assert.deepEqual(
      labels.filter((label) => label.startsWith('app.kubernetes.io/')).sort(),
      names.map((name) => `app.kubernetes.io/${name}`),
    );
  });

  it('complete a selector with its matches, and write it as accepted', async () => {
    await extension().exports.whenReady();
    const document = await open('basket.yaml');
    const at = behind(document, 'selector:\n    app: bas');
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      completions,
      document.uri,
      at,
      ' ',
      5,
    );
    const item = items.find(({ label }) => typeof label === 'object' && label.label === 'orders');
    assert.ok(
      item !== undefined && typeof item.label === 'object',
      items.map(({ label }) => JSON.stringify(label)).join(),
    );
    assert.match(item.label.description ?? '', /^matches \d/);
    assert.ok(item.range instanceof vscode.Range && typeof item.insertText === 'string');
    assert.equal(document.getText(item.range), 'basket');
    const editor = vscode.window.activeTextEditor;
    const { range, insertText } = item;
    await editor?.edit((edit) => edit.replace(range, insertText));
    assert.equal(document.lineAt(at.line).text, '    app: orders');
  });

  it('show on hover what a Service, a Deployment and a NetworkPolicy match', async () => {
    const document = await open('basket.yaml');
    for (const selector of ['selector:\n    ', '    matchLabels:\n      ', 'podSelector:\n    matchLabels:\n      ']) {
      const at = behind(document, selector);
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(hovers, document.uri, at);
      assert.match(textOf(found), /Deployment\/basket/, selector);
    }
  });

  it('show on hover what a Service in a chart matches, and follow edits of the helper', async () => {
    const helpers = await open('chart/templates/_helpers.tpl');
    const document = await open('chart/templates/service.yaml');
    const at = behind(document, 'selector');
    const hover = async () => textOf(await vscode.commands.executeCommand<vscode.Hover[]>(hovers, document.uri, at));
    assert.match(await hover(), /Matches[\s\S]*Deployment\/prices/);
    const edit = new vscode.WorkspaceEdit();
    const name = behind(helpers, 'name: ');
    edit.replace(helpers.uri, new vscode.Range(name, name.translate(0, 'prices'.length)), 'costs');
    await vscode.workspace.applyEdit(edit);
    while (!(await hover()).includes("is 'costs'"));
    await helpers.save();
  });

  it('notice files that are created and deleted on disk', async () => {
    const document = await open('basket.yaml');
    const at = behind(document, 'selector:\n    ');
    const hover = async () => textOf(await vscode.commands.executeCommand<vscode.Hover[]>(hovers, document.uri, at));
    const file = vscode.Uri.joinPath(document.uri, '..', 'late.yaml');
    const text = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: late\n  labels:\n    app: basket\n';
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    while (!(await hover()).includes('Pod/late'));
    await vscode.workspace.fs.delete(file);
    while ((await hover()).includes('Pod/late'));
  });

  it('copy the selector at the cursor in the syntax of kubectl', async () => {
    const document = await open('orders.yaml');
    const at = behind(document, 'app: orders\n    tier');
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document, document);
    editor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('selectorLens.copySelector');
    assert.equal(await vscode.env.clipboard.readText(), 'app=orders,tier=back');
  });

  it('ignore YAML that is not Kubernetes, next to a manifest in one file', async () => {
    const document = await open('mixed.yaml');
    const found = await findings(document, ({ length }) => length > 0);
    assert.deepEqual(
      found.map(({ range }) => document.getText(range)),
      ['worse value'],
    );
    const at = behind(document, 'selector:\n  app');
    assert.equal(textOf(await vscode.commands.executeCommand<vscode.Hover[]>(hovers, document.uri, at)), '');
  });
});
