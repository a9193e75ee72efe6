/** Tests that a rename reaches the editor: versioned, annotated, or refused with a reason. */
import assert from 'node:assert/strict';
import {
  PrepareRenameRequest,
  RenameRequest,
  type ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { type Client, plainEditor, previewingEditor } from './client.ts';
import { placeOf, withEdits } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const service = `apiVersion: v1
kind: Service
metadata: {name: basket}
spec:
  selector: {app: "basket"}
`;
const pod = `apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels: {app: basket}
`;

function rename(client: Client, uri: string, words: string, newName: string): Promise<WorkspaceEdit | null> {
  const position = placeOf(service, words);
  return client.connection.sendRequest(RenameRequest.type, { textDocument: { uri }, position, newName });
}

describe('renaming a label', () => {
  afterEach(stopEverything);

  it('lists labels with the old value that it does not reach, unselected, where the editor shows reasons', async () => {
    const other = pod.replace('app: basket', 'app: basket-2, part-of: basket').replace('name: basket', 'name: other');
    const labeled = pod.replace('app: basket', 'app: basket, part-of: basket');
    const folder = makeFolder({ 'other.yaml': other, 'pod.yaml': labeled });
    const uri = folder.uriOf('pod.yaml');
    const editOf = async (capabilities: typeof previewingEditor | typeof plainEditor) => {
      const client = await startServer({ capabilities, folders: [folder.uri] });
      await client.open(uri, labeled);
      await client.whenReady();
      const position = placeOf(labeled, 'basket}');
      return client.connection.sendRequest(RenameRequest.type, {
        textDocument: { uri },
        position,
        newName: 'cart',
      });
    };
    const edit = await editOf(previewingEditor);
    assert.deepEqual(edit?.changeAnnotations?.['near miss'], {
      label: 'Also rename unconnected part-of=basket',
      description: 'No selector connects it with the renamed label.',
      needsConfirmation: true,
    });
    const marks = (edit?.documentChanges ?? []).flatMap((each) =>
      'edits' in each ? each.edits.map((one) => ('annotationId' in one ? one.annotationId : '')) : [],
    );
    assert.deepEqual(marks.toSorted(), ['near miss', 'plain']);
    const plain = await editOf(plainEditor);
    assert.equal(JSON.stringify(plain).match(/cart/g)?.length, 1);
  });

  it('edits open documents in their version and closed files in their state on disk', async () => {
    const folder = makeFolder({ 'pod.yaml': pod, 'service.yaml': service });
    const client = await startServer({ capabilities: previewingEditor, folders: [folder.uri] });
    assert.deepEqual(client.initialized.capabilities.renameProvider, { prepareProvider: true });
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, service);
    await client.whenReady();
    const changed = `# Nobody has told that this line came.\n${pod}`;
    folder.write('pod.yaml', changed);
    const edit = await rename(client, uri, 'basket"', 'cart');
    const [first, second, ...others] = edit?.documentChanges ?? [];
    assert.deepEqual(others, []);
    assert.ok(first !== undefined && second !== undefined && 'edits' in first && 'edits' in second);
    assert.deepEqual(
      [first.textDocument, second.textDocument],
      [
        { uri: folder.uriOf('pod.yaml'), version: null },
        { uri, version: 1 },
      ],
    );
    const [inPod, inService] = [first, second].map(({ edits }) =>
      edits.map((each) => {
        assert.ok('newText' in each && 'annotationId' in each);
        assert.equal(each.annotationId, 'plain');
        return each;
      }),
    );
    assert.equal(withEdits(changed, inPod ?? []), changed.replace('app: basket', 'app: cart'));
    assert.equal(withEdits(service, inService ?? []), service.replace('"basket"', '"cart"'));
    assert.deepEqual(edit?.changeAnnotations, {
      plain: {
        label: 'Rename the label app=basket',
        description: 'All selectors keep their matches.',
        needsConfirmation: false,
      },
    });
  });

  it('edits commands in closed scripts, in their state on disk, after a review', async () => {
    const script = '#!/bin/sh\nkubectl get pods -l app=basket\n';
    const others = { 'look.sh': script, 'no.sh': 'kubectl get nodes -l app=basket\n' };
    const folder = makeFolder({ 'pod.yaml': pod, 'service.yaml': service, ...others });
    const client = await startServer({ capabilities: previewingEditor, folders: [folder.uri] });
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, service);
    await client.whenReady();
    const changed = `# Nobody has told that this line came.\n${script}`;
    folder.write('look.sh', changed);
    const edit = await rename(client, uri, 'basket"', 'cart');
    const uris = edit?.documentChanges?.map((each) => 'textDocument' in each && each.textDocument.uri);
    assert.deepEqual(uris, ['look.sh', 'pod.yaml', 'service.yaml'].map(folder.uriOf));
    const [first] = edit?.documentChanges ?? [];
    assert.ok(first !== undefined && 'edits' in first);
    const edits = first.edits.map((each) => {
      assert.ok('newText' in each && 'annotationId' in each);
      assert.equal(each.annotationId, 'command');
      return each;
    });
    assert.equal(withEdits(changed, edits), changed.replace('basket', 'cart'));
    assert.equal(edit?.changeAnnotations?.['command']?.needsConfirmation, true);
  });

  it('can start in a command, with its exact range, and includes manifests and other commands', async () => {
    const script = 'kubectl get pods -l app=basket\n';
    const folder = makeFolder({ 'pod.yaml': pod, 'service.yaml': service, 'look.sh': script, 'more.sh': script });
    const client = await startServer({ capabilities: previewingEditor, folders: [folder.uri] });
    const uri = folder.uriOf('look.sh');
    await client.open(uri, script, 'shellscript');
    await client.whenReady();
    const position = placeOf(script, 'basket');
    const prepared = await client.connection.sendRequest(PrepareRenameRequest.type, {
      textDocument: { uri },
      position,
    });
    const range = { start: position, end: placeOf(script, '\n') };
    assert.deepEqual(prepared, { range, placeholder: 'basket' });
    const params = { textDocument: { uri }, position, newName: 'cart' };
    const edit = await client.connection.sendRequest(RenameRequest.type, params);
    const looks = edit?.documentChanges?.map((each) =>
      'edits' in each ? each.edits.map((one) => ('annotationId' in one ? one.annotationId : '')) : [],
    );
    assert.deepEqual(looks, [['plain'], ['command'], ['plain'], ['plain']]);
  });

  it('returns the exact range before it starts, and nothing if there is no label', async () => {
    const client = await startServer({ capabilities: previewingEditor });
    const uri = 'file:///shop/service.yaml';
    await client.open(uri, service);
    const prepare = (words: string) =>
      client.connection.sendRequest(PrepareRenameRequest.type, {
        textDocument: { uri },
        position: placeOf(service, words),
      });
    const range = { start: placeOf(service, 'basket"'), end: placeOf(service, '"}') };
    assert.deepEqual(await prepare('basket"'), { range, placeholder: 'basket' });
    assert.equal(await prepare('Service'), null);
    assert.equal(await rename(client, uri, 'Service', 'cart'), null);
  });

  it('is rejected with a sentence', async () => {
    const client = await startServer({ capabilities: previewingEditor });
    const uri = 'file:///shop/service.yaml';
    await client.open(uri, service);
    await assert.rejects(rename(client, uri, 'basket"', 'team blue'), (error: ResponseError) => {
      assert.match(error.message, /^Label value must not contain ' '.*\.$/);
      return true;
    });
  });

  it('that changes an immutable selector needs no review, but a message states what to recreate', async () => {
    const deployment =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: basket}\nspec: {selector: {matchLabels: {app: basket}}, template: {metadata: {labels: {app: basket}}}}\n';
    const folder = makeFolder({ 'deployment.yaml': deployment, 'service.yaml': service });
    const client = await startServer({ capabilities: previewingEditor, folders: [folder.uri] });
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, service);
    await client.whenReady();
    const edit = await rename(client, uri, 'basket"', 'cart');
    assert.equal(edit?.documentChanges?.length, 2);
    const confirmations = Object.values(edit.changeAnnotations ?? {}).map((each) => each.needsConfirmation);
    assert.deepEqual(confirmations, [false]);
    assert.deepEqual(client.shown, [
      'Deployment/basket must be recreated, because the selectors of workloads are immutable.',
    ]);
  });

  it('that would change matches is done when it is repeated, after a review', async () => {
    const other = pod.replace('name: basket', 'name: other').replace('app: basket', 'app: cart');
    const folder = makeFolder({ 'pod.yaml': pod, 'service.yaml': service, 'other.yaml': other });
    const client = await startServer({ capabilities: previewingEditor, folders: [folder.uri] });
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, service);
    await client.whenReady();
    const refused = (error: ResponseError) => {
      assert.equal(
        error.message,
        'Service/basket would then also select Pod/other; to rename it anyway, repeat the rename with the same name.',
      );
      return true;
    };
    await assert.rejects(rename(client, uri, 'basket"', 'cart'), refused);
    const edit = await rename(client, uri, 'basket"', 'cart');
    assert.equal(edit?.documentChanges?.length, 2);
    assert.deepEqual(edit?.changeAnnotations, {
      changes: {
        label: 'Rename the label app=basket, although Service/basket would then also select Pod/other',
        description: 'This changes what selectors match.',
        needsConfirmation: true,
      },
    });
    assert.deepEqual(client.shown, [
      'Rename the label app=basket, although Service/basket would then also select Pod/other: This changes what selectors match. Check the changes that you want.',
    ]);
    await client.change(uri, { text: `${service}# Changed.\n` });
    await assert.rejects(rename(client, uri, 'basket"', 'cart'), refused);
  });

  it('is a plain map of edits for an editor without versions', async () => {
    const client = await startServer({ capabilities: plainEditor });
    assert.equal(client.initialized.capabilities.renameProvider, true);
    const uri = 'file:///shop/service.yaml';
    await client.open(uri, service);
    const edit = await rename(client, uri, 'app', 'name');
    assert.deepEqual(Object.keys(edit ?? {}), ['changes']);
    assert.equal(withEdits(service, edit?.changes?.[uri] ?? []), service.replace('app', 'name'));
  });
});
