/** Tests that `uses` lists the references and selectors that a chart creates with its values. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

describe('an object of a chart', () => {
  it('has the references of each object that one template creates', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'pods: {web: blue, api: red}\n',
      'a/templates/a.yaml':
        '{{- range $name, $map := .Values.pods }}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: {{ $name }}}\nspec: {containers: [{name: m, image: i, envFrom: [{configMapRef: {name: {{ $map }}}}]}]}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ $map }}}\n{{- end }}\n',
    };
    const { out } = await runInMemory(['uses', 'ConfigMap/blue', '--root', 'a'], { files });
    const named = out.join('\n').match(/Pod\/\w+/g);
    assert.deepEqual(named, ['Pod/web']);
  });

  it('has the references that name its kind by a value', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'kind: Deployment\n',
      'a/templates/a.yaml':
        'apiVersion: apps/v1\nkind: {{ .Values.kind }}\nmetadata: {name: {{ .Release.Name }}-web}\nspec: {}\n---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: {{ .Values.kind }}, name: {{ .Release.Name }}-web}}\n',
    };
    const { out } = await runInMemory(['uses', 'Deployment/x-web', '--root', 'a', '--release', 'x'], { files });
    assert.deepEqual(out.slice(1), [
      '  Named by:',
      '    a/templates/a.yaml:9: HorizontalPodAutoscaler/web spec.scaleTargetRef.name',
    ]);
  });

  it('has the references of other GitOps objects in its cluster', async () => {
    const app = (name: string, path: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/all.git, path: ${path}}
  destination: {server: 'https://kubernetes.default.svc', namespace: shop}
`;
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}}\nspec: {ports: [{port: 80}]}\n';
    const ingress = (name: string) =>
      `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}}\nspec: {defaultBackend: {service: {name: ${name}, port: {number: 80}}}}\n`;
    const usesOf = async (apps: readonly string[]) => {
      const files = {
        'argocd/apps.yaml': `${app('argocd', 'argocd')}${apps.map((each) => app(each, 'chart')).join('')}${app('shared', 'shared')}`,
        'chart/Chart.yaml': 'name: app\nversion: 1.0.0\n',
        'chart/templates/a.yaml': service,
        'shared/a.yaml': `${ingress('orders')}---\n${ingress('other')}`,
      };
      return (await runInMemory(['uses', 'Service/orders'], { files })).out.slice(1);
    };
    const found = [
      '  Named by:',
      '    shared/a.yaml:4: Ingress/orders in shop spec.defaultBackend.service.name (in another scope)',
    ];
    assert.deepEqual(await usesOf(['orders']), found);
    assert.deepEqual(await usesOf(['orders', 'billing']), found);
  });

  it('has the uses that its values decide, also of objects that only helpers write', async () => {
    const either = (one: string, other: string) =>
      `{{- if $.Values.legacy }}\n${one}\n{{- else }}\n${other}\n{{- end }}\n`;
    const map = (name: string, key: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${key}: x}`;
    const pod = (name: string, sources: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: ${name}}}\nspec:\n  containers:\n  - name: m\n    image: i\n    envFrom:\n${sources}`;
    const source = (name: string) => `    - configMapRef: {name: ${name}}`;
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'legacy: true\nnames: [p, q]\n',
      'a/templates/_objects.tpl': `{{- define "objects" }}\n---\n${map('made', 'a')}\n---\n${pod('helper', source('made'))}\n{{- end }}\n`,
      'a/templates/map.yaml': either(map('web', 'a'), map('web', 'b')),
      'a/templates/pods.yaml': `{{- include "objects" . }}\n{{- range .Values.names }}\n---\n${pod('{{ . }}', `${either(source('web'), source('other'))}${source('made')}`)}\n{{- end }}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: helper}, ports: [{port: 80}]}\n`,
    };
    const usesOf = async (object: string) => {
      const { out } = await runInMemory(['uses', object, '--root', 'a'], { files });
      return out.join('\n').match(/(?<=: )\w+\/\w+.*/g);
    };
    const path = 'spec.containers[0].envFrom';
    assert.deepEqual(await usesOf('ConfigMap/web'), [
      'ConfigMap/web',
      `Pod/p ${path}[0].configMapRef.name`,
      `Pod/q ${path}[0].configMapRef.name`,
    ]);
    assert.deepEqual(await usesOf('ConfigMap/made'), [
      'ConfigMap/made',
      `Pod/helper ${path}[0].configMapRef.name`,
      `Pod/p ${path}[1].configMapRef.name`,
      `Pod/q ${path}[1].configMapRef.name`,
    ]);
    assert.deepEqual(await usesOf('Pod/helper'), ['Pod/helper', 'Service/web spec.selector']);
  });
});
