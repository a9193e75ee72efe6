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
