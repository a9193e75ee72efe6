/** Tests that policies see the service accounts of pods with the names that a kustomization builds. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const account = (name: string) =>
  `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${name}, namespace: shop, labels: {role: app}}\n`;

const pod = (name: string, spec = '') => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: ${name}}}
spec: {${spec}containers: [{name: main, image: example.com/main}]}
`;

const cilium = (name: string) => `apiVersion: cilium.io/v2
kind: CiliumNetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  endpointSelector: {matchLabels: {app: web}}
  ingress: [{fromEndpoints: [{matchLabels: {io.cilium.k8s.policy.serviceaccount: ${name}}}]}]
`;

const calico = (source: string) => `apiVersion: projectcalico.org/v3
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  selector: app == 'web'
  types: [Ingress]
  ingress: [{action: Allow, source: {${source}}}]
`;

/** Whether the pod `api` may connect to the pod `web` in the build of a folder. */
async function answerIn(files: Readonly<Record<string, string>>, names: readonly string[], scope: string) {
  const [from = '', to = ''] = names.map((name) => `Pod/${name}`);
  const { json, err } = await runInMemory(['reach', from, to, '--port', '80', '--format', 'json', '--scope', scope], {
    files,
  });
  assert.ok(json, err.join('\n'));
  const { allowed, unknown } = json as { readonly allowed: boolean; readonly unknown?: boolean };
  return unknown ? 'unknown' : allowed ? 'allowed' : 'denied';
}

const pods = [account('api'), pod('api', 'serviceAccountName: api, '), pod('web')];

describe('service accounts that a kustomization renames', () => {
  for (const [policy, expected] of [
    [cilium('api'), 'denied'],
    [cilium('dev-api'), 'allowed'],
    [calico('serviceAccounts: {names: [api]}'), 'denied'],
    [calico('serviceAccounts: {names: [dev-api]}'), 'allowed'],
    [calico('selector: "projectcalico.org/serviceaccount == \'dev-api\'"'), 'allowed'],
    [calico('serviceAccounts: {selector: "role == \'app\'"}'), 'allowed'],
  ] as const)
    it(`are compared with their new names: ${policy.split('\n').at(-2)?.trim()}`, async () => {
      const files = {
        'base/kustomization.yaml': 'namePrefix: dev-\nresources: [all.yaml]\n',
        'base/all.yaml': [...pods, policy].join('---\n'),
      };
      assert.equal(await answerIn(files, ['dev-api', 'dev-web'], 'base'), expected);
    });

  it('are renamed at each level, with a suffix, and only if they are in the build', async () => {
    const files = (name: string) => ({
      'base/kustomization.yaml': 'nameSuffix: -v1\nresources: [all.yaml]\n',
      'base/all.yaml': [...pods, cilium(name)].join('---\n'),
      'over/kustomization.yaml': 'namePrefix: dev-\nresources: [../base]\n',
      'alone/kustomization.yaml': 'namePrefix: dev-\nresources: [all.yaml]\n',
      'alone/all.yaml': [...pods.slice(1), cilium(name)].join('---\n'),
    });
    const ends = ['dev-api-v1', 'dev-web-v1'];
    assert.equal(await answerIn(files('dev-api-v1'), ends, 'over'), 'allowed');
    assert.equal(await answerIn(files('api-v1'), ends, 'over'), 'denied');
    assert.equal(await answerIn(files('api'), ['dev-api', 'dev-web'], 'alone'), 'allowed');
  });

  it('are those of the base of the pod if several bases have an account with the name', async () => {
    const files = {
      'a/kustomization.yaml': 'namePrefix: a-\nresources: [all.yaml]\n',
      'a/all.yaml': [...pods, cilium('b-api')].join('---\n'),
      'b/kustomization.yaml': 'namePrefix: b-\nresources: [all.yaml]\n',
      'b/all.yaml': [account('api'), pod('api', 'serviceAccountName: api, ')].join('---\n'),
      'both/kustomization.yaml': 'resources: [../a, ../b]\n',
    };
    assert.equal(await answerIn(files, ['a-api', 'a-web'], 'both'), 'denied');
    assert.equal(await answerIn(files, ['b-api', 'a-web'], 'both'), 'allowed');
  });
});
