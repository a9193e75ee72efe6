/** Tests statements about parts of templates that are under conditions: selectors of peers, and names. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const policy = `
  ==> templates/policy.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: web}
  spec:
    podSelector: {matchLabels: {app: web}}
    ingress:
      - from:
          - podSelector:
          # ^ pods
              matchLabels:
                {{- if .Values.monitoring }}
                app: prometheus
                {{- end }}
          - podSelector:
          # ^ item
              matchLabels:
                {{- range .Values.allowed }}
                app: {{ . }}
                {{- end }}
          - namespaceSelector:
          # ^ namespaces
              matchLabels:
                {{- with .Values.namespaceLabels }}
                {{- toYaml . | nindent 14 }}
                {{- end }}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec:
    selector:
      app: {{ .Values.app }}
      #^ app
      tier: front
      #^ tier
  ---
  apiVersion: v1
  kind: Pod
  metadata: {name: web, labels: {app: web, tier: front}}
  spec: {containers: [{name: web, image: web}]}
`;

const chart = `
  ==> Chart.yaml <==
  {apiVersion: v2, name: shop, version: 0.1.0}
  ==> values.yaml <==
  {app: web, monitoring: false, allowed: [web], namespaceLabels: {}}
`;

/** The lines about the peers of a list. */
function peersIn(hover: string): readonly string[] {
  return hover.split('\n').filter((line) => / of (?:this|any) namespace| of Namespaces/.test(line));
}

describe('a selector with conditional parts', () => {
  it('has peers with unknown conditions if no chart determines its values', async () => {
    const b = await bench(policy);
    const peers = [
      '- Pods where conditions hold that are not known of this namespace (0 here, 1 possible)',
      '- **or, separately,** Pods where `app` is an unknown value of this namespace (0 here, 1 possible)',
      '- **or, separately,** All Pods of Namespaces where conditions hold that are not known (0 here, 1 possible)',
    ];
    for (const place of ['pods', 'namespaces'])
      assert.deepEqual(
        peersIn(b.hover(place)).map((line) => line.replace(/Pods where .* of this/, 'Pods of this')),
        peers.map((line) => line.replace(/Pods where .* of this/, 'Pods of this')),
      );
    assert.doesNotMatch(b.hover('pods'), /All Pods of (?:this|any)/);
  });

  it('is evaluated with the default values of its chart, which other values may replace', async () => {
    const b = await bench(chart + policy);
    assert.match(
      b.hover('pods'),
      /With chart defaults, (?:an empty|a null) `podSelector` selects all Pods\.\n\nOther chart values may change this selector\./,
    );
    assert.match(b.hover('item'), /\*\*Selects\*\* Pods where `app` is 'web'\.\n\nOther chart values may change/);
    assert.match(
      b.hover('namespaces'),
      /namespaceSelector` selects all Namespaces\.[\s\S]*The files contain no Namespaces\./,
    );
    assert.deepEqual(peersIn(b.hover('item')), [
      '- All Pods of this namespace (1 here)',
      "- **or, separately,** Pods where `app` is 'web' of this namespace (1 here)",
      '- **or, separately,** All Pods of any namespace (1 here)',
    ]);
  });

  it('has requirements that are counted with the values of its chart', async () => {
    const b = await bench(chart + policy);
    assert.match(b.hover('app'), /\*\*This requirement\*\* alone: Pods where `app` is 'web' \(1 here\)/);
    assert.match(b.hover('tier'), /\*\*This requirement\*\* alone: Pods where `tier` is 'front' \(1 here\)/);
  });
});

describe('an item of a list after a conditional one', () => {
  const shifted = `${chart}
  ==> templates/policy.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: web}
  spec:
    podSelector: {}
    ingress:
      {{- if .Values.monitoring }}
      - ports: [{port: 9090}]
      #          ^ omittedPort
      {{- end }}
      - from:
          {{- if .Values.monitoring }}
          - podSelector: {matchLabels: {app: prometheus}}
          # ^ omitted
          {{- end }}
          - podSelector: {matchLabels: {app: web}}
          # ^ first
          - podSelector: {matchLabels: {app: api}}
        ports: [{port: 80}]
        #        ^ port
  ---
  {apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
  ---
  {apiVersion: v1, kind: Pod, metadata: {name: api, labels: {app: api}}, spec: {containers: [{name: c, image: i}]}}
`;

  it('has its own matches and connections', async () => {
    const b = await bench(shifted);
    assert.match(b.hover('first'), /\*\*Matches\*\* \(1\)\n- \[Pod\/web\]/);
    assert.match(b.hover('port'), /connect to 2 workloads on TCP 80\./);
  });

  it('is not said to have those of the next item if the values of the chart omit it', async () => {
    const b = await bench(shifted);
    assert.match(b.hover('omitted'), /With chart defaults, this selector is not set\.$/);
    assert.match(b.hover('omittedPort'), /The values of the chart do not create this part of the policy\.$/);
  });
});

describe('a name in a template', () => {
  const names = `
    ==> Chart.yaml <==
    {apiVersion: v2, name: shop, version: 0.1.0}
    ==> values.yaml <==
    {auth: false, account: {create: true, name: ''}}
    ==> templates/_helpers.tpl <==
    {{- define "name" }}{{ if contains "shop" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-shop{{ end }}{{ end }}
    {{- define "account" }}{{ if .Values.account.create }}{{ default (include "name" .) .Values.account.name }}{{ else }}default{{ end }}{{ end }}
    {{- define "env" }}
    {{- if .Values.auth }}
    - secretRef: {name: secret}
    {{- end }}
    - configMapRef: {name: {{ include "name" . }}}
    {{- end }}
    ==> templates/web.yaml <==
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: {{ include "name" . }}}
    #                     ^ account
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: secret}
    #                ^ secret
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: {{ include "name" . }}}
    #                     ^ map
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: other}
    #                ^ other
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec:
      serviceAccountName: {{ include "account" . }}
      #                        ^ named
      containers:
        - name: web
          image: web
          envFrom:
            {{- include "env" . | nindent 8 }}
            {{- if .Values.auth }}
            - secretRef: {name: other}
            #                   ^ conditional
            {{- end }}
  `;

  it('is used by what names it with the values of the chart', async () => {
    const b = await bench(names);
    assert.match(b.hover('account'), /\*\*Used by\*\* \(1\)\n- \[Pod\/web\].*serviceAccountName/);
    assert.match(b.hover('map'), /\*\*Used by\*\* \(1\)\n- \[Pod\/web\].*configMapRef/);
    assert.match(b.hover('other'), /\*\*Used with other chart values by\*\* \(1\)\n- \[Pod\/web\]/);
    assert.doesNotMatch(b.hover('secret'), /\*\*Used by/);
  });

  it('refers to what has it with the values of the chart', async () => {
    const b = await bench(names);
    assert.match(b.hover('named'), /\*\*Refers to\*\* \(1\)\n- \[ServiceAccount\//);
    assert.match(b.hover('conditional'), /\*\*Refers to, with other chart values\*\* \(1\)\n- \[Secret\/other\]/);
  });

  it('is in the lens of the object that it names', async () => {
    const b = await bench(names, { settings: { referencesCodeLens: true } });
    const lenses = b.lenses('templates/web.yaml');
    assert.match(lenses, /used by Pod\/web$/m);
    assert.match(lenses, /used by Pod\/web with other values$/m);
  });
});

describe('a key that a template writes', () => {
  it('is not described by its text', async () => {
    const b = await bench(`${chart}
      ==> templates/web.yaml <==
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: web
        labels:
          {{- range $key, $value := .Values.more }}
          {{ $key }}: {{ $value }}
          #  ^ key
          {{- end }}
    `);
    assert.doesNotMatch(b.hover('key'), /prefix/);
  });
});

describe('the branches of a template', () => {
  it('have references of their own: the rendered one does not answer for the others', async () => {
    const b = await bench(`
      ==> Chart.yaml <==
      {apiVersion: v2, name: web, version: 1.0.0}
      ==> values.yaml <==
      {account: {create: true, name: web}}
      ==> templates/web.yaml <==
      {{- if .Values.account.create }}
      apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: {{ .Values.account.name }}
      ---
      {{- end }}
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: other}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        {{- if .Values.account.create }}
        serviceAccountName: {{ .Values.account.name }}
        {{- else }}
        serviceAccountName: default
        #                    ^ default
        {{- end }}
        containers: [{name: c, image: i}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: second}
      spec:
        {{- if .Values.account.create }}
        serviceAccountName: {{ .Values.account.name }}
        {{- else }}
        serviceAccountName: other
        #                    ^ other
        {{- end }}
        containers: [{name: c, image: i}]
    `);
    assert.match(b.hover('other'), /\n\*\*Refers to, with other chart values\*\* \(1\)\n- \[ServiceAccount\/other\]/);
    assert.match(
      b.hover('default'),
      /\nServiceAccount `default` is not in the files: Kubernetes or a controller creates/,
    );
    assert.match(b.hover('default'), /With chart defaults, this reference is not set\.$/);
  });

  const branches = (enabled: boolean, name: string) => `
    ==> Chart.yaml <==
    {apiVersion: v2, name: web, version: 1.0.0}
    ==> values.yaml <==
    {policy: {enabled: ${enabled}, name: '${name}', podSelector: {}}, selected: true}
    ==> templates/_helpers.tpl <==
    {{- define "web.labels" -}}
    app: web
    tier: front
    {{- end }}
    ==> templates/policy.yaml <==
    {{- if .Values.policy.enabled }}
    {{- if .Values.policy.name }}
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    #     ^ named
    metadata:
      name: {{ .Values.policy.name }}
      labels:
        {{- with .Values.policy.labels }}
        {{- toYaml . | nindent 4 }}
        {{- end }}
    spec:
      podSelector:
        {{- with .Values.policy.podSelector }}
        {{- toYaml . | nindent 4 }}
        {{- end }}
      policyTypes: [Ingress]
    {{- else }}
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    #     ^ kind
    metadata:
      name: metrics
      labels:
        {{- include "web.labels" . | nindent 4 }}
        #    ^ labels
    spec:
      podSelector:
        matchLabels:
          {{- include "web.labels" . | nindent 6 }}
          control-plane: manager
          #              ^ selector
      policyTypes: [Ingress]
    {{- end }}
    {{- end }}
    ---
    apiVersion: v1
    kind: Pod
    metadata:
      name: web
      labels:
        {{- if .Values.selected }}
        {{- include "web.labels" . | nindent 4 }}
        #    ^ inCondition
        {{- end }}
        control-plane: manager
  `;

  it('contain documents of their own', async () => {
    const b = await bench(branches(true, ''));
    assert.doesNotMatch(b.hover('kind'), /not created/);
    assert.match(b.hover('named'), /not created with chart defaults/);
    const selector = b.hover('selector');
    assert.match(selector, /Pods where `app` is 'web', `control-plane` is 'manager' and `tier` is 'front'\./);
    assert.doesNotMatch(selector, /further conditions|may change/);
    assert.doesNotMatch(b.hover('labels'), /may be omitted/);
  });

  it('contain documents of their own if the first one is created', async () => {
    const b = await bench(branches(true, 'all'));
    assert.match(b.hover('kind'), /not created with chart defaults/);
    assert.doesNotMatch(b.hover('named'), /not created/);
    assert.doesNotMatch(b.hover('selector'), /further conditions/);
  });

  it('do not make the labels of a helper optional in this helper', async () => {
    const b = await bench(branches(false, ''));
    assert.match(b.hover('inCondition'), /app: web\ntier: front\n/);
  });
});

describe('a label in a branch of a template', () => {
  const branches = (between: string) => `${chart}
  ==> templates/web.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: branched
    labels:
      {{- if .Values.monitoring }}
      app: api
      #^ omitted
      ${between}
      app: web
      #^ chosen
      {{- end }}
  spec: {containers: [{name: c, image: i}]}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  spec: {selector: {app: web}, ports: [{port: 80}]}
`;

  for (const between of ['{{- else }}', '{{- end }}\n      {{- if .Values.app }}'])
    it(`is not set if the values of the chart choose another branch: ${between.split('\n').at(-1)?.trim()}`, async () => {
      const b = await bench(branches(between));
      assert.match(b.hover('omitted'), /\n\nWith chart defaults, this label is not set\.$/);
      assert.match(b.hover('chosen'), /\*\*Selected by\*\* \(1\)\n- \[Service\/web\]/);
    });
});
