/** Tests that nothing is reported about labels, containers, ports and volumes that admission policies of the workspace may add. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

/** A Deployment in the namespace `mill`, with a misspelled label, and the Service and the policy that name missing parts of it. */
const shop = (kind: string, namespace = 'mill') => `
  apiVersion: apps/v1
  kind: ${kind}
  metadata: {name: basket, namespace: ${namespace}}
  spec:
${kind === 'StatefulSet' ? '    serviceName: basket\n' : ''}    selector: {matchLabels: {app: basket}}
    template:
      metadata: {labels: {app: basket, tier: frnt}}
      spec:
        containers:
          - name: basket
            image: example.com/basket
            ports: [{name: http, containerPort: 8080}]
            volumeMounts: [{name: keys, mountPath: /keys}]
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: basket, namespace: ${namespace}}
  spec: {selector: {app: basket, tier: front}, ports: [{port: 80}]}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: basket-web, namespace: ${namespace}}
  spec: {selector: {app: basket}, ports: [{port: 81, targetPort: web}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: basket, namespace: ${namespace}}
  spec: {podSelector: {matchLabels: {app: basket}}, ingress: [{ports: [{port: web}]}]}
`;

async function findings(policy: string, shown = shop('Deployment')): Promise<string> {
  const b = await bench(`
  ==> policies/policy.yaml <==
${policy}
  ==> shop/basket.yaml <==${shown}`);
  const found = b.findings('shop/basket.yaml').filter(({ severity }) => severity === 'error' || severity === 'warning');
  return found.map(({ rule }) => rule).join(' ');
}

const rules = (kinds: string, mutate: string, kind = 'ClusterPolicy', match = '') => `
  apiVersion: kyverno.io/v1
  kind: ${kind}
  metadata: {name: changes, namespace: mill}
  spec:
    rules:
      - name: changes
        match: {any: [{resources: {kinds: [${kinds}]${match}}}]}
        mutate: ${mutate}
`;

const merged = (patch: string) => `{patchStrategicMerge: ${patch}}`;
const all = 'reference-part-missing selects-nothing service-port-without-match network-policy-port';
const exceptLabels = 'reference-part-missing service-port-without-match network-policy-port';
const exceptVolumes = 'selects-nothing service-port-without-match network-policy-port';
/** Without known labels, the Service may select pods with the port, and the network policy may select other pods. */
const unknownLabels = 'reference-part-missing';
const exceptPorts = 'reference-part-missing selects-nothing';

const tier = merged('{metadata: {labels: {+(tier): front}}}');

describe('a policy of Kyverno that changes objects', () => {
  it('may add the labels that it names', async () => {
    assert.equal(await findings(''), all);
    assert.equal(await findings(rules('Pod', tier)), exceptLabels);
    assert.equal(await findings(rules('"*"', tier)), exceptLabels);
    assert.equal(
      await findings(rules('v1/Pod', '{patchesJson6902: "- {op: add, path: /metadata/labels/tier, value: front}"}')),
      exceptLabels,
    );
    assert.equal(await findings(rules('Pod', merged('{metadata: {labels: {"{{ key }}": front}}}'))), unknownLabels);
    const template = merged('{spec: {template: {metadata: {labels: {tier: front}}}}}');
    assert.equal(await findings(rules('apps/v1/Deployment', template)), exceptLabels);
    const nested = `{foreach: [{list: "request.object.spec.containers", patchStrategicMerge: {metadata: {labels: {tier: front}}}}]}`;
    assert.equal(await findings(rules('Pod', nested)), exceptLabels);
    const existing = `{targets: [{apiVersion: v1, kind: Pod}], patchStrategicMerge: {metadata: {labels: {tier: front}}}}`;
    assert.equal(await findings(rules('Namespace', existing)), exceptLabels);
  });

  it('adds neither other labels nor conditions, and changes only the kinds and namespaces that it names', async () => {
    assert.equal(await findings(rules('Pod', merged('{metadata: {labels: {+(team): front}}}'))), all);
    assert.equal(
      await findings(rules('Pod', merged('{metadata: {labels: {(tier): front}, annotations: {tier: a}}}'))),
      all,
    );
    assert.equal(await findings(rules('Secret', tier)), all);
    assert.equal(await findings(rules('Pod', tier, 'ClusterPolicy', ', namespaces: ["oven-*"]')), all);
    assert.equal(await findings(rules('Pod', tier, 'ClusterPolicy', ', namespaces: ["mi*"]')), exceptLabels);
    assert.equal(await findings(rules('Pod', tier, 'Policy')), exceptLabels);
    assert.equal(await findings(rules('Pod', tier, 'Policy'), shop('Deployment', 'oven')), all);
  });

  it('may add containers, ports and volumes', async () => {
    const container = merged('{spec: {containers: [{name: proxy, image: proxy}]}}');
    assert.equal(await findings(rules('Pod', container)), exceptPorts);
    const ports = merged('{spec: {containers: [{(name): "*", ports: [{name: web, containerPort: 81}]}]}}');
    assert.equal(await findings(rules('Pod', ports)), exceptPorts);
    const pull = merged('{spec: {containers: [{(image): "*:latest", imagePullPolicy: Always}]}}');
    assert.equal(await findings(rules('Pod', pull)), all);
    const volume = merged('{spec: {volumes: [{name: keys, emptyDir: {}}]}}');
    assert.equal(await findings(rules('Pod', volume)), exceptVolumes);
    const operations = `
          patchesJson6902: |-
            - op: add
              path: "/spec/template/spec/volumes/-"
              value: {name: keys, emptyDir: {}}`;
    assert.equal(await findings(rules('apps/*/Deployment', operations)), exceptVolumes);
    assert.equal(await findings(rules('StatefulSet', operations)), all);
    assert.equal(await findings(rules('StatefulSet', operations), shop('StatefulSet')), exceptVolumes);
  });

  it('is not one that only validates', async () => {
    const validate = rules('Pod', tier).replace('mutate: {patchStrategicMerge:', 'validate: {pattern:');
    assert.equal(await findings(validate), all);
  });
});

const gatekeeper = (kind: string, spec: string) => `
  apiVersion: mutations.gatekeeper.sh/v1
  kind: ${kind}
  metadata: {name: changes}
  spec: ${spec}
`;

describe('a mutation of Gatekeeper', () => {
  const pods = 'applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]';

  it('changes the field at its location', async () => {
    const owner = (location: string, match = '{kinds: [{apiGroups: ["*"], kinds: [Pod]}]}') =>
      gatekeeper('AssignMetadata', `{match: ${match}, location: '${location}', parameters: {assign: {value: front}}}`);
    assert.equal(await findings(owner('metadata.labels.tier')), exceptLabels);
    assert.equal(await findings(owner('metadata.labels."tier"', '{namespaces: [mill]}')), exceptLabels);
    assert.equal(await findings(owner('metadata.labels.tier', '{namespaces: [oven]}')), all);
    assert.equal(await findings(owner('metadata.labels.team')), all);
    assert.equal(await findings(owner('metadata.annotations.tier')), all);
  });

  it('creates the items that its location names', async () => {
    const assign = (location: string) =>
      gatekeeper('Assign', `{${pods}, location: "${location}", parameters: {assign: {value: a}}}`);
    assert.equal(await findings(assign('spec.containers[name: proxy].image')), exceptPorts);
    assert.equal(await findings(assign('spec.containers[name: *].imagePullPolicy')), all);
    assert.equal(await findings(assign('spec.containers[name: *].ports[name: web].containerPort')), exceptPorts);
    assert.equal(await findings(assign('spec.volumes[name: keys].emptyDir')), exceptVolumes);
    assert.equal(await findings(gatekeeper('ModifySet', `{${pods}, location: spec.volumes}`)), exceptVolumes);
  });
});

describe('a policy whose changes are expressions', () => {
  const policy = (expression: string, resources: string, constraints = '') => `
  apiVersion: admissionregistration.k8s.io/v1beta1
  kind: MutatingAdmissionPolicy
  metadata: {name: changes}
  spec:
    matchConstraints:
      resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [${resources}]}]${constraints}
    mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: '${expression}'}}]
`;
  const labels = 'Object{metadata: Object.metadata{labels: {"tier": "front"}}}';

  it('may change the fields that the expressions mention', async () => {
    assert.equal(await findings(policy(labels, 'pods')), unknownLabels);
    assert.equal(await findings(policy(labels, 'secrets')), all);
    assert.equal(await findings(policy('Object{spec: Object.spec{containers: []}}', 'pods')), exceptPorts);
    assert.equal(await findings(policy('Object{spec: Object.spec{hostNetwork: false}}', 'pods')), all);
    const kyverno = policy(labels, 'pods').replace('admissionregistration.k8s.io/v1beta1', 'policies.kyverno.io/v1');
    assert.equal(await findings(kyverno.replace('MutatingAdmissionPolicy', 'MutatingPolicy')), unknownLabels);
  });

  it('concerns only the namespaces that its selector names', async () => {
    const named = (namespace: string) => `
      namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}`;
    assert.equal(await findings(policy(labels, 'pods', named('mill'))), unknownLabels);
    assert.equal(await findings(policy(labels, 'pods', named('oven'))), all);
  });
});

describe('a selector of the pods of the same object', () => {
  const workload = `
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: oven, namespace: mill}
  spec:
    selector: {matchLabels: {app: oven, tier: front}}
    template:
      metadata: {labels: {app: oven}}
      spec:
        containers: [{name: oven, image: oven}]
        topologySpreadConstraints:
          - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {tier: front}}}
`;

  it('may require labels that a policy adds', async () => {
    assert.equal(await findings('', workload), 'selector-template-mismatch topology-selector-misses-own-pods');
    assert.equal(await findings(rules('Pod', tier), workload), '');
  });
});

describe('a match of a label that a policy may change', () => {
  it('is uncertain', async () => {
    const b = await bench(`
  ==> policy.yaml <==
${rules('Pod', tier)}
  ==> shop.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: basket, namespace: mill, labels: {app: basket}}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: basket, namespace: mill}
  spec:
    selector:
      app: basket
      tier: front
      #     ^ here
`);
    assert.match(b.hover('here'), /an admission policy may change its labels/);
  });
});

describe('an object that a policy generates', () => {
  const pod = `
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: trust-bundle, namespace: mill}
  data: {a: b}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: oven, namespace: mill}
  spec: {containers: [{name: oven, image: oven, envFrom: [{configMapRef: {name: trust-bundel}}]}]}
`;
  const generating = (rule: string) => rules('Namespace', '').replace(/mutate: *$/m, `generate: ${rule}`);

  it('may be the target of a reference', async () => {
    assert.equal(await findings('', pod), 'reference-missing');
    assert.equal(await findings(generating('{kind: ConfigMap, apiVersion: v1, name: trust-bundel}'), pod), '');
    assert.equal(await findings(generating('{kind: ConfigMap, apiVersion: v1, name: "trust-{{ name }}"}'), pod), '');
    assert.equal(await findings(generating('{cloneList: {kinds: [v1/ConfigMap, v1/Secret]}}'), pod), '');
    assert.equal(
      await findings(generating('{kind: Secret, apiVersion: v1, name: trust-bundel}'), pod),
      'reference-missing',
    );
  });

  it('may be generated by an expression', async () => {
    const expressions = (variable: string) => `
  apiVersion: policies.kyverno.io/v1
  kind: GeneratingPolicy
  metadata: {name: bundles}
  spec:
    variables: [{name: made, expression: '${variable}'}]
    generate: [{expression: 'generator.Apply(namespace, [variables.made])'}]
`;
    assert.equal(await findings(expressions('[{"kind": dyn("ConfigMap"), "apiVersion": dyn("v1")}]'), pod), '');
    assert.equal(await findings(expressions('[{"kind": dyn("Secret")}]'), pod), 'reference-missing');
    assert.equal(await findings(expressions('resource.Get("v1", "configmaps", "mill", "a")'), pod), '');
  });
});
