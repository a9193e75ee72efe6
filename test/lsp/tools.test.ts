/** Tests the tools for agents over the connection: on the index of the server, with the texts of open documents. */
import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { dataNotice } from '../../server/src/agents/answer.ts';
import { tools } from '../../server/src/agents/tools.ts';
import { reviewRequest, type ToolParams, type ToolResult, toolRequest } from '../../server/src/protocol.ts';
import { runOnDisk } from '../corpus/disk-world.ts';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { commitAll } from '../host/commit-all.ts';
import type { Client } from './client.ts';
import { deployment, service } from './manifests.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

async function call(client: Client, name: string, input: unknown) {
  const params: ToolParams = { name, input };
  const { text, isError } = await client.connection.sendRequest<ToolResult>(toolRequest, params);
  return { isError, json: JSON.parse(text.replace(`${dataNotice}\n`, '')) };
}

const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  check: {},
  match: { selector: 'app=web', pods: true },
  explain: { selector: 'app=web', object: 'Deployment/web', namespace: 'prod' },
  who_selects: { object: 'Deployment/web' },
  objects: {},
  review: { base: 'HEAD' },
  diff: { old: 'service.yaml', new: 'web.yaml' },
  impact: { files: [{ path: 'web.yaml', text: null }] },
  rename_plan: { object: 'Deployment/web', label: 'app=web', to: 'shop' },
  uses: { object: 'Deployment/web' },
  reach: {},
};

/** The words of the command line for an input. */
function wordsOf(name: string): readonly string[] {
  const tool = tools.find((each) => each.name === name);
  const { files, ...others } = inputs[name] ?? {};
  const isOperand = (key: string) => Object.hasOwn(tool?.facts.operands ?? {}, key);
  const options = Object.fromEntries(Object.entries(others).filter(([key]) => !isOperand(key)));
  const given = Object.entries(others).flatMap(([key, value]) => (isOperand(key) ? [String(value)] : []));
  const words = Object.entries(options).flatMap(([option, value]) => [
    `--${option.replaceAll('_', '-')}`,
    ...(value === true ? [] : [String(value)]),
  ]);
  const operands = files === undefined ? given : ['-'];
  return [tool?.command.name ?? '', ...operands, ...words, ...(name === 'diff' ? [] : ['--root', '.'])];
}

describe('the tools for agents over the connection', () => {
  afterEach(stopEverything);

  it('answer what the command line answers', async () => {
    assert.deepEqual(Object.keys(inputs).toSorted(), tools.map(({ name }) => name).toSorted());
    const folder = makeFolder({ 'web.yaml': deployment('web'), 'service.yaml': service('web') });
    commitAll(fileURLToPath(folder.uri));
    const client = await startServer({ folders: [folder.uri] });
    for (const [name, input] of Object.entries(inputs)) {
      const { json } = await call(client, name, { ...input, details: true, limit: 500 });
      const { notes: _, ...value } = json;
      const files = input['files'];
      const proposal = files === undefined ? undefined : JSON.stringify({ files });
      const ran = await runOnDisk([...wordsOf(name), '--format', 'json'], fileURLToPath(folder.uri), proposal);
      assert.deepEqual(value, JSON.parse(ran.out), name);
    }
  });

  it('check files again whose selectors match objects of other scopes', async () => {
    const folder = makeFolder({
      'a/kustomization.yaml': 'resources: [service.yaml, near.yaml]\n',
      'a/service.yaml': service('web'),
      'a/near.yaml': deployment('webs'),
      'b/kustomization.yaml': 'resources: [web.yaml]\n',
      'b/web.yaml': deployment('web'),
    });
    const client = await startServer({ folders: [folder.uri] });
    const rules = async () =>
      (await call(client, 'check', {})).json.diagnostics.map(
        ({ rule, file }: { readonly rule: string; readonly file: string }) => `${rule} ${file}`,
      );
    assert.deepEqual(await rules(), []);
    await client.open(folder.uriOf('b/web.yaml'), deployment('other'));
    assert.deepEqual(await rules(), ['selects-nothing a/service.yaml']);
  });

  it('see the texts of open documents, and keep no proposal', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web'), 'service.yaml': service('web') });
    const client = await startServer({ folders: [folder.uri] });
    const uri = folder.uriOf('service.yaml');
    const lost = async () =>
      (await call(client, 'impact', { files: [{ path: 'web.yaml', text: null }] })).json.summary.lost;
    assert.equal(await lost(), 1);
    await client.open(uri, service('other'));
    const rules = async (input: object) => {
      const { json } = await call(client, 'check', input);
      return json.diagnostics.map(
        ({ rule, file }: { readonly rule: string; readonly file: string }) => `${rule} ${file}`,
      );
    };
    const expected = ['selects-nothing service.yaml'];
    assert.deepEqual(await rules({ paths: ['service.yaml'] }), expected);
    assert.equal(await lost(), 0);
    assert.deepEqual(await rules({}), expected);
  });

  it('are beside the review of changes since a commit, which links to lines and escapes all text', async () => {
    const hostile = 'a](https://example.com) <img src=x> [x](command:y)';
    const named = (selector: string) =>
      service('web', { app: selector }).replace('name: web', `name: ${JSON.stringify(hostile)}`);
    const folder = makeFolder({ 'web.yaml': deployment('web'), 'a (1).yaml': named('web') });
    commitAll(fileURLToPath(folder.uri));
    const client = await startServer({ folders: [folder.uri] });
    const review = (base: string) => client.connection.sendRequest<ToolResult>(reviewRequest, { base });
    assert.match((await review('HEAD')).text, /No selector, reference, connection or immutable field changes/);
    await client.open(folder.uriOf('a (1).yaml'), named('other'));
    const { text, isError } = await review('HEAD');
    assert.equal(isError, false);
    assert.match(text, /1 lost match/);
    assert.match(text, /Compared with HEAD: only changes that are not committed\./);
    for (const { by, links, foreign } of renderMarkdown(text)) {
      assert.deepEqual(links, ['/a%20%281%29.yaml#L7'], by);
      assert.deepEqual(foreign, [], by);
    }
    assert.match((await review('--missing')).text, /'--missing' cannot be read/);
  });

  it('refuse other files, other tools and parameters of other types', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri] });
    const refused = [
      await call(client, 'check', { paths: ['/etc'] }),
      await call(client, 'write', {}),
      await call(client, 'check', 1),
    ];
    assert.deepEqual(
      refused.map(({ isError }) => isError),
      [true, true, true],
    );
    await assert.rejects(client.connection.sendRequest(toolRequest, { name: 1, input: {} }), /'name'/);
  });
});
