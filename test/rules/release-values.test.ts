/** Tests that invalid labels are reported in the values of the HelmRelease or Application that sets them. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const chart = `
  ==> charts/web/Chart.yaml <==
  apiVersion: v2
  name: web
  version: 0.1.0
  ==> charts/web/values.yaml <==
  podLabels: {}
  team: blue
  note: ""
  ==> charts/web/templates/web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    labels: {team: {{ .Values.team }}}
    annotations: {note: {{ .Values.note | quote }}}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata:
        labels:
          app: web
          {{- with .Values.podLabels }}
          {{- toYaml . | nindent 8 }}
          {{- end }}
      spec: {containers: [{name: web, image: web}]}
`;

const release = (values: string) => `${chart}
  ==> apps/web.yaml <==
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: GitRepository
  metadata: {name: shop, namespace: flux-system}
  spec: {url: https://git.example.com/shop.git, interval: 1h, ref: {branch: main}}
  ---
  apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: web, namespace: shop}
  spec:
    interval: 1h
    chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: shop, namespace: flux-system}}}
    values: ${values}
`;

const application = (helm: string) => `${chart}
  ==> apps/web.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata: {name: web, namespace: argocd}
  spec:
    project: default
    destination: {server: https://kubernetes.default.svc, namespace: shop}
    source:
      repoURL: https://git.example.com/shop.git
      path: charts/web
      targetRevision: main
      helm: ${helm}
`;

async function findings(text: string): Promise<readonly string[]> {
  const b = await bench(text);
  const file = b.file('apps/web.yaml');
  return b
    .findings('apps/web.yaml')
    .map(({ rule, severity, span }) => `${severity} ${rule} ${file.text.slice(span.start, span.end)}`);
}

describe('the values of a release', () => {
  it('make labels of the chart invalid', async () => {
    const values = '{team: team blue, podLabels: {bad key: x, tier: "front end"}}';
    const found = ['team blue', 'bad key', '"front end"'].map((text) => `error invalid-as-applied ${text}`);
    assert.deepEqual(await findings(release(values)), found);
    assert.deepEqual(await findings(application(`{valuesObject: ${values}}`)), found);
    const parameters = '{parameters: [{name: team, value: team blue}]}';
    assert.deepEqual(await findings(application(parameters)), ['error invalid-as-applied team blue']);
  });

  it('are not reported if they are annotations, or are valid', async () => {
    assert.deepEqual(await findings(release('{note: a note, unused: {bad key: x}}')), []);
    assert.deepEqual(await findings(release('{team: red, podLabels: {tier: front}}')), []);
  });

  it('are distinguished by their keys if two are equal', async () => {
    const b = await bench(release('{note: team blue, team: team blue}'));
    const found = b.findings('apps/web.yaml').map(({ rule, span }) => ({ rule, start: span.start }));
    const label = b.file('apps/web.yaml').text.indexOf('team blue, team: team blue') + 'team blue, team: '.length;
    assert.deepEqual(found, [{ rule: 'invalid-as-applied', start: label }]);
  });
});
