/** The initial texts of campaigns, by the kind of file, and the names under which the mutated texts are parsed. */

import { generateFiles } from '../../bench/generate-workspace.ts';
import { readStories } from '../harness/folders.ts';

export interface Seed {
  readonly name: string;
  readonly text: string;
}

const written = [
  ...readStories().flatMap(({ files }) => files),
  ...generateFiles(100).map(({ path, text }) => ({ name: path, text })),
];

/** Files that are rare in stories. */
const more: readonly Seed[] = [
  {
    name: 'kustomization.yaml',
    text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
namePrefix: a-
nameSuffix: -b
resources: [base, web.yaml, chart/templates/web.yaml, ../other]
components: [component]
commonLabels: {team: blue}
commonAnnotations: {owner: blue}
labels:
  - pairs: {app.kubernetes.io/part-of: shop}
    includeSelectors: true
    includeTemplates: true
    fields: [{path: spec/selector, create: true, kind: Service}]
patches:
  - target: {kind: Deployment, labelSelector: app=web, name: "we.*"}
    patch: |-
      - op: replace
        path: /spec/template/metadata/labels/app
        value: web2
      - {op: add, path: /metadata/labels/a~1b, value: c}
      - {op: move, from: /metadata/labels/app, path: /metadata/labels/app2}
  - path: patch.yaml
patchesStrategicMerge:
  - |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, $patch: delete}
patchesJson6902: [{target: {version: v1, kind: Service, name: web}, path: operations.json}]
configMapGenerator:
  - {name: config, literals: [a=b, "c=d"], files: [x=y.txt], envs: [.env], behavior: merge, options: {labels: {a: b}}}
secretGenerator: [{name: secret, literals: [a=b]}]
generatorOptions: {disableNameSuffixHash: false, labels: {made: "yes"}}
images: [{name: nginx, newName: mirror/nginx, newTag: "1.2"}]
replicas: [{name: web, count: 3}]
replacements:
  - source: {kind: Service, name: web, fieldPath: metadata.labels.app, options: {delimiter: "-", index: 0}}
    targets: [{select: {kind: Deployment}, fieldPaths: ["spec.template.metadata.labels.app", "spec.template.spec.containers.[name=web].image"], options: {create: true}}]
transformers: [transformer.yaml]
configurations: [configuration.yaml]
helmCharts: [{name: chart, repo: "https://example.com", valuesInline: {a: b}}]
`,
  },
  {
    name: 'chart/Chart.yaml',
    text: `apiVersion: v2
name: shop
version: 1.2.3
appVersion: "1"
dependencies:
  - {name: cache, version: 1.x, repository: "file://../cache", alias: store, condition: cache.enabled, tags: [a]}
`,
  },
  {
    name: 'chart/values.yaml',
    text: `labels: &labels {app: web, team: "blue"}
podLabels: {<<: *labels, tier: front}
nodeSelector: {kubernetes.io/arch: amd64}
cache: {enabled: true, selector: {app: cache}}
global: {team: red}
list: [a, b, {c: d}]
`,
  },
  {
    name: 'chart/templates/web.yaml',
    text: `{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.name" . | trunc 63 | trimSuffix "-" }}
  labels: {{- include "shop.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels: {{- include "shop.selector" (dict "root" $ "x" .Values.labels) | nindent 6 }}
  template:
    metadata:
      labels: {{ merge (dict "a" "b") .Values.podLabels .Values.labels | toYaml | nindent 8 }}
        {{- range $key, $value := .Values.labels }}
        {{ $key }}: {{ $value | default "x" | quote }}
        {{- end }}
    spec:
      nodeSelector: {{ .Values.nodeSelector | default dict | toYaml | nindent 8 }}
{{- end }}
{{ tpl .Values.extra $ }}
`,
  },
  {
    name: 'chart/templates/_helpers.tpl',
    text: `{{/* Names */}}
{{- define "shop.name" -}}{{ default .Chart.Name .Values.nameOverride }}{{- end -}}
{{- define "shop.labels" -}}
{{ include "shop.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
{{- define "shop.selector" -}}
app.kubernetes.io/name: {{ include "shop.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
`,
  },
  {
    name: '.selector-lens.yaml',
    text: `namespace: shop
cluster: blue
scopes:
  - {name: web, files: ["apps/**"], with: [cache], namespace: web, cluster: a}
  - {name: cache, files: ["cache/*.yaml", "!cache/old.yaml"]}
generated: ["dist/**"]
placeholders: ["\${*}", "@@*@@"]
rules: {label-key-syntax: error, recommended-labels: {severity: warning, files: ["a/**"]}}
labels:
  required: [{key: team, values: [blue, red], pattern: "[a-z]+", kinds: [Deployment]}]
kinds:
  - {group: example.com, kind: Widget, selectors: [{path: spec.selector, targets: [Pod]}], templates: [spec.template]}
external:
  - {kind: Service, name: web, namespace: other, labels: {app: web}}
`,
  },
  {
    name: 'kyverno-test.yaml',
    text: `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: test}
policies: [policy.yaml]
resources: [web.yaml, "../other/*.yaml"]
variables: values.yaml
results: [{policy: labels, rule: team, resources: [web], kind: Pod, result: fail}]
`,
  },
  {
    name: 'chainsaw-test.yaml',
    text: `apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: {name: test}
spec:
  steps:
    - try: [{apply: {file: web.yaml}}, {assert: {file: other.yaml, resource: {apiVersion: v1, kind: Pod}}}]
`,
  },
  {
    name: 'script.sh',
    text: `#!/bin/sh
kubectl get pods -n shop -l 'app in (web, api),tier!=cache' --field-selector=status.phase=Running
for each in a b; do kubectl label pod "$each" team=blue old- --overwrite; done
kubectl delete all --selector "app=$APP,version=\${VERSION:-1}" \\
  --namespace="$(cat namespace)" | tee <<EOF
curl https://example.com/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb%2Ctier%20in%20%28a%29
EOF
`,
  },
  {
    name: 'README.md',
    text: '# Shop\n\n```sh\nkubectl get pods -l app=web\n```\n\n```yaml\nkind: Service\nspec: {selector: {app: web}}\n```\n\nUse `kubectl get po -l "app in (a,b)"`.\n',
  },
  {
    name: 'app.json',
    text: '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"selector":{"app":"web"}}}]}\n',
  },
  {
    name: 'crd.yaml',
    text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}, matchExpressions: {type: array, items: {type: object}}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec: {selector: {matchLabels: {app: web}}}
`,
  },
];

/** The name of a file by its kind, which affects how a text is parsed. */
function nameFor(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const special = more.find((each) => each.name.endsWith(last));
  if (special !== undefined) return special.name;
  return /\/templates\//.test(name) ? 'chart/templates/web.yaml' : `mutated${/\.[a-z]+$/.exec(last)?.[0] ?? '.yaml'}`;
}

/** All seeds; the special files as often as all others together, since they affect other files. */
export const seeds: readonly Seed[] = [...written, ...repeated(more, Math.ceil(written.length / more.length / 2))].map(
  ({ name, text }) => ({ name: nameFor(name), text }),
);

function repeated<T>(list: readonly T[], times: number): readonly T[] {
  return Array.from({ length: times }, () => list).flat();
}
