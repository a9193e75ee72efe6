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

  it('lists the selectors of the pods that a Rollout creates from the template of a Deployment', async () => {
    const rollout = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: rollout, namespace: shop}
spec: {workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}, strategy: {canary: {}}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
    const all = { 'a.yaml': `${deployment}---\n${rollout}` };
    const expected = /^ {2}Service\/web selects its pods: spec.selector/m;
    assert.match((await runInMemory(['who-selects', 'Rollout/rollout'], { files: all })).out.join('\n'), expected);
    const files = { ...all, 'kustomization.yaml': 'namespace: stage\nresources: [a.yaml]\n' };
    const built = await runInMemory(['who-selects', 'Rollout/rollout'], { files });
    assert.match(built.out.join('\n'), /^ {2}Service\/web selects its pods: spec.selector/m);
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
      [calico, 'NetworkPolicy', '{serviceAccountSelector: all()}', all],
      [calico, 'NetworkPolicy', "{serviceAccountSelector: projectcalico.org/name == 'x'}", 'no'],
      [calico, 'NetworkPolicy', "{selector: ''}", all],
      [calico, 'GlobalNetworkPolicy', '{}', all],
      [calico, 'GlobalNetworkPolicy', '{namespaceSelector: all()}', all],
      [calico, 'GlobalNetworkPolicy', "{namespaceSelector: projectcalico.org/name == 'x'}", 'no'],
      [calico, 'GlobalNetworkPolicy', '{preDNAT: true}', 'no'],
      ['networking.k8s.io/v1', 'NetworkPolicy', '{}', 'selects its pods: spec.podSelector'],
      // The operators reject these objects, or select nothing.
      ['cilium.io/v2', 'CiliumNetworkPolicy', '{ingress: []}', 'no'],
      ['policy/v1', 'PodDisruptionBudget', '{}', 'no'],
    ] as const)
      assert.equal(await answerFor(apiVersion, kind, spec, namespace), expected, `${kind} ${spec}`);
  });

  it('lists policies that select whole namespaces, with the selector that replaces the selector of pods', async () => {
    const named = '{matchLabels: {kubernetes.io/metadata.name: shop}}';
    const other = '{matchLabels: {kubernetes.io/metadata.name: other}}';
    const admin = 'policy.networking.k8s.io';
    const pods = 'spec.subject.pods.podSelector';
    const outside = 'egressIPs: [192.0.2.1]';
    for (const [apiVersion, kind, spec, expected] of [
      [`${admin}/v1alpha2`, 'ClusterNetworkPolicy', `{subject: {namespaces: ${named}}}`, `selects its pods: ${pods}`],
      [`${admin}/v1alpha2`, 'ClusterNetworkPolicy', '{subject: {namespaces: {}}}', `selects its pods: ${pods}`],
      [`${admin}/v1alpha2`, 'ClusterNetworkPolicy', `{subject: {namespaces: ${other}}}`, 'no'],
      [`${admin}/v1alpha2`, 'ClusterNetworkPolicy', '{subject: {}}', 'no'],
      [`${admin}/v1alpha1`, 'AdminNetworkPolicy', `{subject: {namespaces: ${named}}}`, `selects its pods: ${pods}`],
      [`${admin}/v1alpha1`, 'AdminNetworkPolicy', `{subject: {pods: {namespaceSelector: ${named}}}}`, 'no'],
      ['k8s.ovn.org/v1', 'EgressIP', `{${outside}, namespaceSelector: ${named}}`, 'selects its pods: spec.podSelector'],
      ['k8s.ovn.org/v1', 'EgressIP', `{${outside}, namespaceSelector: ${other}}`, 'no'],
      [
        'cilium.io/v2',
        'CiliumEgressGatewayPolicy',
        `{selectors: [{namespaceSelector: ${other}}, {namespaceSelector: ${named}}]}`,
        'selects its pods: spec.selectors[1].podSelector',
      ],
      [
        'crd.antrea.io/v1beta1',
        'ClusterNetworkPolicy',
        `{appliedTo: [{group: some}, {namespaceSelector: ${named}}]}`,
        'selects its pods: spec.appliedTo[1].podSelector',
      ],
      ['crd.antrea.io/v1beta1', 'ClusterNetworkPolicy', '{appliedTo: [{group: some}, {service: {name: x}}]}', 'no'],
      [
        'crd.antrea.io/v1beta1',
        'NetworkPolicy',
        '{ingress: [{appliedTo: [{podSelector: {matchLabels: {app: web}}}]}]}',
        'selects its pods: spec.ingress[0].appliedTo[0].podSelector (app=web)',
      ],
    ] as const)
      assert.equal(await answerFor(apiVersion, kind, spec), expected, `${kind} ${spec}`);
  });

  it('lists selectors that depend on more than manifests as possible matches, with the reason', async () => {
    const kyverno = (labels: string) =>
      `{rules: [{match: {any: [{resources: {kinds: [Pod], selector: {matchLabels: {app: ${labels}}}}}]}}]}`;
    const inRule = 'selects its pods: spec.rules[0].match';
    for (const [apiVersion, kind, spec, expected] of [
      [
        'projectcalico.org/v3',
        'GlobalNetworkPolicy',
        "{namespaceSelector: team == 'a'}",
        'spec.selector: the labels of its namespace are unknown',
      ],
      [
        'cilium.io/v2',
        'CiliumNetworkPolicy',
        '{endpointSelector: {matchLabels: {io.cilium.k8s.namespace.labels.team: a}}}',
        'spec.endpointSelector (io.cilium.k8s.namespace.labels.team=a): the labels of its namespace are unknown',
      ],
      [
        'cilium.io/v2',
        'CiliumNetworkPolicy',
        "{endpointSelector: {matchLabels: {'k8s:pod-template-hash': a}}}",
        'spec.endpointSelector (k8s:pod-template-hash=a): Cilium ignores `pod-template-hash` by default',
      ],
    ] as const)
      assert.equal(await answerFor(apiVersion, kind, spec), `may select its pods: ${expected}`, spec);
    const cluster = ['kyverno.io/v1', 'ClusterPolicy'] as const;
    assert.equal(await answerFor(...cluster, kyverno("'we*'")), inRule);
    assert.equal(await answerFor(...cluster, kyverno('web')), inRule);
    assert.equal(await answerFor(...cluster, kyverno('db')), 'no');
    const conditional = kyverno('web').replace('rules: [{', 'rules: [{preconditions: {all: [{key: a}]}, ');
    const expected = `${inRule.replace('selects', 'may select')}: its conditions are not evaluated`;
    assert.equal(await answerFor(...cluster, conditional), expected);
    const gatekeeper = ['constraints.gatekeeper.sh/v1beta1', 'K8sRequiredLabels'] as const;
    assert.equal(
      await answerFor(...gatekeeper, '{match: {labelSelector: {matchLabels: {app: web}}}}'),
      'selects its pods: spec.match',
    );
  });

  it('lists an admission policy with the bindings through which it applies, and neither without the other', async () => {
    const policy = (name: string) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec: {matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}}
`;
    const binding = (name: string, of: string, namespace: string) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${of}, matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}}}
`;
    const files = {
      'web.yaml': deployment,
      'admission.yaml':
        policy('bound') +
        binding('here', 'bound', 'shop') +
        binding('there', 'bound', 'bank') +
        policy('elsewhere') +
        binding('only-there', 'elsewhere', 'bank') +
        policy('unbound') +
        binding('unknown', 'missing', 'shop'),
    };
    const { out } = await runInMemory(['who-selects', '--object', 'Deployment/web'], { files });
    const found = out.filter((line) => line.includes('AdmissionPolicy') && line.includes(' it: '));
    assert.deepEqual(
      found.map((line) => line.trim()),
      [
        'ValidatingAdmissionPolicy/bound selects it: spec.matchConstraints  admission.yaml:5, bound by ValidatingAdmissionPolicyBinding/here  admission.yaml:8',
        'ValidatingAdmissionPolicy/unbound may select it: spec.matchConstraints  admission.yaml:30: no binding is applied with it',
        'ValidatingAdmissionPolicyBinding/unknown may select it: spec.matchResources  admission.yaml:35: its policy is not applied with it',
      ],
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
        "apiVersion: projectcalico.org/v3\nkind: NetworkPolicy\nmetadata: {name: a, namespace: shop}\nspec: {selector: app == 'web' && pcns.team == 'a'}\n",
    };
    const { out } = await runInMemory(['who-selects', '--object', 'Deployment/web'], { files });
    const line = out.find((each) => each.includes('NetworkPolicy/a')) ?? 'no';
    assert.match(
      line,
      /may select its pods: spec\.selector .*apps\.yaml#policies .*: the labels of its namespace are unknown$/,
    );
  });
});

describe('who-selects for an object that the values of a chart exclude', () => {
  it('states that, instead of that there is none', async () => {
    const workload = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}}
`;
    const files = {
      'Chart.yaml':
        '{apiVersion: v2, name: shop, version: 1.0.0, dependencies: [{name: redis, version: 1.0.0, condition: redis.enabled}]}',
      'values.yaml': '{redis: {enabled: false}, web: {enabled: false}}',
      'templates/desk.yaml': workload('desk'),
      'templates/web.yaml': `{{- if .Values.web.enabled }}\n${workload('web')}{{- end }}\n`,
      'charts/redis/Chart.yaml': '{apiVersion: v2, name: redis, version: 1.0.0}',
      'charts/redis/templates/all.yaml': workload('redis'),
    };
    for (const [name, file] of [
      ['web', 'templates/web.yaml'],
      ['redis', 'charts/redis/templates/all.yaml'],
    ] as const) {
      const { code, err } = await runInMemory(['who-selects', `Deployment/${name}`], { files });
      assert.equal(code, 2);
      assert.deepEqual(err, [
        `selector-lens: Deployment/${name} is not created with chart defaults: a condition in '${file}' or of its dependency excludes it.`,
      ]);
    }
    const { err } = await runInMemory(['who-selects', 'Deployment/none'], { files });
    assert.match(err.join(), /There is no object Deployment\/none/);
  });
});
