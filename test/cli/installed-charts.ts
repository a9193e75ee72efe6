/** Charts that Applications install, and changes of their files after which a selector of another scope matches. */
import { pods, service } from './change-stories.ts';

const application = (name: string, source: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/team/fleet, ${source}}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
---
`;

/** Two charts, which Applications install, and two Services beside them that select nothing. */
export const installedCharts: Readonly<Record<string, string>> = {
  'argo/all.yaml': [
    ...['one', 'two'].map((name) =>
      application(name, `path: charts/${name}, helm: {valueFiles: [../../envs/${name}.yaml]}`),
    ),
    ...['checkout', 'payments'].map((name) => application(name, `path: ${name}`)),
  ].join(''),
  ...Object.fromEntries(
    ['one', 'two'].flatMap((name) => [
      [`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
      [`charts/${name}/templates/_helpers.tpl`, '{{ define "app" }}{{ .Values.app }}{{ end }}\n'],
      [`charts/${name}/templates/web.yaml`, pods(name, 'app: {{ include "app" . }}')],
      [`charts/${name}/templates/worker.yaml`, pods(`${name}-worker`, 'app: worker')],
      [`charts/${name}/values.yaml`, 'app: web\n'],
      [`envs/${name}.yaml`, 'tier: api\n'],
    ]),
  ),
  ...Object.fromEntries(
    ['checkout', 'payments'].flatMap((name) => [
      [`${name}/service.yaml`, service(name, `app: ${name}`)],
      [`${name}/web.yaml`, pods(`other-${name}`, `app: ${name.replace('e', '')}`)],
    ]),
  ),
};

/** Changes of a file, each with the replaced text and the new text. */
export const chartChanges = [
  ['a template of a chart', ['charts/one/templates/worker.yaml', 'app: worker', 'app: checkout']],
  ['a helper of a chart', ['charts/one/templates/_helpers.tpl', '{{ .Values.app }}', 'checkout']],
  ['the values of a chart', ['charts/one/values.yaml', 'app: web', 'app: checkout']],
  ['a values file of an Application', ['envs/one.yaml', 'tier: api', 'app: checkout']],
] as const;
