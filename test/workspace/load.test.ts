/** Tests the initial loading of a folder, and unreadable files. */

import assert from 'node:assert/strict';
import { readChanged } from '../../server/src/workspace/live/file-changes.ts';
import { type FileStat, type Loaded, load, type Reader, type ReadText } from '../../server/src/workspace/live/load.ts';
import { bench } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const root = 'file:///work';

describe('a folder', () => {
  it('is read in the order of its list, each file once', async () => {
    const files = { 'b.yaml': 'b', 'a.yaml': 'a', 'notes.txt': '', 'x/c.json': '{"kind": "", "apiVersion": ""}' };
    const { loaded, reader } = await read(new Source(files), { folders: [root, `${root}/x`, root] });
    assert.deepEqual(namesOf(loaded), ['b.yaml', 'a.yaml', 'x/c.json']);
    assert.deepEqual(reader.texts, ['b', 'a', '{"kind": "", "apiVersion": ""}']);
  });

  it('applies a part of an ignore file with too many patterns, and reports it', async () => {
    const patterns = Array.from({ length: 1_000 }, (_, number) => `${'*a'.repeat(20)}b${number}`);
    const files = { '.gitignore': ['x.yaml', ...patterns, 'y.yaml'].join('\n'), 'x.yaml': '', 'y.yaml': '' };
    const { loaded } = await read(new Source(files));
    assert.deepEqual(namesOf(loaded), ['y.yaml']);
    assert.deepEqual(loaded.skipped, [
      { uri: `${root}/.gitignore`, reason: 'it has too many patterns, and the last of them are not applied' },
    ]);
  });

  it('applies a part of an attribute file with too many patterns, and reports it', async () => {
    const line = (pattern: string) => `${pattern} linguist-generated`;
    const patterns = Array.from({ length: 1_000 }, (_, number) => line(`${'*a'.repeat(20)}b${number}`));
    const files = {
      '.gitattributes': [line('x.yaml'), ...patterns, line('y.yaml')].join('\n'),
      'x.yaml': '',
      'y.yaml': '',
    };
    const { loaded } = await read(new Source(files));
    const marked = ['x.yaml', 'y.yaml'].map((name) => loaded.folders.isMarkedGenerated(`${root}/${name}`));
    assert.deepEqual(marked, [true, undefined]);
    assert.deepEqual(loaded.skipped, [
      { uri: `${root}/.gitattributes`, reason: 'it has too many patterns, and the last of them are not applied' },
    ]);
  });

  it('applies its ignore files also if the source lists them like other files', async () => {
    const files = {
      '.gitignore': '*.json\nout/',
      'a.json': '',
      'out/a.yaml': '',
      'x/.gitignore': '!b.json',
      'x/b.json': '',
    };
    const { loaded } = await read(new Source(files));
    assert.deepEqual(namesOf(loaded), ['x/b.json']);
    assert.equal(loaded.folders.takes(`${root}/out/new.yaml`), false);
  });

  it('may contain many JSON files that are not manifests: these are known by name only', async () => {
    const { loaded, reader } = await read(new Source({ 'a.json': `{"kind": ["${'x'.repeat(1000)}"]}` }));
    assert.deepEqual(namesOf(loaded), ['a.json']);
    assert.deepEqual(reader.texts, ['']);
  });

  it('reports how far it was read if it exceeds the limit', async () => {
    const { loaded } = await read(new Source({ 'a.yaml': '', 'b.yaml': '', 'c.yaml': '' }), { maximumFiles: 2 });
    assert.deepEqual(namesOf(loaded), ['a.yaml', 'b.yaml']);
    assert.deepEqual(loaded.skipped, [{ uri: root, reason: 'it contains more than 2 files' }]);
  });

  it('has open scopes if it exceeds the limit', async () => {
    const fixture = `
      ==> shop/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: websites}}
      ==> shop/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: website}}
      ==> base/kustomization.yaml <==
      resources: [pod.yaml]
      ==> base/pod.yaml <==
      apiVersion: v1
      kind: Pod
      metadata: {name: other}
    `;
    const found = async (maximumFiles: number) => {
      const b = await bench(fixture, { settings: { maximumFiles } });
      const names = ['shop/service.yaml', 'base/kustomization.yaml'];
      const [scope] = b.session.snapshot().scopes().of(b.uriOf('shop/pod.yaml'));
      return [
        scope?.closed,
        ...names.flatMap((name) => b.findings(name).map(({ rule, severity }) => [rule, severity])),
      ];
    };
    assert.deepEqual(await found(4), [true, ['selects-nothing', 'warning']]);
    const openBecause = ['work was not read: it contains more than 3 files.'];
    assert.deepEqual(await found(3), [{ openBecause }]);
  });

  it('is read in spite of unreadable files, each skipped with its reason', async () => {
    const source = new Source({
      'a.yaml': 'a',
      'big.yaml': 'x'.repeat(11),
      'binary.yaml': '',
      'gone.yaml': '',
      'z.yaml': 'z',
    });
    source.answers.set(`${root}/binary.yaml`, { skipped: 'it is not text' });
    source.stats.set(`${root}/gone.yaml`, undefined);
    const { loaded } = await read(source, { maximumFileSize: 10 });
    assert.deepEqual(namesOf(loaded), ['a.yaml', 'z.yaml']);
    assert.deepEqual(loaded.skipped, [
      { uri: `${root}/big.yaml`, reason: 'it is larger than 10 bytes' },
      { uri: `${root}/binary.yaml`, reason: 'it is not text' },
      { uri: `${root}/gone.yaml`, reason: 'it no longer exists' },
    ]);
  });

  it('is skipped if the source fails, and others are read', async () => {
    const source = new Source({ 'a.yaml': '' });
    source.list = (folder) =>
      folder === root ? Promise.resolve({ files: [`${root}/a.yaml`], more: false }) : Promise.reject(new Error('no'));
    const { loaded } = await read(source, { folders: ['file:///other', root] });
    assert.deepEqual(namesOf(loaded), ['a.yaml']);
    assert.deepEqual(loaded.skipped, [{ uri: 'file:///other', reason: 'it could not be listed' }]);
  });

  it('is read ahead in groups of bounded number and size', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${index}.yaml`, '']));
    const source = new Source(many);
    await read(source);
    assert.deepEqual(source.slices, [64, 64, 22]);
    const large = new Source({ 'a.yaml': 'x'.repeat(3_000_000), 'b.yaml': 'x'.repeat(2_000_000), 'c.yaml': 'x' });
    await read(large);
    assert.deepEqual(large.slices, [1, 2]);
  });

  it('requests only the text of files whose size or time is unknown', async () => {
    const source = new Source({ 'a.yaml': 'new', 'b.yaml': 'old' });
    const reader = new Recorder((uri, stat) => (uri.endsWith('b.yaml') && stat.size === 3 ? 'from before' : undefined));
    const { loaded } = await read(source, {}, reader);
    assert.deepEqual([...loaded.files.values()], ['read new', 'from before']);
    assert.deepEqual(source.slices, [1]);
  });

  it('reports progress at each turn, never twice the same, and stops when it is cancelled', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}.yaml`, 'x']));
    const told: number[] = [];
    await read(new Source(many), { progress: (percentage) => told.push(percentage) });
    assert.deepEqual(told, [...new Set(told)]);
    assert.equal(told.at(-1), 100);
    const source = new Source(many);
    const { loaded } = await read(source, { isCancelled: () => source.pauses > 1100 });
    assert.ok(loaded.files.size < 200);
  });
});

describe('changes outside of the editor', () => {
  it('are read together, whatever the events name', async () => {
    const source = new Source({ 'a.yaml': '1', 'b.yaml': '1', 'c.yaml': '1' });
    const loaded = (await read(source)).loaded;
    source.texts.set(`${root}/a.yaml`, '2');
    source.texts.delete(`${root}/b.yaml`);
    source.texts.set(`${root}/d.yaml`, '2');
    source.texts.set(`${root}/e.txt`, '2');
    source.slices.length = 0;
    const read2 = await change(source, loaded, ['a.yaml', 'b.yaml', 'd.yaml', 'e.txt']);
    assert.deepEqual([...read2.files.keys()].map(shortName), ['a.yaml', 'd.yaml']);
    assert.deepEqual(read2.gone.map(shortName), ['b.yaml']);
    assert.deepEqual(source.slices, [2]);
  });

  it('may concern a folder: its old content is removed, its new content is read', async () => {
    const source = new Source({ 'x/a.yaml': '1', 'x/y/b.yaml': '1', 'xy.yaml': '1' });
    const loaded = (await read(source)).loaded;
    source.texts.delete(`${root}/x/y/b.yaml`);
    source.texts.delete(`${root}/x/a.yaml`);
    source.texts.set(`${root}/z/y/b.yaml`, '2');
    const read2 = await change(source, loaded, ['-x', 'z']);
    assert.deepEqual([...read2.files.keys()].map(shortName), ['z/y/b.yaml']);
    assert.deepEqual(read2.gone.map(shortName), ['x/a.yaml', 'x/y/b.yaml']);
  });

  it('add nothing that is ignored or outside', async () => {
    const source = new Source({ '.gitignore': 'out/', 'a.yaml': '1' });
    const loaded = (await read(source)).loaded;
    source.texts.set(`${root}/out/a.yaml`, '2');
    source.texts.set('file:///elsewhere/a.yaml', '2');
    const read2 = await change(source, loaded, ['out/a.yaml', 'out', '../elsewhere/a.yaml']);
    assert.deepEqual([...read2.files.keys()], []);
    assert.deepEqual(read2.skipped, []);
  });
});

/** Also lists ignore files, and returns given results for single files. */
class Source extends MemoryFiles {
  readonly answers = new Map<string, ReadText>();
  readonly stats = new Map<string, FileStat | undefined>();

  constructor(files: Readonly<Record<string, string>>) {
    super(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text]));
  }

  override async stat(uris: readonly string[]) {
    const found = await super.stat(uris);
    return uris.map((uri, index) => (this.stats.has(uri) ? this.stats.get(uri) : found[index]));
  }

  override async read(uris: readonly string[], maximumBytes: number) {
    const found = await super.read(uris, maximumBytes);
    return found.map((answer, index) => this.answers.get(uris[index] ?? '') ?? answer);
  }
}

class Recorder implements Reader<string> {
  readonly texts: string[] = [];
  readonly known: Reader<string>['known'];

  constructor(known: Reader<string>['known'] = () => undefined) {
    this.known = known;
  }

  read(_: string, text: string) {
    this.texts.push(text);
    return `read ${text}`;
  }
}

const limits = { maximumFiles: 5000, maximumFileSize: 5_000_000 };

async function read(source: Source, options: Partial<Parameters<typeof load>[2]> = {}, reader = new Recorder()) {
  const quiet = { folders: [root], include: [], exclude: [], ...limits, progress() {}, isCancelled: () => false };
  const loaded = await load(source, reader, { ...quiet, ...options });
  return { loaded, reader };
}

/** Changes files; those with a leading `-` are deleted. */
function change(source: Source, known: Loaded<string>, names: readonly string[]) {
  const changes = names.map((name) => {
    const uri = name.startsWith('../') ? `file:///${name.slice(3)}` : `${root}/${name.replace(/^-/, '')}`;
    return { uri, gone: name.startsWith('-') };
  });
  return readChanged(source, new Recorder(), changes, known, limits);
}

function shortName(uri: string): string {
  return uri.slice(root.length + 1);
}

function namesOf(loaded: Loaded<string>): readonly string[] {
  return [...loaded.files.keys()].map(shortName);
}
