/** Tests the ports that manifests declare by name, and the references to them. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import { policyData } from '../../server/src/manifests/sites/policy-data.ts';
import { lines } from '../harness/margin.ts';

function only(text: string) {
  const [object, ...others] = readManifest(lines(text), catalogue).objects;
  assert.ok(object && others.length === 0);
  return object;
}

describe('ports', () => {
  it('of a pod are those of its containers, including restartable init containers', () => {
    const pod = only(`
      apiVersion: v1
      kind: Pod
      spec:
        initContainers: [{ports: [{name: side}]}]
        containers: [{ports: [{name: web}, {containerPort: 80}]}, {name: none}]
    `);
    const { names, open } = pod.ports ?? {};
    assert.deepEqual({ names, open }, { names: ['web', 'side'], open: false });
  });

  it('of templates belong to these, at any depth', () => {
    const { templates, ports } = only(`
      apiVersion: batch/v1
      kind: CronJob
      spec: {jobTemplate: {spec: {template: {spec: {containers: [{ports: [{name: web}]}]}}}}}
    `);
    assert.equal(ports, undefined);
    assert.deepEqual(
      templates.map((each) => each.ports?.names),
      [undefined, ['web']],
    );
  });

  it('are open if a template or a placeholder may add some', () => {
    const open = (containers: string) =>
      only(`\napiVersion: v1\nkind: Pod\nspec:\n  containers:\n${containers}\n`).ports?.open;
    assert.equal(open('    - name: a'), false);
    assert.equal(open('    - ports: [{name: "$(PORT)"}]'), true);
    assert.equal(open('    - ports:\n        {{- toYaml .Values.ports | nindent 8 }}'), true);
    assert.equal(open('    - name: a\n    {{- include "sidecar" . | nindent 4 }}'), true);
  });

  it('of a Service are those with a name', () => {
    const service = only(`
      apiVersion: v1
      kind: Service
      spec: {ports: [{targetPort: web}, {targetPort: 80}, {targetPort: "80"}, {port: 80}, {targetPort: "$(PORT)"}]}
    `);
    assert.deepEqual(
      service.targetPorts?.map(({ text }) => text),
      ['web', '$(PORT)'],
    );
  });

  it('of a pod include only what its network depends on', () => {
    const networkOf = (text: string) => only(text).ports?.network;
    const plain = networkOf('\napiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: b, env: []}]}\n');
    assert.equal(plain, undefined);
    const network = networkOf(`
      apiVersion: v1
      kind: Pod
      spec:
        hostNetwork: true
        nodeName: a
        containers: [{image: b, ports: [{containerPort: 80, hostPort: 80}]}]
    `);
    assert.deepEqual(network && policyData(network), {
      hostNetwork: true,
      containers: [{ ports: [{ containerPort: 80 }] }],
    });
  });
});
