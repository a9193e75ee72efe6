/** What are generated objects called? What is expected here is what `kubectl kustomize` printed, or that nobody knows. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readFile, workspaceIn } from '../../server/src/workspace/workspace.ts';

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

  it('ends with something unknown where content is read, templated, merged, patched or replaced', () => {
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

  it('keeps nothing of the content', () => {
    const file = readFile(
      `${root}/kustomization.yaml`,
      'secretGenerator: [{name: a, literals: [x=hunter2]}]',
      catalogue,
    );
    assert.match(file.kustomization?.generators[0]?.hash ?? '', /^[a-z0-9]{10}$/);
    assert.doesNotMatch(JSON.stringify(file), /hunter2|aHVudGVyMg/);
  });

  it('keeps nothing of what patches and transformers write into a Secret', () => {
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
