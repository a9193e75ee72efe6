/** Tests the changed matches between the objects that Applications of Argo CD apply to clusters, as `diff` and `impact` list them. */

import assert from 'node:assert/strict';
import { diffOf, type Files, impactOf } from './cluster-comparison.ts';

const application = (name: string, server: string, namespace: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {server: ${server}, namespace: ${namespace}}
  source: {repoURL: https://git.example.com/team/fleet, path: ${namespace}}
${more}`;

/** The sync options that create the namespace with a label. */
const created = (purpose: string) =>
  `  syncPolicy: {syncOptions: [CreateNamespace=true], managedNamespaceMetadata: {labels: {purpose: ${purpose}}}}\n`;

const workload = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: c, image: "x:1", ports: [{containerPort: 8080}]}]}
`;

const policy = (namespaces: string, port = 8080) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress]
  ingress:
  - from: [{namespaceSelector: ${namespaces}, podSelector: {matchLabels: {app: prom}}}]
    ports: [{port: ${port}}]
`;

const documents = (...texts: readonly string[]) => texts.join('---\n');

/** Returns the messages of `diff`, which must be those of `impact`, except for the matches of workloads with their own pods. */
async function changesOf(before: Files, after: Files): Promise<readonly string[]> {
  const { changes: all } = await diffOf(before, after);
  const changes = all.filter(({ owner, target }) => owner.kind !== target.kind);
  const proposed = await impactOf(before, after);
  const messages = changes.map(({ kind, message }) => `${kind}: ${message}`).toSorted();
  assert.deepEqual(proposed.changes.map(({ kind, message }) => `${kind}: ${message}`).toSorted(), messages);
  assert.equal(proposed.complete, true);
  return messages;
}

describe('a namespace that an Application creates', () => {
  const files = (purpose: string, port: number, beside = ''): Files =>
    new Map([
      [
        'clusters/a.yaml',
        documents(
          application('web-a', 'https://a', 'shop'),
          application('prom-a', 'https://a', 'monitoring', created(purpose)),
          ...(beside === '' ? [] : [beside]),
        ),
      ],
      [
        'clusters/b.yaml',
        documents(
          application('web-b', 'https://b', 'shop'),
          application('prom-b', 'https://b', 'monitoring', created('monitoring')),
        ),
      ],
      ['monitoring/prom.yaml', workload('prom')],
      ['shop/web.yaml', documents(workload('web'), policy('{matchLabels: {purpose: monitoring}}', port))],
    ]);

  const owner = 'lost: NetworkPolicy/web in shop (clusters/a.yaml#web-a) no longer';
  const lost = [
    `${owner} allows connections from Deployment/prom in monitoring (clusters/a.yaml#prom-a).`,
    `${owner} selects Namespace/monitoring (clusters/a.yaml#prom-a).`,
  ];

  it('is selected itself, and not its Application', async () => {
    assert.deepEqual(await changesOf(files('monitoring', 8080), files('other', 8080)), lost);
  });

  it('remains selected if only a port of the policy changes', async () => {
    assert.deepEqual(await changesOf(files('monitoring', 8080), files('monitoring', 8081)), []);
  });

  it('is in the cluster without the objects in the file of the Application', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: monitoring, labels: {app: prom}}\n';
    assert.deepEqual(await changesOf(files('monitoring', 8080, pod), files('other', 8080, pod)), lost);
  });
});

describe('an Application that moves to another cluster', () => {
  const files = (server: string, web = 'https://b'): Files =>
    new Map([
      ['clusters/b.yaml', documents(application('web-b', web, 'shop'), application('prom-b', server, 'monitoring'))],
      ['monitoring/prom.yaml', workload('prom')],
      ['shop/web.yaml', documents(workload('web'), policy('{}'))],
    ]);

  const owner = 'NetworkPolicy/web in shop (clusters/b.yaml#web-b)';
  const target = 'Deployment/prom in monitoring (clusters/b.yaml#prom-b)';

  it('loses the matches in the old cluster', async () => {
    const lost = [`lost: ${owner} no longer allows connections from ${target}, which is gone.`];
    assert.deepEqual(await changesOf(files('https://b'), files('https://c')), lost);
  });

  it('gains the matches in the new cluster', async () => {
    const gained = [`gained: ${owner} now allows connections from ${target}, which is new.`];
    assert.deepEqual(await changesOf(files('https://c'), files('https://b')), gained);
  });

  it('keeps its matches if the address of the cluster changes', async () => {
    assert.deepEqual(await changesOf(files('https://b'), files('https://c', 'https://c')), []);
  });
});
