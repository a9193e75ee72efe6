/** Tests that refactorings reach the editor: by kind, resolved lazily if supported, and as a command. */
import assert from 'node:assert/strict';
import {
  ApplyWorkspaceEditRequest,
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  ExecuteCommandRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { labelCommand } from '../../server/src/protocol.ts';
import { ableEditor, type Client } from './client.ts';
import { placeOf, rangeOf, withEdits, withFix } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: basket}
spec:
  selector:
    matchLabels: {app: basket}
`;
const expressions = budget.replace(
  'matchLabels: {app: basket}',
  'matchExpressions:\n      - key: app\n        operator: In\n        values: [basket]',
);
const pod = `apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    app: basket
`;

const resolving: ClientCapabilities = {
  ...ableEditor,
  textDocument: {
    ...ableEditor.textDocument,
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [''] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
  workspace: { ...ableEditor.workspace, applyEdit: true },
};

async function refactorings(client: Client, uri: string, words: string, only?: readonly string[]) {
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: rangeOf(budget, words),
    context: { diagnostics: [], ...(only && { only: [...only] }) },
  });
  return (found ?? []).map((each) => {
    assert.ok('kind' in each);
    return each as CodeAction; // only actions have a kind
  });
}

describe('refactorings', () => {
  afterEach(stopEverything);

  it('have their edits for an editor that resolves nothing', async () => {
    const client = await startServer();
    const uri = 'file:///shop/budget.yaml';
    await client.open(uri, budget);
    const found = await refactorings(client, uri, 'matchLabels', ['refactor']);
    assert.deepEqual(
      found.map(({ title, kind }) => [title, kind]),
      [['Convert to matchExpressions', 'refactor.rewrite']],
    );
    assert.equal(withFix(budget, uri, found[0] ?? { title: '' }), expressions);
  });

  it('are resolved when they are chosen, unless the document has changed', async () => {
    const client = await startServer({ capabilities: resolving });
    const uri = 'file:///shop/budget.yaml';
    await client.open(uri, budget);
    const [action] = await refactorings(client, uri, 'matchLabels', ['refactor.rewrite']);
    assert.ok(action !== undefined && action.edit === undefined);
    const resolved = await client.connection.sendRequest(CodeActionResolveRequest.type, action);
    assert.equal(withFix(budget, uri, resolved), expressions);
    await client.change(uri, { text: `# new\n${budget}` });
    const lazy = await client.connection.sendRequest(CodeActionResolveRequest.type, action);
    assert.equal(lazy.edit, undefined);
  });

  it('are filtered by kind', async () => {
    const client = await startServer();
    const uri = 'file:///shop/budget.yaml';
    await client.open(uri, budget);
    for (const only of [['quickfix'], ['refactor.extract'], ['refactor.inline'], ['source']]) {
      assert.deepEqual(await refactorings(client, uri, 'matchLabels', only), [], only.join());
    }
    assert.equal((await refactorings(client, uri, 'matchLabels')).length, 1);
  });

  it('label the matches of a selector, through edits that the editor applies', async () => {
    const folder = makeFolder({ 'pod.yaml': pod });
    const client = await startServer({ capabilities: resolving, folders: [folder.uri] });
    const applied: WorkspaceEdit[] = [];
    client.connection.onRequest(ApplyWorkspaceEditRequest.type, ({ edit }) => {
      applied.push(edit);
      return { applied: true };
    });
    const uri = folder.write('budget.yaml', budget);
    await client.open(uri, budget);
    const label = (change: string, words = 'matchLabels') =>
      client.connection.sendRequest(ExecuteCommandRequest.type, {
        command: labelCommand,
        arguments: [{ textDocument: { uri }, position: placeOf(budget, words), change }],
      });
    assert.deepEqual(await label('team=blue'), { applied: true, left: 0, reasons: [] });
    const [change, ...others] = applied[0]?.documentChanges ?? [];
    assert.deepEqual(others, []);
    assert.ok(change !== undefined && 'edits' in change);
    assert.equal(change.textDocument.uri, folder.uriOf('pod.yaml'));
    const edits = change.edits.flatMap((each) => ('newText' in each ? each : []));
    assert.equal(withEdits(pod, edits), `${pod}    team: blue\n`);
    await assert.rejects(label('app=cart'), /^Error: The selector requires 'app'/);
    await assert.rejects(label('team-'), /Nothing needs to be changed/);
    await assert.rejects(label('team=blue', 'kind'), /There is no selector/);
  });
});
