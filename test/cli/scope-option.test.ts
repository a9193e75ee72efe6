/** Tests that `--scope` limits every command to the objects of a scope. */
import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
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
import { pathWorkspace } from './path-workspace.ts';

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

  it('names a kustomization that others include', async () => {
    for (const path of [base, `${base}/kustomization.yaml`])
      assert.deepEqual(await limited('objects', '--scope', path), [`kustomization ${base}`]);
    assert.deepEqual(await limited('match', '-l', '!nobody', '--scope', base, '--scope', dev), [
      `kustomization ${dev}`,
      `kustomization ${base}`,
    ]);
    const findings = await check(['--scope', base]);
    assert.deepEqual(new Set(findings.map(({ file }) => file)), new Set([rooted(`${base}/config.yaml`)]));
    const application = lines(`
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: {name: web}
      spec: {source: {repoURL: https://example.com/x, path: ${base}}, destination: {server: https://a.example}}
    `);
    const applied = inRepository({ ...pathWorkspace, 'argocd/web.yaml': application });
    const { json } = await runInMemory(['objects', '--scope', base, '--format', 'json'], applied);
    const { objects } = json as { readonly objects: readonly Shown[] };
    assert.deepEqual(new Set(objects.map(({ scope }) => scope.path)), new Set([base]));
  });

  it('limits connections, matches of objects and comparisons to a kustomization that others include', async () => {
    const reached = await runInMemory(['reach', '--to', 'web', '--scope', base], inRepository());
    assert.equal(reached.code, 0, reached.err.join('\n'));
    const matched = await runInMemory(['match', '--object', 'Service/web', '--scope', base], inRepository());
    assert.equal(matched.code, 0, matched.err.join('\n'));
    assert.match(matched.out.join('\n'), /matches the pods of Deployment\/web/);
    const both = {
      ...Object.fromEntries(Object.entries(pathWorkspace).map(([path, text]) => [`old/${path}`, text])),
      ...Object.fromEntries(
        Object.entries(pathWorkspace).map(([path, text]) => [
          `new/${path}`,
          path === `${base}/service.yaml` ? text.replace('website', 'site') : text,
        ]),
      ),
    };
    const { out, err } = await runInMemory(['diff', 'old', 'new', '--scope', base], { files: both });
    assert.deepEqual(err, []);
    assert.match(out.join('\n'), /Service\/web/);
    assert.doesNotMatch(out.join('\n'), /dev-web/);
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
    const component = 'kustomize/components/canary';
    assert.deepEqual(await err('--scope', component), [
      `selector-lens: Unknown scope '${component}'. It is part of ${prod}.`,
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
