/** Tests that `review` gives no all-clear for what it does not compare. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { review } from './review-world.ts';

const shop = { 'web.yaml': web, 'service.yaml': service };

describe('a review of what is not compared', () => {
  it('gives no all-clear if ports or keys are gone to which others may refer', async () => {
    const container = (port: string) =>
      `${web}    spec:\n      containers: [{name: web, image: w, ports: [{name: ${port}, containerPort: 80}]}]\n`;
    const [named, renamed] = ['http', 'web'].map((port) => ({ ...shop, 'web.yaml': container(port) }));
    const { out } = await review(named ?? {}, renamed ?? {});
    assert.equal(
      out[0],
      'No match, connection or immutable field changes, and no reference breaks. Ports of 1 workload change.',
    );
    const config = (key: string) => ({
      'c.yaml': `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {${key}: x}}\n`,
    });
    const gone = (await review(config('mode'), config('MODE'))).out;
    assert.match(gone[0] ?? '', /and no reference breaks\. Keys of 1 object and other fields of 1 object change\.$/);
    assert.match((await review(config('mode'), config('mode: x, more'))).out[0] ?? '', /^No selector, reference,/);
  });

  it('is incomplete if a kustomization can no longer be built, or another revision is followed', async () => {
    const kustomization = 'resources: [web.yaml]\n';
    const twice = await review(
      { ...shop, 'kustomization.yaml': kustomization },
      { ...shop, 'copy.yaml': web, 'kustomization.yaml': 'resources: [web.yaml, copy.yaml]\n' },
    );
    assert.match(twice.out.join('\n'), /contains Deployment\/web twice, so kustomize cannot build it\./);
    const patch = (name: string) =>
      `${kustomization}patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}, namespace: shop}}"}]\n`;
    const idle = await review(
      { ...shop, 'kustomization.yaml': patch('web') },
      { ...shop, 'kustomization.yaml': patch('wob') },
    );
    assert.match(idle.out.join('\n'), /has a patch that matches no object, so kustomize cannot build it\./);
    const repository = (branch: string) => ({
      ...shop,
      'git.yaml': `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g}\nspec: {url: https://x.org/g, ref: {branch: ${branch}}}\n`,
    });
    const followed = await review(repository('main'), repository('prod'));
    assert.match(
      followed.out.join('\n'),
      /GitRepository\/g follows another repository, revision or chart, whose files are not read\./,
    );
  });

  it('is incomplete if all objects of a chart are unknown, and an error if there are none', async () => {
    const chart = {
      'Chart.yaml':
        'apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: common, version: 1.x, repository: https://example.org}]\n',
      'templates/web.yaml': '{{ include "common.deployment" . }}\n',
    };
    const values = (image: string) => ({ ...chart, 'values.yaml': `image: ${image}\n` });
    const { out, code } = await review(values('one'), values('two'), '--fail-on', 'incomplete');
    assert.deepEqual(
      [code, out],
      [
        1,
        [
          'Nothing found, but not everything was evaluated.',
          '',
          "Not evaluated: Chart.yaml needs the chart 'common', which is not in the workspace.",
        ],
      ],
    );
    const none = await review({ 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
    assert.deepEqual([none.code, none.err], [2, ["selector-lens: No Kubernetes objects in '.'."]]);
  });

  it('calls no object of a file removed or added that is too large to be read in one of the states', async () => {
    const large = { ...shop, 'web.yaml': `${web}# ${'-'.repeat(5_000_000)}\n` };
    for (const [old, fresh] of [
      [shop, large],
      [large, shop],
    ] as const) {
      const { out } = await review(old, fresh);
      assert.equal(out[0], 'Nothing found, but not everything was evaluated.');
      assert.match(out.join('\n'), /'web\.yaml' was not read completely\./);
    }
  });

  it('states no number of pods that a kustomization may set', async () => {
    const container = (image: string) => `${web}    spec:\n      containers: [{name: web, image: ${image}}]\n`;
    const scaled = 'resources: [web.yaml]\nreplicas: [{name: web, count: 7}]\n';
    const [old, fresh] = ['web:1', 'web:2'].map((image) => ({
      'web.yaml': container(image),
      'kustomization.yaml': scaled,
    }));
    assert.match(
      (await review(old ?? {}, fresh ?? {})).out.join('\n'),
      /from 1 to 2 in .*: the pods are replaced \(web\.yaml:19\)\./,
    );
  });
});
