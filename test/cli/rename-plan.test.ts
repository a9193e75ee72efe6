/** Tests the plan of a rename on the command line. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const web = (namespace: string) => `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: ${namespace}
  labels:
    app: web
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: ${namespace}}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;

const words = ['rename-plan', '--object', 'Pod/web', '--label', 'app=web', '--to', 'shop'];

describe('the plan of a rename', () => {
  it('names objects in other namespaces with the same name and label, which it does not change', async () => {
    const files = { 'one/web.yaml': web('one'), 'two/web.yaml': web('two') };
    const { out, err } = await runInMemory(words, { files });
    assert.ok(out.every((line) => !line.startsWith('two/')));
    assert.deepEqual(err, [
      'selector-lens: The plan does not change Pod/web in two at two/web.yaml:2, which has the label, too.',
    ]);
    const only = await runInMemory([...words, '--namespace', 'two'], { files });
    assert.ok(only.out.some((line) => line.startsWith('two/')));
    assert.deepEqual(only.err, []);
  });

  it('names no object that it changes, for example in several overlays', async () => {
    const overlay = 'resources: [../base]\n';
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web('one'),
      'dev/kustomization.yaml': `${overlay}namespace: dev\n`,
      'prod/kustomization.yaml': `${overlay}namespace: prod\n`,
    };
    const { err } = await runInMemory(words, { files });
    assert.deepEqual(err, []);
  });
});

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    app: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
        tier: front
`;

const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
`;

const frontService = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web, tier: front}, ports: [{port: 80}]}
`;

interface Plan {
  readonly edits: readonly {
    readonly file: string;
    readonly range: { readonly start: { readonly line: number } };
    readonly review?: string;
  }[];
  readonly reviews: Readonly<Record<string, string>>;
  readonly refused?: string;
  readonly omitted?: number;
  readonly changes?: readonly { readonly kind: string; readonly message: string; readonly scopes: readonly string[] }[];
}

/** The plan, with its edits as `file:line (review)`. */
async function planOf(files: Readonly<Record<string, string>>, label: string, ...more: readonly string[]) {
  const line = ['rename-plan', '--object', 'Deployment/web', '--label', label, '--to', 'new', '--format', 'json'];
  const { json, err } = await runInMemory([...line, ...more], { files });
  const { edits, ...plan } = json as Plan;
  const shown = edits.map(
    ({ file, range, review }) => `${file}:${range.start.line}${review === undefined ? '' : ` (${review})`}`,
  );
  return { ...plan, edits: shown, err };
}

describe('the reasons to review edits', () => {
  it('are only those of each edit', async () => {
    const files = { 'web.yaml': deployment, 'policy.yaml': policy, 'service.yaml': frontService };
    const { edits, reviews } = await planOf(files, 'app=web');
    assert.deepEqual(edits, [
      'policy.yaml:5',
      'service.yaml:4',
      'web.yaml:7',
      'web.yaml:11 (immutable)',
      'web.yaml:15 (immutable)',
    ]);
    assert.deepEqual(Object.keys(reviews), ['immutable']);
  });

  it('include immutable selectors that a kustomization writes', async () => {
    const pod = deployment.replaceAll('app: web', 'name: web');
    const kustomization = 'resources: [web.yaml, service.yaml]\ncommonLabels:\n  app: web\n';
    const files = { 'kustomization.yaml': kustomization, 'web.yaml': pod, 'service.yaml': frontService };
    const { edits } = await planOf(files, 'app=web');
    assert.deepEqual(edits, ['kustomization.yaml:3 (immutable)', 'service.yaml:4']);
  });
});

describe('the plan of a part of a rename', () => {
  const files = { 'web.yaml': deployment, 'net/policy.yaml': policy, 'net/service.yaml': frontService };
  const scopes = '.selector-lens.yaml';
  const joined = { ...files, [scopes]: 'scopes:\n- {name: all, paths: ["**"]}\n' };

  it('changes only the object, and lists what this breaks', async () => {
    const { edits, omitted, changes, reviews, err } = await planOf(joined, 'tier=front', '--only-object');
    assert.deepEqual([edits, omitted, reviews, err], [['web.yaml:16'], 1, {}, []]);
    assert.deepEqual(
      changes?.map(({ kind, message }) => [kind, message]),
      [['lost', 'Service/web no longer selects Deployment/web in shop.']],
    );
  });

  it('changes only some files', async () => {
    const whole = await planOf(joined, 'app=web');
    assert.deepEqual([whole.omitted, whole.changes], [undefined, undefined]);
    const { edits, omitted, changes, reviews } = await planOf(joined, 'app=web', '--only-in', 'net');
    assert.deepEqual([edits, omitted, reviews], [['net/policy.yaml:5', 'net/service.yaml:4'], 3, {}]);
    assert.deepEqual(
      changes?.map(({ message }) => message),
      [
        'NetworkPolicy/web no longer applies to Deployment/web in shop.',
        'Service/web no longer selects Deployment/web in shop.',
      ],
    );
    const { out } = await runInMemory(
      ['rename-plan', '--object', 'deploy/web', '--label', 'tier=front', '--to', 'new', '--only-in', 'web.yaml'],
      { files: joined },
    );
    assert.deepEqual(out.slice(-3), [
      '- Service/web no longer selects Deployment/web in shop.',
      '1 edit of the whole rename is omitted.',
      '1 edit; nothing is changed.',
    ]);
  });

  it('lists a change in several scopes once', async () => {
    const overlay = 'resources: [../base]\n';
    const overlays = {
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': deployment,
      'base/service.yaml': frontService,
      'dev/kustomization.yaml': overlay,
      'prod/kustomization.yaml': overlay,
    };
    const { changes } = await planOf(overlays, 'tier=front', '--only-object');
    assert.deepEqual(changes, [
      {
        kind: 'lost',
        message: 'Service/web no longer selects Deployment/web in shop.',
        scopes: ['dev', 'prod'],
        file: 'base/web.yaml',
        line: 16,
      },
    ]);
  });

  it('names the scopes of a match between GitOps objects once', async () => {
    const flux = (name: string) =>
      `---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {path: ./${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}\n`;
    const cluster = {
      'cluster/kustomization.yaml': 'resources: [all.yaml]\n',
      'cluster/all.yaml': flux('web') + flux('net'),
      'web/web.yaml': deployment,
      'net/service.yaml': frontService,
    };
    const words = ['--object', 'deploy/web', '--label', 'tier=front', '--to', 'new', '--only-object'];
    const { out } = await runInMemory(['rename-plan', ...words], { files: cluster });
    assert.deepEqual(
      out.filter((line) => line.startsWith('-')),
      ['- Service/web (cluster/all.yaml#net) no longer selects Deployment/web in shop (cluster/all.yaml#web).'],
    );
  });

  it('is refused if it is empty, and if its only edit changes other objects too', async () => {
    const none = await planOf(joined, 'tier=front', '--only-in', scopes);
    assert.deepEqual([none.edits, none.refused], [[], 'No edit of this rename is in this part.']);
    const kustomization = 'resources: [web.yaml, service.yaml]\ncommonLabels:\n  app: web\n';
    const pod = deployment.replaceAll('app: web', 'name: web');
    const shared = { 'kustomization.yaml': kustomization, 'web.yaml': pod, 'service.yaml': frontService };
    const { refused } = await planOf(shared, 'app=web', '--only-object');
    assert.equal(
      refused,
      "'kustomization.yaml' sets the label of other objects too, so an edit there changes them as well.",
    );
  });
});
