/** Tests that the objects of external files take part in every answer, and are marked. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const deployment = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: a, image: a, ports: [{containerPort: 80}], envFrom: [{configMapRef: {name: settings}}]}]}
`;

const service = (name: string, app: string) => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {selector: {app: ${app}}, ports: [{port: 80}]}
`;

/** The output of `kubectl get`, with an object that is also in the overlay. */
const dump = [
  deployment('far'),
  deployment('near'),
  service('to-near', 'near'),
  service('broken', '-'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop, uid: a}\n',
  'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: shop}\nspec: {podSelector: {}}\n',
].join('---\n');

const layouts = {
  'a kustomization': { 'app/kustomization.yaml': 'resources: [all.yaml]\n' },
  'a plain folder': {},
};

for (const [name, more] of Object.entries(layouts)) {
  const at = name === 'a kustomization' ? 'cluster/dump.yaml' : 'app/dump.yaml';
  const files = {
    '.selector-lens.yaml': `externals: [{ files: [${at}] }]\n`,
    'app/all.yaml': `${deployment('near')}---\n${service('to-far', 'far')}`,
    [at]: dump,
    ...more,
  };
  const run = async (...args: readonly string[]) => (await runInMemory(args, { files })).out;

  describe(`external files beside ${name}`, () => {
    it('have no findings, but their objects are used by rules', async () => {
      assert.deepEqual(await run('check', '.'), ['No problems in 8 objects, 2 files.']);
    });

    it('are matched by selectors of the files', async () => {
      const [, match] = await run('match', '--object', 'Service/to-far');
      assert.equal(match, `  matches the pods of Deployment/far in shop  ${at}:2, external`);
    });

    it('match objects of the files with their selectors', async () => {
      const lines = await run('who-selects', '--object', 'Deployment/near');
      const shown = lines.filter((line) => /Service|NetworkPolicy/.test(line)).map((line) => line.replace(/:\d+/, ''));
      assert.deepEqual(shown, [
        `  Service/to-near selects its pods: spec.selector (app=near)  ${at}, external`,
        `  NetworkPolicy/deny selects its pods: spec.podSelector  ${at}, external`,
      ]);
    });

    it('are named by references of the files', async () => {
      const lines = await run('uses', 'ConfigMap/settings');
      assert.ok(lines.some((line) => line.includes('app/all.yaml')));
    });

    it('restrict connections', async () => {
      const lines = await run('reach', 'far', 'near');
      assert.ok(
        lines.some((line) => line.includes(`ingress: isolated by shop/deny (${at}:`)),
        lines.join('\n'),
      );
    });
  });
}
