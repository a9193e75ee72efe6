/** Tests the adoption of recommended labels in the editor: the edits that it applies, the proof, and refusals. */

import assert from 'node:assert/strict';
import {
  ApplyWorkspaceEditRequest,
  ExecuteCommandRequest,
  RenameRequest,
  ShowMessageRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { adoptCommand } from '../../server/src/protocol.ts';
import { ableEditor } from './client.ts';
import { placeOf, withEdits } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers: [{name: web, image: 'example/web:1.0'}]
`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers: [{name: web, image: 'example/web:1.0'}]
`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports: [{port: 80}]
`;

const capabilities = {
  ...ableEditor,
  workspace: {
    ...ableEditor.workspace,
    applyEdit: true,
    workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
  },
};

describe('the adoption of recommended labels in the editor', () => {
  afterEach(stopEverything);

  it('sends edits to confirm, with the proof', async () => {
    const folder = makeFolder({ 'pod.yaml': pod });
    const client = await startServer({ capabilities, folders: [folder.uri] });
    const applied: WorkspaceEdit[] = [];
    client.connection.onRequest(ApplyWorkspaceEditRequest.type, ({ edit }) => {
      applied.push(edit);
      return { applied: true };
    });
    const adopt = (stage: 1 | 2) =>
      client.connection.sendRequest(ExecuteCommandRequest.type, {
        command: adoptCommand,
        arguments: [{ stage, templates: false, keys: ['app.kubernetes.io/name'] }],
      });
    assert.deepEqual(await adopt(1), {
      applied: true,
      objects: 1,
      left: 0,
      reasons: [],
      proof: [
        'Every selector matches exactly what it matched (0 matches of 1 object compared).',
        'No other selector in the indexed files gains a match.',
        'No update is rejected by the API server.',
        'No workload restarts.',
      ],
    });
    const [change] = applied[0]?.documentChanges ?? [];
    assert.ok(change !== undefined && 'edits' in change);
    const edits = change.edits.flatMap((each) => ('newText' in each ? each : []));
    assert.match(withEdits(pod, edits), / {4}app: web\n {4}app\.kubernetes\.io\/name: web\n/);
    const [note] = Object.values(applied[0]?.changeAnnotations ?? {});
    assert.equal(note?.needsConfirmation, true);
    await assert.rejects(adopt(2), /There are no selectors to move/);
  });

  it('is offered for the rename of a key whose workloads must be recreated', async () => {
    const folder = makeFolder({ 'web.yaml': deployment });
    const client = await startServer({
      capabilities: { ...capabilities, window: { showMessage: {} } },
      folders: [folder.uri],
    });
    const uri = folder.uriOf('web.yaml');
    await client.open(uri, deployment);
    const messages: string[] = [];
    let answer = 'Plan in Stages';
    client.connection.onRequest(ShowMessageRequest.type, ({ message, actions = [] }) => {
      messages.push([message, ...actions.map(({ title }) => title)].join(' | '));
      return actions.find(({ title }) => title === answer) ?? null;
    });
    const rename = async (text: string) => {
      const edit = await client.connection.sendRequest(RenameRequest.type, {
        textDocument: { uri },
        position: placeOf(text, 'app: web'),
        newName: 'app.kubernetes.io/name',
      });
      const [change] = edit?.documentChanges ?? [];
      const edits = change !== undefined && 'edits' in change ? change.edits : [];
      return withEdits(
        text,
        edits.flatMap((each) => ('newText' in each ? each : [])),
      );
    };
    const staged = await rename(deployment);
    assert.equal(
      staged,
      deployment.replaceAll('labels: {app: web}', 'labels: {app: web, app.kubernetes.io/name: web}'),
    );
    await client.change(uri, { text: `${staged}---\n${service}` });
    const moved = service.replace('{app: web}', '{app.kubernetes.io/name: web}');
    assert.equal(await rename(`${staged}---\n${service}`), `${staged}---\n${moved}`);
    await client.change(uri, { text: deployment });
    answer = 'Rename All';
    assert.equal(await rename(deployment), deployment.replaceAll('app: web', 'app.kubernetes.io/name: web'));
    answer = '';
    assert.equal(await rename(deployment), deployment);
    assert.deepEqual(
      new Set(messages),
      new Set([
        '1 Deployment must be recreated: selectors of workloads are immutable. | Rename All | Plan in Stages | Choose Each Change',
      ]),
    );
  });
});
