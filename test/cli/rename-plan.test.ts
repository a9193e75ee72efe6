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
