/** Tests references to labels that patches and GitOps objects write into objects that are written differently. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const local = 'https://kubernetes.default.svc';

const app = (name: string, { source = '', cluster = local }: { source?: string; cluster?: string } = {}) => `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd}
    spec:
      source: {repoURL: https://git.example.com/all.git, path: ${name}${source}}
      destination: {server: '${cluster}', namespace: shop}`;

const pod = `
    ==> shop/pod.yaml <==
    apiVersion: v1
    kind: Pod
    metadata:
      name: web
      labels:
        tier: gold
        #     ^ here
    spec: {containers: []}`;

const budget = (name: string, tier: string) => `
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: ${name}}
    spec: {minAvailable: 1, selector: {matchLabels: {tier: ${tier}}}}`;

/** Budgets with another value than the label, which two patches change. */
const patched = (folder: string, resources: string) => `
    ==> ${folder}/kustomization.yaml <==
    resources: [${resources}]
    patches:
    - path: patch.yaml
    - target: {kind: PodDisruptionBudget, name: replaced}
      patch: |
        - op: replace
          path: /spec/selector/matchLabels/tier
          value: gold
    ==> ${folder}/budgets.yaml <==${budget('merged', 'other')}${budget('replaced', 'other')}${budget('plain', 'gold')}
    ==> ${folder}/patch.yaml <==
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: merged}
    spec: {selector: {matchLabels: {tier: gold}}}`;

async function found(files: string): Promise<readonly string[]> {
  return (await bench(files)).references('here').split('\n');
}

describe('references', () => {
  it('include selectors that patches of the kustomization set', async () => {
    assert.deepEqual(await found(`${pod}${patched('shop', 'pod.yaml, budgets.yaml')}`), [
      'shop/pod.yaml:6 tier: gold',
      'shop/budgets.yaml:15 tier: gold',
      'shop/kustomization.yaml:8 gold',
      'shop/patch.yaml:4 tier: gold',
    ]);
  });

  it('include selectors that only another GitOps object of the cluster sets', async () => {
    const files = (cluster: string) => `
    ==> argocd/apps.yaml <==${app('argocd')}${app('shop')}${app('policies', { cluster })}${pod}${patched('policies', 'budgets.yaml')}`;
    assert.deepEqual(await found(files(local)), [
      'shop/pod.yaml:6 tier: gold',
      'policies/budgets.yaml:15 tier: gold',
      'policies/kustomization.yaml:8 gold',
      'policies/patch.yaml:4 tier: gold',
    ]);
    assert.deepEqual(await found(files('https://other.example.com')), ['shop/pod.yaml:6 tier: gold']);
  });

  it('include labels in a GitOps object that change selectors, once', async () => {
    const source = ', kustomize: {commonLabels: {tier: gold}}';
    const files = `
    ==> argocd/apps.yaml <==${app('argocd')}${app('shop')}${app('policies', { source })}${pod}
    ==> policies/kustomization.yaml <==
    resources: [budgets.yaml]
    ==> policies/budgets.yaml <==${budget('merged', 'other')}`;
    assert.deepEqual(await found(files), ['shop/pod.yaml:6 tier: gold', 'argocd/apps.yaml:20 tier: gold']);
  });
});
