/** Tests the objects of charts as a release installs them. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { WorkBudget } from '../../../server/src/engine/work-budget.ts';
import type { Data } from '../../../server/src/manifests/helm/value.ts';
import { nodeAt } from '../../../server/src/manifests/yaml/tree.ts';
import { releasedObjects } from '../../../server/src/workspace/gitops/chart-release.ts';
import { bench } from '../../harness/bench.ts';
import { lines, readFixture } from '../../harness/margin.ts';
import { described, root } from '../kustomizations.ts';
import { app, loaded } from './applications.ts';

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

/** The text of each file of the chart. */
const chartTexts: ReadonlyMap<string, string> = new Map(
  readFixture(chart).map(({ name, text }) => [`file:///work/${name}`, text] as const),
);

interface Options {
  readonly name?: string;
  /** The values that the release sets; undefined if they are unknown. */
  readonly values?: () => Data | undefined;
}

/** The names, namespaces and labels of all objects. */
async function installed({ name = 'shop', values = () => ({}) }: Options = {}) {
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
    template: (uri: string) => chartTexts.get(uri),
    objects: (uri: string) => at(uri)?.manifest.objects ?? [],
  };
  const data = values();
  const release = {
    name,
    namespace: 'prod',
    values: () => (data === undefined ? undefined : { data }),
  };
  const { resources } = releasedObjects('file:///work/web', release, files, {
    catalogue: session.catalogue,
    budget: new WorkBudget(400_000),
    mostObjects: 1000,
  });
  const shown = (...[tree, ...path]: Parameters<typeof nodeAt>) => {
    const node = nodeAt(tree, ...path);
    if (node?.kind !== 'map') return node?.kind === 'scalar' ? node.text : '';
    return node.entries.map(({ key, value }) => `${key.text}=${value.kind === 'scalar' ? value.text : ''}`).join(' ');
  };
  return resources.map(({ tree }) => [
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
    const values = () => ({ nameOverride: 'hop', component: 'ui', redis: { role: 'queue' } });
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

/** The objects that an Application with some Helm values installs from a chart with one template. */
async function withValues(values: string, template: string): Promise<string> {
  const { workspace } = await loaded({
    'web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
    'web/values.yaml': 'labels: {}\n',
    'web/templates/_helpers.tpl': lines(`
      {{- define "web.labels" -}}
      app: web
      {{- with .Values.labels }}
      {{ toYaml . }}
      {{- end }}
      {{- end }}
    `),
    'web/templates/all.yaml': lines(template),
    'app.yaml': app('shop', `path: web, helm: {valuesObject: {${values}}}`),
  });
  const rendering = workspace.snapshot().rendering(`${root}/app.yaml`, catalogue);
  return (rendering?.objects ?? []).map(({ object }) => described(object)).join('\n');
}

describe('the labels and selectors of a chart', () => {
  const configMap = (name: string, labels: string) => `
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${name}
        labels:${labels}`;
  const all = [
    configMap('lines', ' {{- toYaml .Values.labels | nindent 4 }}'),
    configMap('json', ' {{ .Values.labels | toJson }}'),
    configMap('helper', '\n          {{- include "web.labels" . | nindent 4 }}'),
    configMap('fallback', ' {{- toYaml (default (dict "a" "b") .Values.labels) | nindent 4 }}'),
    configMap(
      'loop',
      '\n          {{- range $key, $value := .Values.labels }}\n          {{ $key }}: {{ $value | quote }}\n          {{- end }}',
    ),
    configMap(
      'choice',
      '\n          {{- if .Values.labels }}\n          has: labels\n          {{- else }}\n          has: none\n          {{- end }}',
    ),
    `
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: lines}
      spec:
        selector:
          {{- toYaml .Values.labels | nindent 4 }}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: loop}
      spec:
        selector:
          matchLabels:
            {{- range $key, $value := .Values.labels }}
            {{ $key }}: {{ $value }}
            {{- end }}`,
  ].join('');

  it('contain the maps of values', async () => {
    assert.equal(
      await withValues('labels: {tier: gold, a/b: "1"}', all),
      lines(`
        ConfigMap/lines in prod
          metadata.labels: a/b=1, tier=gold
        ConfigMap/json in prod
          metadata.labels: a/b=1, tier=gold
        ConfigMap/helper in prod
          metadata.labels: app=web, a/b=1, tier=gold
        ConfigMap/fallback in prod
          metadata.labels: a/b=1, tier=gold
        ConfigMap/loop in prod
          metadata.labels: a/b=1, tier=gold
        ConfigMap/choice in prod
          metadata.labels: has=labels
        Service/lines in prod
          spec.selector: a/b=1,tier=gold
        PodDisruptionBudget/loop in prod
          spec.selector: a/b=1,tier=gold
      `),
    );
  });

  it('are complete if the maps are empty', async () => {
    assert.equal(
      await withValues('', all),
      lines(`
        ConfigMap/lines in prod
          metadata.labels: ${''}
        ConfigMap/json in prod
          metadata.labels: ${''}
        ConfigMap/helper in prod
          metadata.labels: app=web
        ConfigMap/fallback in prod
          metadata.labels: a=b
        ConfigMap/loop in prod
          metadata.labels: ${''}
        ConfigMap/choice in prod
          metadata.labels: has=none
        Service/lines in prod
          spec.selector: nothing asked
        PodDisruptionBudget/loop in prod
          spec.selector: nothing asked
      `),
    );
  });

  it('contain nothing from a cluster, in which Argo CD finds no objects', async () => {
    const looked = configMap('cluster', ' {{- toYaml (lookup "v1" "ConfigMap" "shop" "labels").data | nindent 4 }}');
    assert.equal(await withValues('', looked), 'ConfigMap/cluster in prod\n  metadata.labels: ');
  });

  it('are unknown if a value or a condition is', async () => {
    assert.equal(
      await withValues(
        'labels: {tier: gold}',
        configMap('cluster', ' {{- toYaml (.Files.Get "labels.txt" | fromYaml) | nindent 4 }}') +
          configMap(
            'version',
            '\n          {{- if .Capabilities.APIVersions.Has "v2" }}\n          {{- toYaml .Values.labels | nindent 4 }}\n          {{- end }}',
          ),
      ),
      lines(`
        ConfigMap/cluster in prod
          metadata.labels:  and more
        ConfigMap/version in prod
          metadata.labels: tier=gold
      `),
    );
  });
});

describe('a loop around objects', () => {
  const template = `
      {{- range $team := .Values.teams }}
      {{- if .on }}
      {{- range $key, $port := .ports }}
      ---
      apiVersion: v1
      kind: Service
      metadata:
        name: {{ $team.name }}-{{ $port.name }}-{{ $key }}
      spec:
        selector:
          {{- range $port.labels }}
          {{ .key }}: {{ $team.name }}
          {{- end }}
      {{- end }}
      {{- end }}
      {{- end }}`;

  it('creates one object for each item of certain lists and maps', async () => {
    const values = `teams: [{name: a, on: true, ports: [{name: x, labels: [{key: app}]}, {name: v}]},
      {name: b, ports: [{name: z}]}, {name: c, on: true, ports: {web: {name: z, labels: [{key: team}]}, m-2: {name: w}}}]`;
    assert.equal(
      await withValues(values, template),
      lines(`
        Service/a-x-0 in prod
          spec.selector: app=a
        Service/a-v-1 in prod
          spec.selector: nothing asked
        Service/c-w-m-2 in prod
          spec.selector: nothing asked
        Service/c-z-web in prod
          spec.selector: team=c
      `),
    );
    assert.equal(await withValues('', template), '');
  });

  it('is one object with unknown values if the list is unknown', async () => {
    const unknown = template.replace('.Values.teams', '(.Files.Get "teams.txt" | fromYaml).items');
    assert.match(await withValues('', unknown), /^Service\/\{\{ .*\}\}/);
  });

  it('is one object if it has too many iterations', async () => {
    const items = Array.from({ length: 50 }, (_, index) => index).join(', ');
    const inner = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a{{ . }}"}`;
    const nested = `{{- range .Values.a }}\n{{- range $.Values.a }}\n---\n${inner}\n{{- end }}\n{{- end }}`;
    const created = (await withValues(`a: [${items}]`, nested)).split('\n');
    assert.ok(created.length < 2_200);
  });
});
