/** Tests the adoption of recommended labels on the command line: the plan, the proof and the written files. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const deployment = (name: string, labels = `{app: ${name}}`) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 2
  selector:
    matchLabels: ${labels}
  template:
    metadata:
      labels: ${labels}
    spec:
      containers: [{name: web, image: 'example/web:1.2'}]
`;

const service = (name: string, selector: string) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector: ${selector}
  ports: [{port: 80}]
`;

const keys = '--keys=app.kubernetes.io/name,app.kubernetes.io/instance';

describe('the adoption of recommended labels', () => {
  it('adds labels to a workload and to the Service that selects it, with a proof and a diff', async () => {
    const files = { 'web.yaml': `${deployment('web')}---\n${service('front', '{app: web}')}` };
    const { out, code } = await runInMemory(['adopt', keys], { files });
    assert.equal(code, 0);
    assert.deepEqual(out, [
      'Stage 1 would change 2 objects in 1 file.',
      '- Every selector matches exactly what it matched (2 matches of 2 objects compared).',
      '- No other selector in the indexed files gains a match.',
      '- No update is rejected by the API server.',
      '- No workload restarts.',
      '--- a/web.yaml',
      '+++ b/web.yaml',
      '@@ -2,6 +2,9 @@',
      ' kind: Deployment',
      ' metadata:',
      '   name: web',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: web',
      ' spec:',
      '   replicas: 2',
      '   selector:',
      '@@ -16,6 +19,9 @@',
      ' kind: Service',
      ' metadata:',
      '   name: front',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: web',
      ' spec:',
      '   selector: {app: web}',
      '   ports: [{port: 80}]',
    ]);
  });

  it('writes the labels, and then finds nothing to add', async () => {
    const files = { 'web.yaml': deployment('web') };
    const { out, written } = await runInMemory(['adopt', keys, '--templates', '--write'], { files });
    assert.ok(out.includes('- 1 workload replaces its pods (2 pods): Deployment/web.'));
    const text = written['web.yaml'] ?? '';
    assert.match(text, /labels: \{app: web, app\.kubernetes\.io\/name: web, app\.kubernetes\.io\/instance: web\}/);
    const again = await runInMemory(['adopt', keys, '--templates'], { files: { 'web.yaml': text } });
    assert.deepEqual(again.out, ['No labels to add.']);
  });

  it('leaves out a label that the selector of another object would newly match', async () => {
    const other = service('foreign', '{app.kubernetes.io/name: web}');
    const files = { 'web.yaml': deployment('web'), 'other.yaml': other };
    const { out } = await runInMemory(['adopt', keys, '--templates'], { files });
    assert.deepEqual(out, [
      'Stage 1 would change 1 object in 1 file.',
      '- Every selector matches exactly what it matched (1 match of 1 object compared).',
      '- No other selector in the indexed files gains a match.',
      '- No update is rejected by the API server.',
      '- No workload restarts.',
      'Not changed: Service/foreign would newly select Deployment/web. Deployment/web at web.yaml:4.',
      '--- a/web.yaml',
      '+++ b/web.yaml',
      '@@ -2,6 +2,9 @@',
      ' kind: Deployment',
      ' metadata:',
      '   name: web',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: web',
      ' spec:',
      '   replicas: 2',
      '   selector:',
    ]);
  });

  it('adds labels with one value for all objects to the kustomization that lists their files', async () => {
    const files = {
      'shop/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'shop/web.yaml': deployment('web'),
      'shop/service.yaml': service('web', '{app: web}'),
    };
    const { written } = await runInMemory(['adopt', '--write', '--keys=app.kubernetes.io/part-of'], { files });
    assert.deepEqual(written, {
      'shop/kustomization.yaml': `resources: [web.yaml, service.yaml]
labels:
  - includeSelectors: false
    pairs:
      app.kubernetes.io/part-of: shop
`,
    });
    const again = await runInMemory(['adopt', '--keys=app.kubernetes.io/part-of'], { files: { ...files, ...written } });
    assert.deepEqual(again.out, ['No labels to add.']);
  });

  it('moves the selectors that can be updated, and names the cost of recreating the others', async () => {
    const labels = '{app: web, app.kubernetes.io/name: web}';
    const web = deployment('web', labels).replace(`matchLabels: ${labels}`, 'matchLabels: {app: web}');
    const files = { 'web.yaml': `${web}---\n${service('front', '{app: web}')}` };
    const { out } = await runInMemory(['adopt', '--stage', '2'], { files });
    assert.deepEqual(out, [
      'Stage 2 would change 1 object in 1 file.',
      '- Every selector matches exactly what it matched (1 match of 1 object compared).',
      '- No other selector in the indexed files gains a match.',
      '- No update is rejected by the API server.',
      '- No workload restarts.',
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/web at web.yaml:4.',
      '--- a/web.yaml',
      '+++ b/web.yaml',
      '@@ -17,5 +17,5 @@',
      ' metadata:',
      '   name: front',
      ' spec:',
      '-  selector: {app: web}',
      '+  selector: {app.kubernetes.io/name: web}',
      '   ports: [{port: 80}]',
    ]);
  });
});
