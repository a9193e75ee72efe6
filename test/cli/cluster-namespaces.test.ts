/** Tests that selectors of namespaces are compared with the labels that other GitOps objects apply to the cluster. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const flux = (name: string) => `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}
`;

/** A policy, the pods and the Namespaces of three GitOps objects; a patch changes the label of the namespace of the pods. */
const cluster = (zone: string) => ({
  'cluster/all.yaml': `${['reports', 'ledger', 'platform'].map(flux).join('')}---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: all, namespace: flux-system}
spec: {url: https://git.example.com/all, interval: 1m}
`,
  'reports/kustomization.yaml': 'namespace: analytics\nresources: [all.yaml]\n',
  'reports/all.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: reports}
spec:
  podSelector: {}
  policyTypes: [Egress]
  egress:
    - to:
        - namespaceSelector: {matchLabels: {zone: core}}
          podSelector: {matchLabels: {app: ledger}}
`,
  'ledger/kustomization.yaml': 'namespace: payments\nresources: [all.yaml]\n',
  'ledger/all.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: ledger, labels: {app: ledger}}\n',
  'platform/kustomization.yaml': `resources: [all.yaml]
patches:
  - target: {kind: Namespace, name: payments}
    patch: '[{op: replace, path: /metadata/labels/zone, value: ${zone}}]'
`,
  'platform/all.yaml': `apiVersion: v1
kind: Namespace
metadata: {name: payments, labels: {zone: core}}
---
apiVersion: v1
kind: Namespace
metadata: {name: identity, labels: {zone: core}}
`,
});

describe('the labels of a namespace of another GitOps object', () => {
  const selecting = async (zone: string) => {
    const { out } = await runInMemory(['who-selects', '--object', 'Pod/ledger'], { files: cluster(zone) });
    return out.flatMap((line) => (line.includes('NetworkPolicy') ? [line.trim().split('  ')[0]] : []));
  };

  it('are compared as they are applied', async () => {
    assert.deepEqual(await selecting('core'), [
      'NetworkPolicy/reports names it as a target: spec.egress[0].to[0].podSelector (app=ledger)',
    ]);
    assert.deepEqual(await selecting('audit'), []);
  });
});
