/**
 * Tests that the templates of a chart are parsed with the facts of its other files, in any order and after any changes.
 */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Value } from '../../server/src/engine/index.ts';
import { Session } from '../../server/src/session.ts';
import type { ReadText } from '../../server/src/workspace/live/load.ts';
import type { Cache, StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { benchFolder, TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

/** Counts the files that are read, and provides the size and age of each. */
class CountedFiles extends MemoryFiles {
  readonly asked: string[] = [];
  override async read(uris: readonly string[], maximumBytes: number): Promise<readonly ReadText[]> {
    this.asked.push(...uris.map((uri) => uri.slice(benchFolder.length + 1)));
    const stats = await this.stat(uris);
    const texts = await super.read(uris, maximumBytes);
    return texts.map((each, index) => {
      const stat = stats[index];
      return 'text' in each && stat !== undefined ? { ...each, stat } : each;
    });
  }
}

type Texts = Readonly<Record<string, string>>;

async function sessionOver(texts: Texts, cache?: Cache) {
  const log = new TestLog();
  const session = new Session({ catalogue, log, ...(cache && { cacheOf: () => cache }) });
  const source = new CountedFiles(Object.entries(texts).map(([name, text]) => [`${benchFolder}/${name}`, text]));
  await session.workspace.load(
    source,
    [benchFolder],
    () => undefined,
    () => false,
  );
  await session.workspace.saved();
  const uriOf = (name: string) => `${benchFolder}/${name}`;
  return {
    session,
    source,
    log,
    /** The known labels of the first object in a file. */
    labels: (name: string) => shown(session, uriOf(name)),
    async change(name: string, text: string | undefined) {
      if (text === undefined) source.texts.delete(uriOf(name));
      else source.texts.set(uriOf(name), text);
      source.asked.length = 0;
      await session.workspace.refresh(source, [{ uri: uriOf(name), gone: text === undefined }]);
      return source.asked.toSorted();
    },
    edit: (name: string, text: string) => session.workspace.edit(uriOf(name), text),
    close: (name: string) => session.workspace.close(uriOf(name)),
    async catchUp() {
      source.asked.length = 0;
      await session.workspace.refresh(source, []);
      return source.asked.toSorted();
    },
  };
}

function shown(session: Session, uri: string): string {
  const labels = session.snapshot().files.get(uri)?.manifest.objects[0]?.labels;
  const entries = (labels?.entries ?? []).map(({ key, value, conditional }) => {
    return `${key.text}=${textOf(value.value)}${conditional ? '?' : ''}`;
  });
  return [...entries, ...(labels?.open ? ['...'] : [])].join(' ');
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value.assumed === undefined ? value.unknown : `${value.unknown}(${value.assumed})`;
}

const chart = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
const helper = (name: string, lines: string) => `{{- define "${name}" -}}\n${lines}\n{{- end }}\n`;
const pod = (labels: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    ${labels}\n`;
const including = (name: string) => pod(`{{- include "${name}" . | nindent 4 }}`);

const shop: Texts = {
  'shop/Chart.yaml': chart('shop'),
  'shop/values.yaml': 'tier: web\n',
  'shop/templates/_helpers.tpl': helper('labels', 'app: {{ .Chart.Name }}\ntier: {{ .Values.tier }}'),
  'shop/templates/pod.yaml': including('labels'),
  'other/Chart.yaml': chart('other'),
  'other/templates/pod.yaml': including('labels'),
};

const read = 'app={{ .Chart.Name }}(shop) tier={{ .Values.tier }}(web)';

describe('the templates of a chart', () => {
  it('are parsed with its helpers, values and name, without those of another chart', async () => {
    const { labels } = await sessionOver(shop);
    assert.equal(labels('shop/templates/pod.yaml'), read);
    assert.equal(labels('other/templates/pod.yaml'), '...');
  });

  it('are parsed in this way in any order of files', async () => {
    const names = Object.keys(shop);
    for (const [index] of names.entries()) {
      const order = [...names.slice(index), ...names.slice(0, index)];
      const { change, labels } = await sessionOver({});
      for (const name of order) await change(name, shop[name]);
      assert.equal(labels('shop/templates/pod.yaml'), read, order.join(', '));
    }
  });

  it('are parsed once each when the workspace is loaded', async () => {
    const { source } = await sessionOver(shop);
    assert.deepEqual(source.asked.toSorted(), Object.keys(shop).toSorted());
  });

  it('are the only files parsed again if a helper, a value or the name changes', async () => {
    const { change, labels } = await sessionOver(shop);
    const anew = (file: string) => [file, 'shop/templates/pod.yaml'].toSorted();
    const helpers = 'shop/templates/_helpers.tpl';
    assert.deepEqual(await change(helpers, helper('labels', 'a: b')), anew(helpers));
    assert.equal(labels('shop/templates/pod.yaml'), 'a=b');
    assert.deepEqual(await change(helpers, shop[helpers]), anew(helpers));
    assert.deepEqual(await change('shop/values.yaml', 'tier: back\n'), anew('shop/values.yaml'));
    assert.equal(labels('shop/templates/pod.yaml'), 'app={{ .Chart.Name }}(shop) tier={{ .Values.tier }}(back)');
    assert.deepEqual(await change('shop/values.yaml', '# the same\ntier: back\n'), ['shop/values.yaml']);
    await change('shop/Chart.yaml', undefined);
    assert.equal(labels('shop/templates/pod.yaml'), '...');
  });

  it('follow edits of a helper, immediately if they are open', async () => {
    const { edit, close, labels, catchUp } = await sessionOver(shop);
    edit('shop/templates/_helpers.tpl', helper('labels', 'a: b'));
    assert.equal(labels('shop/templates/pod.yaml'), read);
    assert.deepEqual(await catchUp(), ['shop/templates/pod.yaml']);
    assert.equal(labels('shop/templates/pod.yaml'), 'a=b');
    edit('shop/templates/pod.yaml', shop['shop/templates/pod.yaml'] ?? '');
    edit('shop/templates/_helpers.tpl', helper('labels', 'a: c'));
    assert.equal(labels('shop/templates/pod.yaml'), 'a=c');
    close('shop/templates/_helpers.tpl');
    assert.equal(labels('shop/templates/pod.yaml'), read);
  });

  it('come from a cache as long as their chart is unchanged', async () => {
    let stored: StoredFiles | undefined;
    const cache: Cache = {
      read: async () => stored,
      async write(files) {
        stored = files;
      },
    };
    await sessionOver(shop, cache);
    const again = await sessionOver(shop, cache);
    assert.ok(!again.source.asked.includes('shop/templates/pod.yaml'));
    assert.equal(again.labels('shop/templates/pod.yaml'), read);
    const changed = await sessionOver({ ...shop, 'shop/values.yaml': 'tier: other\n' }, cache);
    assert.equal(
      changed.labels('shop/templates/pod.yaml'),
      'app={{ .Chart.Name }}(shop) tier={{ .Values.tier }}(other)',
    );
  });

  it('are filled with values, which are a manifest while there is no chart', async () => {
    const values = 'kind: Pod\napiVersion: v1\nmetadata: { name: web, labels: { app: web } }\n';
    const chart = 'apiVersion: v2\nname: shop\n';
    const { session, change } = await sessionOver({ 'shop/values.yaml': values, 'shop/Chart.yaml': chart });
    const objects = () => session.snapshot().files.get(`${benchFolder}/shop/values.yaml`)?.objects;
    assert.equal(objects(), 0);
    await change('shop/Chart.yaml', undefined);
    assert.equal(objects(), 1);
    await change('shop/Chart.yaml', chart);
    assert.equal(objects(), 0);
  });

  it('create sites of labels in values, in any order of files', async () => {
    const texts: Texts = {
      'shop/Chart.yaml': chart('shop'),
      'shop/values.yaml': 'more: { a: b }\nother: { a: b }\n',
      'shop/values-prod.yaml': 'more: { c: d }\n',
      'shop/templates/pod.yaml': pod('{{- toYaml .Values.more | nindent 4 }}'),
      'else/values.yaml': 'more: { a: b }\n',
    };
    const sites = (session: Session) =>
      ['shop/values.yaml', 'shop/values-prod.yaml', 'else/values.yaml'].map((name) => {
        const objects = session.snapshot().files.get(`${benchFolder}/${name}`)?.manifest.objects ?? [];
        return objects.flatMap(({ labelSites }) => labelSites.map(({ path, entries }) => `${path} ${entries.length}`));
      });
    const names = Object.keys(texts);
    for (const [index] of names.entries()) {
      const { change, session } = await sessionOver({});
      for (const name of [...names.slice(index), ...names.slice(0, index)]) await change(name, texts[name]);
      assert.deepEqual(sites(session), [['metadata.labels 1'], ['metadata.labels 1'], []]);
      await change('shop/templates/pod.yaml', pod('{{- toYaml .Values.other | nindent 4 }}'));
      assert.deepEqual(sites(session), [['metadata.labels 1'], [], []]);
    }
    assert.deepEqual(sites((await sessionOver(texts)).session), [['metadata.labels 1'], ['metadata.labels 1'], []]);
  });

  it('report once, with the position, what cannot be parsed or found', async () => {
    const { log, labels, change } = await sessionOver({
      'shop/Chart.yaml': chart('shop'),
      'shop/templates/a.yaml': pod('{{ if .Values.on }}\n    a: b\n    c: {{ include "gone" . }}'),
      'shop/templates/b.yaml': pod('a: {{ include "gone" . }}'),
    });
    const expected = [
      'file:///work/shop/templates/a.yaml:6: the template has no `end`.',
      "file:///work/shop/templates/a.yaml:8: the template includes the helper 'gone', which is not in the workspace.",
    ];
    const told = () => log.described.filter((each) => each.includes('the template'));
    assert.deepEqual(told(), expected);
    assert.equal(labels('shop/templates/a.yaml'), 'a=b c={{ include "gone" . }}');
    await change('shop/templates/b.yaml', pod('x: {{ include "gone" . }}'));
    assert.deepEqual(told(), expected);
  });

  it('whose names begin with an underscore contain no objects', async () => {
    const { session } = await sessionOver({ ...shop, 'shop/templates/_pod.yaml': pod('a: b') });
    assert.equal(session.snapshot().files.get(`${benchFolder}/shop/templates/_pod.yaml`)?.objects, 0);
  });
});

describe('charts that are installed together', () => {
  const together: Texts = {
    'shop/Chart.yaml': chart(
      'shop',
      'dependencies:\n  - { name: redis, alias: cache, version: 1 }\n  - { name: common, version: 1, repository: "file://../common" }\n',
    ),
    'shop/values.yaml': 'global: { team: blue }\ncache: { tier: fast }\n',
    'shop/templates/pod.yaml': pod('tier: {{ .Values.cache.tier }}'),
    'shop/charts/redis/Chart.yaml': chart('redis'),
    'shop/charts/redis/values.yaml': 'tier: slow\nsize: small\n',
    'shop/charts/redis/templates/_helpers.tpl':
      helper('shared', 'from: redis') +
      helper(
        'own',
        'app: {{ .Chart.Name }}\ntier: {{ .Values.tier }}\nsize: {{ .Values.size }}\nteam: {{ .Values.global.team }}',
      ),
    'shop/charts/redis/templates/pod.yaml': including('own'),
    'shop/charts/redis/templates/shared.yaml': including('shared'),
    'common/Chart.yaml': chart('common', 'type: library\n'),
    'common/templates/_library.tpl': helper('library', 'lib: {{ .Chart.Name }}') + helper('shared', 'from: common'),
    'shop/templates/library.yaml': including('library'),
  };

  it('share their helpers, and a value has one name in all of them', async () => {
    const { labels } = await sessionOver(together);
    assert.equal(labels('shop/templates/pod.yaml'), 'tier={{ .Values.cache.tier }}(fast)');
    assert.equal(
      labels('shop/charts/redis/templates/pod.yaml'),
      [
        'app={{ .Subcharts.cache.Chart.Name }}(cache)',
        'tier={{ .Values.cache.tier }}(fast)',
        'size={{ .Values.cache.size }}(small)',
        'team={{ .Values.global.team }}(blue)',
      ].join(' '),
    );
    assert.equal(labels('shop/templates/library.yaml'), 'lib={{ .Chart.Name }}(shop)');
  });

  it('use the helper of the outer chart if two have one name, otherwise the first by name', async () => {
    const { labels, change } = await sessionOver(together);
    assert.equal(labels('shop/charts/redis/templates/shared.yaml'), 'from=redis');
    await change('shop/templates/_own.tpl', helper('shared', 'from: shop'));
    assert.equal(labels('shop/charts/redis/templates/shared.yaml'), 'from=shop');
  });

  it('may contain two charts that need a third one', async () => {
    const { labels } = await sessionOver({
      'a/Chart.yaml': chart('a', 'dependencies: [{ name: base, repository: "file://../base" }]\n'),
      'b/Chart.yaml': chart('b', 'dependencies: [{ name: base, repository: "file://../base" }]\n'),
      'a/values.yaml': 'base: { tier: a }\n',
      'b/values.yaml': 'base: { tier: b }\n',
      'base/Chart.yaml': chart('base'),
      'base/values.yaml': 'tier: own\n',
      'base/templates/pod.yaml': pod('tier: {{ .Values.tier }}'),
    });
    assert.equal(labels('base/templates/pod.yaml'), 'tier={{ .Values.tier }}(own)');
  });
});
