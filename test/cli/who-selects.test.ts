/** Tests that `who-selects` also lists policies without a selector, and selectors whose matches are unknown. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
`;

/** Returns the text after the name of an object in the answer for the pods of a Deployment; 'no' if the object is not listed. */
async function answerFor(apiVersion: string, kind: string, spec: string, namespace = 'shop'): Promise<string> {
  const object = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: ${namespace}}\nspec: ${spec}\n`;
  const files = { 'a.yaml': `${deployment}---\n${object}` };
  const { out } = await runInMemory(['who-selects', '--object', 'Deployment/web'], { files });
  const line = out.find((each) => each.startsWith(`  ${kind}/a `));
  return line?.slice(`  ${kind}/a `.length).replace(/ {2}a\.yaml:\d+/, '') ?? 'no';
}

const unevaluated = 'this form of selector is not evaluated';

describe('who-selects', () => {
  it('accepts the object as its first argument', async () => {
    const files = { 'a/a.yaml': deployment, 'b/b.yaml': deployment };
    const named = await runInMemory(['who-selects', '--object', 'Deployment/web', 'a'], { files });
    const first = await runInMemory(['who-selects', 'Deployment/web', 'a'], { files });
    assert.deepEqual([first.code, first.out], [0, named.out]);
    const explained = await runInMemory(['explain', '-l', 'app=web', 'Deployment/web', 'a'], { files });
    assert.equal(explained.code, 0);
    const { err } = await runInMemory(['who-selects'], { files });
    assert.match(err.join(), /The option '--object' must be given: KIND\/NAME\./);
  });

  it('lists policies that apply to all pods because they have no selector', async () => {
    const all = 'selects its pods: spec.selector';
    const istio = 'security.istio.io/v1';
    const calico = 'projectcalico.org/v3';
    for (const [apiVersion, kind, spec, expected, namespace] of [
      [istio, 'AuthorizationPolicy', '{}', all],
      [istio, 'AuthorizationPolicy', '{}', all, 'istio-system'],
      [istio, 'AuthorizationPolicy', '{}', 'no', 'other'],
      [istio, 'AuthorizationPolicy', '{targetRefs: []}', all],
      [istio, 'AuthorizationPolicy', '{targetRefs: [{kind: Gateway, name: a}]}', 'no'],
      [istio, 'AuthorizationPolicy', '{targetRef: {kind: Gateway, name: a}}', 'no'],
      [istio, 'PeerAuthentication', '{mtls: {mode: STRICT}}', all],
      [istio, 'RequestAuthentication', '{}', all],
      ['networking.istio.io/v1alpha3', 'EnvoyFilter', '{}', `${all.replace('selector', 'workloadSelector.labels')}`],
      [calico, 'NetworkPolicy', '{types: [Ingress]}', all],
      [
        calico,
        'NetworkPolicy',
        '{serviceAccountSelector: all()}',
        `may select its pods: spec.selector: ${unevaluated}`,
      ],
      [calico, 'GlobalNetworkPolicy', '{}', all],
      [
        calico,
        'GlobalNetworkPolicy',
        '{namespaceSelector: all()}',
        `may select its pods: spec.selector: ${unevaluated}`,
      ],
      [calico, 'GlobalNetworkPolicy', '{preDNAT: true}', 'no'],
      ['networking.k8s.io/v1', 'NetworkPolicy', '{}', 'selects its pods: spec.podSelector'],
      // The operators reject these objects, or select nothing.
      ['cilium.io/v2', 'CiliumNetworkPolicy', '{ingress: []}', 'no'],
      ['policy/v1', 'PodDisruptionBudget', '{}', 'no'],
    ] as const)
      assert.equal(await answerFor(apiVersion, kind, spec, namespace), expected, `${kind} ${spec}`);
  });

  it('lists selectors that are not evaluated as possible matches, with the reason', async () => {
    const unknownKind = 'the kind of the objects that it selects is unknown';
    const kyverno = (labels: string) =>
      `{rules: [{match: {any: [{resources: {kinds: [Pod], selector: {matchLabels: {app: ${labels}}}}}]}}]}`;
    const inRule = 'may select its pods: spec.rules[0].match.any[0].resources.selector';
    for (const [apiVersion, kind, spec, expected] of [
      ['projectcalico.org/v3', 'NetworkPolicy', "{selector: app == 'web'}", `spec.selector: ${unevaluated}`],
      ['projectcalico.org/v3', 'NetworkPolicy', "{selector: ''}", `spec.selector: ${unevaluated}`],
      [
        'cilium.io/v2',
        'CiliumNetworkPolicy',
        "{endpointSelector: {matchLabels: {'k8s:app': web}}}",
        `spec.endpointSelector: ${unevaluated}`,
      ],
      [
        'cilium.io/v2',
        'CiliumNetworkPolicy',
        "{endpointSelector: {matchExpressions: [{key: 'k8s:app', operator: DoesNotExist}]}}",
        `spec.endpointSelector: ${unevaluated}`,
      ],
    ] as const)
      assert.equal(await answerFor(apiVersion, kind, spec), `may select its pods: ${expected}`, spec);
    const cluster = ['kyverno.io/v1', 'ClusterPolicy'] as const;
    assert.equal(await answerFor(...cluster, kyverno("'we*'")), `${inRule.replace('its pods', 'it')}: ${unevaluated}`);
    assert.equal(await answerFor(...cluster, kyverno('web')), `${inRule} (app=web): ${unknownKind}`);
    assert.equal(await answerFor(...cluster, kyverno('db')), 'no');
    const gatekeeper = ['constraints.gatekeeper.sh/v1beta1', 'K8sRequiredLabels'] as const;
    assert.equal(
      await answerFor(...gatekeeper, '{match: {labelSelector: {matchLabels: {app: web}}}}'),
      `may select its pods: spec.match.labelSelector (app=web): ${unknownKind}`,
    );
  });

  it('does not list selectors of the parameters of an ApplicationSet', async () => {
    const spec = '{generators: [{git: {files: []}, selector: {matchLabels: {app: web}}}], template: {}}';
    assert.equal(await answerFor('argoproj.io/v1alpha1', 'ApplicationSet', spec), 'no');
  });

  it('lists unevaluated selectors that another GitOps object applies to the cluster', async () => {
    const application = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  source: {repoURL: 'https://example.com/a/b', path: ${name}}
  destination: {server: 'https://kubernetes.default.svc', namespace: shop}
---
`;
    const files = {
      '.git/config': '[remote "origin"]\n\turl = https://example.com/a/b\n',
      'apps.yaml': application('web') + application('policies'),
      'web/web.yaml': deployment,
      'policies/a.yaml':
        "apiVersion: projectcalico.org/v3\nkind: NetworkPolicy\nmetadata: {name: a, namespace: shop}\nspec: {selector: app == 'web'}\n",
    };
    const { out } = await runInMemory(['who-selects', '--object', 'Deployment/web'], { files });
    const line = out.find((each) => each.includes('NetworkPolicy/a')) ?? 'no';
    assert.match(
      line,
      /may select its pods: spec\.selector .*apps\.yaml#policies .*: this form of selector is not evaluated$/,
    );
  });
});
