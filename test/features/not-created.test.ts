/** Tests the statements about objects that the installation of a chart does not create. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

describe('an object that a chart does not create with its values', () => {
  it('is no user of other objects, and its long lens is not cut', async () => {
    const b = await bench(`
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/values.yaml <==
      {single: false}
      ==> shop/templates/account.yaml <==
      apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: '{{ .Release.Name }}-account'
        namespace: '{{ .Release.Namespace }}'
      ==> shop/templates/binding.yaml <==
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: shop}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
      subjects: [{kind: ServiceAccount, name: '{{ .Release.Name }}-account', namespace: '{{ .Release.Namespace }}'}]
      ==> shop/templates/single.yaml <==
      {{- if .Values.single }}
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: single}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
      subjects: [{kind: ServiceAccount, name: '{{ .Release.Name }}-account', namespace: '{{ .Release.Namespace }}'}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: single}
      spec:
        selector: {app: web}
      {{- end }}
      ==> shop/templates/web.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: pod-with-a-name-that-is-longer-than-forty-letters, labels: {app: web}}}
    `);
    assert.equal(b.lenses('shop/templates/account.yaml'), '4 metadata.name: used by ClusterRoleBinding/shop');
    assert.match(b.lenses('shop/templates/single.yaml'), /: selects 1 Pod if created$/m);
  });

  it('is in a dependency that a condition or a tag turns off, but not in one whose condition names a missing value', async () => {
    const workload = (name: string) => `
      ==> shop/charts/${name}/Chart.yaml <==
      {apiVersion: v2, name: ${name}, version: 1.0.0}
      ==> shop/charts/${name}/templates/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: ${name}, labels: {tier: back}}}
      #                      ^ ${name}
    `;
    const b = await bench(`
      ==> shop/Chart.yaml <==
      apiVersion: v2
      name: shop
      version: 1.0.0
      dependencies:
      - {name: cache, version: 1.x, condition: cache.enabled}
      - {name: base, version: 1.x, tags: [data]}
      - {name: queue, version: 1.x, condition: queue.enabled}
      ==> shop/values.yaml <==
      {cache: {enabled: false}, tags: {data: false}}
      ==> shop/templates/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: back}
      spec:
        selector: {tier: back}
      # ^ selector
      ${workload('cache')}${workload('base')}${workload('queue')}
    `);
    const selector = b.hover('selector');
    assert.match(selector, /\*\*Matches\*\* \(1\)\n- \[Pod\/queue\]/);
    assert.match(selector, /2 other objects match with other chart values\./);
    assert.match(b.hover('cache'), /, not created with chart defaults\n/);
    assert.match(b.hover('base'), /, not created with chart defaults\n/);
    assert.doesNotMatch(b.hover('queue'), /not created/);
  });

  it('is in a dependency that a GitOps object turns off', async () => {
    const b = await bench(`
      ==> app.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: {name: shop, namespace: argocd}
      spec:
        destination: {namespace: shop, server: https://kubernetes.default.svc}
        source: {repoURL: https://example.org/shop, path: shop, helm: {valuesObject: {cache: {enabled: false}}}}
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0, dependencies: [{name: cache, version: 1.x, condition: cache.enabled}]}
      ==> shop/charts/cache/Chart.yaml <==
      {apiVersion: v2, name: cache, version: 1.0.0}
      ==> shop/charts/cache/templates/pod.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: cache, labels: {tier: back}}}
      #                      ^ cache
    `);
    assert.match(b.hover('cache'), /, not created with the values of Application\/shop\n/);
  });

  it('is said not to be created if another template of the chart fails', async () => {
    const b = await bench(`
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/values.yaml <==
      policy: {enabled: false}
      ==> shop/templates/web.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: '{{ required "name" .Values.name }}', labels: {app: web}}}
      #                      ^ web
      ==> shop/templates/policy.yaml <==
      {{- if .Values.policy.enabled }}
      {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}}}
      #                             ^ policy
      {{- end }}
    `);
    assert.match(b.hover('policy') ?? '', /, not created with chart defaults$/m);
    assert.doesNotMatch(b.hover('web') ?? '', /not created/);
  });

  it('is said to be created by `helm test` if it is a test', async () => {
    const files = (hook: string) => `
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/templates/test.yaml <==
      {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}, annotations: {helm.sh/hook: "${hook}"}}}
      #                      ^ test
    `;
    assert.match((await bench(files('test'))).hover('test') ?? '', /, created by `helm test`$/m);
    assert.match((await bench(files('test-success'))).hover('test') ?? '', /, created by `helm test`$/m);
    assert.doesNotMatch((await bench(files('post-install,test'))).hover('test') ?? '', /created by/);
  });

  it('is said not to be created, in every view', async () => {
    const b = await bench(`
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/values.yaml <==
      policy: {enabled: false}
      ==> shop/templates/web.yaml <==
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}}
      ==> shop/templates/policy.yaml <==
      {{- if .Values.policy.enabled }}
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      #     ^ kind
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        # ^ selector
      {{- end }}
    `);
    assert.match(b.lenses('shop/templates/policy.yaml'), /selects Deployment\/web if created$/m);
    assert.match(b.hover('kind'), /^`policy\/v1 PodDisruptionBudget`.*, not created with chart defaults$/m);
    assert.match(b.hover('selector'), /^This object is not created with chart defaults\.\n\n\*\*Matches\*\* \(1\)/m);
    assert.match(b.explain('kind'), /^This object is not created with chart defaults\.$/m);
    assert.doesNotMatch(b.lenses('shop/templates/web.yaml'), /if created/);
  });
});
