/** Tests that a file that is not a valid manifest does not affect the server and the rest of the workspace. */
import assert from 'node:assert/strict';
import { FileChangeType } from 'vscode-languageserver/node';
import { configMap, deployment, service } from './manifests.ts';
import { placeOf } from './places.ts';
import { makeFolder, startServer, stopEverything } from './start.ts';

const web = service('web');
const head = 'apiVersion: v1\nkind: ConfigMap\n';
const encoder = new TextEncoder();

/** Texts that can be parsed but contain little. */
const odd: Readonly<Record<string, string>> = {
  'not YAML': '<html>\n<body>kind of apiVersion</body>\n%%% \t]]] {{{ "\n',
  'not YAML, with the right words': `${head}]]] : : "\n\t- ? !!\n`,
  'not Kubernetes': 'services:\n  web:\n    image: nginx\n    labels: { "bad key": 1 }\n',
  'half typed': `${head}metadata:\n  labels:\n    app: web\n    tier\n  na`,
  'a half typed selector': `${web}    tier: "fro\n---\n${head}metadata:\n  labels: {app: `,
  empty: '',
  blank: ' \n\t\n---\n...\n---\n',
  'only comments': '# kind: nothing\n# apiVersion: v0\n',
  'a lone surrogate': `${head}metadata:\n  annotations:\n    note: "\uD83D"\n`,
  'control characters': `${head}metadata:\n  annotations:\n    note: "\u0001\u007F\u0085\u2028"\n`,
  'a byte order mark alone': '\uFEFF',
  'JSON that ends early': '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod"',
  'odd types': 'apiVersion: [v1]\nkind: {a: b}\nmetadata: 7\n---\napiVersion: 1\nkind: 2\nmetadata: [labels, {}]\n',
  'odd types in the right places': `${head}metadata: {labels: [a], annotations: 3, name: {}, namespace: []}\nspec: ~\n`,
  'keys of every kind': `${head}? [a, b]\n: c\n? {d: e}\n: f\n? ~\n: g\n1: h\n`,
  'an alias to nothing': `${head}metadata:\n  labels: *nowhere\n  name: *itself\n`,
  'an alias to itself': `${head}metadata: &all\n  labels: *all\n`,
  'many templates': `{{- define "x" -}}\n${head}{{ range }}{{ if }}\nmetadata: {{ toYaml . | nindent 2 }}\n{{ end`,
  'lists in lists': `${head}a: ${'['.repeat(20_000)}\n`,
  'maps in maps': `${head}a: ${'{a: '.repeat(20_000)}\n`,
  'closed lists in lists': `${head}a: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`,
  'dashes in dashes': `${head}a:\n  ${'- '.repeat(20_000)}\n`,
  'lists of JSON': `{"apiVersion": "v1", "kind": "A", "a": ${'['.repeat(20_000)}`,
  'a laughing alias': `${head}a: &a [x, x]\n${[...'bcdefghijklmnopqrstuvwxyz'].map((key, index) => `${key}: &${key} [${`*${'abcdefghijklmnopqrstuvwxyz'[index]}, `.repeat(9)}]\n`).join('')}metadata: {labels: *z}\n`,
};

/** The findings: only a document with both keys at its top is a manifest. */
const found: Readonly<Record<string, readonly string[]>> = {
  'not YAML, with the right words': ['syntax-error'],
  'half typed': ['syntax-error'],
  'a half typed selector': ['syntax-error', 'syntax-error'],
  'keys of every kind': ['syntax-error'],
  'control characters': ['syntax-error'],
  'JSON that ends early': ['syntax-error'],
  'a lone surrogate': ['missing-field'],
  'odd types in the right places': [
    'label-value-type',
    'annotation-value-type',
    'field-type',
    'field-type',
    'unknown-field',
  ],
  'an alias to nothing': ['syntax-error'],
  'an alias to itself': ['syntax-error'],
};

/** Files that are skipped. */
const skipped: Readonly<Record<string, string | Uint8Array>> = {
  'binary.yaml': Uint8Array.from({ length: 4096 }, (_, index) => index % 256),
  'zeros.yaml': encoder.encode(`${deployment('zeros')}\0`),
  'latin1.yaml': Buffer.from(`${head}# caf\xE9\n`, 'latin1'),
  'unmarked.yaml': Buffer.from(deployment('unmarked'), 'utf16le'),
  'huge.yaml': `${deployment('huge')}${'# twenty million\n'.repeat(1_250_000)}`,
};

describe('bad input on disk', () => {
  afterEach(stopEverything);

  it('is skipped, each file named once in the log, and other files are indexed', async () => {
    const folder = makeFolder({
      ...skipped,
      ...named(odd),
      'wide.yaml': Buffer.from(`\uFEFF${deployment('wide', { app: 'web' })}`, 'utf16le'),
      'bom.yaml': `\uFEFF${deployment('bom', { app: 'web' })}`,
      'crlf.yaml': deployment('crlf', { app: 'web' }).replaceAll('\n', '\r\n'),
      'service.yaml': web,
    });
    const client = await startServer({ folders: [folder.uri] });
    const ready = await client.whenReady();
    assert.equal(ready.skipped, Object.keys(skipped).length);
    const uri = folder.uriOf('service.yaml');
    await client.open(uri, web);
    const hover = await client.hover(uri, web, 'app: web');
    assert.match(hover, /\*\*Matches\*\* \(3\)/);
    assert.ok(
      ['bom', 'crlf', 'wide'].every((name) => hover.includes(`[Deployment/${name}]`)),
      hover,
    );
    await client.until(() => client.ready.length === 1);
    await client.addFolder(makeFolder().uri);
    await client.until(() => client.ready.length === 2);
    for (const name of Object.keys(skipped)) {
      const lines = client.log.filter((line) => line.includes(`/${name}`));
      assert.equal(lines.length, 1, `${name} is named in ${lines.length} lines`);
      assert.match(lines[0] ?? '', /^Skipped file:\S+: .+\.$/);
    }
    assert.equal(client.log.filter((line) => line.startsWith('Skipped')).length, Object.keys(skipped).length);
  });

  it('is skipped with the reason', async () => {
    const folder = makeFolder(skipped);
    const client = await startServer({ folders: [folder.uri], settings: { maximumFileSize: 1_000_000 } });
    await client.until(() => client.refreshes > 0);
    await client.whenReady();
    const why = (name: string) => client.log.find((line) => line.includes(`/${name}`))?.replace(/^Skipped \S+: /, '');
    assert.equal(why('binary.yaml'), 'it is not text.');
    assert.equal(why('latin1.yaml'), 'it is not UTF-8 text.');
    assert.equal(why('huge.yaml'), 'it is larger than 1000000 bytes.');
  });

  it('may become bad and valid again while the workspace is watched', async () => {
    const folder = makeFolder({ 'web.yaml': deployment('web') });
    const client = await startServer({ folders: [folder.uri] });
    await client.whenReady();
    for (const content of [Uint8Array.of(0), '{{{', '', deployment('web').slice(0, 60), deployment('web')]) {
      const refreshes = client.refreshes;
      await client.changedOutside([folder.write('web.yaml', content), FileChangeType.Changed]);
      await client.until(() => client.refreshes > refreshes);
    }
    const preview = await client.previewText('app=web');
    assert.deepEqual(
      preview.groups.map(({ kind, total }) => ({ kind, total })),
      [{ kind: 'matches', total: 1 }],
    );
  });
});

describe('bad input in the editor', () => {
  afterEach(stopEverything);

  for (const [name, text] of Object.entries(odd)) {
    it(`may be ${name}`, async () => {
      const client = await startServer();
      const uri = 'file:///shop/odd.yaml';
      await client.open(uri, text);
      assert.deepEqual(
        (await client.pull(uri)).map(({ code }) => code),
        found[name] ?? [],
      );
      await client.hoverAt(uri, { line: 2, character: 3 });
      await client.completions(uri, { line: 3, character: 4 });
      await client.change(uri, { text: configMap('owner: Team Blue') });
      assert.equal((await client.pull(uri)).length, 1);
    });
  }

  it('may be binary', async () => {
    const client = await startServer();
    const uri = 'file:///shop/odd.yaml';
    await client.open(uri, new TextDecoder('latin1').decode(Uint8Array.from({ length: 4096 }, (_, i) => i % 256)));
    assert.deepEqual(await client.pull(uri), []);
    await client.change(uri, { text: `${deployment('web')}\0\0` });
    await client.hoverAt(uri, { line: 1, character: 1 });
  });

  it('may be 20 MB, which is skipped with one message, however often it changes', async () => {
    const client = await startServer();
    const uri = 'file:///shop/huge.yaml';
    const text = String(skipped['huge.yaml']);
    await client.open(uri, text);
    const start = { line: 0, character: 0 };
    for (const typed of ['#', '# ', '#']) await client.change(uri, { range: { start, end: start }, text: typed });
    assert.deepEqual(await client.pull(uri), []);
    await client.hoverAt(uri, placeOf(web, 'selector'));
    assert.equal(client.log.filter((line) => line.includes(uri)).length, 1);
  });

  it('may be a manifest in every state of typing', async () => {
    const client = await startServer();
    const uri = 'file:///shop/typed.yaml';
    const text = `${deployment('web')}---\n${web}`;
    await client.open(uri, '');
    for (let length = 1; length <= text.length; length++) {
      const before = text.slice(0, length - 1).split('\n');
      const at = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      await client.change(uri, { range: { start: at, end: at }, text: text.slice(length - 1, length) });
      await client.completions(uri, at);
      // An incomplete manifest may have findings; here only the responses matter.
      assert.ok(Array.isArray(await client.pull(uri)), JSON.stringify(text.slice(0, length)));
    }
    assert.deepEqual(await client.pull(uri), []);
    const preview = await client.preview(uri, placeOf(text, 'selector:\n    app'));
    assert.equal(preview?.groups[0]?.items[0]?.name, 'web');
  });
});

function named(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(texts).map((text, index) => [`odd-${index}.yaml`, text]));
}
