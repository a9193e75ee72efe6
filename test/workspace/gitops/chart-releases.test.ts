/** Tests the objects of charts as a release installs them. */

import assert from 'node:assert/strict';
import type { Data } from '../../../server/src/manifests/helm/value.ts';
import { overridden } from '../../../server/src/manifests/helm/values.ts';
import { nodeAt } from '../../../server/src/manifests/yaml/tree.ts';
import { releasedObjects } from '../../../server/src/workspace/gitops/chart-release.ts';
import { bench } from '../../harness/bench.ts';

const chart = `
==> web/Chart.yaml <==
apiVersion: v2
name: web
version: 1.2.3
==> web/values.yaml <==
nameOverride: ""
component: api
tiers: [front, back]
redis: {size: 2}
==> web/templates/_helpers.tpl <==
{{- define "web.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "web.fullname" -}}
{{- $name := include "web.name" . }}
{{- if contains $name .Release.Name }}
{{- .Release.Name }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name }}
{{- end }}
{{- end }}
==> web/templates/service.yaml <==
apiVersion: v1
kind: Service
metadata:
  name: {{ include "web.fullname" . }}
  namespace: {{ .Release.Namespace }}
  labels:
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/managed-by: {{ .Release.Service }}
    helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
    tier: {{ index .Values.tiers 1 }}
    revision: "r{{ .Release.Revision }}"
spec:
  selector:
    app: {{ include "web.name" . }}
    component: {{ .Values.component | quote }}
    missing: "{{ .Values.missing }}"
==> web/charts/redis/Chart.yaml <==
name: redis
version: 7.0.0
==> web/charts/redis/values.yaml <==
size: 1
role: cache
==> web/charts/redis/templates/_helpers.tpl <==
{{- define "redis.fullname" -}}
{{ if eq .Release.Name "x" }}x{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}-{{ .Values.role }}{{ end }}
{{- end }}
==> web/charts/redis/templates/pod.yaml <==
apiVersion: v1
kind: Pod
metadata:
  name: {{ include "redis.fullname" . }}
  labels:
    size: "{{ .Values.size }}"
    role: {{ .Values.role }}
`;

interface Options {
  readonly name?: string;
  readonly values?: (defaults: Data) => Data | undefined;
}

/** The names, namespaces and labels of all objects. */
async function installed({ name = 'shop', values = (defaults) => defaults }: Options = {}) {
  const { session } = await bench(chart);
  const workspace = session.snapshot();
  const facts = workspace.scopes().facts();
  const members = [...workspace.files.keys()].filter((uri) => uri.startsWith('file:///work/web/')).toSorted();
  const at = (uri: string) => workspace.files.get(uri);
  const files = {
    facts,
    members: members.toReversed(),
    values: (uri: string) => at(uri)?.helm?.values,
    helpers: (uri: string) => at(uri)?.helm?.helpers,
  };
  const release = { name, namespace: 'prod', values };
  const objects = releasedObjects('file:///work/web', release, files, (uri) => at(uri)?.manifest.objects ?? []);
  const shown = (...[tree, ...path]: Parameters<typeof nodeAt>) => {
    const node = nodeAt(tree, ...path);
    if (node?.kind !== 'map') return node?.kind === 'scalar' ? node.text : '';
    return node.entries.map(({ key, value }) => `${key.text}=${value.kind === 'scalar' ? value.text : ''}`).join(' ');
  };
  return objects.map(({ tree }) => [
    shown(tree, 'kind'),
    shown(tree, 'metadata', 'name'),
    shown(tree, 'metadata', 'namespace'),
    shown(tree, 'metadata', 'labels'),
    shown(tree, 'spec', 'selector'),
  ]);
}

describe('the objects of a chart', () => {
  it('have the name, namespace and values of their release', async () => {
    assert.deepEqual(await installed(), [
      [
        'Service',
        'shop-web',
        'prod',
        'app.kubernetes.io/instance=shop app.kubernetes.io/managed-by=Helm helm.sh/chart=web-1.2.3 tier=back revision=r{{ .Release.Revision }}',
        'app=web component=api missing=',
      ],
      ['Pod', 'shop-redis-cache', '', 'size=2 role=cache', ''],
    ]);
  });

  it('have the values that the release sets', async () => {
    const values = (defaults: Data) =>
      overridden(defaults, { nameOverride: 'hop', component: 'ui', redis: { role: 'queue' } });
    const [service, pod] = await installed({ values });
    assert.equal(service?.[1], 'shop');
    assert.equal(service?.[4], 'app=hop component=ui missing=');
    assert.equal(pod?.[1], 'shop-redis-queue');
  });

  it('keep what is unknown', async () => {
    const unknown = await installed({ values: () => undefined });
    assert.match(unknown[0]?.[4] ?? '', /component=\{\{ .Values.component \}\}/);
    assert.equal(unknown[1]?.[1], 'shop-redis-{{ .Values.role }}');
    const [service] = await installed({ name: '{{ name }}' });
    assert.match(service?.[3] ?? '', /instance=\{\{ name \}\}/);
    assert.match(service?.[1] ?? '', /^\{\{.*\}\}$/);
  });
});
