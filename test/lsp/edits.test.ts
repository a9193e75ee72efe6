/** Tests that positions and edits have one meaning for the editor and the server, with any characters and line ends. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Client } from './client.ts';
import { configMap, deployment, service } from './manifests.ts';
import { placeOf, rangeOf, textAt, withFix } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const uri = 'file:///shop/prices.yaml';

describe('positions and edits', () => {
  afterEach(stopEverything);

  it('count in UTF-16 units, after characters outside the basic plane', async () => {
    const text = `${configMap('owner: team')}    "team": "🦊🐻"  \n    note: { e: 🦊, "k🦊": ok } \n`;
    const found = await only(text, 'label-value-syntax', '🦊🐻');
    assert.deepEqual(found.range, rangeOf(text, '"🦊🐻"'));
    const line = '# 🦊\nmetadata: { name: "🦊🦊", labels: { team: -blue } }\n';
    const flow = `apiVersion: v1\nkind: ConfigMap\n${line}`;
    assert.deepEqual((await only(flow, 'label-value-syntax', '-blue')).range, {
      start: { line: 3, character: 42 },
      end: { line: 3, character: 47 },
    });
  });

  it('are right in a text with CRLF, and a fix preserves the line ends', async () => {
    const text = configMap('owner: Team Blue').replaceAll('\n', '\r\n');
    const { fixes } = await corrected(text);
    for (const fixed of fixes) {
      assert.equal(fixed.match(/(?<!\r)\n/g), null, `a line ends in LF alone: ${JSON.stringify(fixed)}`);
      assert.notEqual(fixed, text);
    }
    assert.ok(fixes.includes(text.replace('Team Blue', 'Team-Blue')));
  });

  it('are right after a byte order mark that the editor sends', async () => {
    const text = `\uFEFF${configMap('owner: Team Blue')}`;
    const { fixes } = await corrected(text);
    assert.ok(fixes.includes(text.replace('Team Blue', 'Team-Blue')));
    assert.ok(fixes.every((fixed) => fixed.lastIndexOf('\uFEFF') === 0));
  });

  it('fix their finding, and no other remains', async () => {
    const { fixes, client } = await corrected(configMap('owner: Team Blue # ours'));
    assert.ok(fixes.includes(configMap('owner: Team-Blue # ours')));
    for (const fixed of fixes) {
      await client.change(uri, { text: fixed });
      assert.deepEqual(await client.pull(uri), []);
    }
  });

  it('support incremental changes', async () => {
    const client = await startServer();
    const start = `# 🦊 prices\r\n${configMap('owner: blue')}`;
    await client.open(uri, start);
    await client.change(
      uri,
      { range: rangeOf(start, 'blue'), text: '🐻' },
      // The second change refers to the text after the first one.
      { range: { start: { line: 0, character: 2 }, end: { line: 0, character: 4 } }, text: 'two\n# lines' },
    );
    const text = start.replace('blue', '🐻').replace('🦊', 'two\n# lines');
    const [found] = await client.pull(uri);
    assert.deepEqual(found?.range, rangeOf(text, '🐻'));
    const end = { line: 0, character: 0 };
    await client.change(
      uri,
      { range: { start: end, end }, text: '\n' },
      { range: rangeOf(`\n${text}`, '🐻'), text: 'b' },
    );
    assert.deepEqual(await client.pull(uri), []);
  });

  it('give the ranges of a hover and of its links', async () => {
    const text = `# 🦊\r\n${service('web').replaceAll('\n', '\r\n')}`;
    const folder = makeFolder({ 'w e b.yaml': `# 🦊\n---\n${deployment('web')}`, 'service.yaml': text });
    const client = await startServer({ folders: [folder.uri] });
    const document = folder.uriOf('service.yaml');
    await client.open(document, text);
    await client.whenReady();
    const hover = await client.hoverAt(document, placeOf(text, 'app: web'));
    assert.ok(hover?.range !== undefined);
    assert.equal(textAt(text, hover.range), 'app');
    const shown = await client.hover(document, text, 'app: web');
    assert.ok(shown.includes(`[Deployment/web](<${folder.uriOf('w e b.yaml')}#L13,7>)`), shown);
  });

  it('complete a label key at the cursor', async () => {
    const client = await startServer();
    const text = `# 🦊\r\n${configMap('app.kubernetes.io/: x')}`;
    await client.open(uri, text);
    const { line, character } = placeOf(text, ': x');
    assert.ok((await client.completions(uri, { line, character })).includes('app.kubernetes.io/name'));
  });
});

async function only(text: string, code: string, words: string): Promise<Diagnostic> {
  const client = await startServer();
  await client.open(uri, text);
  const found = (await client.pull(uri)).filter(
    (each) => each.code === code && textAt(text, each.range).includes(words),
  );
  const [diagnostic] = found;
  assert.ok(diagnostic !== undefined && found.length === 1, `one ${code} on ${words}, not ${found.length}`);
  return diagnostic;
}

/** The text after each fix of its only finding. */
async function corrected(text: string): Promise<{ readonly client: Client; readonly fixes: readonly string[] }> {
  const client = await startServer();
  await client.open(uri, text);
  const [diagnostic, ...others] = await client.pull(uri);
  assert.ok(diagnostic !== undefined);
  assert.deepEqual(others, []);
  assert.deepEqual(diagnostic.range, rangeOf(text, 'Team Blue'));
  const fixes = await client.fixes(uri, diagnostic);
  return { client, fixes: fixes.map((fix) => withFix(text, uri, fix)) };
}
