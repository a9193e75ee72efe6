/** Tests next to other extensions that every fault is reported, and none is reported twice. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neighborsVariable } from '../../neighbors-variable.ts';
import { open } from '../documents.ts';
import { extension } from '../extension.ts';
import { until } from '../until.ts';

/**
 * The rules that report the faults of `faults.yaml`, with the text of the fault; and the text that others mark, if it
 * is not the value.
 */
const faults: readonly (readonly [rule: string, text: string, other?: string])[] = [
  ['duplicate-key', 'owner: blue', "owner: 'blue'"],
  ['label-value-type', 'count: 42'],
  ['label-value-type', 'old: yes'],
  ['annotation-value-type', 'port: 8080'],
  ['annotation-value-type', 'routes: [a]'],
  ['annotation-value-type', 'nested:', 'deep: true'],
  ['label-value-type', 'runs: 7'],
  ['label-value-type', 'cpu: 1'],
  ['label-value-type', 'app: 3'],
  ['label-value-type', 'size: 5'],
  ['label-value-syntax', 'team: bad value'],
  ['label-value-type', 'width: 6'],
];

/** Texts that at least one of the neighbors reports. */
const expectedOfNeighbors: readonly string[] = JSON.parse(process.env[neighborsVariable] ?? '[]');

function rangeOf(document: vscode.TextDocument, text: string): vscode.Range {
  const start = document.getText().indexOf(text);
  assert.ok(start >= 0, text);
  return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
}

const isOurs = ({ source }: vscode.Diagnostic) => source === 'selector-lens';

/** Each fault with the sources that report it. */
function reports(document: vscode.TextDocument): readonly string[] {
  const found = vscode.languages.getDiagnostics(document.uri);
  return faults.map(([rule, text, other]) => {
    const ours = found.filter((each) => {
      const code = typeof each.code === 'object' ? each.code.value : each.code;
      return isOurs(each) && code === rule && rangeOf(document, text).contains(each.range);
    });
    // Their range may begin anywhere before the value, and end after it.
    const value = rangeOf(document, other ?? text).end.translate(0, -1);
    const others = found.filter((each) => !isOurs(each) && each.range.contains(value));
    return `${text}: ${[...ours.map(() => 'we'), ...others.map(() => 'others')].join(' and ')}`;
  });
}

const isOnce = (report: string) => /: (?:we|others)$/.test(report);

/** The parser of every neighbor reports it, also while its schema is being loaded. */
const always: readonly string[] = ['owner: blue'];

/** Waits until every fault is reported once, and the expected ones by others. */
function reportedOnce(document: vscode.TextDocument, expected = always): Promise<void> {
  const byOthers = (text: string) => reports(document).includes(`${text}: others`);
  return until(
    vscode.languages.onDidChangeDiagnostics,
    () => reports(document).every(isOnce) && expected.every(byOthers),
    () => reports(document).join('\n'),
  );
}

describe('next to other extensions', () => {
  before(async () => {
    await (await extension().activate()).whenReady();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('every fault is reported once', async () => {
    const document = await open('faults.yaml');
    await reportedOnce(document, expectedOfNeighbors);
  });

  it('YAML that cannot be parsed is reported once, by others', async () => {
    const document = await open('unparsable.yaml');
    const found = () => vscode.languages.getDiagnostics(document.uri);
    await until(
      vscode.languages.onDidChangeDiagnostics,
      () => found().length > 0 && !found().some(isOurs),
      () =>
        found()
          .map(({ source, message }) => `${source}: ${message}`)
          .join('\n'),
    );
  });

  it('a fault is reported by us again when no other extension reports it', async () => {
    const document = await open('faults.yaml');
    await reportedOnce(document);
    const other = vscode.languages.createDiagnosticCollection('other');
    // In YAML 1.2, which other extensions parse, it is a string.
    const { end } = rangeOf(document, 'old: yes');
    const error = new vscode.Diagnostic(new vscode.Range(end.translate(0, -'yes'.length), end), 'Not a string');
    const ours = () => vscode.languages.getDiagnostics(document.uri).filter(isOurs);
    const report = () => ours().map(({ range }) => document.getText(range));
    other.set(document.uri, [error]);
    await until(
      vscode.languages.onDidChangeDiagnostics,
      () => !report().includes('yes'),
      () => report().join(),
    );
    other.delete(document.uri);
    await until(
      vscode.languages.onDidChangeDiagnostics,
      () => report().includes('yes'),
      () => report().join(),
    );
    error.severity = vscode.DiagnosticSeverity.Information;
    other.set(document.uri, [error]);
    await reportedOnceBut(document, 'old: yes: we and others');
    other.dispose();
  });

  it('a fault is reported once where it moves to, and not at all when it is fixed', async () => {
    const document = await open('faults.yaml');
    await reportedOnce(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '# One more line.\n');
    await vscode.workspace.applyEdit(edit);
    await reportedOnce(document);
  });

  it('our fixes are offered for diagnostics of another extension', async () => {
    const document = await open('faults.yaml');
    await reportedOnce(document);
    const repeated = rangeOf(document, "owner: 'blue'");
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      repeated,
    );
    const titles = actions.map(({ title }) => title);
    assert.ok(titles.includes("Remove this 'owner'"), titles.join());
  });
});

async function reportedOnceBut(document: vscode.TextDocument, report: string): Promise<void> {
  await until(
    vscode.languages.onDidChangeDiagnostics,
    () => reports(document).every((each) => isOnce(each) || each === report) && reports(document).includes(report),
    () => reports(document).join('\n'),
  );
}
