/** Tests the files of a chart as documents: navigation between values, helpers and their uses, and hovers of values. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const chart = `
  ==> Chart.yaml <==
  apiVersion: v2
  name: shop
  # ^ chartName
  version: 1.2.3
  appVersion: "2.0"
  # ^ appVersion
  dependencies:
    - name: redis
      #     ^ dependency
      version: 1.0.0
    - name: common
      repository: file://../common
  ==> values.yaml <==
  tier: front
  # ^ tier
  extra: {a: b}
  # ^ extra
  nested:
  # ^ nested
    name: web
    # ^ nestedName
  unused: x
  # ^ unused
  redis:
    role: cache
    #  ^ parentRole
  ==> values-prod.yaml <==
  tier: back
  # ^ prodTier
  ==> charts/redis/Chart.yaml <==
  apiVersion: v2
  name: redis
  version: 1.0.0
  ==> charts/redis/values.yaml <==
  role: store
  # ^ role
  ==> charts/redis/templates/redis.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: redis
    labels:
      role: {{ .Values.role }}
      #                ^ useOfRole
  ==> templates/_helpers.tpl <==
  {{- define "shop.labels" -}}
  app: {{ .Values.nested.name }}
  version: {{ .Chart.AppVersion | quote }}
  {{- end }}
  {{- define "shop.name" -}}
  {{ .Values.nested.name | default .Chart.Name | trunc 63 }}
  {{- end }}
  ==> templates/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: {{ include "shop.name" . }}
    #                    ^ include
    labels:
      {{- include "shop.labels" . | nindent 4 }}
      tier: {{ .Values.tier }}
      #                 ^ useOfTier
      name: {{ .Values.nested.name }}
      #                 ^ useOfNested
      version: {{ .Chart.AppVersion }}
      #                   ^ useOfVersion
      {{- toYaml .Values.extra | nindent 4 }}
  spec:
    selector:
      tier: {{ $.Values.tier | quote }}
`;

describe('the files of a chart', () => {
  it('lead from uses to definitions', async () => {
    const b = await bench(chart);
    const definitions = ['useOfTier', 'useOfNested', 'useOfVersion', 'include', 'useOfRole', 'dependency'];
    assert.equal(
      definitions.map((each) => `${each}: ${b.definition(each)}`.trimEnd()).join('\n'),
      lines(`
        useOfTier: values.yaml:1 tier
        useOfNested: values.yaml:3 nested
        useOfVersion: Chart.yaml:4 appVersion
        include: templates/_helpers.tpl:5 shop.name
        useOfRole: charts/redis/values.yaml:1 role
        values.yaml:7 role
        dependency: charts/redis/Chart.yaml:1
      `),
    );
  });

  it('lead from definitions to uses', async () => {
    const b = await bench(chart);
    const names = ['tier', 'nestedName', 'appVersion', 'include', 'role', 'extra'];
    assert.equal(
      names.map((each) => `${each}:\n${b.references(each)}`).join('\n'),
      lines(`
        tier:
        values.yaml:1 tier
        values-prod.yaml:1 tier
        templates/web.yaml:7 .Values.tier
        templates/web.yaml:13 .Values.tier
        nestedName:
        values.yaml:4 name
        templates/_helpers.tpl:2 .Values.nested.name
        templates/_helpers.tpl:6 .Values.nested.name
        templates/web.yaml:8 .Values.nested.name
        appVersion:
        Chart.yaml:4 appVersion
        templates/_helpers.tpl:3 .Chart.AppVersion
        templates/web.yaml:9 .Chart.AppVersion
        include:
        templates/web.yaml:4 shop.name
        templates/_helpers.tpl:5 shop.name
        role:
        charts/redis/values.yaml:1 role
        charts/redis/templates/redis.yaml:6 .Values.role
        values.yaml:7 role
        extra:
        values.yaml:2 extra
        templates/web.yaml:10 .Values.extra
      `),
    );
  });

  it('show in hovers which labels and selectors use a value', async () => {
    const b = await bench(chart);
    const names = [
      'tier',
      'prodTier',
      'nested',
      'nestedName',
      'extra',
      'unused',
      'parentRole',
      'role',
      'appVersion',
      'chartName',
    ];
    const text = names.map((each) => `${each}: ${b.hover(each)}`).join('\n');
    assert.equal(
      text.replaceAll(/\]\(<[^>]*>\)/g, ']'),
      lines(`
      tier: tier
      ---
      **Used in labels and selectors of** (1)
      - [Service/web] — templates/web.yaml:5: \`tier: front\` in \`metadata.labels\`; \`tier: front\` in \`spec.selector\`
      prodTier: tier
      ---
      **Used in labels and selectors of** (1)
      - [Service/web] — templates/web.yaml:5: \`tier: {{ .Values.tier }}\` in \`metadata.labels\`; \`tier: {{ .Values.tier }}\` in \`spec.selector\`
      nested: nested
      ---
      **Used in labels of** (1)
      - [Service/web] — templates/web.yaml:5: \`app: web\`, \`name: web\` in \`metadata.labels\`
      nestedName: name
      ---
      **Used in labels of** (1)
      - [Service/web] — templates/web.yaml:5: \`app: web\`, \`name: web\` in \`metadata.labels\`
      extra: extra
      ---
      **Used in labels of** (1)
      - [Service/web] — templates/web.yaml:5: entries of \`metadata.labels\`
      unused: (none)
      parentRole: role
      ---
      **Used in labels of** (1)
      - [Service/redis] — charts/redis/templates/redis.yaml:5: \`role: cache\` in \`metadata.labels\`
      role: role
      ---
      **Used in labels of** (1)
      - [Service/redis] — templates/redis.yaml:5: \`role: cache\` in \`metadata.labels\`
      appVersion: appVersion
      ---
      **Used in labels of** (1)
      - [Service/web] — templates/web.yaml:5: \`version: 2.0\`, \`version: 2.0\` in \`metadata.labels\`
      chartName: (none)
    `),
    );
  });

  it('are linked to the charts that they need', async () => {
    const b = await bench(chart);
    assert.deepEqual(b.links('Chart.yaml'), ['redis -> charts/redis/Chart.yaml']);
  });
});
