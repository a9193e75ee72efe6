/** Tests what the editor receives about the names of objects: edits with warnings, links with positions, and lenses. */
import assert from 'node:assert/strict';
import { CodeLensRequest, DocumentLinkRequest, PrepareRenameRequest, RenameRequest } from 'vscode-languageserver/node';
import { previewingEditor } from './client.ts';
import { placeOf, rangeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  volumes:
    - name: config
      configMap: {name: "settings"}
`;
const config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data: {level: debug}
`;

async function opened() {
  const folder = makeFolder({ 'pod.yaml': pod, 'config.yaml': config });
  const commands = { preview: 'ours.preview', references: 'ours.references' };
  const client = await startServer({
    capabilities: previewingEditor,
    folders: [folder.uri],
    initializationOptions: { commands },
  });
  const [inPod, inConfig] = [folder.uriOf('pod.yaml'), folder.uriOf('config.yaml')];
  await client.open(inPod, pod);
  await client.open(inConfig, config);
  await client.whenReady();
  return { client, inPod, inConfig };
}

describe('the name of an object over the connection', () => {
  afterEach(stopEverything);

  it('is renamed with a warning, which the editor shows before it applies the edits', async () => {
    const { client, inPod, inConfig } = await opened();
    const at = { textDocument: { uri: inPod }, position: placeOf(pod, 'settings') };
    const range = rangeOf(pod, 'settings');
    const prepared = await client.connection.sendRequest(PrepareRenameRequest.type, at);
    assert.deepEqual(prepared, { range, placeholder: 'settings' });
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...at, newName: 'options' });
    assert.deepEqual(edit, {
      documentChanges: [
        {
          textDocument: { uri: inConfig, version: 1 },
          edits: [{ range: rangeOf(config, 'settings'), newText: 'options', annotationId: 'recreated' }],
        },
        {
          textDocument: { uri: inPod, version: 1 },
          edits: [{ range: rangeOf(pod, '"settings"'), newText: '"options"', annotationId: 'recreated' }],
        },
      ],
      changeAnnotations: {
        recreated: {
          label: "Rename ConfigMap/settings to 'options', which creates a new object",
          description:
            "Kubernetes cannot rename objects: 'settings' and its data stay in the cluster until they are deleted. Names in other text, such as URLs, do not change.",
          needsConfirmation: false,
        },
      },
    });
  });

  it('is a link to its position in another file', async () => {
    const { client, inPod, inConfig } = await opened();
    const links = await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri: inPod } });
    assert.deepEqual(links, [{ range: rangeOf(pod, '"settings"'), target: `${inConfig}#L4,9` }]);
  });

  it('has a lens that opens the references by the command of the editor', async () => {
    const { client, inConfig } = await opened();
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: inConfig } });
    assert.deepEqual(
      lenses?.map(({ command }) => command),
      [
        {
          title: 'used by Pod/web',
          command: 'ours.references',
          arguments: [{ uri: inConfig, position: placeOf(config, 'settings') }],
        },
      ],
    );
  });
});
