/** Tests the paths and scopes of a repository in which each cluster has a folder of GitOps objects. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const flux = (cluster: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec: {path: ./apps/${cluster}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: all, namespace: flux-system}
spec: {url: https://git.example.com/all, interval: 1m}
`;

const files = {
  'clusters/dev/web.yaml': flux('dev'),
  'clusters/dev/kustomization.yaml': 'resources: [web.yaml]\n',
  'clusters/prod/web.yaml': flux('prod'),
  'clusters/prod/kustomization.yaml': 'resources: [web.yaml]\n',
  'apps/base/kustomization.yaml': 'resources: [web.yaml]\n',
  'apps/base/web.yaml': `apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec: {selector: {app: web}, ports: [{port: 80}]}
`,
  'apps/dev/kustomization.yaml': 'namePrefix: dev-\nresources: [../base]\n',
  'apps/prod/kustomization.yaml': 'resources: [../base]\n',
};

interface Found {
  readonly name: string;
  readonly scope: { readonly path: string };
}

async function found(...words: readonly string[]): Promise<readonly string[]> {
  const { json } = await runInMemory([...words, '--format', 'json'], { files });
  const { objects } = json as { readonly objects: readonly Found[] };
  return objects.map(({ name, scope }) => `${name} ${scope.path}`);
}

const ofDev = 'dev-web clusters/dev/web.yaml';
const ofProd = 'web clusters/prod/web.yaml';

describe('a path in a repository with GitOps objects', () => {
  it('selects the objects of an overlay only in the scopes that use the overlay', async () => {
    for (const words of [['objects'], ['match', '-l', 'app=web']]) {
      assert.deepEqual(await found(...words, 'apps/prod'), [ofProd]);
      assert.deepEqual(await found(...words, 'apps/dev'), [ofDev]);
      assert.deepEqual(await found(...words, 'apps/base'), [ofDev, ofProd]);
      assert.deepEqual(await found(...words, 'apps/prod', 'apps/dev'), [ofDev, ofProd]);
      assert.deepEqual(await found(...words, 'apps'), [ofDev, ofProd]);
    }
  });

  it('selects what the GitOps objects at the path apply', async () => {
    assert.deepEqual(await found('match', '-l', 'app=web', 'clusters/prod'), [ofProd]);
  });

  it('is not a scope with these objects, which a note states', async () => {
    for (const words of [['match', '-l', 'app=web'], ['check']]) {
      const { err } = await runInMemory([...words, '--scope', 'clusters/prod'], { files });
      assert.equal(
        err[0],
        "selector-lens: The scope 'clusters/prod' contains only GitOps objects. To include what they apply, name it as a path, or name the scopes 'clusters/prod/web.yaml'.",
      );
      const other = await runInMemory([...words, '--scope', 'clusters/prod/web.yaml'], { files });
      assert.deepEqual(other.err, []);
    }
  });

  it('leads to the scopes that an Application of Applications applies, which a note names', async () => {
    const app = (name: string, path: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/all.git, path: ${path}}
  destination: {server: https://kubernetes.default.svc, namespace: ${name}}
`;
    const names = Array.from({ length: 12 }, (_, number) => `app${10 + number}`);
    const root = { 'root/root.yaml': app('root', 'apps') };
    const children = Object.fromEntries(
      names.flatMap((name) => [
        [`apps/${name}.yaml`, app(name, name)],
        [`${name}/map.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {app: web}}\n`],
      ]),
    );
    const notes = async (...words: readonly string[]) =>
      (await runInMemory([...words], { files: { ...root, ...children } })).err.filter((line) =>
        line.includes('only GitOps'),
      );
    const shown = names.slice(0, 10).map((name) => `'apps/${name}.yaml'`);
    const note = (scope: string) =>
      `selector-lens: The scope '${scope}' contains only GitOps objects. To include what they apply, name the scopes ${shown.join(', ')} and 2 more.`;
    for (const scope of ['root/root.yaml', 'root'])
      for (const words of [['match', '-l', 'app=web'], ['check'], ['objects']])
        assert.deepEqual(await notes(...words, '--scope', scope), [note(scope)]);
    for (const path of ['root', 'root/root.yaml'])
      assert.deepEqual(await notes('objects', path), [note('root/root.yaml')]);
    assert.deepEqual(await notes('objects', '--scope', 'apps/app10.yaml'), []);
    assert.deepEqual(await notes('objects', 'app10'), []);
    assert.deepEqual(await notes('objects'), []);
  });

  it('leads to scopes that its other objects do not hide, or to none in these files', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n';
    const mixed = {
      ...files,
      'clusters/prod/namespace.yaml': namespace,
      'clusters/prod/kustomization.yaml': 'resources: [web.yaml, namespace.yaml]\n',
    };
    const noted = await runInMemory(['check', '--scope', 'clusters/prod'], { files: mixed });
    assert.equal(
      noted.err[0],
      "selector-lens: The scope 'clusters/prod' contains GitOps objects. To include what they apply, name it as a path, or name the scopes 'clusters/prod/web.yaml'.",
    );
    const release =
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: redis}\nspec: {source: {repoURL: https://charts.example.com, chart: redis, targetRevision: 1.0.0}, destination: {namespace: a}}\n';
    const { err } = await runInMemory(['objects', '--scope', 'far'], { files: { 'far/redis.yaml': release } });
    assert.deepEqual(err, [
      "selector-lens: The scope 'far' contains only GitOps objects, and the scopes that they apply are unknown.",
    ]);
  });

  it('is a reason why an object is not found', async () => {
    for (const command of ['match', 'who-selects']) {
      const { err } = await runInMemory([command, '--object', 'Service/web', '--scope', 'clusters/prod'], { files });
      assert.deepEqual(err, [
        "selector-lens: There is no object Service/web in the given scopes. The scope 'clusters/prod' contains only GitOps objects. To include what they apply, name it as a path, or name the scopes 'clusters/prod/web.yaml'.",
      ]);
    }
  });
});
