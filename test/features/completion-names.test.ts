/** Tests the completion of names: labels of nodes, namespaces and fields. */

import assert from 'node:assert/strict';
import { told } from './completion-shop.ts';

describe('completion of labels of nodes', () => {
  const pod = (lines: string) => `
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec:
${lines}
    ---
    {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd, kubernetes.io/arch: arm64}}}
`;

  it('offers labels of Node objects, then well-known ones', async () => {
    const offered = await told(pod('      nodeSelector:\n\n       #^ here\n'));
    assert.deepEqual(offered.slice(0, 3), [
      'disk: ssd   matches 1',
      'kubernetes.io/arch: arm64   matches 1',
      'kubernetes.io/hostname:   well-known',
    ]);
    assert.equal(
      offered.some((line) => line.includes('beta.kubernetes.io')),
      false,
    );
  });

  it('offers their values', async () => {
    const offered = await told(
      pod('      nodeSelector: {kubernetes.io/arch: a}\n      #                                   ^ here\n'),
    );
    assert.deepEqual(offered.slice(0, 2), [
      'nodeSelector: {kubernetes.io/arch: arm64}   matches 1',
      'nodeSelector: {kubernetes.io/arch: amd64}   well-known',
    ]);
    assert.ok(offered.includes('nodeSelector: {kubernetes.io/arch: "386"}   well-known'));
  });

  it('offers the parts of a node affinity, with its own operators', async () => {
    const affinity = (lines: string) =>
      pod(
        `      affinity:\n        nodeAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n${lines}`,
      );
    assert.deepEqual(await told(affinity('\n           #^ here\n')), [
      'nodeSelectorTerms: ⏎          - matchExpressions: ⏎              - key: ⏎                operator: In ⏎                values: []   one of them must match',
    ]);
    assert.deepEqual(await told(affinity('            nodeSelectorTerms:\n            - \n            # ^ here\n')), [
      '- matchExpressions: ⏎          - key: ⏎            operator: In ⏎            values: []   keys with operators',
      '- matchFields: ⏎          - key: metadata.name ⏎            operator: In ⏎            values: []   nodes by their names',
    ]);
    const term = '            nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: }]}]\n';
    assert.equal(
      (
        await told(
          affinity(`${term}            #                                                             ^ here\n`),
        )
      ).length,
      6,
    );
  });

  it('offers keys for spreading', async () => {
    const offered = await told(
      pod('      topologySpreadConstraints:\n      - topologyKey: \n        #            ^ here\n'),
    );
    assert.deepEqual(offered.slice(0, 3), [
      '- topologyKey: kubernetes.io/hostname   well-known',
      '- topologyKey: topology.kubernetes.io/zone   well-known',
      '- topologyKey: topology.kubernetes.io/region   well-known',
    ]);
  });
});

describe('completion of namespaces', () => {
  it('offers namespaces in use, then declared ones, then those (in every cluster)', async () => {
    const offered = await told(`
    {apiVersion: v1, kind: Namespace, metadata: {name: sea}}
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop}}
    ---
    apiVersion: v1
    kind: Service
    metadata:
      name: web
      namespace: s
      #           ^ here
`);
    assert.deepEqual(offered, [
      'namespace: shop   used here',
      'namespace: sea   in this workspace',
      'namespace: default   in every cluster',
      'namespace: kube-system   in every cluster',
      'namespace: kube-public   in every cluster',
      'namespace: kube-node-lease   in every cluster',
    ]);
  });

  it('offers namespaces that a list does not contain', async () => {
    const offered = await told(`
    {apiVersion: v1, kind: Namespace, metadata: {name: sea}}
    ---
    {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec:
      affinity:
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - topologyKey: kubernetes.io/hostname
            namespaces:
            - sea
            - 
            # ^ here
`);
    assert.deepEqual(offered.slice(0, 2), ['- shop   in this workspace', '- default   in every cluster']);
  });
});

describe('completion of fields', () => {
  it('offers the fields of the kind', async () => {
    const offered = await told(`
    apiVersion: chaos-mesh.org/v1alpha1
    kind: PodChaos
    metadata: {name: a}
    spec:
      selector:
        fieldSelectors:
          metadata.name: web

         #^ here
`);
    assert.equal(offered.includes('metadata.name:'), false);
    assert.ok(offered.includes('spec.nodeName:'));
    assert.ok(offered.includes('status.phase: Pending'));
  });

  it('offers fields and values in a string', async () => {
    const review = (text: string, mark: string) => `
    apiVersion: v1
    kind: ListOptions
    metadata: {name: a}
    fieldSelector: ${text}
    #              ${mark} here
`;
    assert.deepEqual((await told(review('metadata.name=a,m', '                 ^'))).slice(0, 2), [
      'fieldSelector: metadata.name=a,metadata.name',
      'fieldSelector: metadata.name=a,metadata.namespace',
    ]);
  });
});

describe('completion in a fieldPath of the downward API', () => {
  const deployment = (fieldRef: string) => `
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, labels: {other: a}}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata:
          labels: {app: web, example.com/team: blue}
          annotations: {note: hello}
        spec:
          containers:
            - name: web
              image: web
              env:
                - name: A
                  valueFrom:
${fieldRef}
  `;
  const block = (value: string) =>
    deployment(
      `                    fieldRef:\n                      fieldPath: ${value}\n                      #          ^ here\n`,
    );
  const offered = [
    `fieldPath: "metadata.labels['app']"   web`,
    `fieldPath: "metadata.labels['example.com/team']"   blue`,
    `fieldPath: "metadata.annotations['note']"   hello`,
  ];

  it('offers the labels and annotations of the template', async () => {
    assert.deepEqual(await told(block('')), offered);
    assert.deepEqual(await told(block("metadata.labels['ap']")), offered);
    assert.deepEqual(
      await told(block("metadata.labels['").replace('#          ^', '#                           ^')),
      offered,
    );
  });

  it('offers them in braces, too', async () => {
    const inBraces = deployment(
      '                    fieldRef: {fieldPath: metadata.la}\n                    #                            ^ here\n',
    );
    assert.deepEqual((await told(inBraces))[0], `fieldRef: {fieldPath: "metadata.labels['app']"}   web`);
    const quoted = inBraces.replace('metadata.la}', `"metadata.labels['a']"}`);
    assert.deepEqual((await told(quoted))[0], `fieldRef: {fieldPath: "metadata.labels['app']"}   web`);
  });

  it('offers those of the pod, but not elsewhere', async () => {
    const pod = `
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec:
        volumes:
          - name: info
            downwardAPI:
              items:
                - path: app
                  fieldRef:
                    fieldPath: m
                    #          ^ here
    `;
    assert.deepEqual(await told(pod), [`fieldPath: "metadata.labels['app']"   web`]);
    assert.deepEqual(await told(pod.replace('fieldPath:', 'fieldPart:')), []);
  });
});
