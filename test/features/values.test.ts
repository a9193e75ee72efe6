/** Tests features in the values of a chart, which are evaluated at the positions where templates insert them. */

import assert from 'node:assert/strict';
import { preview } from '../../server/src/features/pages/preview.ts';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const chart = `
  ==> Chart.yaml <==
  apiVersion: v2
  name: shop
  version: 1.0.0
  ==> templates/workload.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: basket
  spec:
    selector:
      matchLabels:
        app: basket
    template:
      metadata:
        labels:
          app: basket
          {{- with .Values.podLabels }}
          {{- toYaml . | nindent 8 }}
          {{- end }}
          {{- range $key, $value := .Values.moreLabels }}
          {{ $key }}: {{ $value | quote }}
          {{- end }}
      spec:
        {{- with .Values.nodeSelector | default .Values.global.nodeSelector }}
        nodeSelector:
          {{- toYaml . | nindent 8 }}
        {{- end }}
        affinity: {{- include "common.tplvalues.render" (dict "value" .Values.affinity "context" $) | nindent 8 }}
        topologySpreadConstraints: {{- tpl (toYaml .Values.spread) . | nindent 8 }}
  ---
  apiVersion: v1
  kind: Service
  metadata:
    name: basket
  spec:
    selector: {{- toYaml .Values.selector | nindent 4 }}
  ---
  apiVersion: v1
  kind: Pod
  metadata:
    name: other
    labels:
      app: other
      team: blue
  ---
  apiVersion: v1
  kind: Node
  metadata:
    name: n
    labels:
      disk: ssd
`;

async function values(text: string, name = 'values.yaml'): Promise<Bench> {
  return bench(`${lines(chart)}\n==> ${name} <==\n${text}\n`);
}

/** The completions after the last letter of a text. */
async function completed(text: string, name?: string): Promise<readonly string[]> {
  const last = text.split('\n').at(-1) ?? '';
  const b = await values(`${text}\n#${' '.repeat(Math.max(0, last.length - 1))}^ here`, name);
  return b.completion('here');
}

const umbrella = `
  ==> shop/Chart.yaml <==
  apiVersion: v2
  name: shop
  version: 1.0.0
  dependencies:
    - { name: redis, alias: cache, version: 1.0.0 }
    - { name: redis, alias: queue, version: 1.0.0, condition: queue.enabled }
    - { name: api, version: 1.0.0, repository: "file://../api", tags: [back] }
  ==> shop/charts/redis/Chart.yaml <==
  apiVersion: v2
  name: redis
  version: 1.0.0
  ==> shop/charts/redis/templates/pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: redis
    labels:
      app: redis
      {{- toYaml .Values.podLabels | nindent 4 }}
      {{- toYaml .Values.global.labels | nindent 4 }}
  ==> api/Chart.yaml <==
  apiVersion: v2
  name: api
  version: 1.0.0
  ==> api/templates/pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: api
    labels:
      app: api
      {{- toYaml .Values.podLabels | nindent 4 }}
`;

describe('in the values of a chart', () => {
  it('no feature shows an object: the values contain none', async () => {
    const written = `podLabels:
  team: blue
# ^ label
selector:
  app: other
# ^ selector
nodeSelector:
  disk: ssd
# ^ nodes
`;
    const b = await values(written);
    const places = ['label', 'selector', 'nodes'];
    assert.equal(b.documentSymbols('values.yaml'), '');
    assert.equal(b.lenses('values.yaml'), '');
    for (const place of places) {
      assert.equal(b.explain(place), '(none)');
      assert.equal(b.selects(place), '(none)');
      for (const asked of [b.hover, b.references, b.definition, b.preview])
        assert.doesNotMatch(asked.call(b, place), /no name|(?:Deployment|Service)\/\(/, place);
      const { uri, span } = b.place(place);
      assert.equal(b.session.at(uri, span.start, preview)?.site?.owner.includes('/') ?? false, false);
    }
    for (const query of ['team', 'service', 'deployment']) assert.doesNotMatch(b.workspaceSymbols(query), /values/);
  });

  it('keys that a manifest also has make no object', async () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata:\n  labels:\n    team: bad value\n';
    const b = await values(text);
    assert.equal(b.documentSymbols('values.yaml'), '');
    assert.deepEqual(b.findings('values.yaml'), []);
    const other = await values(text, 'service.yaml');
    assert.match(other.documentSymbols('service.yaml'), /Service/);
  });

  for (const [what, text, expected] of [
    ['keys of labels', 'podLabels:\n  te', ['app:', 'team:', 'disk:']],
    ['keys of labels on an empty line', 'podLabels:\n  ', ['app:', 'team:', 'disk:']],
    ['keys of labels between braces', 'podLabels: {', ['podLabels: {app:']],
    ['values of labels', 'podLabels:\n  team: ', ['team: blue']],
    ['keys over which a template loops', 'moreLabels:\n  ', ['app:', 'team:', 'disk:']],
    ['labels of nodes', 'nodeSelector:\n  di', ['disk: ssd']],
    ['labels of nodes in place of which others may count', 'global:\n  nodeSelector:\n    disk: ', ['disk: ssd']],
    ['what a selector may ask for', 'selector:\n  ', ['app:', 'team: blue']],
    [
      'requirements of a spread',
      'spread:\n  - labelSelector:\n      matchExpressions:\n        - key: ',
      ['- key: app'],
    ],
    ['topology keys', 'spread:\n  - topologyKey: ', ['- topologyKey: kubernetes.io/hostname']],
    [
      'what a helper renders',
      'affinity:\n  podAntiAffinity:\n    requiredDuringSchedulingIgnoredDuringExecution:\n      - labelSelector:\n          matchLabels:\n            ',
      ['app:', 'team: blue'],
    ],
    ['nothing where templates fill nothing', 'resources:\n  ', []],
    ['nothing where the key of a value is typed', 'podLab', []],
  ] as readonly [string, string, readonly string[]][]) {
    it(`${what} have completion`, async () => {
      const offered = await completed(text);
      assert.deepEqual(expected.length === 0 ? offered : offered.filter((each) => expected.includes(each)), expected);
    });
  }

  it('completion of a selector counts the objects of its chart', async () => {
    const b = await values('selector:\n  app: bas\n  #       ^ here');
    assert.deepEqual(b.completion('here', 'told'), ['app: basket   matches 1', 'app: other   matches 1']);
  });

  it('files for environments and tests have completion too', async () => {
    assert.deepEqual(await completed('podLabels:\n  team: ', 'values-prod.yaml'), ['team: blue']);
    assert.deepEqual(await completed('podLabels:\n  team: ', 'ci/some-values.yaml'), ['team: blue']);
    assert.deepEqual(await completed('podLabels:\n  team: ', 'other.yaml'), []);
  });

  it('of a parent are those of its dependencies, each under its name', async () => {
    const b = await bench(
      `${lines(umbrella)}\n==> shop/values.yaml <==\n${lines(`
        cache:
          podLabels: { owner: team blue }
        queue:
          podLabels: { owner: team red }
        redis:
          podLabels: { owner: team of nobody }
        api:
          podLabels: { owner: team green }
        global:
          labels: { owner: team of all }
      `)}\n==> shop/charts/redis/values.yaml <==\n${lines(`
        podLabels: { owner: team of its own }
        global:
          labels: { owner: team of all }
      `)}\n`,
    );
    const wrong = (name: string) => b.findings(name).map(({ span }) => b.file(name).text.slice(span.start, span.end));
    assert.deepEqual(wrong('shop/values.yaml'), ['team blue', 'team red', 'team green', 'team of all']);
    assert.deepEqual(wrong('shop/charts/redis/values.yaml'), ['team of its own', 'team of all']);
  });

  it('invalid values are found, unless the template quotes them', async () => {
    const b = await values(
      lines(`
      podLabels:
        release: true
      moreLabels:
        release: true
        owner: team blue
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              labelSelector: { matchExpressions: [{ key: app, operator: in, values: [x] }] }
    `),
    );
    const found = b
      .findings('values.yaml')
      .map(({ rule, span }) => `${rule} ${b.file('values.yaml').text.slice(span.start, span.end)}`);
    assert.deepEqual(found, ['label-value-type true', 'label-value-syntax team blue', 'selector-syntax in']);
  });

  it('hover shows the meaning of a label and a selector', async () => {
    const b = await values(
      lines(`
      podLabels:
        app.kubernetes.io/name: basket
        #  ^ label
      selector: { app: basket }
      #           ^ selector
    `),
    );
    assert.match(b.hover('label'), /^app\.kubernetes\.io\/name\n---\n`app\.kubernetes\.io\/name`: .+ \(recommended\)/);
    assert.match(b.hover('selector'), /^app\n---\n\*\*Selects\*\* Pods where `app` is 'basket'\./);
  });
});
