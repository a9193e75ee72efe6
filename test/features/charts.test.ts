/** Tests features in the templates of a chart: the output of helpers, its position, and default values. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const chart = `
==> Chart.yaml <==
apiVersion: v2
name: shop
version: 0.1.0
==> values.yaml <==
tier: web
==> templates/_helpers.tpl <==
{{- define "shop.labels" -}}
{{ include "shop.selectorLabels" . }}
{{- if .Values.team }}
team: {{ .Values.team }}
{{- end }}
{{- end }}
{{- define "shop.selectorLabels" -}}
app: shop
release: {{ .Release.Name }}
{{- end }}
==> templates/deployment.yaml <==
apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels:
    {{- include "shop.labels" . | nindent 4 }}
    #     ^ labels
spec:
  selector:
    matchLabels:
      {{- include "shop.selectorLabels" . | nindent 6 }}
      #     ^ own
  template:
    metadata:
      labels:
        {{- include "shop.selectorLabels" . | nindent 8 }}
        tier: {{ .Values.tier }}
==> templates/service.yaml <==
apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
  # ^ selector
    {{- include "shop.selectorLabels" . | nindent 4 }}
    #     ^ action
---
apiVersion: v1
kind: Service
metadata:
  name: usual
spec:
  selector:
  # ^ usual
    tier: web
---
apiVersion: v1
kind: Service
metadata:
  name: unusual
spec:
  selector:
  # ^ unusual
    tier: back
`;

describe('in a template of a chart', () => {
  it('objects have the names that the values of the chart give them, in the outline, the view and the page', async () => {
    const b = await bench(`
      ==> Chart.yaml <==
      {apiVersion: v2, name: shop, version: 0.1.0}
      ==> values.yaml <==
      name: basket
      ==> templates/service.yaml <==
      apiVersion: v1
      kind: Service
      #     ^ object
      metadata:
        name: {{ .Values.name }}
      spec:
        selector: {app: web}
        #^ selector
    `);
    assert.match(b.documentSymbols('templates/service.yaml'), /^object Service\/basket /);
    assert.match(b.explain('object') ?? '', /^# Service\/basket$/m);
    assert.match(b.preview('object') ?? '', /Service\/basket/);
  });

  it('labels in values are not said to be selected by nothing, because the pods have more labels', async () => {
    const b = await bench(`
      ==> Chart.yaml <==
      {apiVersion: v2, name: shop, version: 0.1.0}
      ==> values.yaml <==
      podLabels: {}
      #^ labels
      ==> templates/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata:
            labels:
              app: web
              {{- toYaml .Values.podLabels | nindent 8 }}
    `);
    assert.match(b.hover('labels') ?? '', /Deployment\/web/);
    assert.doesNotMatch(b.hover('labels') ?? '', /nothing/);
  });

  it('a selector of an object that is not created is shown with the default values of the chart', async () => {
    const b = await bench(`
      ==> Chart.yaml <==
      {apiVersion: v2, name: shop, version: 0.1.0}
      ==> values.yaml <==
      {name: basket, enabled: false}
      ==> templates/service.yaml <==
      {{- if .Values.enabled }}
      apiVersion: v1
      kind: Service
      metadata: {name: front}
      spec:
        selector:
        # ^ selector
          app: {{ .Values.name }}
      {{- end }}
    `);
    assert.match(b.preview('selector') ?? '', /^app=basket \(Pods where `app` is 'basket' with chart defaults/m);
  });

  it('hover on an action shows the output of its helper, and its location', async () => {
    const b = await bench(chart);
    assert.equal(
      b.hover('labels').split('\n\n').slice(0, 4).join('\n'),
      lines(`
        {{- include "shop.labels" . | nindent 4 }}
        ---
        Labels of the Deployment itself. Its pods have the labels of its template.
        ***
        The helper \`shop.labels\` renders ([&#95;helpers.tpl:8](<templates/_helpers.tpl#L8,1>)):
        \`\`\`yaml
        app: shop
        release: {{ .Release.Name }}
        team: {{ .Values.team }} # may be omitted
        \`\`\`
      `),
    );
  });

  it('hover on a selector that a helper writes shows certain matches', async () => {
    const b = await bench(chart);
    assert.match(b.hover('selector'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/basket\]/);
    assert.match(b.hover('action'), /\*\*Matches\*\* \(1\)[\s\S]*\*\*\*\n\nThe helper `shop.selectorLabels` renders/);
  });

  it('matches with defaults of the chart are listed, and matches with other values only counted', async () => {
    const b = await bench(chart);
    assert.match(b.hover('usual'), /\*\*Matches\*\* \(1\)\n.*Deployment\/basket/);
    const counted = /\*\*Matches nothing\*\* with chart defaults\.\n\n1 other object matches with other chart values/;
    assert.match(b.hover('unusual'), counted);
    assert.doesNotMatch(b.hover('unusual'), /May match|is 'web'/);
  });

  it('matches for which two values must be the same by chance are not counted', async () => {
    const workload = (name: string) => `
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: {{ .Values.${name}.name }}
      spec:
        selector:
          matchLabels:
          # ^ ${name}
            app: {{ .Values.${name}.name }}
        template:
          metadata:
            labels:
              app: {{ .Values.${name}.name }}
    `;
    const b = await bench(`
      ==> Chart.yaml <==
      apiVersion: v2
      name: shop
      version: 0.1.0
      ==> values.yaml <==
      cart: {name: cart}
      queue: {name: queue}
      ==> templates/cart.yaml <==${workload('cart')}
      ==> templates/queue.yaml <==${workload('queue')}`);
    assert.match(b.hover('cart'), /\*\*Matches\*\* \(1\)\n- \[Deployment\/cart\]/);
    assert.doesNotMatch(b.hover('cart'), /with other chart values/);
  });

  it('definition leads from an action to its helper, and from a selector to the labels in the template', async () => {
    const b = await bench(chart);
    assert.equal(b.definition('action'), 'templates/_helpers.tpl:8 app');
    assert.equal(b.definition('labels'), 'templates/_helpers.tpl:8 app');
    assert.match(b.definition('selector'), /^templates\/deployment\.yaml:14 \{\{- include/);
  });
});

describe('a kind that a template determines', () => {
  const decided = (own: string) => `
    ==> Chart.yaml <==
    apiVersion: v2
    name: shop
    version: 1.0.0
    ==> values.yaml <==
    stateful: true
    ==> templates/all.yaml <==
    apiVersion: apps/v1
    kind: {{ if .Values.stateful }}StatefulSet{{ else }}Deployment{{ end }}
    metadata:
      name: shop
    spec:
      selector:
        matchLabels: { app: shop, side: '{{ if .Values.stateful }}back{{ else }}front{{ end }}' }
      template:
        metadata:
          labels: { app: shop, side: '{{ if .Values.stateful }}back{{ else }}front{{ end }}' }
        spec:
          {{- if .Values.spread }}
          affinity:
            podAntiAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                - topologyKey: kubernetes.io/hostname
                  labelSelector:
                  # ^ selector
                    matchLabels:
                      app: shop
                      ${own}
          {{- end }}
  `;

  it('is the kind that the chart creates by default, and selects if it exists', async () => {
    const b = await bench(decided(''));
    assert.match(b.preview('selector'), /matches:\n {2}templates\/all\.yaml StatefulSet shop via spec\.template$/);
  });

  it('may contain further requirements', async () => {
    const b = await bench(decided('{{ if .Values.more }}tier: web{{ end }}'));
    assert.match(b.preview('selector'), /maybe:\n {2}templates\/all\.yaml StatefulSet shop/);
  });
});

describe('in a chart whose helpers combine maps', () => {
  const put = `
    ==> Chart.yaml <==
    apiVersion: v2
    name: maps
    version: 1.0.0
    dependencies: [{name: common, version: 1.0.0}]
    ==> values.yaml <==
    commonLabels: {}
    podLabels: {}
    worker:
      kind: StatefulSet
    ==> templates/_helpers.tpl <==
    {{- define "maps.selector" -}}
    {{ merge (pick (.custom | default dict) "app") (dict "app" "maps" "release" .context.Release.Name) | toYaml }}
    {{- end }}
    {{- define "maps.labels" -}}
    {{- $own := dict "app" "maps" "release" .context.Release.Name -}}
    {{- with .context.Chart.AppVersion -}}
    {{- $_ := set $own "version" . -}}
    {{- end -}}
    {{ merge (.custom | default dict) $own | toYaml }}
    {{- end }}
    ==> templates/all.yaml <==
    apiVersion: {{ include "maps.missing.apiVersion" . }}
    kind: {{ .Values.worker.kind }}
    metadata:
      name: worker
      namespace: {{ .Release.Namespace | quote }}
    spec:
      {{- $podLabels := merge .Values.podLabels .Values.commonLabels }}
      selector:
        matchLabels: {{- include "maps.selector" (dict "custom" $podLabels "context" $) | nindent 6 }}
          component: worker
      template:
        metadata:
          labels: {{- include "maps.labels" (dict "custom" $podLabels "context" $) | nindent 8 }}
            #      ^ labels
            component: worker
    ---
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata:
      name: same
    spec:
      {{- $podLabels := merge .Values.podLabels .Values.commonLabels }}
      selector:
      # ^ same
        matchLabels: {{- include "maps.selector" (dict "custom" $podLabels "context" $) | nindent 6 }}
          component: worker
    ---
    apiVersion: v1
    kind: Service
    metadata:
      name: usual
    spec:
      selector: {{- include "maps.selector" (dict "custom" .Values.commonLabels "context" $) | nindent 4 }}
      #          ^ usual
        component: worker
  `;

  it('selectors match equally combined labels, in the namespace of the release', async () => {
    const b = await bench(put);
    assert.match(
      b.preview('same'),
      /matches:\n {2}templates\/all\.yaml StatefulSet worker via spec\.template\nselectedBy:/,
    );
    assert.match(
      b.preview('usual'),
      /matches:\n {2}templates\/all\.yaml StatefulSet worker via spec\.template\nselectedBy:/,
    );
  });

  it('hover shows the existing labels', async () => {
    const b = await bench(put);
    assert.equal(
      b.hover('labels').split('\n\n').slice(0, 4).join('\n'),
      lines(`
        {{- include "maps.labels" (dict "custom" $podLabels "context" $) | nindent 8 }}
        ---
        **Selected by** (2)
        - [PodDisruptionBudget/same](<templates/all.yaml#L22,3>) — all.yaml:22 \`spec.selector\`
        - [Service/usual](<templates/all.yaml#L31,3>) — all.yaml:31 \`spec.selector\`
        ***
        The helper \`maps.labels\` renders ([&#95;helpers.tpl:5](<templates/_helpers.tpl#L5,19>)):
        \`\`\`yaml
        app: maps # with chart defaults
        release: {{ .Release.Name }} # with chart defaults
        version: {{ .Chart.AppVersion }} # may be omitted
        \`\`\`
      `),
    );
    assert.equal(b.definition('labels'), 'templates/_helpers.tpl:5 app');
  });
});

describe('in a chart with whose values Helm stops', () => {
  const failing = `
    ==> gate/Chart.yaml <==
    {apiVersion: v2, name: gate, version: 1.0.0}
    ==> gate/values.yaml <==
    defaults: {gates: {out: {name: out, labels: {app: out}}}}
    ==> gate/templates/deployment.yaml <==
    {{- $gate := index .Values "gates" "out" }}
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: {{ $gate.name }}}
    spec:
      selector:
        matchLabels:
          {{- toYaml $gate.labels | nindent 6 }}
      template:
        metadata:
          labels:
          # ^ labels
            {{- toYaml $gate.labels | nindent 8 }}
    ==> gate/templates/service.yaml <==
    {{- $gate := index .Values "gates" "out" }}
    apiVersion: v1
    kind: Service
    metadata: {name: "{{ $gate.name }}-{{ $gate.revision }}"}
    spec:
      selector:
      # ^ selector
        {{- toYaml $gate.labels | nindent 4 }}`;

  it('no match is certain, and no name consists of missing values', async () => {
    const b = await bench(failing);
    assert.equal(
      (b.hover('selector') ?? '').split('\n').find((line) => line.startsWith('- ')),
      '- [Deployment/{{ .Values.gates.out.name }}](<gate/templates/deployment.yaml#L11,7>) — deployment.yaml:11: a template adds requirements to the selector; with values.yaml alone, Helm stops at service.yaml: index of nil',
    );
    assert.match(b.hover('selector') ?? '', /\*\*May match\*\* \(1\)/);
    assert.doesNotMatch(b.hover('labels') ?? '', /\*\*Selected by\*\*/);
    assert.match(b.lenses('gate/templates/service.yaml'), /may select /);
  });
});

describe('a selector to which each branch of a template adds a requirement', () => {
  it('is not said to match an object of another folder', async () => {
    const b = await bench(`
      ==> pilot/Chart.yaml <==
      {apiVersion: v2, name: pilot, version: 1.0.0}
      ==> pilot/templates/service.yaml <==
      {{- if eq .Values.global.scope "all" }}
      apiVersion: v1
      kind: Service
      metadata: {name: pilot}
      spec:
        selector:
        # ^ selector
          app: pilot
          {{- if ne .Values.revision "" }}
          revision: {{ .Values.revision | quote }}
          {{- else }}
          role: pilot
          {{- end }}
      {{- end }}
      ==> plain/pilot.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: pilot}
      spec:
        selector: {matchLabels: {app: pilot}}
        template:
          metadata:
            labels: {app: pilot}
            # ^ labels`);
    assert.doesNotMatch(b.hover('selector') ?? '', /Deployment\/pilot/);
    assert.doesNotMatch(b.hover('labels') ?? '', /Service\/pilot/);
    assert.match(b.hover('selector') ?? '', /\*\*Matches unknown\*\*/);
  });
});

describe('objects of a chart that exclude each other', () => {
  it('are not said to match', async () => {
    const workload = (kind: string, condition: string) => `
      ==> gate/templates/${kind.toLowerCase()}.yaml <==
      {{- if ${condition} }}
      apiVersion: apps/v1
      kind: ${kind}
      #     ^ ${kind}
      metadata: {name: gate}
      spec: {selector: {matchLabels: {app: gate}}, template: {metadata: {labels: {app: gate}}}}
      {{- end }}`;
    for (const [one, other] of [
      ['.Values.stateful', 'not .Values.stateful'],
      ['ne .Values.mode "plain"', 'eq .Values.mode "plain"'],
    ] as const) {
      const chart = `
      ==> gate/Chart.yaml <==
      {apiVersion: v2, name: gate, version: 1.0.0}
      ==> gate/values.yaml <==
      {stateful: false, mode: plain}`;
      const b = await bench(chart + workload('StatefulSet', one) + workload('Deployment', other));
      for (const kind of ['StatefulSet', 'Deployment']) assert.doesNotMatch(b.hover(kind) ?? '', /elects|elected by\*/);
    }
  });
});

describe('an object whose labels match only with other values of its chart', () => {
  it('is not listed beside objects that select it, and that it selects', async () => {
    const workload = (name: string) => `
      ==> shop/templates/${name}.yaml <==
      {{- if .Values.${name}.enabled }}
      apiVersion: apps/v1
      kind: Deployment
      #     ^ ${name}
      metadata: {name: "{{ .Values.${name}.name }}"}
      spec:
        selector: {matchLabels: {app: "{{ .Values.${name}.name }}"}}
        template: {metadata: {labels: {app: "{{ .Values.${name}.name }}"}}}
      {{- end }}`;
    const b = await bench(`
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/values.yaml <==
      {web: {name: web, enabled: true}, api: {name: api, enabled: false}}${workload('web')}${workload('api')}`);
    assert.doesNotMatch(b.hover('api') ?? '', /Deployment\/web/);
    assert.match(b.hover('api') ?? '', /not created with chart defaults/);
  });
});
