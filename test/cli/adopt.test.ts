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
      'No labels to add.',
      'Not changed: Service/foreign would newly select Deployment/web. Deployment/web at web.yaml:4.',
    ]);
  });
});
