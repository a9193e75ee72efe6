/** Tests the findings of `check`, their positions and the exit codes. */
import assert from 'node:assert/strict';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

interface Report {
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
  readonly summary: Readonly<Record<string, unknown>>;
}

async function report(words: readonly string[], files: Parameters<typeof runInMemory>[1]): Promise<Report> {
  const { json } = await runInMemory(['check', '--format', 'json', ...words], files);
  return json as Report;
}

const files = { 'prices.yaml': badPrices, 'app/web.yaml': web, 'app/deep/service.yaml': service };

describe('an object without a kind', () => {
  it('is reported if it is alone in its file, too', async () => {
    const files = { 'a.yaml': 'apiVersion: v1\nmetadata: { name: prices }\ndata: { currency: EUR }\n' };
    for (const words of [['check'], ['check', 'a.yaml']]) {
      const { code, out } = await runInMemory(words, { files });
      assert.equal(code, 1);
      assert.match(out[0] ?? '', /^a\.yaml:1:13: error: This object has no `kind`/);
    }
  });

  it('is reported in JSON as well', async () => {
    const files = { 'a.json': '{"apiVersion":"apps/v1","metadata":{"name":"a"},"spec":{"replicas":1}}' };
    const { code, out } = await runInMemory(['check'], { files });
    assert.equal(code, 1);
    assert.match(out[0] ?? '', /^a\.json:1:15: error: This object has no `kind`/);
  });

  it('is not reported in values, patches and the files of other tools', async () => {
    const patch = 'apiVersion: v1\nmetadata: { name: web, labels: { tier: front } }\n';
    const { code, out } = await runInMemory(['check'], {
      files: {
        'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
        'chart/values.yaml': 'apiVersion: apps/v1\nmetadata: { name: x }\nspec: { replicas: 1 }\n',
        'shop/kustomization.yaml': 'resources: [web.yaml]\npatches: [{ path: patch.yaml, target: { kind: Pod } }]\n',
        'shop/web.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web }] }\n',
        'shop/patch.yaml': patch,
        'compose.yaml': 'services:\n  web: { image: nginx, labels: { app: web } }\n',
        'datasources.yaml': 'apiVersion: 1\ndatasources: [{ name: x }]\n',
        'skaffold.yaml': 'apiVersion: skaffold/v4beta1\nmetadata: { name: x }\nbuild: {}\n',
        'kubeconfig.yaml': 'apiVersion: v1\nclusters: []\ncontexts: []\n',
        'values-prod.yaml': 'metadata: { labels: { app: web } }\nspec: { selector: { app: web } }\n',
      },
    });
    assert.deepEqual([code, out.filter((line) => line.includes('kind'))], [0, []]);
  });
});

describe('check as text', () => {
  it('begins each finding with its position, and ends with the counts', async () => {
    const { code, out, err } = await runInMemory(['check'], { files });
    assert.equal(code, 1);
    assert.deepEqual(err, []);
    const heads = out.filter((line) => /^\S/.test(line));
    assert.equal(heads.length, 4);
    assert.match(heads[0] ?? '', /^prices\.yaml:6:12: error: .+ \[label-value-syntax\]$/);
    assert.match(heads[1] ?? '', /^prices\.yaml:7:5: error: .+ \[label-key-syntax\]$/);
    assert.match(heads[2] ?? '', /^prices\.yaml:7:13: error: .+ \[label-value-syntax\]$/);
    assert.equal(heads[3], '3 errors in 3 objects, 3 files.');
  });

  it('reports that there are no findings, and exits with 0', async () => {
    const { code, out } = await runInMemory(['check'], { files: { 'web.yaml': web, 'notes.yaml': 'a: b\n' } });
    assert.equal(code, 0);
    assert.deepEqual(out, ['No problems in 1 object, 1 file.']);
  });

  it('names the templates that could not be parsed completely, except templates of charts', async () => {
    const template = `${web}{{ if .Values.more }}\n- a: b\n{{ end }}\n`;
    const chart = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'chart/templates/web.yaml': template,
    };
    const { code, out } = await runInMemory(['check'], {
      files: { 'web.yaml': template, 'prices.yaml': goodPrices, ...chart },
    });
    const line = 'web.yaml: YAML syntax error; the rest of the file was checked only in part';
    assert.deepEqual({ code, out }, { code: 0, out: [line, 'No problems in 3 objects, 3 files.'] });
  });

  it('reports a manifest that cannot be parsed in every format and in the exit code', async () => {
    const broken = { 'web.yaml': web.replace('tier: front', 'tier: "front') };
    const { code, out } = await runInMemory(['check'], { files: broken });
    assert.equal(code, 1);
    assert.equal(
      out[0],
      'web.yaml:8:11: error: YAML syntax error: missing closing "; kubectl rejects this document. [syntax-error]',
    );
    assert.equal(out.at(-1), '1 error in 1 object, 1 file.');
    for (const { name: format } of checkFormats) {
      const shown = await runInMemory(['check', '--format', format], { files: broken });
      assert.equal(shown.code, 1, format);
      assert.match(shown.out.join('\n'), /syntax-error/, format);
    }
  });

  it('reports a manifest without any valid content', async () => {
    const nothing = 'apiVersion: v1\nkind: @Pod@\n\t{\n';
    for (const words of [['check'], ['check', 'a.yaml'], ['check', '-']]) {
      const options = { files: { 'a.yaml': nothing }, standardInput: { text: nothing } };
      const { code, err, out } = await runInMemory(words, options);
      assert.deepEqual({ code, err }, { code: 1, err: [] });
      assert.match(out[0] ?? '', /:3:2: error: YAML syntax error: .+ \[syntax-error\]$/);
    }
  });

  it('checks values that templates write into objects', async () => {
    const template =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: {{- toYaml .Values.labels | nindent 4 }}\nspec: {containers: [{name: web}]}\n';
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/pod.yaml': template,
      'chart/values.yaml': 'labels:\n  app: a b\n',
    };
    for (const path of ['.', 'chart/values.yaml']) {
      const { code, out } = await runInMemory(['check', path], { files });
      assert.equal(code, 1);
      assert.match(out[0] ?? '', /^chart\/values\.yaml:2:8: error: .+ \[label-value-syntax\]$/);
    }
  });

  it('checks kustomizations, which contain no objects', async () => {
    const kustomization = 'resources:\n  - web.yaml\n  - gone.yaml\n';
    const { code, out } = await runInMemory(['check', '--severity', 'warning'], {
      files: { 'web.yaml': web, 'kustomization.yaml': kustomization },
    });
    assert.equal(code, 1);
    assert.match(out[0] ?? '', /^kustomization\.yaml:3:5: warning: .+ \[kustomize-resource-missing\]$/);
    assert.equal(out.at(-1), '1 warning in 1 object, 1 file.');
  });

  it('reads a file again only for a finding or a suppression in it', async () => {
    const silent = goodPrices.replace('metadata', '# selector-lens-disable-file name-syntax\nmetadata');
    const templated = goodPrices.replace('  name: prices', '  name: prices\n{{ if .x }}\n  namespace: a\n{{ end }}');
    const { readAgain } = await runInMemory(['check'], {
      files: { ...files, 'good.yaml': goodPrices, 'silent.yaml': silent, 'templated.yaml': templated },
    });
    assert.deepEqual(readAgain, ['prices.yaml', 'silent.yaml']);
  });

  it('names the skipped files', async () => {
    const { code, out } = await runInMemory(['check'], { files: { 'web.yaml': { skipped: 'it is not text' } } });
    assert.equal(code, 0);
    assert.deepEqual(out, [
      'web.yaml: skipped: it is not text',
      'No Kubernetes objects are written in the given paths.',
    ]);
  });

  it('names a skipped file that was requested', async () => {
    const skipped = { 'cold.yaml': { skipped: 'it is cold' }, 'a/dark.yaml': { skipped: 'it is dark' } };
    const { out } = await runInMemory(['check', 'a'], { files: { 'a/web.yaml': web, ...skipped } });
    assert.deepEqual(out, ['a/dark.yaml: skipped: it is dark', 'No problems in 1 object, 1 file.']);
    const listed = await runInMemory(['match', '-l', 'app=web', 'a'], { files: { 'a/web.yaml': web, ...skipped } });
    assert.deepEqual(listed.err, ['selector-lens: a/dark.yaml was skipped: it is dark.']);
  });

  it('reports nothing as missing that a skipped file may contain', async () => {
    const pod =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: websites}}\nspec: {containers: [{name: web}]}\n';
    const lonely = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: website}}\n';
    const files = { 'pod.yaml': pod, 'service.yaml': lonely };
    const warned = await runInMemory(['check'], { files });
    assert.match(
      warned.out[0] ?? '',
      /^service\.yaml:4:24: warning: This selector matches no object .+ \[selects-nothing\]$/,
    );
    const { out } = await runInMemory(['check'], { files: { ...files, 'more.yaml': { skipped: 'it is cold' } } });
    assert.deepEqual(out, ['more.yaml: skipped: it is cold', 'No problems in 2 objects, 2 files.']);
    const chart = { 'Chart.yaml': 'name: web\n', 'templates/pod.yaml': pod, 'templates/service.yaml': lonely };
    assert.equal((await runInMemory(['check'], { files: chart })).out.at(-1), '1 warning in 2 objects, 2 files.');
    const serialized = await runInMemory(['check'], { files: { ...chart, 'charts/redis-1.0.0.tgz': '\x1f\x8b' } });
    // The objects of a packaged chart have their own labels: they are no evidence against a unique near miss.
    assert.equal(serialized.out.at(-1), '1 warning in 2 objects, 2 files.');
  });
});

describe('check as JSON', () => {
  it('has the documented shape', async () => {
    const { diagnostics, summary } = await report([], { files: { ...files, 'bad.yaml': { skipped: 'it is cold' } } });
    assert.deepEqual(Object.keys(diagnostics[0] ?? {}), [
      'rule',
      'severity',
      'message',
      'file',
      'range',
      'related',
      'fixable',
      'object',
      'fingerprint',
      'fixes',
      'url',
    ]);
    // test/cli/formats.test.ts tests the edits.
    const { message, fixes: _, fingerprint, ...rest } = diagnostics[0] ?? {};
    assert.match(String(message), /\bmust\b/);
    assert.match(String(fingerprint), /^[0-9a-f]{16}$/);
    assert.deepEqual(rest, {
      rule: 'label-value-syntax',
      severity: 'error',
      file: 'prices.yaml',
      range: { start: { line: 6, column: 12 }, end: { line: 6, column: 21 } },
      related: [],
      fixable: true,
      object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'prices' },
      url: 'https://github.com/selector-lens/selector-lens/blob/main/docs/rules/label-value-syntax.md',
    });
    assert.deepEqual(summary, {
      files: 3,
      objects: 3,
      error: 3,
      warning: 0,
      information: 0,
      hint: 0,
      skipped: [{ file: 'bad.yaml', reason: 'it is cold' }],
    });
  });

  it('counts lines and columns from 1, columns in UTF-16 units', async () => {
    const { diagnostics } = await report(['prices.yaml'], { files });
    assert.deepEqual(diagnostics.at(-1)?.['range'], {
      start: { line: 7, column: 13 },
      end: { line: 7, column: 17 },
    });
  });

  it('is equal for lines that end in CRLF', async () => {
    const crlf = { 'prices.yaml': badPrices.replaceAll('\n', '\r\n') };
    const { diagnostics } = await report([], { files: crlf });
    const expected = await report(['prices.yaml'], { files });
    // Text that a fix inserts has the line ends of the file.
    const withPlainEnds = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('\\r\\n', '\\n'));
    assert.deepEqual(withPlainEnds(diagnostics), expected.diagnostics);
  });

  it('reports that an empty folder contains nothing to check', async () => {
    const { code, err } = await runInMemory(['check', '--format', 'json'], { files: {} });
    assert.deepEqual({ code, err }, { code: 2, err: ['selector-lens: No Kubernetes objects in the given paths.'] });
    const { diagnostics, summary } = await report([], { files: {} });
    assert.deepEqual(diagnostics, []);
    assert.equal(summary['files'], 0);
  });
});

describe('the exit code of check', () => {
  const warned = { 'widget.yaml': badPrices.replace('v1', 'example.com/v1').replace('ConfigMap', 'Widget') };

  it('is 1 for findings at or above the severity, otherwise 0', async () => {
    const quoted = { 'prices.yaml': goodPrices.replace('tier: data', 'tier: 1.10') };
    for (const [severity, code] of Object.entries({ error: 1, warning: 1, information: 1, hint: 1 })) {
      assert.equal((await runInMemory(['check', '--severity', severity], { files: quoted })).code, code, severity);
    }
    assert.equal((await runInMemory(['check'], { files: { 'prices.yaml': goodPrices } })).code, 0);
  });

  it('does not depend on the format', async () => {
    for (const format of ['text', 'json']) {
      assert.equal((await runInMemory(['check', '--format', format], { files })).code, 1, format);
      assert.equal((await runInMemory(['check', 'app', '--format', format], { files })).code, 0, format);
    }
  });

  it('depends on the reported files, not on their neighbors', async () => {
    assert.equal((await runInMemory(['check', 'app/web.yaml'], { files })).code, 0);
    assert.equal((await runInMemory(['check', 'app/web.yaml', 'prices.yaml'], { files })).code, 1);
    assert.equal((await runInMemory(['check', 'widget.yaml'], { files: { ...files, ...warned } })).code, 1);
  });
});

describe('the paths of check', () => {
  const reported = async (words: readonly string[], options: Parameters<typeof runInMemory>[1]) => {
    const { diagnostics, summary } = await report(words, options);
    return { files: [...new Set(diagnostics.map(({ file }) => file))], seen: summary['files'] };
  };

  it('are files and folders, relative or absolute', async () => {
    const everywhere = { 'a/one.yaml': badPrices, 'a/b/two.yaml': badPrices, 'c/three.yaml': badPrices };
    const ask = (...paths: string[]) => reported(paths, { files: everywhere });
    assert.deepEqual(await ask(), { files: ['a/b/two.yaml', 'a/one.yaml', 'c/three.yaml'], seen: 3 });
    assert.deepEqual(await ask('a'), { files: ['a/b/two.yaml', 'a/one.yaml'], seen: 2 });
    assert.deepEqual(await ask('./a/b/', 'c'), { files: ['a/b/two.yaml', 'c/three.yaml'], seen: 2 });
    assert.deepEqual(await ask('/home/ada/shop/c/three.yaml'), { files: ['c/three.yaml'], seen: 1 });
    assert.deepEqual(await ask('a', 'a/one.yaml', 'a/../a'), { files: ['a/b/two.yaml', 'a/one.yaml'], seen: 2 });
  });

  it('are shown relative to the current folder, also above it', async () => {
    const options = { files: { '/home/ada/other/x.yaml': badPrices }, repositories: ['/home/ada'] };
    assert.deepEqual((await reported(['../other'], options)).files, ['../other/x.yaml']);
  });

  it('may be in several repositories', async () => {
    const options = {
      files: { '/home/ada/other/x.yaml': badPrices, 'y.yaml': badPrices },
      repositories: ['/home/ada/other', '/home/ada/shop'],
    };
    assert.deepEqual(await reported(['.', '../other'], options), { files: ['../other/x.yaml', 'y.yaml'], seen: 2 });
  });

  it('may be outside of the root', async () => {
    const options = { files: { 'a/x.yaml': badPrices, 'b/y.yaml': badPrices, 'c/z.yaml': badPrices } };
    assert.deepEqual(await reported(['--root', 'a', 'b', 'c/z.yaml'], options), {
      files: ['b/y.yaml', 'c/z.yaml'],
      seen: 2,
    });
  });

  it('are read whatever their names and locations are if they are named', async () => {
    const odd = { 'notes.txt': badPrices, 'node_modules/x/y.yaml': badPrices };
    assert.deepEqual(await reported([], { files: odd }), { files: [], seen: 0 });
    assert.deepEqual((await reported(['notes.txt', 'node_modules/x/y.yaml'], { files: odd })).files, [
      'node_modules/x/y.yaml',
      'notes.txt',
    ]);
  });

  it('may be standard input, which is a separate scope', async () => {
    const given = await report(['-'], { files, standardInput: { text: badPrices } });
    assert.deepEqual([...new Set(given.diagnostics.map(({ file }) => file))], ['-']);
    assert.equal(given.summary['objects'], 1);
  });

  it('follow the word --, whatever they look like', async () => {
    const odd = { '--format': badPrices };
    const { code, out } = await runInMemory(['check', '--', '--format'], { files: odd });
    assert.equal(code, 1);
    assert.match(out[0] ?? '', /^--format:6:12: /);
  });
});
