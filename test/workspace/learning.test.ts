/** Tests that definitions add their kinds for all files of the workspace, in any order. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Session } from '../../server/src/session.ts';
import type { ReadText } from '../../server/src/workspace/live/load.ts';
import type { Cache, StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { benchFolder, TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const selector = '{ properties: { matchLabels: { additionalProperties: { type: string } } } }';

/** A kind with a label selector at `spec.<field>`. */
function definition(field: string, scope = 'Namespaced', kind = 'Widget'): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: ${scope}
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions: [{ name: v1, schema: { openAPIV3Schema: { properties: { spec: { properties: { ${field}: ${selector} } } } } } }]
`;
}

const widget =
  'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w, namespace: shop }\nspec: { one: {}, two: {}, three: { matchLabels: { a: b } } }\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p, labels: { app: web } }\n';

/** Counts the files that are read. */
class CountedFiles extends MemoryFiles {
  readonly asked: string[] = [];
  override read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]> {
    this.asked.push(...uris.map((uri) => uri.slice(benchFolder.length + 1)));
    return super.read(uris, maximumBytes);
  }
}

async function sessionOver(texts: Readonly<Record<string, string>>, cache?: Cache) {
  const session = new Session({ catalogue, log: new TestLog(), ...(cache && { cacheOf: () => cache }) });
  const source = new CountedFiles(Object.entries(texts).map(([name, text]) => [`${benchFolder}/${name}`, text]));
  const nothing = () => undefined;
  await session.workspace.load(source, [benchFolder], nothing, () => false);
  return {
    session,
    source,
    async change(name: string, text: string | undefined) {
      const uri = `${benchFolder}/${name}`;
      if (text === undefined) source.texts.delete(uri);
      else source.texts.set(uri, text);
      source.asked.length = 0;
      await session.workspace.refresh(source, [{ uri, gone: text === undefined }]);
      return source.asked.toSorted();
    },
  };
}

const chart = {
  'a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
  'a/templates/s.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: "{{ .Chart.Name }}" }\n',
  'a/templates/f.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: { name: {{ .Files.Get "name.yaml" | default "none" }} }\n',
  'a/name.yaml': 'file',
};

describe('a list of the files that Helm ignores', () => {
  it('changes the objects of its chart when it is written, changed and deleted', async () => {
    const { session, change } = await sessionOver(chart);
    const names = () => {
      const { objects = [] } = session.snapshot().rendering(`${benchFolder}/a`, catalogue) ?? {};
      return objects.map(({ object }) => object.name?.text).toSorted();
    };
    assert.deepEqual(names(), ['a', 'file']);
    await change('a/.helmignore', 'templates/s.yaml\n');
    assert.deepEqual(names(), ['file']);
    await change('a/.helmignore', 'name.*\n');
    assert.deepEqual(names(), ['a', 'none']);
    await change('a/.helmignore', undefined);
    assert.deepEqual(names(), ['a', 'file']);
  });
});

function sitesIn(session: Session, name: string): readonly string[] {
  const file = session.snapshot().files.get(`${benchFolder}/${name}`);
  return file?.manifest.objects.flatMap((object) => object.selectorSites.map(({ path }) => path)) ?? [];
}

describe('a definition in the workspace', () => {
  it('provides the paths of selectors in its objects, in any order of files; other parts are recognized by shape', async () => {
    for (const name of ['a.yaml', 'z.yaml']) {
      const { session } = await sessionOver({ [name]: definition('one'), 'm.yaml': widget });
      assert.deepEqual(sitesIn(session, 'm.yaml').toSorted(), ['spec.one', 'spec.three'], name);
    }
    const { session } = await sessionOver({ 'one.yaml': `${widget}---\n${definition('one')}` });
    assert.deepEqual(sitesIn(session, 'one.yaml').toSorted(), ['spec.one', 'spec.three']);
  });

  it("that is added, changed or removed causes a new parse of its objects' files only", async () => {
    const { session, change } = await sessionOver({ 'm.yaml': widget, 'p.yaml': pod });
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.three']);
    assert.deepEqual(await change('z.yaml', definition('one')), ['m.yaml', 'z.yaml']);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.one', 'spec.three']);
    assert.deepEqual(await change('z.yaml', `# A comment\n${definition('one')}`), ['z.yaml']);
    assert.deepEqual(await change('y.yaml', definition('more', 'Namespaced', 'Gadget')), ['y.yaml']);
    await change('z.yaml', definition('two'));
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.two', 'spec.three']);
    assert.deepEqual(await change('z.yaml', undefined), ['m.yaml']);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.three']);
  });

  it('is joined with others of its kind', async () => {
    const both = { 'a.yaml': definition('one'), 'b.yaml': definition('two', 'Cluster'), 'm.yaml': widget };
    const { session, change } = await sessionOver(both);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.one', 'spec.two', 'spec.three']);
    await change('a.yaml', undefined);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.two', 'spec.three']);
  });

  it('applies immediately to open files while it is edited', async () => {
    const { session, source } = await sessionOver({ 'a.yaml': definition('one'), 'm.yaml': widget });
    const [crd, cr] = [`${benchFolder}/a.yaml`, `${benchFolder}/m.yaml`];
    session.workspace.edit(cr, widget);
    session.workspace.edit(crd, definition('two'));
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.two', 'spec.three']);
    await session.workspace.refresh(source, [{ uri: crd, gone: false }]);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.two', 'spec.three']);
    session.workspace.close(crd);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.one', 'spec.three']);
    session.workspace.edit(`git:${crd.slice(5)}`, definition('two'), true);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.one', 'spec.three']);
  });

  it('never causes a finding about its selectors, and leaves open what its controller creates', async () => {
    const broken = widget.replace('one: {}', 'one: { matchLabels: { app: nobody } }').replace(', namespace: shop', '');
    const texts = { 'a.yaml': definition('one'), 'm.yaml': broken, 'p.yaml': pod };
    const { session } = await sessionOver(texts);
    const file = session.snapshot().files.get(`${benchFolder}/m.yaml`) ?? assert.fail();
    assert.deepEqual(
      session.check(file, () => broken),
      [],
    );
    const [scope] = session.snapshot().scopes().of(file.uri);
    assert.ok(scope !== undefined && scope.closed !== true);
    assert.match(scope.closed.openBecause.join('\n'), /contains the kind Widget/);
  });

  it('determines whether its objects have a namespace', async () => {
    const { session } = await sessionOver({ 'm.yaml': widget, 'z.yaml': definition('one', 'Cluster') });
    const file = session.snapshot().files.get(`${benchFolder}/m.yaml`) ?? assert.fail();
    assert.deepEqual(
      session.check(file, () => widget).map(({ rule }) => rule),
      ['namespace-on-cluster-scoped'],
    );
  });

  it('yields to what the team itself says', async () => {
    const kinds =
      'catalogue: [{ group: example.com, kind: Widget, selectors: [{ path: spec.two, form: labelSelector }] }]\n';
    const { session, change } = await sessionOver({
      '.selector-lens.yaml': kinds,
      'a.yaml': definition('one'),
      'm.yaml': widget,
    });
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.two']);
    await change('.selector-lens.yaml', undefined);
    assert.deepEqual(sitesIn(session, 'm.yaml'), ['spec.one', 'spec.three']);
  });

  it('is restored from the cache, with later changes', async () => {
    let kept: StoredFiles | undefined;
    const cache: Cache = {
      read: async () => kept,
      write: async (stored) => {
        kept = structuredClone(stored);
      },
    };
    const texts = { 'm.yaml': widget, 'p.yaml': pod, 'z.yaml': definition('one') };
    const stats = (name: string) => ({ size: name.length, modified: 1 });
    const open = async (files: Readonly<Record<string, string>>) => {
      const session = new Session({ catalogue, log: new TestLog(), cacheOf: () => cache });
      const source = new CountedFiles(Object.entries(files).map(([name, text]) => [`${benchFolder}/${name}`, text]));
      const stat = (uri: string) => ({ ...stats(source.texts.get(uri) ?? ''), modified: 1 });
      const read = source.read.bind(source);
      source.read = async (uris, most) =>
        (await read(uris, most)).map((each, at) => ('text' in each ? { ...each, stat: stat(uris[at] ?? '') } : each));
      source.stat = async (uris) => uris.map((uri) => (source.texts.has(uri) ? stat(uri) : undefined));
      await session.workspace.load(
        source,
        [benchFolder],
        () => undefined,
        () => false,
      );
      await session.workspace.saved();
      return { sites: sitesIn(session, 'm.yaml'), asked: source.asked };
    };
    assert.deepEqual((await open(texts)).sites, ['spec.one', 'spec.three']);
    assert.deepEqual(await open(texts), { sites: ['spec.one', 'spec.three'], asked: [] });
    const changed = { ...texts, 'z.yaml': `${definition('two')}# later\n` };
    assert.deepEqual(await open(changed), { sites: ['spec.two', 'spec.three'], asked: ['z.yaml', 'm.yaml'] });
    const { 'z.yaml': _, ...gone } = texts;
    assert.deepEqual(await open(gone), { sites: ['spec.three'], asked: ['m.yaml'] });
  });
});
