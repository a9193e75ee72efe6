/** Tests that rendered manifests beside their source are not counted as further objects. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const pod = (name: string) => `{apiVersion: v1, kind: Pod, metadata: {name: '${name}', labels: {app: web}}}`;

const policy =
  '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web}, spec: {podSelector: {matchLabels: {app: web}}}}';

describe('rendered manifests that are committed', () => {
  const chart = {
    'chart/Chart.yaml': '{apiVersion: v2, name: web, version: 1.0.0}',
    'chart/templates/web.yaml': pod('{{ .Release.Name }}-web'),
  };
  const copies = {
    'chart/rendered/all.yaml': pod('release-name-web'),
    'chart/testdata/expected/all.yaml': pod('release-name-web'),
  };
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['are not counted beside the chart', { ...chart, ...copies }, 'Pod/{{ .Release.Name }}-web in another folder'],
    ['are counted once without a chart', copies, 'Pod/release-name-web in another folder'],
    [
      'are counted if no other object has the name',
      { ...chart, 'chart/golden/a.yaml': pod('other') },
      '2 Pods in other folders',
    ],
  ];
  for (const [what, files, selected] of cases)
    it(what, async () => {
      const all = Object.entries({ 'policies/web.yaml': policy, ...files });
      const b = await bench(all.map(([name, text]) => `==> ${name} <==\n${text}\n`).join(''));
      assert.equal(b.lenses('policies/web.yaml'), `1 spec.podSelector: selects ${selected}`);
    });
});
