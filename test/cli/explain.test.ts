/** Tests that `explain` explains why a selector matches an object, or why not. */
import assert from 'node:assert/strict';
import { goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'prices.yaml': goodPrices, 'web.yaml': web, 'service.yaml': service };

describe('explain', () => {
  it('evaluates each requirement for the object and for what it creates', async () => {
    const { code, out, err } = await runInMemory(
      ['explain', '-l', 'app=web,tier in (front)', '--object', 'deploy/web'],
      { files },
    );
    assert.deepEqual([code, err], [0, []]);
    assert.deepEqual(out, [
      "app=web,tier in (front) selects objects where 'app' is 'web' and 'tier' is 'front'.",
      '',
      'web.yaml:2: Deployment/web in shop',
      '  Its own labels match:',
      "    ✓ app=web: 'app' is 'web'",
      "    ✓ tier in (front): 'tier' is 'front'",
      "  The Pod that 'spec.template' creates does not match:",
      "    ✓ app=web: 'app' is 'web'",
      "    ✗ tier in (front): 'tier' is 'pod', but the selector wants 'front'",
    ]);
  });

  it('lists what the object names, and what names the object', async () => {
    const pod = `apiVersion: v1
kind: Pod
metadata: {name: basket, labels: {app: basket}}
spec:
  volumes: [{name: a, configMap: {name: prices}}, {name: b, secret: {secretName: absent}}]
`;
    const prices = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prices}\n';
    const files = { 'pod.yaml': pod, 'prices.yaml': prices };
    const { out } = await runInMemory(['explain', '-l', 'app=basket', '--object', 'pod/basket'], { files });
    assert.deepEqual(out.slice(-3), [
      '  It names:',
      '    ConfigMap/prices (prices.yaml:3) spec.volumes[0].configMap.name',
      '    Secret/absent (in no file) spec.volumes[1].secret.secretName',
    ]);
    const other = await runInMemory(['explain', '-l', 'app=basket', '--object', 'cm/prices'], { files });
    assert.deepEqual(other.out.slice(-2), ['  Named by:', '    pod.yaml:5: Pod/basket spec.volumes[0].configMap.name']);
  });

  it('compares the selector with that of a workload, with labels that both match (requirement C14)', async () => {
    const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: one}
spec:
  selector: {matchExpressions: [{key: role, operator: In, values: [a, b]}]}
  template: {metadata: {labels: {role: a}}}
`;
    const compared = async (selector: string) => {
      const { out } = await runInMemory(['explain', '-l', selector, '--object', 'sts/one'], {
        files: { 'a.yaml': set },
      });
      return out.at(-1);
    };
    assert.equal(
      await compared('role in (b,c)'),
      "  Its selector 'spec.selector' overlaps: both match pods with role=b.",
    );
    for (const selector of ['role=c', 'role=a']) assert.doesNotMatch((await compared(selector)) ?? '', /overlaps/);
  });

  it('evaluates an object as each kustomization builds it, by its built or written name', async () => {
    const built = {
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web,
      'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\ncommonLabels: {env: dev}\n',
      'prod/kustomization.yaml': 'resources: [../base]\ncommonLabels: {env: prod}\n',
    };
    const ask = (object: string) => runInMemory(['explain', '-l', 'env=prod', '--object', object], { files: built });
    assert.deepEqual((await ask('deploy/dev-web')).out.slice(1), [
      '',
      'base/web.yaml:2: Deployment/dev-web in shop, as built by the kustomization in dev',
      '  Its own labels do not match:',
      "    ✗ env=prod: 'env' is 'dev', but the selector wants 'prod'",
      "  The Pod that 'spec.template' creates does not match:",
      "    ✗ env=prod: 'env' is 'dev', but the selector wants 'prod'",
    ]);
    const results = async (given: typeof built, ...words: string[]) => {
      const { out } = await runInMemory(['explain', '-l', 'env', '--object', 'deploy/web', ...words], { files: given });
      return out.filter((line) => line.startsWith('base/'));
    };
    const dev = 'base/web.yaml:2: Deployment/dev-web in shop, as built by the kustomization in dev';
    const prod = 'base/web.yaml:2: Deployment/web in shop, as built by the kustomization in prod';
    assert.deepEqual(await results(built), [prod, dev]);
    const renamed = { ...built, 'prod/kustomization.yaml': 'resources: [../base]\nnameSuffix: -1\n' };
    assert.deepEqual(await results(renamed), [dev, prod.replace('/web in', '/web-1 in')]);
    const moved = { ...built, 'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\nnamespace: dev\n' };
    assert.deepEqual(await results(moved, '-n', 'dev'), [dev.replace('in shop', 'in dev')]);
  });

  it('leaves out an object that is renamed if a different object is built with its name', async () => {
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web,
      'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\n',
      'plain.yaml': web,
    };
    const { out } = await runInMemory(['explain', '-l', 'app', '--object', 'deploy/web'], { files });
    assert.deepEqual(
      out.filter((line) => line.includes('.yaml:')),
      ['plain.yaml:2: Deployment/web in shop'],
    );
  });

  it('names skipped files that may contain the object', async () => {
    const all = { ...files, 'cold.yaml': { skipped: 'it is cold' }, 'a/b.yaml': web };
    const ask = (...words: string[]) => runInMemory(['explain', '-l', 'app=web', ...words], { files: all });
    const cold = 'selector-lens: cold.yaml was skipped: it is cold.';
    const found = await ask('--object', 'deploy/web');
    assert.deepEqual([found.code, found.err], [0, [cold]]);
    const missing = await ask('--object', 'secret/other');
    const where = "selector-lens: There is no object secret/other in these files. 'cold.yaml' was skipped: it is cold.";
    assert.deepEqual([missing.code, missing.err], [2, [where]]);
    assert.deepEqual((await ask('--object', 'deploy/web', 'a')).err, []);
  });

  it('states what is unknown', async () => {
    const template = web.replace('tier: pod', 'tier: {{ .Values.tier }}');
    const { out } = await runInMemory(['explain', '-l', 'tier=x', '--object', 'Deployment/web'], {
      files: { 'web.yaml': template },
    });
    assert.ok(out.includes("  The Pod that 'spec.template' creates may match:"), out.join('\n'));
    assert.ok(out.some((line) => line.startsWith('    ? tier=x: ')));
  });

  it('finds the object in a namespace, also if it names none', async () => {
    const ask = (namespace: string) =>
      runInMemory(['explain', '-l', 'app', '--object', 'cm/prices', '-n', namespace], { files });
    assert.equal((await ask('anywhere')).code, 0);
    const other = await runInMemory(['explain', '-l', 'app', '--object', 'svc/web', '-n', 'other'], { files });
    assert.deepEqual([other.code, other.err], [2, ["selector-lens: There is no svc/web in the namespace 'other'."]]);
  });
});
