/**
 * Tests kustomizations that are designed to be slow: too large ones are not built, whatever is cached, and the user is
 * notified.
 */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { type Subject, subjectOf } from '../../bench/growth-operations.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { maximumLevels } from '../../server/src/workspace/kustomize/build-limits.ts';
import { folder, Watched } from '../features/watched-problems.ts';
import { built, root, workspaceOf } from '../workspace/kustomizations.ts';

const pod = (name: string, labels = 'app: a') =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {${labels}}}\n`;
const lonely = 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: b}}\n';
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const repeated = (count: number, text: (number: number) => string) => numbers(count).map(text).join('');

/** Bases of which each includes the next one; the last one includes a file. */
function chain(length: number, field = 'resources'): Readonly<Record<string, string>> {
  const kind = (number: number) => (field === 'components' && number > 0 ? 'kind: Component\n' : '');
  return Object.fromEntries([
    ...numbers(length).map((number) => [
      `${number}/kustomization.yaml`,
      `${kind(number)}${number === length - 1 ? 'resources: [a.yaml]' : `${field}: [../${number + 1}]`}\n`,
    ]),
    [`${length - 1}/a.yaml`, `${pod('p')}---\n${lonely}`],
  ]);
}

/**
 * Layers of two kustomizations, each of which includes both of the next layer with another name prefix; 0a is the
 * first.
 */
function diamond(layers: number, objects: string, more = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    numbers(layers).flatMap((layer) =>
      ['a', 'b'].flatMap((side) => {
        const isLast = layer === layers - 1;
        const taken = isLast ? 'a.yaml' : `../${layer + 1}a, ../${layer + 1}b`;
        const text = `resources: [${taken}]\nnameSuffix: -${side}\n${more}`;
        const file = [`${layer}${side}/kustomization.yaml`, text] as const;
        return isLast ? [file, [`${layer}${side}/a.yaml`, objects] as const] : [file];
      }),
    ),
  );
}

const limitOf = (files: Readonly<Record<string, string>>, folder = '') =>
  workspaceOf(files).unrendered(`${root}${folder}`, catalogue);

function findingsIn({ session, texts }: Subject) {
  return [...session.snapshot().files.values()].flatMap((file) =>
    session.check(file, () => texts.get(file.uri) ?? '').map((finding) => ({ file, finding })),
  );
}

async function rulesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return findingsIn(await subjectOf(Object.entries(files))).map(({ finding }) => finding.rule);
}

describe('a kustomization that is too large', () => {
  for (const field of ['resources', 'components']) {
    it(`by the levels of its ${field} is not built, and nothing is certain about its objects`, async () => {
      assert.equal(limitOf(chain(maximumLevels, field), '/0'), undefined);
      assert.equal(limitOf(chain(maximumLevels + 1, field), '/0'), 'levels');
      assert.deepEqual(await rulesIn(chain(1_500, field)), ['analysis-limit']);
      assert.deepEqual(await rulesIn(chain(3, field)), ['selects-nothing']);
    });
  }

  it('is not built whatever was built before, and does not affect others', () => {
    const files = {
      ...diamond(
        11,
        repeated(16, (number) => `${pod(`p${number}`)}---\n`),
      ),
      'large/kustomization.yaml': 'resources: [../0a, ../1a]\n',
      'small/kustomization.yaml': 'resources: [../2a]\n',
      ...Object.fromEntries(Object.entries(chain(250)).map(([name, text]) => [`chain/${name}`, text])),
    };
    const folders = ['large', '0a', '2a', 'small', 'chain/0', 'chain/100', 'chain/51'];
    const asked = (order: readonly string[]) => {
      const workspace = workspaceOf(files);
      const answers = order.map((folder) => {
        const rendering = workspace.rendering(`${root}/${folder}`, catalogue);
        return [folder, rendering?.objects.length ?? workspace.unrendered(`${root}/${folder}`, catalogue)] as const;
      });
      return Object.fromEntries(answers.toSorted());
    };
    const answers = asked(folders);
    assert.deepEqual(answers, {
      '0a': 16_384,
      '2a': 4_096,
      'chain/0': 'levels',
      'chain/100': 2,
      'chain/51': 2,
      large: 'objects',
      small: 4_096,
    });
    assert.deepEqual(asked(folders.toReversed()), answers);
  });

  it('by its patches is not built', async () => {
    const objects = repeated(50, (number) => `${pod(`p${number}`)}---\n`) + lonely;
    const merged = (number: number) =>
      `  - target: {kind: Pod}\n    patch: |-\n      apiVersion: v1\n      kind: Pod\n      metadata: {name: x, labels: {k${number}: v}}\n`;
    const operation = (number: number) =>
      `  - target: {kind: Pod}\n    patch: '[{op: add, path: /metadata/labels/k${number}, value: v}]'\n`;
    for (const patch of [merged, operation]) {
      const text = `resources: [a.yaml]\npatches:\n${repeated(3_000, patch)}`;
      assert.deepEqual(await rulesIn({ 'kustomization.yaml': text, 'a.yaml': objects }), ['analysis-limit']);
    }
  });

  it('by one patch, one map of labels, or generators is not built', () => {
    const objects = repeated(50, (number) => `${pod(`p${number}`)}---\n`);
    const labels = repeated(20_000, (number) => `    k${number}: v\n`);
    const patch = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  labels:\n${labels}`;
    const kustomizations = {
      patch: 'resources: [a.yaml]\npatches: [{path: patch.yaml, target: {kind: Pod}}]\n',
      labels: `resources: [a.yaml]\ncommonLabels:\n${labels}`,
      generators: `configMapGenerator:\n${repeated(6_000, (number) => `  - {name: c${number}, literals: [a=b]}\n`)}`,
    };
    for (const [name, text] of Object.entries(kustomizations))
      assert.equal(limitOf({ 'kustomization.yaml': text, 'a.yaml': objects, 'patch.yaml': patch }), 'steps', name);
  });

  it('because it lists one file again and again is not built', () => {
    const text = `resources: [${repeated(20_000, () => 'a.yaml, ')}]\n`;
    const objects = repeated(100, (number) => `${pod(`p${number}`)}---\n`);
    assert.equal(limitOf({ 'kustomization.yaml': text, 'a.yaml': objects }), 'objects');
  });

  it('because it copies all of an object into itself again and again is not built', () => {
    const replacement = (number: number) =>
      `  - source: {kind: Pod, fieldPath: metadata.labels}\n    targets: [{select: {kind: Pod}, fieldPaths: [metadata.labels.x${number}], options: {create: true}}]\n`;
    const copy = (number: number) => `      - {op: copy, from: /metadata/labels, path: /metadata/labels/x${number}}\n`;
    const kustomizations = [
      `replacements:\n${repeated(60, replacement)}`,
      `patches:\n  - target: {kind: Pod}\n    patch: |-\n${repeated(60, copy)}`,
    ];
    for (const text of kustomizations)
      assert.equal(limitOf({ 'kustomization.yaml': `resources: [a.yaml]\n${text}`, 'a.yaml': pod('p') }), 'steps');
  });

  it('is built without a text that each replacement would double', () => {
    const replacement =
      '  - {source: {kind: Pod, fieldPath: metadata.labels.app}, targets: [{select: {kind: Pod}, fieldPaths: [metadata.labels.app], options: {delimiter: ".", index: 1}}]}\n';
    const text = `resources: [a.yaml]\nreplacements:\n${repeated(60, () => replacement)}`;
    assert.match(
      built({ 'kustomization.yaml': text, 'a.yaml': pod('p', 'app: a.b') }),
      /^Pod\/p\n {2}metadata.labels: app=\S{0,9}$/m,
    );
  });

  it('is built without fields that are deeper than any object', () => {
    const deep = (separator: string) => repeated(20_000, () => `${separator}a`);
    const kustomizations = [
      `patches: [{target: {kind: Pod}, patch: '[{op: add, path: ${deep('/')}, value: v}]'}]`,
      `replacements:\n  - source: {kind: Pod, fieldPath: metadata${deep('.')}}\n    targets: [{select: {kind: Pod}, fieldPaths: [metadata${deep('.')}], options: {create: true}}]`,
      `labels: [{pairs: {}, fields: [{path: metadata${deep('/')}, create: true}]}]`,
    ];
    for (const text of kustomizations)
      assert.match(
        built({ 'kustomization.yaml': `resources: [a.yaml]\n${text}\n`, 'a.yaml': pod('p') }),
        /^Pod\/p\n {2}metadata.labels: app=a/,
      );
  });

  it('because its components double at every level is not built', () => {
    const layers = numbers(25).flatMap((layer) =>
      ['a', 'b'].map((side) => {
        const below = layer === 24 ? 'labels: []' : `components: [../${layer + 1}a, ../${layer + 1}b]`;
        return [`${layer}${side}/kustomization.yaml`, `${layer === 0 ? '' : 'kind: Component\n'}${below}\n`];
      }),
    );
    assert.equal(limitOf(Object.fromEntries(layers), '/0a'), 'steps');
  });
});

describe('an object that a kustomization includes very often', () => {
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  selector: {matchLabels: {app: c}}\n  template: {metadata: {labels: {app: c}}}\n';

  it('has one finding for all of them', async () => {
    const found = findingsIn(await subjectOf(Object.entries(diamond(6, deployment))));
    assert.deepEqual(
      found.map(({ file, finding }) => `${file.uri} ${finding.rule}`),
      ['a', 'b'].map((side) => `file:///work/5${side}/a.yaml overlapping-controllers`),
    );
  });

  it('has one finding for a patch that matches nothing, however often its kustomization is included', async () => {
    const patch = "patches: [{target: {kind: Secret, name: x}, patch: '[{op: remove, path: /metadata/labels}]'}]\n";
    const rules = await rulesIn(diamond(6, pod('p'), patch));
    assert.deepEqual(
      rules,
      numbers(12).map(() => 'kustomize-patch-target'),
    );
  });
});

describe('a base that very many overlays build', () => {
  const files = (overlays: number): Readonly<Record<string, string>> => ({
    'base/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
    'base/a.yaml': Array.from({ length: 100 }, (_, number) => pod(`a${number}`)).join('---\n'),
    'base/b.yaml': Array.from({ length: 100 }, (_, number) => pod(`b${number}`)).join('---\n'),
    ...Object.fromEntries(
      numbers(overlays).map((number) => [
        `o${number}/kustomization.yaml`,
        `namespace: n${number}\nresources: [../base]\n`,
      ]),
    ),
  });

  it('is evaluated as written, and has one finding, whose severity is a warning', async () => {
    const limits = findingsIn(await subjectOf(Object.entries(files(101)))).filter(
      ({ finding }) => finding.rule === 'analysis-limit',
    );
    const shown = limits.map(({ file, finding }) => `${file.uri.split('/').slice(-2).join('/')} ${finding.severity}`);
    assert.deepEqual(shown, ['base/a.yaml warning']);
  });

  it('is evaluated as applied below the limit', async () => {
    assert.deepEqual(await rulesIn(files(20)), []);
  });

  it('is evaluated as after a new start when an edit of another base crosses the limit of all kustomizations', async () => {
    const uri = `${folder}/a/a.yaml`;
    const filesOf = (base: string, objects: number): readonly (readonly [uri: string, text: string])[] => [
      [`${folder}/${base}/a.yaml`, `${lonely}---\n${repeated(objects, (number) => `${pod(`p-${number}`)}---\n`)}`],
      [`${folder}/${base}/kustomization.yaml`, 'resources: [a.yaml]\n'],
      ...numbers(20).map(
        (number) => [`${folder}/${base}-${number}/kustomization.yaml`, `resources: [../${base}]\n`] as const,
      ),
    ];
    const texts = (objects: number) => new Map([...filesOf('a', objects), ...filesOf('b', 397), ...filesOf('c', 100)]);
    const watched = await new Watched(texts(300)).load();
    await watched.run();
    await watched.write(uri, texts(395).get(uri) ?? '');
    const anew = await new Watched(texts(395)).load();
    assert.deepEqual([...(await watched.run())].toSorted(), [...(await anew.run())].toSorted());
    assert.match(watched.found.get(`${folder}/b/a.yaml`)?.join() ?? '', /analysis-limit/);
  });
});

describe('kustomizations that list each other', () => {
  it('have one finding each', async () => {
    const list = repeated(120, (number) => `  - ../${number}\n`);
    const files = numbers(120).map((number) => [`${number}/kustomization.yaml`, `resources:\n${list}`] as const);
    const found = findingsIn(await subjectOf(files)).filter(({ finding }) => finding.rule === 'kustomize-cycle');
    assert.equal(found.length, 120);
  });

  it('in a large cycle name few of the others', async () => {
    const next = (number: number) => (number + 1) % 150;
    const files = numbers(150).map(
      (number) => [`${number}/kustomization.yaml`, `resources: [../${next(number)}]\n`] as const,
    );
    const found = findingsIn(await subjectOf(files));
    assert.equal(found.length, 150);
    for (const { finding } of found) assert.ok(finding.rule === 'kustomize-cycle' && finding.related.length === 10);
  });
});

describe('references to nonexistent files', () => {
  it('are all reported, the first ones with the intended path', async () => {
    const letter = (number: number) => String.fromCharCode(97 + number).repeat(3);
    const name = (number: number) => `${letter(number % 20)}${letter(Math.floor(number / 20))}`;
    const files = numbers(400).map((number) => [`${name(number)}-service.yaml`, pod(`p${number}`)] as const);
    const list = repeated(400, (number) => `  - ${name(number)}-servcie.yaml\n`);
    const found = findingsIn(await subjectOf([['kustomization.yaml', `resources:\n${list}`], ...files]));
    const missing = found.filter(({ finding }) => finding.rule === 'kustomize-resource-missing');
    const suggested = missing.filter(({ finding }) => finding.message.includes('Did you mean'));
    assert.deepEqual([missing.length, suggested.length > 0], [400, true]);
    assert.ok(suggested.length < 400);
  });
});
