/** Field selectors, evaluated from manifests (requirements F2, F3, F6, F9). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const manifests = `
  ==> shop/pods.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: fixed, namespace: shop}
  spec: {nodeName: n1, restartPolicy: Never, hostNetwork: yes, serviceAccount: robot}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: plain}
  spec: {containers: [{name: a}]}
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: rendered, namespace: shop}
  spec: {nodeName: "{{ .Values.node }}", restartPolicy: "On\${WHEN}"}
  ---
  apiVersion: batch/v1
  kind: Job
  metadata: {name: once, namespace: shop}
  spec: {template: {spec: {restartPolicy: OnFailure}}}
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: opaque, namespace: shop}
  ---
  apiVersion: v1
  kind: Secret
  metadata: {name: tls, namespace: shop}
  type: kubernetes.io/tls
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: usual, namespace: shop}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: headless, namespace: shop}
  spec: {clusterIP: None}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: outside, namespace: shop}
  spec: {type: ExternalName, externalName: example.com}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: n1}
  ---
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: db, namespace: shop}
  spec: {selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}}}
`;

/** The preview of a command's field selector. */
async function matched(command: string): Promise<string> {
  const b = await bench(
    `${manifests}\n  ==> run.sh <==\n  ${command}\n  # ${' '.repeat(command.indexOf('--field') - 2 + 20)}^ here\n`,
  );
  return b.preview('here').split('\n').slice(1).join('\n');
}

const unknown = (field: string) => `\`${field}\` is not in any manifest`;

const cases: Readonly<Record<string, string>> = {
  'pods -A --field-selector=spec.nodeName=n1': `
    matches:
      shop/pods.yaml Pod shop/fixed
    maybe:
      shop/pods.yaml Job shop/once via spec.template: ${unknown('spec.nodeName')}
      shop/pods.yaml Pod plain: ${unknown('spec.nodeName')}
      shop/pods.yaml Pod shop/rendered: \`spec.nodeName\` depends on a template
      shop/pods.yaml StatefulSet shop/db via spec.template: ${unknown('spec.nodeName')}`,
  'pods -A --field-selector spec.restartPolicy=Always': `
    matches:
      shop/pods.yaml Pod plain
      shop/pods.yaml StatefulSet shop/db via spec.template`,
  'pods -A --field-selector spec.restartPolicy=OnFailure': `
    matches:
      shop/pods.yaml Job shop/once via spec.template
    maybe:
      shop/pods.yaml Pod shop/rendered: \`spec.restartPolicy\` is 'On*', but the selector wants 'OnFailure'`,
  'pods -A --field-selector spec.hostNetwork=true,spec.serviceAccountName=robot': `
    matches:
      shop/pods.yaml Pod shop/fixed`,
  'pods -A --field-selector status.phase!=Running,spec.restartPolicy=Never': `
    maybe:
      shop/pods.yaml Pod shop/fixed: ${unknown('status.phase')}`,
  'pods -A --field-selector metadata.name=db-0': `
    maybe:
      shop/pods.yaml StatefulSet shop/db via spec.template: \`metadata.name\` is 'db-*', but the selector wants 'db-0'`,
  'pods -A --field-selector metadata.namespace!=default,metadata.name=plain': `
    maybe:
      shop/pods.yaml Pod plain: \`metadata.namespace\` is not set`,
  'secrets -n shop --field-selector type=Opaque': `
    matches:
      shop/pods.yaml Secret shop/opaque`,
  'statefulsets,services -A --field-selector metadata.namespace!=default,metadata.name=db': `
    matches:
      shop/pods.yaml StatefulSet shop/db`,
  'secrets,services -A --field-selector spec.type!=ExternalName': `
    matches:
      shop/pods.yaml Service shop/headless
      shop/pods.yaml Service shop/usual`,
  'services -A --field-selector spec.clusterIP=None': `
    matches:
      shop/pods.yaml Service shop/headless
    maybe:
      shop/pods.yaml Service shop/usual: ${unknown('spec.clusterIP')}`,
  'nodes --field-selector spec.unschedulable=false': `
    matches:
      shop/pods.yaml Node n1`,
};

describe('a field selector', () => {
  for (const [command, expected] of Object.entries(cases)) {
    it(`is evaluated: ${command}`, async () => {
      assert.equal(await matched(`kubectl get ${command}`), lines(expected));
    });
  }

  it('is evaluated as kustomizations apply objects', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      resources: [service.yaml, job.yaml]
      patches:
        - patch: |
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {type: LoadBalancer}
        - target: {kind: Job}
          patch: |
            - {op: replace, path: /spec/template/spec/restartPolicy, value: OnFailure}
      ==> service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {type: NodePort}
      ==> job.yaml <==
      apiVersion: batch/v1
      kind: Job
      metadata: {name: once}
      spec: {template: {spec: {restartPolicy: Never}}}
      ==> run.sh <==
      kubectl get svc -A --field-selector spec.type=LoadBalancer
      #                                     ^ service
      kubectl get pods -A --field-selector spec.restartPolicy=OnFailure
      #                                     ^ pods
    `);
    assert.match(b.preview('service'), /\nmatches:\n {2}service\.yaml Service web$/);
    assert.match(b.preview('pods'), /\nmatches:\n {2}job\.yaml Job once via spec\.template$/);
  });

  it('is evaluated on the selectable fields of a definition', async () => {
    const b = await bench(`
      ==> definition.yaml <==
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: shirts.stable.example.com}
      spec:
        group: stable.example.com
        scope: Namespaced
        names: {plural: shirts, singular: shirt, kind: Shirt}
        versions:
          - name: v1
            selectableFields: [{jsonPath: .spec.color}, {jsonPath: .spec.size}, {jsonPath: .constructor}, {jsonPath: .__proto__}]
      ==> shirts.yaml <==
      apiVersion: stable.example.com/v1
      kind: Shirt
      metadata: {name: one}
      spec: {color: blue, size: S}
      ---
      apiVersion: stable.example.com/v1
      kind: Shirt
      metadata: {name: two}
      spec: {color: blue}
      ---
      apiVersion: stable.example.com/v1
      kind: Shirt
      metadata: {name: three}
      spec: {color: green, size: S}
      ==> run.sh <==
      kubectl get shirts -A --field-selector spec.color=blue,spec.size=S
      #                                       ^ here
    `);
    assert.match(
      b.preview('here'),
      /\nmatches:\n {2}shirts\.yaml Shirt one\nmaybe:\n {2}shirts\.yaml Shirt two: `spec\.size` is not in any manifest$/,
    );
  });

  it('shows its matches in the hover', async () => {
    const b = await bench(`${manifests}
  ==> run.sh <==
  kubectl get pods -n bank --field-selector=status.phase=Running,spec.nodeName=n1
  #                                               ^ here
  kubectl get pods -n bank --field-selector=spec.nodeName=$NODE,spec.restartPolicy=Never
  #                                              ^ placeholder
  kubectl get secrets -n shop --field-selector ""
  #                            ^ empty
`);
    assert.equal(
      b.hover('here').split('\n---\n')[1],
      lines(`
        **Selects** Pods whose \`spec.nodeName\` is \`n1\` and \`status.phase\` is \`Running\`.

        **May match** (1)
        - [Pod/plain](<shop/pods.yaml#L7,7>) — shop/pods.yaml:7: its namespace is not set, and the selector is in \`bank\`; \`spec.nodeName\` is not in any manifest; \`status.phase\` is not in any manifest

        Pods can be selected by the fields \`metadata.name\`, \`metadata.namespace\`, \`spec.nodeName\`, \`spec.restartPolicy\`, \`spec.schedulerName\`, \`spec.serviceAccountName\`, \`spec.hostNetwork\`, \`status.phase\`, \`status.podIP\`, \`status.podIPs\`, \`status.nominatedNodeName\`.
      `),
    );
    assert.match(b.hover('placeholder'), /\*\*Matches nothing\*\* in the indexed files\./);
    assert.match(b.hover('empty'), /^--field-selector\n---\n\*\*Selects\*\* all Secrets\.\n\n\*\*Matches\*\* \(2\)\n/);
  });
});
