/**
 * Tests that an editor receives the results of navigation: positions in open and closed files, symbols, calls, lenses
 * and hints.
 */
import assert from 'node:assert/strict';
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type ClientCapabilities,
  type CodeLens,
  CodeLensRefreshRequest,
  CodeLensRequest,
  CodeLensResolveRequest,
  DefinitionRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  ExecuteCommandRequest,
  FileChangeType,
  ImplementationRequest,
  InlayHintRequest,
  type Location,
  type LocationLink,
  ReferencesRequest,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver/node';
import { ableEditor, type Client, plainEditor } from './client.ts';
import { deployment, service } from './manifests.ts';
import { placeOf, rangeOf, textAt } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const web = service('web');
const workload = deployment('web').replaceAll('\n', '\r\n');

/** The capabilities of VS Code that these tests need. */
const linking: ClientCapabilities = {
  ...ableEditor,
  textDocument: {
    ...ableEditor.textDocument,
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  workspace: { ...ableEditor.workspace, codeLens: { refreshSupport: true } },
};

async function shop(capabilities: ClientCapabilities = ableEditor, initializationOptions: object = {}, settings = {}) {
  const folder = makeFolder({ 'web.yaml': workload, 'service.yaml': web });
  const client = await startServer({ capabilities, folders: [folder.uri], initializationOptions, settings });
  const uri = folder.uriOf('service.yaml');
  await client.open(uri, web);
  await client.whenReady();
  return { client, folder, uri, workload: folder.uriOf('web.yaml') };
}

const inSelector = placeOf(web, 'app: web');
const inTemplate = workload.slice(0, workload.lastIndexOf('app: web')).split('\r\n').length - 1;

describe('navigation requests', () => {
  afterEach(stopEverything);

  it('links the paths of commands only to files of the workspace folder', async () => {
    const folder = makeFolder({ 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    const uri = folder.uriOf('deploy.sh');
    const script = 'kubectl apply -f service.yaml -f ../service.yaml -f https://example.com/service.yaml\n';
    await client.open(uri, script, 'shellscript');
    await client.whenReady();
    const links = await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri } });
    assert.deepEqual(
      links?.map(({ range, target }) => [textAt(script, range), target]),
      [['service.yaml', folder.uriOf('service.yaml')]],
    );
  });

  it('links inputs of generators that exist, and finds values in closed files of a chart', async () => {
    const template = 'apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    tier: {{ .Values.tier }}\n';
    const kustomization = 'configMapGenerator:\n  - name: a\n    files: [a.properties, missing.properties]\n';
    const folder = makeFolder({
      'a.properties': 'a=b\n',
      'kustomization.yaml': kustomization,
      'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'shop/values.yaml': 'tier: front\n',
      'shop/templates/pod.yaml': template,
    });
    const client = await startServer({ folders: [folder.uri] });
    const textDocument = { uri: folder.uriOf('kustomization.yaml') };
    await client.open(textDocument.uri, kustomization);
    const pod = folder.uriOf('shop/templates/pod.yaml');
    await client.open(pod, template);
    await client.whenReady();
    const links = await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument });
    assert.deepEqual(
      links?.map(({ target }) => target),
      [folder.uriOf('a.properties')],
    );
    const params = at(pod, placeOf(template, 'tier }'));
    const found = (await client.connection.sendRequest(DefinitionRequest.type, params)) as Location[];
    assert.deepEqual(
      found.map(({ uri, range }) => [uri, range.start]),
      [[folder.uriOf('shop/values.yaml'), { line: 0, character: 0 }]],
    );
  });

  describe('commands in closed files', () => {
    const script = "kubectl get pods -l 'app in (web)'\n";
    const page = 'Look: `kubectl logs -l app=web`.\n';
    const workflow = 'jobs:\n  look:\n    steps:\n      - run: kubectl wait pods -l app=web\n';

    async function referencesIn(files: Readonly<Record<string, string>>, settings = {}) {
      const folder = makeFolder({ 'service.yaml': web, ...files });
      const client = await startServer({ folders: [folder.uri], settings });
      const uri = folder.uriOf('service.yaml');
      await client.open(uri, web);
      await client.whenReady();
      const ask = async () => {
        const params = { ...at(uri, inSelector), context: { includeDeclaration: false } };
        const found = (await client.connection.sendRequest(ReferencesRequest.type, params)) ?? [];
        return found.map((each) => each.uri.slice(folder.uri.length + 1)).toSorted();
      };
      return { client, folder, ask };
    }

    it('are found in scripts, pages and workflows, with their positions', async () => {
      const column = 'kubectl get pods -L tier,app\n';
      const files = { 'look.sh': script, 'docs/look.md': page, '.github/workflows/look.yml': workflow, 'no.sh': 'ls' };
      const { ask } = await referencesIn({ ...files, 'show.sh': column });
      assert.deepEqual(await ask(), ['.github/workflows/look.yml', 'docs/look.md', 'look.sh', 'show.sh']);
      assert.deepEqual(await ask(), ['.github/workflows/look.yml', 'docs/look.md', 'look.sh', 'show.sh']);
    });

    it('are found with the names of labels in Prometheus configurations, also in a ConfigMap', async () => {
      const config = '- source_labels: [__meta_kubernetes_pod_label_app]\n';
      const data = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a.yml: |\n    ${config}`;
      const others = { 'other.yml': config.replace('app]', 'tier]'), 'look.sh': script };
      const { ask } = await referencesIn({ 'config.yaml': data, 'prometheus.yml': config, ...others });
      assert.deepEqual(await ask(), ['config.yaml', 'look.sh', 'prometheus.yml']);
    });

    it('are excluded by git, the user or the setting of the language', async () => {
      const files = { 'look.sh': script, 'docs/look.md': page, 'made/look.sh': script, '.gitignore': 'made/\n' };
      assert.deepEqual(await (await referencesIn(files)).ask(), ['docs/look.md', 'look.sh']);
      assert.deepEqual(await (await referencesIn(files, { exclude: ['docs/**'] })).ask(), ['look.sh']);
      const { ask } = await referencesIn(files, { inlineSelectors: { markdown: false } });
      assert.deepEqual(await ask(), ['look.sh']);
    });

    it('are read again when the editor reports a change', async () => {
      const { client, folder, ask } = await referencesIn({ 'look.sh': script });
      assert.deepEqual(await ask(), ['look.sh']);
      const { refreshes } = client;
      await client.changedOutside(
        [folder.write('more.sh', `# and\n${script}`), FileChangeType.Created],
        [folder.write('look.sh', 'kubectl get pods -l app=other\n'), FileChangeType.Changed],
      );
      await client.until(() => client.refreshes > refreshes);
      assert.deepEqual(await ask(), ['more.sh']);
    });
  });

  it('returns locations in a closed file by its lines', async () => {
    const { client, uri, workload: file } = await shop();
    const found = await client.connection.sendRequest(DefinitionRequest.type, at(uri, inSelector));
    const [only] = found as Location[]; // the response to an editor without links
    assert.equal(only?.uri, file);
    assert.equal(only.range.start.line, inTemplate);
    assert.equal(textAt(workload, only.range), 'app: web');
  });

  it('returns the origin of a link, for an editor that shows it', async () => {
    const { client, uri, workload: file } = await shop(linking);
    const found = await client.connection.sendRequest(DefinitionRequest.type, at(uri, inSelector));
    const [only] = found as LocationLink[]; // the response to an editor with links
    assert.equal(only?.targetUri, file);
    assert.equal(textAt(workload, only.targetSelectionRange), 'app: web');
  });

  it('finds references, with or without the label itself, and the workloads of a Service', async () => {
    const { client, uri, workload: file } = await shop();
    const ask = (includeDeclaration: boolean) =>
      client.connection.sendRequest(ReferencesRequest.type, {
        ...at(uri, inSelector),
        context: { includeDeclaration },
      });
    assert.deepEqual(
      (await ask(true))?.map((each) => each.uri),
      [uri, file, file],
    );
    assert.deepEqual(
      (await ask(false))?.map((each) => each.uri),
      [file, file],
    );
    const behind = await client.connection.sendRequest(ImplementationRequest.type, at(uri, inSelector));
    const [only] = behind as Location[]; // the response to an editor without links
    assert.equal(textAt(workload, only?.range ?? rangeOf(workload, 'kind')), 'web');
  });

  it('highlights labels and their requirements', async () => {
    const { client, uri } = await shop();
    const found = await client.connection.sendRequest(DocumentHighlightRequest.type, at(uri, inSelector));
    assert.deepEqual(
      found?.map(({ range, kind }) => [textAt(web, range), kind]),
      [['app: web', 2]],
    );
  });

  it('lists symbols, nested or flat, and finds them in the workspace', async () => {
    const { client, uri } = await shop(linking);
    const nested = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
    assert.deepEqual(
      nested?.map((each) => [
        each.name,
        'children' in each && each.children?.map(({ name, detail }) => [name, detail]),
      ]),
      [['Service/web', [['spec.selector', 'app=web']]]],
    );
    const found = await client.connection.sendRequest(WorkspaceSymbolRequest.type, { query: 'deployment/w' });
    assert.deepEqual(
      found?.map(({ name }) => name),
      ['Deployment/web'],
    );
    const plain = await shop(plainEditor);
    const flat = await plain.client.connection.sendRequest(DocumentSymbolRequest.type, {
      textDocument: { uri: plain.uri },
    });
    assert.deepEqual(
      flat?.map((each) => [each.name, 'location' in each && textAt(web, each.location.range)]),
      [
        ['Service/web', 'web'],
        ['spec.selector', 'selector'],
      ],
    );
  });

  it('provides the hierarchy, also of an item whose file has changed since', async () => {
    const { client, uri, workload: file } = await shop();
    const [item] = (await client.connection.sendRequest(CallHierarchyPrepareRequest.type, at(uri, inSelector))) ?? [];
    assert.equal(item?.name, 'Service/web');
    const outgoing = await client.connection.sendRequest(CallHierarchyOutgoingCallsRequest.type, { item });
    assert.deepEqual(
      outgoing?.map(({ to, fromRanges }) => [to.name, to.uri, fromRanges.map((range) => textAt(web, range))]),
      [['Deployment/web', file, ['selector']]],
    );
    const [target] = outgoing?.map(({ to }) => to) ?? [];
    assert.ok(target);
    const incoming = await client.connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item: target });
    assert.deepEqual(
      incoming?.map(({ from }) => from.name),
      ['Service/web'],
    );
    await client.change(uri, { text: `${deployment('first')}---\n${web}` });
    assert.equal((await outgoingOf(client, item))?.length, 1);
    await client.change(uri, { text: '# nothing\n' });
    assert.equal((await outgoingOf(client, item))?.length, 0);
  });

  it('returns nothing immediately if there is nothing', async () => {
    const { client, uri } = await shop();
    const nowhere = { line: 4000, character: 9 };
    const elsewhere = at('file:///not/open.yaml', { line: 0, character: 0 });
    for (const params of [at(uri, nowhere), elsewhere, at(uri, { line: 0, character: 0 })]) {
      assert.deepEqual(await client.connection.sendRequest(DefinitionRequest.type, params), []);
      assert.deepEqual(await client.connection.sendRequest(ImplementationRequest.type, params), []);
      assert.deepEqual(await client.connection.sendRequest(DocumentHighlightRequest.type, params), []);
      const context = { includeDeclaration: true };
      assert.deepEqual(await client.connection.sendRequest(ReferencesRequest.type, { ...params, context }), []);
    }
    assert.equal(await client.connection.sendRequest(CallHierarchyPrepareRequest.type, at(uri, nowhere)), null);
  });
});

describe('lens requests', () => {
  afterEach(stopEverything);

  it('have titles at once, and open the preview by the command of the editor', async () => {
    const { client, uri } = await shop(linking, { commands: { preview: 'ours.preview', copy: 'not a name!' } });
    const [lens] = await lensesOf(client, uri);
    assert.deepEqual(lens?.command, {
      title: 'selects Deployment/web',
      command: 'ours.preview',
      arguments: [{ uri, position: placeOf(web, 'selector') }],
    });
  });

  it('can be above the kind, and lead to the selector in a view of locations', async () => {
    const commands = { preview: 'ours.preview', peek: 'ours.peek' };
    const { client, uri } = await shop(linking, { commands }, { codeLensPosition: 'kind' });
    const [lens] = await lensesOf(client, uri);
    assert.equal(lens?.range.start.line, placeOf(web, 'kind').line);
    assert.deepEqual(lens?.command, {
      title: 'selects Deployment/web',
      command: 'ours.peek',
      arguments: [{ uri, position: placeOf(web, 'selector') }],
    });
  });

  it('are resolved when they are visible in a file with very many', async () => {
    const { client, uri } = await shop();
    await client.change(uri, { text: Array(101).fill(web).join('---\n') });
    const last = (await lensesOf(client, uri)).at(100);
    assert.equal(last?.command, undefined);
    assert.equal((await resolved(client, last)).command?.title, 'selects Deployment/web');
    await client.change(uri, { text: '# nothing\n' });
    assert.equal((await resolved(client, last)).command?.title, '');
  });

  it('are titles for an editor without such a command, and absent if the user disables them', async () => {
    const { client, uri } = await shop();
    const [lens] = await lensesOf(client, uri);
    assert.deepEqual(lens?.command, { title: 'selects Deployment/web', command: '' });
    const quiet = await shop(ableEditor, {}, { codeLens: false });
    assert.deepEqual(await lensesOf(quiet.client, quiet.uri), []);
  });

  it('state above an open file that git ignores that it is not indexed', async () => {
    const folder = makeFolder({ '.gitignore': 'out/\n', 'web.yaml': workload, 'out/service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    const titlesOf = async (file: string, text: string) => {
      await client.open(folder.uriOf(file), text);
      return (await lensesOf(client, folder.uriOf(file))).map(({ command }) => command?.title);
    };
    const notice = ['not indexed (.gitignore or settings): matches are incomplete', 'Index anyway'];
    assert.deepEqual((await titlesOf('out/service.yaml', web)).slice(0, 2), notice);
    assert.deepEqual(
      (await titlesOf('web.yaml', workload)).filter((title) => title?.includes('not indexed')),
      [],
    );
  });

  it('state above a generated file that its problems and matches are not shown', async () => {
    const folder = makeFolder({ '.gitattributes': 'service.yaml linguist-generated\n', 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    await client.open(folder.uriOf('service.yaml'), web);
    const shown = (await lensesOf(client, folder.uriOf('service.yaml'))).map(({ command }) => command?.title);
    assert.deepEqual(shown, ['generated file: its problems and matches are not shown']);
  });

  it('state above an open manifest whose file name is never read that it is not indexed', async () => {
    const folder = makeFolder({ 'web.yaml.tmpl': workload, 'service.yaml': web });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    await client.open(folder.uriOf('web.yaml.tmpl'), workload);
    const titlesOf = async (file: string) => {
      const found = await Promise.all(
        (await lensesOf(client, folder.uriOf(file))).map((lens) => (lens.command ? lens : resolved(client, lens))),
      );
      return found.map(({ command }) => command?.title);
    };
    const [notice, anyway] = await titlesOf('web.yaml.tmpl');
    assert.deepEqual([notice, anyway], ['not indexed (file name): matches are incomplete', 'Index anyway']);
    await client.open(folder.uriOf('service.yaml'), web);
    assert.deepEqual(await titlesOf('service.yaml'), ['selects nothing']);
  });

  it('let an ignored file, and one that is too large, be indexed while they are open', async () => {
    const large = `${web}# ${'x'.repeat(2000)}\n`;
    const folder = makeFolder({
      '.gitignore': 'out/\n',
      'web.yaml': workload,
      'out/service.yaml': web,
      'large.yaml': large,
    });
    const client = await startServer({ folders: [folder.uri], settings: { maximumFileSize: 1000 } });
    await client.whenReady();
    await client.open(folder.uriOf('web.yaml'), workload);
    const titlesOf = async (file: string) =>
      (await lensesOf(client, folder.uriOf(file))).map(({ command }) => command?.title);
    for (const [file, text] of [
      ['out/service.yaml', web],
      ['large.yaml', large],
    ] as const) {
      await client.open(folder.uriOf(file), text);
      assert.deepEqual(await titlesOf('web.yaml'), []);
      const [notice = ''] = await titlesOf(file);
      assert.match(notice, /^not indexed \(.*\)/);
      assert.ok(notice.length <= 60 && !notice.endsWith('…'), notice);
      const lens = (await lensesOf(client, folder.uriOf(file))).find(
        ({ command }) => command?.title === 'Index anyway',
      );
      const { command = '', arguments: given = [] } = lens?.command ?? {};
      await client.connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: given });
      assert.equal((await titlesOf(file))[0], 'indexed while open');
      assert.match((await titlesOf('web.yaml')).join(), /^selected .*by Service\/web$/);
      await client.close(folder.uriOf(file));
      assert.deepEqual(await titlesOf('web.yaml'), []);
    }
  });

  it('are refreshed when more is known', async () => {
    const folder = makeFolder({ 'web.yaml': workload, 'service.yaml': web });
    const client = await startServer({ capabilities: linking, folders: [folder.uri] });
    const refreshed = new Promise<void>((resolve) => {
      client.connection.onRequest(CodeLensRefreshRequest.type, () => resolve());
    });
    await client.open(folder.uriOf('service.yaml'), web);
    await client.whenReady();
    await refreshed;
    assert.equal((await lensesOf(client, folder.uriOf('service.yaml'))).length, 1);
  });

  it('are hints at the end of lines if the user enables that', async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const ask = async (settings: object) => {
      const { client, uri } = await shop(ableEditor, {}, settings);
      const found = await client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range });
      return found?.map(({ label, position }) => [label, position.line]);
    };
    assert.deepEqual(await ask({}), []);
    const line = placeOf(web, 'selector').line;
    assert.deepEqual(await ask({ inlayHints: true }), [['selects Deployment/web', line]]);
  });
});

describe('hover requests', () => {
  afterEach(stopEverything);

  it('contain links that copy and preview only for an editor that supports these commands', async () => {
    const ours = await shop(ableEditor, { commands: { preview: 'ours.preview', copy: 'ours.copy' } });
    const trusted = await ours.client.hover(ours.uri, web, 'app: web');
    const [, argument = ''] = /\[Copy kubectl command\]\(<command:ours\.copy\?([^>]+)>\)/.exec(trusted) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(argument)), [{ text: 'kubectl get pods -l app=web' }]);
    const others = await shop();
    assert.doesNotMatch(await others.client.hover(others.uri, web, 'app: web'), /command:|Copy/);
  });

  it('return plain text for an editor that prefers it, or states nothing', async () => {
    for (const hover of [{ contentFormat: ['plaintext' as const, 'markdown' as const] }, {}]) {
      const textDocument = { ...ableEditor.textDocument, hover };
      const { client, uri } = await shop({ ...ableEditor, textDocument });
      const found = await client.hoverAt(uri, inSelector);
      assert.deepEqual(found?.contents, {
        kind: 'plaintext',
        value: [
          "Selects Pods where app is 'web'.",
          '',
          'Matches (1)',
          `- Deployment/web — web.yaml:${inTemplate}`,
          '',
          'kubectl get pods -l app=web',
        ].join('\n'),
      });
    }
  });
});

function at(uri: string, position: { readonly line: number; readonly character: number }) {
  return { textDocument: { uri }, position };
}

function outgoingOf(client: Client, item: CallHierarchyItem) {
  return client.connection.sendRequest(CallHierarchyOutgoingCallsRequest.type, { item });
}

async function lensesOf(client: Client, uri: string): Promise<readonly CodeLens[]> {
  return (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
}

function resolved(client: Client, lens: CodeLens | undefined): Promise<CodeLens> {
  assert.ok(lens);
  return client.connection.sendRequest(CodeLensResolveRequest.type, lens);
}
