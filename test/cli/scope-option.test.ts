/** Tests that `--scope` limits every command to the objects of a scope. */
import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';
import {
  base,
  builtByProd,
  check,
  dev,
  type Explained,
  edges,
  everyFinding,
  inRepository,
  ofShop,
  pol,
  prod,
  rooted,
  type Shown,
  shop,
} from './path-answers.ts';

describe('--scope', () => {
  const limited = async (command: string, ...words: readonly string[]) => {
    const { json } = await runInMemory([command, '--format', 'json', ...words], inRepository());
    const { objects } = json as { readonly objects: readonly Shown[] };
    return [...new Set(objects.map(({ scope }) => `${scope.kind} ${scope.path}`))];
  };

  it('limits lists of objects to those of a scope, with and without paths', async () => {
    for (const words of [['objects'], ['match', '-l', '!nobody']]) {
      const [command = '', ...more] = words;
      assert.deepEqual(await limited(command, ...more, '--scope', prod), [`kustomization ${prod}`]);
      assert.deepEqual(await limited(command, ...more, '--scope', `./${prod}/`, base), [`kustomization ${prod}`]);
      assert.deepEqual(await limited(command, ...more, '--scope', `${prod}/kustomization.yaml`), [
        `kustomization ${prod}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', 'kustomize/overlays', base), [
        `kustomization ${dev}`,
        `kustomization ${prod}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', dev, '--scope', shop), [
        `kustomization ${dev}`,
        `chart ${shop}`,
      ]);
      assert.deepEqual(await limited(command, ...more, '--scope', 'team'), ['declared team']);
      assert.deepEqual(await limited(command, ...more, '--scope', '.'), ['folder .']);
    }
  });

  it('limits findings to those that apply to a scope', async () => {
    const all = await everyFinding();
    const inFiles = (files: readonly string[]) => all.filter(({ file }) => files.map(rooted).includes(file));
    assert.deepEqual(await check(['--scope', prod]), inFiles(builtByProd));
    assert.deepEqual(await check(['--scope', dev]), inFiles([`${base}/config.yaml`]));
    assert.deepEqual(await check(['--scope', dev, base]), inFiles([`${base}/config.yaml`]));
    assert.deepEqual(await check(['--scope', shop]), inFiles(ofShop));
    assert.deepEqual(await check(['--scope', 'pol/np.yaml']), inFiles(['ledger-config.yaml', ...pol]));
    assert.deepEqual(
      await check(['--scope', 'overlays/prod'], inRepository(), rooted('kustomize')),
      inFiles(builtByProd),
    );
  });

  it('limits explanations and the graph', async () => {
    const words = ['explain', '-l', 'app', '--object', 'deploy/web', '--format', 'json', '--scope'];
    const built = async (at: string) =>
      ((await runInMemory([...words, at], inRepository())).json as { objects: readonly Explained[] }).objects.map(
        ({ builtBy }) => builtBy,
      );
    // The overlay that keeps the name comes first.
    assert.deepEqual(await built('kustomize/overlays'), [prod, dev]);
    assert.deepEqual(await built(prod), [prod]);
    assert.deepEqual(await built(dev), [dev]);
    const drawn = await edges(['--scope', dev]);
    assert.ok(drawn.length > 0);
    assert.deepEqual(
      drawn.filter(({ from }) => !from.includes('dev-')),
      [],
    );
  });

  it('must name a scope, and no other path than it contains', async () => {
    const err = async (...words: readonly string[]) => {
      const ran = await runInMemory(['check', ...words], inRepository());
      assert.equal(ran.code, 2, ran.out.join('\n'));
      return ran.err;
    };
    assert.deepEqual(await err('--scope', base), [
      `selector-lens: Unknown scope '${base}'. It is part of ${dev}, ${prod}.`,
    ]);
    assert.deepEqual(await err('--scope', 'docs'), [
      "selector-lens: Unknown scope 'docs'. 'selector-lens objects' lists all.",
    ]);
    assert.deepEqual(await err('--scope', 'nowhere'), ["selector-lens: There is no file or folder 'nowhere'."]);
    assert.deepEqual(await err('--scope', dev, 'pol'), ['selector-lens: No Kubernetes objects in the given paths.']);
    assert.deepEqual(await err('--scope', dev, '-'), [
      "selector-lens: Standard input is one scope: '--scope' does not apply to it.",
    ]);
  });
});
