/**
 * Tests the names of generated objects. The expected names are the output of `kubectl kustomize`, or unknown
 * (requirement O10).
 */
import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Session } from '../../server/src/session.ts';
import { readFile, workspaceIn } from '../../server/src/workspace/snapshot.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const root = 'file:///work';

/** Kind and name of each object that the kustomization of a folder builds. */
function namesIn(files: Readonly<Record<string, string>>, folder: string): readonly string[] {
  const read = Object.entries(files).map(([name, text]) => readFile(`${root}/${name}`, text, catalogue));
  const workspace = workspaceIn(
    [root],
    read.map((file) => [file.uri, file]),
  );
  return (
    workspace.rendering(folder, catalogue)?.objects.map(({ object }) => `${object.kind}/${object.name?.text}`) ?? []
  );
}

describe('a generated name', () => {
  it('ends with the hash of the content', () => {
    const long = '0123456789'.repeat(10);
    const files = {
      'kustomization.yaml': `generatorOptions: {labels: {a: b}, immutable: true}
configMapGenerator:
- {name: one, literals: [x=y]}
- {name: quoted, literals: ['x="a"', "y='b'", 'z="c', w=a=b=c, v=]}
- {name: lines, literals: ["x=\\n a\\n\\nb  \\n\\n"]}
- {name: face, literals: ["x=😀\\tz"]}
secretGenerator:
- {name: one, literals: [x=y]}
- {name: typed, type: kubernetes.io/tls, literals: [x=y]}
- {name: long, literals: [x=${long}]}
- {name: none}
`,
    };
    const names = namesIn(files, root);
    assert.deepEqual(names, [
      'ConfigMap/one-6gc9d749f7',
      'ConfigMap/quoted-875cd7bg87',
      'ConfigMap/lines-6d5kg55d47',
      'ConfigMap/face-7chg5dhmg2',
      'Secret/one-t86b282gdf',
      'Secret/typed-5m4gk962d9',
      'Secret/long-g67dgfh59m',
      'Secret/none-46f8b28mk5',
    ]);
  });

  it('ends with an unknown part if content is read, templated, merged, patched or replaced', () => {
    const files = {
      'base/kustomization.yaml': `configMapGenerator:
- {name: file, files: [x.conf]}
- {name: template, literals: ["x=\${Y}"]}
- {name: twice, literals: [x=1, x=2]}
- {name: ends, literals: ["x=a\\r\\nb"]}
- {name: merged, literals: [x=y]}
- {name: patched, literals: [x=y]}
- {name: copied, literals: [x=y]}
- {name: replaced, literals: [x=z]}
`,
      'over/kustomization.yaml': `resources: [../base]
configMapGenerator:
- {name: merged, behavior: merge, literals: [z=1]}
- {name: replaced, behavior: replace, literals: [x=y]}
patches: [{target: {name: patched}, patch: "[{op: add, path: /data/x, value: z}]"}]
replacements:
- source: {kind: ConfigMap, name: merged, fieldPath: data.x}
  targets: [{select: {name: copied}, fieldPaths: [data.x]}]
`,
    };
    const names = ['file', 'template', 'twice', 'ends', 'merged', 'patched', 'copied'].map((name) => `${name}-…`);
    const expected = [...names, 'replaced-6gc9d749f7'].map((name) => `ConfigMap/${name}`);
    assert.deepEqual(namesIn(files, `${root}/over`), expected);
  });

  it('retains none of the content', () => {
    const file = readFile(
      `${root}/kustomization.yaml`,
      'secretGenerator: [{name: a, literals: [x=hunter2]}]',
      catalogue,
    );
    assert.match(file.kustomization?.generators[0]?.hash ?? '', /^[a-z0-9]{10}$/);
    assert.doesNotMatch(JSON.stringify(file), /hunter2|aHVudGVyMg/);
  });

  it('retains no content that patches and transformers write into a Secret', () => {
    const operation = '[{op: replace, path: /stringData/password, value: hunter2}]';
    const secret = '{apiVersion: v1, kind: Secret, metadata: {name: a, labels: {kept: b}}, stringData: {x: hunter2}}';
    const builtin = (kind: string, rest: string) =>
      `apiVersion: builtin\nkind: ${kind}\nmetadata: {name: x}\n${rest}\n`;
    const texts = {
      'operations.yaml': operation,
      'generator.yaml': builtin('SecretGenerator', 'literals: [x=hunter2]'),
      'merge.yaml': builtin('PatchTransformer', `patch: |-\n  ${secret}`),
      'operation.yaml': builtin('PatchTransformer', `target: {kind: Secret}\npatch: |-\n  ${operation}`),
      'kustomization.yaml': `labels: [{pairs: {a: b}}]\nsecretGenerator: [{name: a, literals: [x=hunter2]}]\npatches: [{target: {kind: Secret}, patch: "${operation}"}]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: x}\n  patch: "${secret}"\n`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const read = JSON.stringify(readFile(`${root}/${name}`, text, catalogue));
      assert.doesNotMatch(read, /hunter2/, name);
      assert.match(read, name === 'kustomization.yaml' || name === 'merge.yaml' ? /kept/ : /./);
    }
  });
});

describe('a generated name whose content is in other files', () => {
  async function loaded(files: Readonly<Record<string, string>>, asked: string[] = []) {
    class Counting extends MemoryFiles {
      override contents(folder: string, uris: readonly string[], maximumBytes: number) {
        asked.push(...uris);
        return super.contents(folder, uris, maximumBytes);
      }
    }
    const source = new Counting(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text] as const));
    const session = new Session({ catalogue, log: { info() {}, warn: assert.fail, bug: assert.fail } });
    await session.workspace.load(
      source,
      [root],
      () => {},
      () => false,
    );
    const names = (folder = root) => {
      const objects = session.snapshot().rendering(folder, catalogue)?.objects ?? [];
      return objects.map(({ object }) => `${object.kind}/${object.name?.text}`);
    };
    return { source, session, names };
  }

  it('ends with the hash of the read content', async () => {
    const { names } = await loaded({
      'kustomization.yaml': `configMapGenerator:
- {name: file, files: [conf/x.conf]}
- {name: keyed, files: [k=conf/x.conf]}
- {name: lines, envs: [x.env], literals: [C=3]}
- {name: old, env: x.env}
- {name: missing, files: [gone.conf]}
- {name: outside, files: [../x.conf]}
- {name: environment, envs: [environment.env]}
secretGenerator:
- {name: file, files: [conf/x.conf]}
`,
      'conf/x.conf': 'hello\nworld \n',
      'x.env': '# c\nA=1\n B=x=y\n\n',
      'environment.env': 'HOME\n',
    });
    assert.deepEqual(names(), [
      'ConfigMap/file-kf6bh44fgd',
      'ConfigMap/keyed-m68h55k645',
      'ConfigMap/lines-k275gm5tkf',
      'ConfigMap/old-28g5bt9kh6',
      'ConfigMap/missing-…',
      'ConfigMap/outside-…',
      'ConfigMap/environment-…',
      'Secret/file-k585f9hdh2',
    ]);
  });

  it('ends with the hash of all merged content, through bases and components', async () => {
    const { names } = await loaded({
      'base/kustomization.yaml': `namePrefix: b-
configMapGenerator: [{name: one, literals: [a=b], files: [x.conf]}]
secretGenerator: [{name: two, literals: [a=b]}]
`,
      'base/x.conf': 'x',
      'part/kustomization.yaml':
        'kind: Component\nconfigMapGenerator: [{name: one, behavior: merge, literals: [a=c]}]\n',
      'over/kustomization.yaml': `resources: [../base]
components: [../part]
configMapGenerator: [{name: one, behavior: merge, files: [y.conf]}]
secretGenerator: [{name: two, behavior: merge, type: a/b, literals: [c=d]}]
`,
      'over/y.conf': 'y',
      'other/kustomization.yaml': `resources: [../base]
configMapGenerator: [{name: one, behavior: replace, files: [y.conf]}]
`,
      'other/y.conf': 'y',
    });
    assert.deepEqual(names(`${root}/over`), ['ConfigMap/b-one-k2dkdkkb7g', 'Secret/b-two-2g9hb5b2bb']);
    assert.deepEqual(names(`${root}/other`), ['ConfigMap/b-one-2f78hfmtt7', 'Secret/b-two-k695gkmbtk']);
  });

  it('follows changes of a content file, the kustomization, and its base', async () => {
    const { source, session, names } = await loaded({
      'base/kustomization.yaml': 'configMapGenerator: [{name: one, literals: [a=b]}]\n',
      'over/kustomization.yaml':
        'resources: [../base]\nconfigMapGenerator: [{name: one, behavior: merge, files: [y.conf]}]\n',
      'over/y.conf': 'y',
    });
    const over = `${root}/over`;
    const seen = [...names(over)];
    const write = async (name: string, text: string) => {
      source.texts.set(`${root}/${name}`, text);
      await session.workspace.refresh(source, [{ uri: `${root}/${name}`, gone: false }]);
      seen.push(...names(over));
    };
    await write('over/y.conf', 'z');
    await write('base/kustomization.yaml', 'configMapGenerator: [{name: one, literals: [a=c]}]\n');
    session.workspace.edit(`${root}/over/kustomization.yaml`, 'resources: [../base]\n');
    seen.push(...names(over));
    const uri = `${over}/kustomization.yaml`;
    session.workspace.edit(
      uri,
      'resources: [../base]\nconfigMapGenerator: [{name: one, behavior: merge, files: [q=y.conf]}]\n',
    );
    assert.equal(session.workspace.isBehind, true);
    await session.workspace.refresh(source, []);
    seen.push(...names(over));
    session.workspace.close(uri);
    assert.equal(session.workspace.isBehind, true);
    await session.workspace.refresh(source, []);
    seen.push(...names(over));
    await write('over/y.conf', 'y');
    await write('base/kustomization.yaml', 'configMapGenerator: [{name: one, literals: [a=b]}]\n');
    assert.deepEqual(session.workspace.generatedFrom(), [`${over}/y.conf`]);
    assert.deepEqual(
      seen.map((name) => name.replace('ConfigMap/one-', '')),
      ['mfmcmcg4tt', '4tt87m68g7', 'tfm7tk47bd', '8f2d5hh62d', '986cg7c749', 'tfm7tk47bd', 'c2gch9d4hg', 'mfmcmcg4tt'],
    );
  });

  it('retains none of the content', async () => {
    const { session } = await loaded({
      'kustomization.yaml': 'secretGenerator: [{name: a, files: [x.conf]}]\n',
      'x.conf': 'hunter2',
    });
    const file = session.snapshot().files.get(`${root}/kustomization.yaml`);
    const [generator] = file?.kustomization?.generators ?? [];
    assert.match(generator?.hash ?? '', /^[a-z0-9]{10}$/);
    assert.doesNotMatch(
      JSON.stringify([generator, file?.manifest, [...session.snapshot().files.keys()]]),
      /hunter2|aHVudGVyMg/,
    );
  });

  it('is known as long as the generators of a kustomization read at most 16 MiB', async () => {
    const text = 'x'.repeat(1_000_000);
    const generators = Array.from({ length: 20 }, (_, n) => `- {name: c${n}, files: [f.txt]}\n`).join('');
    const kustomization = `configMapGenerator:\n${generators}`;
    const { names, session } = await loaded({ 'kustomization.yaml': kustomization, 'f.txt': text });
    const unknown = names().filter((name) => name.endsWith('-…'));
    assert.deepEqual(unknown, ['ConfigMap/c16-…', 'ConfigMap/c17-…', 'ConfigMap/c18-…', 'ConfigMap/c19-…']);
    const file = session.snapshot().files.get(`${root}/kustomization.yaml`);
    assert.ok(file);
    assert.deepEqual(
      session.check(file, () => kustomization).map(({ rule, message }) => [rule, /more than 16 MiB/.test(message)]),
      [['analysis-limit', true]],
    );
  });

  it('reads each file once for all generators of a kustomization', async () => {
    const asked: string[] = [];
    const generators = Array.from({ length: 50 }, (_, n) => `- {name: c${n}, files: [f.txt]}\n`).join('');
    await loaded({ 'kustomization.yaml': `configMapGenerator:\n${generators}`, 'f.txt': 'x' }, asked);
    assert.deepEqual(asked, [`${root}/f.txt`]);
  });

  it('follows the order of merges in one file', async () => {
    const { names } = await loaded({
      'base/kustomization.yaml': `configMapGenerator:
- {name: a, literals: [x=1]}
- {name: a, behavior: merge, literals: [y=2]}
- {name: a, behavior: merge, literals: [x=3]}
- {name: a, behavior: merge, literals: [z=4]}
`,
      'overlay/kustomization.yaml': `resources: [../base]
configMapGenerator:
- {name: a, behavior: merge, literals: [w=5]}
- {name: a, behavior: merge, literals: [y=6]}
`,
    });
    // The output of kustomize.
    assert.deepEqual(names(`${root}/overlay`), ['ConfigMap/a-m7gb926m6k']);
  });

  it('is the one of all content after hundreds of merges in one file', async () => {
    const keys = Array.from({ length: 300 }, (_, n) => `k${n}=v`);
    const merges = keys.map((key) => `- {name: a, behavior: merge, literals: ["${key}"]}\n`).join('');
    const { names } = await loaded({ 'kustomization.yaml': `configMapGenerator:\n- {name: a}\n${merges}` });
    const whole = `configMapGenerator:\n- {name: a, literals: ${JSON.stringify(keys)}}\n`;
    const once = await loaded({ 'kustomization.yaml': whole });
    assert.deepEqual(names(), once.names());
    assert.match(names().join(), /^ConfigMap\/a-[a-z0-9]{10}$/);
  });
});
