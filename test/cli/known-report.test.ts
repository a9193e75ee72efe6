/** Tests that a check uses the findings of an earlier run if they are still right, and only then. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { campaignRuns } from '../campaigns/scale.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { type MemoryOptions, runInMemory } from './memory-world.ts';

const files = { 'bad.yaml': badPrices, 'app/web.yaml': web, 'app/service.yaml': service };

/** Runs the same twice, the second time where reading the files would be noticed. */
async function twice(words: readonly string[], second: MemoryOptions['files'] = files, again = words) {
  const caches = new Map<string, StoredFiles>();
  const first = await runInMemory(words, { files, caches });
  const failure = new Error('everything is read again');
  const unread = await runInMemory(again, { files: second, caches, failure });
  const fresh = await runInMemory(again, { files: second });
  return { first, fresh, unread, isKnown: !unread.err.some((line) => line.includes(failure.message)) };
}

describe('a second check', () => {
  for (const { name: format } of checkFormats) {
    it(`says the same without reading a file, as ${format}`, async () => {
      const { first, unread, isKnown } = await twice(['check', '--format', format]);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out, unread.err], [first.code, first.out, first.err]);
    });
  }

  it('says it in another format, by another severity, and less a baseline', async () => {
    for (const words of [
      ['check', '--format', 'json'],
      ['check', '--severity', 'hint'],
    ]) {
      const { fresh, unread, isKnown } = await twice(['check'], files, words);
      assert.ok(isKnown);
      assert.deepEqual([unread.code, unread.out], [fresh.code, fresh.out]);
    }
  });

  it('reads where a file has changed, came or went', async () => {
    const { 'bad.yaml': _, ...fewer } = files;
    const changes = [
      { ...files, 'bad.yaml': goodPrices },
      { ...files, 'app/new.yaml': goodPrices },
      { ...files, '.selector-lens.yaml': 'rules: {}\n' },
      fewer,
    ];
    for (const second of changes) assert.equal((await twice(['check'], second)).isKnown, false);
  });

  it('reads where something else is asked', async () => {
    for (const words of [
      ['check', 'app'],
      ['check', '--root', 'app', 'app'],
      ['check', '-n', 'other'],
      ['check', 'bad.yaml'],
      ['check', '--no-cache'],
      ['check', '--fix'],
      ['match', '-l', 'a'],
    ]) {
      assert.equal((await twice(['check'], files, words)).isKnown, false, words.join(' '));
    }
  });

  it('is known right after the files were written, and reads them no longer once they are older', async () => {
    const caches = new Map<string, StoredFiles>();
    const failure = new Error('everything is parsed again');
    const first = await runInMemory(['check'], { files, caches, fresh: true });
    const young = await runInMemory(['check'], { files, caches, fresh: true, failure });
    assert.deepEqual([young.code, young.out, young.err], [first.code, first.out, first.err]);
    const header = [...caches].find(([name]) => name.startsWith('report'))?.[1].header;
    assert.ok(header?.includes('bad.yaml'));
  });

  it('sees that a file changed right after it was read, though it kept its size and time', async () => {
    const caches = new Map<string, StoredFiles>();
    await runInMemory(['check'], { files, caches, fresh: true });
    const changed = { ...files, 'bad.yaml': files['bad.yaml'].replace(/.$/m, 'x') };
    const cached = await runInMemory(['check'], { files: changed, caches, fresh: true });
    const anew = await runInMemory(['check'], { files: changed });
    assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
  });

  it('prints after any changes what a check without a cache prints', async () => {
    const small = [...Object.entries(related), ...Object.entries(files)];
    const large = [...small, ...generateFiles(24).map(({ path, text }) => [path, text] as const)];
    // In a small workspace most changes concern other files.
    const pools = fc.constantFrom(small, small, small, small, large);
    const changeOf = (kinds: readonly string[]) =>
      fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
    // Half of the steps only make changes that other files rarely distinguish: then findings are used again.
    const changes = fc.oneof(
      fc.array(changeOf(changeKinds), { minLength: 1, maxLength: 3 }),
      fc.array(changeOf(quietKinds), { minLength: 1, maxLength: 3 }),
    );
    const step = fc.record({ changes, fresh: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(pools, fc.array(step, { minLength: 1, maxLength: 6 }), async (pool, steps) => {
        const caches = new Map<string, StoredFiles>();
        const now = new Map<string, string>(pool);
        await runInMemory(['check'], { files: Object.fromEntries(now), caches });
        for (const { changes, fresh } of steps) {
          for (const { file, kind, seed } of changes) {
            changeOne(now, pool, file, kind, seed);
          }
          const options = { files: Object.fromEntries(now) };
          const words = ['check', '--format', 'json'];
          const cached = await runInMemory(words, { ...options, caches, fresh });
          const anew = await runInMemory([...words, '--no-cache'], options);
          assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
        }
      }),
      { numRuns: campaignRuns(1_000) },
    );
  }).timeout(3_600_000);

  describe('after a change that other files cannot distinguish', () => {
    /** Checks twice; the files of which findings are reported, or reported again, are read for these findings. */
    async function checkedAfter(change: Readonly<Record<string, string>>, all: Readonly<Record<string, string>>) {
      const caches = new Map<string, StoredFiles>();
      await runInMemory(['check'], { files: all, caches });
      const changed = { ...all, ...change };
      const cached = await runInMemory(['check', '--format', 'json'], { files: changed, caches });
      const anew = await runInMemory(['check', '--format', 'json'], { files: changed });
      assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
      return { cached: [...new Set(cached.readAgain)].sort(), anew: [...new Set(anew.readAgain)].sort() };
    }

    it('checks only the changed file', async () => {
      const comment = { 'app/web.yaml': `# A comment.\n${web}` };
      const { cached, anew } = await checkedAfter(comment, files);
      assert.deepEqual([cached, anew], [[], ['bad.yaml']]);
      const own = await checkedAfter({ 'bad.yaml': `# A comment.\n${badPrices}` }, files);
      assert.deepEqual(own.cached, ['bad.yaml']);
    });

    it('checks a file again whose finding names a place in the changed file', async () => {
      const all: Readonly<Record<string, string>> = { ...related, 'bad.yaml': badPrices };
      const target = 'near/deployment.yaml';
      const { cached, anew } = await checkedAfter({ [target]: `# A comment.\n${all[target]}` }, all);
      assert.ok(cached.includes('near/service.yaml'), cached.join());
      assert.ok(!cached.includes('bad.yaml') && anew.includes('bad.yaml'));
    });

    it('checks every file after a change of a label', async () => {
      const { cached, anew } = await checkedAfter({ 'app/web.yaml': web.replace('tier: pod', 'tier: top') }, files);
      assert.deepEqual(cached, anew);
    });

    it('checks every file if the cache of files is newer than the report', async () => {
      const caches = new Map<string, StoredFiles>();
      const label = { ...files, 'app/service.yaml': service.replace('    app: web\n', '    app: other\n') };
      const comment = { ...label, 'app/service.yaml': `# A comment.\n${label['app/service.yaml']}` };
      await runInMemory(['check'], { files, caches });
      await runInMemory(['objects'], { files: label, caches });
      const cached = await runInMemory(['check', '--format', 'json'], { files: comment, caches });
      const anew = await runInMemory(['check', '--format', 'json'], { files: comment });
      assert.deepEqual([cached.code, cached.out, cached.err], [anew.code, anew.out, anew.err]);
      assert.deepEqual(cached.readAgain, anew.readAgain);
    });
  });

  it('still says that a folder without manifests is hardly meant', async () => {
    const caches = new Map<string, StoredFiles>();
    for (let round = 0; round < 2; round++) {
      const { code, err } = await runInMemory(['check'], { files: { 'a.txt': '' }, caches });
      assert.deepEqual([code, err], [2, ['selector-lens: No Kubernetes objects in the given paths.']]);
    }
  });

  it('is not told what stands beside a finding in a Secret', async () => {
    const secret =
      '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "labels": {"a": "b c"}}, "stringData": {"p": "hunter2"}}';
    const caches = new Map<string, StoredFiles>();
    const { out } = await runInMemory(['check'], { files: { 'secret.json': secret }, caches });
    assert.ok(out.some((line) => line.includes('"b c"')));
    assert.ok(!out.join('\n').includes('hunter2'));
    for (const { header, bytes } of caches.values())
      assert.ok(!`${header}${new TextDecoder().decode(bytes)}`.includes('hunter2'));
  });
});

/** Files with findings that depend on other files, on kustomizations, on a configuration and on values. */
const related: Readonly<Record<string, string>> = {
  'near/deployment.yaml': web.replaceAll('shop', 'near').replace('        tier: pod\n', ''),
  'near/service.yaml': service.replaceAll('shop', 'near').replace(/app: web\n$/, 'app: wbe\n'),
  'built/base/kustomization.yaml': 'resources:\n- deployment.yaml\n- service.yaml\nlabels:\n- pairs:\n    team: red\n',
  'built/base/deployment.yaml': `${web.replaceAll('shop', 'built')}    spec:
      containers:
      - name: web
        image: example.com/web:1.0.0
        ports:
        - name: http
          containerPort: 8080
`,
  'built/base/service.yaml': `${service.replaceAll('shop', 'built')}  ports:
  - name: http
    port: 80
    targetPort: http
`,
  'built/over/kustomization.yaml': `resources:
- ../base
namePrefix: over-
patches:
- path: patch.yaml
images:
- name: example.com/web
  newTag: 2.0.0
configMapGenerator:
- name: settings
  files:
  - settings.json
`,
  'built/over/settings.json': '{"color": "red"}\n',
  'built/over/patch.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: built\nspec:\n  selector:\n    matchLabels:\n      app: webs\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'labels:\n  app: shop\nname: shop\n',
  'chart/templates/service.yaml': `${service.replace('app: web\nspec', '{{- toYaml .Values.labels | nindent 4 }}\nspec')}`,
  'defined/definition.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}}}}}}}}
`,
  'defined/widget.yaml':
    'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  selector:\n    matchLabels:\n      app: "-b"\n',
  '.selector-lens.yaml': 'rules:\n  label-value-syntax: warning\n',
  'run.sh': '#!/bin/sh\nkubectl get pods -l app=web,\n',
};

/** What is changed in a file, by the word that introduces it; the other kinds of changes are about the whole file. */
const edits = {
  image: /(?<=image: \S*:)\S+/g,
  port: /(?<=[pP]ort: )\d+|(?<=- name: )http/g,
  label: /(?<=labels:\n\s+\S+: ?)\S+/g,
  selector: /(?<=(?:matchLabels|selector):\n\s+\S+: ?)\S+/g,
  name: /(?<=\bname: ?)\S+/g,
  namespace: /(?<=namespace: ?)\S+/g,
  word: /[a-z]{3,}/g,
  value: /(?<=: )[\w.-]+$/gm,
} as const;
type Edit = keyof typeof edits;

function isEdit(kind: string): kind is Edit {
  return Object.hasOwn(edits, kind);
}

/** Changes that leave the facts of most files as they are. */
const quietKinds = ['comment', 'comment at the top', 'blank line', 'image', 'suppression', 'none'];

const changeKinds = [
  ...Object.keys(edits),
  ...quietKinds,
  'configuration',
  'kustomization',
  'values',
  'script',
  'delete',
  'restore',
  'move',
];

/** The files that changes of some kinds are about; other changes are about any file. */
const filesOf: Readonly<Record<string, RegExp>> = {
  configuration: /\.selector-lens\.yaml$/,
  kustomization: /kustomization\.yaml$/,
  values: /values\.yaml$|settings\.json$/,
  script: /\.sh$/,
};

/** Makes one change of a kind; `seed` chooses the place. */
function changeOne(
  now: Map<string, string>,
  all: readonly (readonly [path: string, text: string])[],
  file: number,
  kind: string,
  seed: number,
): void {
  const wanted = filesOf[kind];
  const choice = wanted === undefined ? all : all.filter(([path]) => wanted.test(path));
  const [path, original] = choice[file % choice.length] ?? ['', ''];
  const text = now.get(path);
  if (kind === 'restore') now.set(path, original);
  if (kind === 'none' || text === undefined) return;
  if (kind === 'delete' || kind === 'move') now.delete(path);
  if (kind === 'move') now.set(`moved/${path}`, text);
  const lines = text.split('\n');
  const insert = (line: number, added: string) => now.set(path, lines.toSpliced(line, 0, added).join('\n'));
  if (kind === 'comment') insert(seed % (lines.length + 1), `  # Number ${seed % 7}.`);
  if (kind === 'comment at the top') insert(0, `# Number ${seed % 7}.`);
  if (kind === 'blank line') insert(seed % (lines.length + 1), '');
  if (kind === 'suppression') insert(seed % (lines.length + 1), '# selector-lens-disable-next-line');
  if (isEdit(kind) || wanted !== undefined) editOne(now, path, text, isEdit(kind) ? edits[kind] : edits.value, seed);
}

/** Changes the last letter of one match, so that the text is as long as before: only the content differs. */
function editOne(now: Map<string, string>, path: string, text: string, pattern: RegExp, seed: number): void {
  const found = [...text.matchAll(pattern)];
  const match = found[seed % found.length];
  if (match === undefined) return;
  const changed = match[0].replace(/.$/, (letter) =>
    letter === 'x' ? 'y' : letter === '1' ? '2' : /\d/.test(letter) ? '1' : 'x',
  );
  now.set(path, text.slice(0, match.index) + changed + text.slice(match.index + match[0].length));
}
