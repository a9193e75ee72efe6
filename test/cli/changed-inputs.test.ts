/** Tests that `impact` lists what a change of an input of GitOps objects changes, as `diff` does: of values, variables and patches. */
import assert from 'node:assert/strict';
import { home, runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

interface Answer {
  readonly complete: boolean;
  readonly changes: readonly { readonly kind: string }[];
  readonly connections: readonly { readonly kind: string; readonly from: string; readonly to: string }[];
}

const shown = ({ complete, changes, connections }: Answer) => ({
  complete,
  changes: changes.map(({ kind }) => kind).toSorted(),
  connections: connections.map(({ kind, from, to }) => `${kind} ${from} ${to}`).toSorted(),
});

async function effectsOf(before: Files, changed: Files) {
  const files = Object.entries(changed).map(([path, text]) => ({ path, text }));
  const repositories = [home];
  const standardInput = { text: JSON.stringify({ files }) };
  const impact = await runInMemory(['impact', '-', '--format', 'json'], { files: before, standardInput, repositories });
  const commits = { HEAD: before };
  const world = { files: { ...before, ...changed }, commits, repositories };
  const diff = await runInMemory(['diff', 'HEAD', '--format', 'json'], world);
  // their schemas
  return { impact: shown(impact.json as Answer), diff: shown(diff.json as Answer) };
}

const deployment = (role: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: cache, namespace: shop}
spec:
  selector: {matchLabels: {role: ${role}}}
  template:
    metadata: {labels: {role: ${role}}}
    spec: {containers: [{name: main, image: example.com/cache}]}
`;
const policy = (role: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: cache, namespace: shop}
spec: {podSelector: {matchLabels: {role: ${role}}}}
`;
const chart = {
  'charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
  'charts/cache/values.yaml': 'role: none\n',
  'charts/cache/templates/all.yaml': deployment('"{{ .Values.role }}"'),
};
const flux = (path: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${path}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${path}, sourceRef: {kind: GitRepository, name: fleet}}
---
`;
const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 1m, url: https://git.example.com/team/fleet}
---
`;
const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cache, namespace: shop}
spec:
  interval: 10m
  chart: {spec: {chart: ./charts/cache, sourceRef: {kind: GitRepository, name: fleet, namespace: flux-system}}}
  valuesFrom: [{kind: ConfigMap, name: cache-values}]
`;
const values = (role: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: cache-values, namespace: shop}
data: {values.yaml: "role: ${role}"}
`;
const application = (name: string, spec: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {server: https://a.example.com, namespace: shop}
  source: {repoURL: https://git.example.com/team/fleet, ${spec}}
---
`;

const cases: readonly (readonly [what: string, before: Files, changed: Files, changes: readonly string[]])[] = [
  [
    'the ConfigMap with the values of a HelmRelease',
    {
      ...chart,
      'clusters/all.yaml': source + flux('apps'),
      'apps/release.yaml': release,
      'apps/values.yaml': values('cache'),
      'apps/policy.yaml': policy('cache'),
    },
    { 'apps/values.yaml': values('store') },
    ['immutable', 'lost'],
  ],
  [
    'a values file of an Application',
    {
      ...chart,
      'argo/all.yaml':
        application('cache', 'path: charts/cache, helm: {valueFiles: [../../envs/values.yaml]}') +
        application('policies', 'path: policies'),
      'envs/values.yaml': 'role: cache\n',
      'policies/policy.yaml': policy('cache'),
    },
    { 'envs/values.yaml': 'role: store\n' },
    ['immutable', 'lost'],
  ],
  [
    'a patch of a policy in a cluster',
    {
      'clusters/all.yaml': source + flux('apps') + flux('policies'),
      'apps/cache.yaml': deployment('cache'),
      'policies/kustomization.yaml': 'resources: [policy.yaml]\npatches: [{path: patch.yaml}]\n',
      'policies/policy.yaml': policy('none'),
      'policies/patch.yaml': policy('cache'),
    },
    { 'policies/patch.yaml': policy('store') },
    ['lost'],
  ],
];

describe('impact of a change of an input', () => {
  for (const [what, before, changed, changes] of cases) {
    it(`lists what diff lists, for ${what}`, async () => {
      const { impact, diff } = await effectsOf(before, changed);
      assert.deepEqual(impact, diff);
      assert.deepEqual(impact.changes, changes);
      assert.ok(impact.connections.length > 0);
    });
  }
});
