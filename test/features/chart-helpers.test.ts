/** Tests hover and completion of labels in the helpers and templates of charts. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const chart = `
==> Chart.yaml <==
apiVersion: v2
name: bakery
version: 0.1.0
appVersion: "2.3"
==> templates/_helpers.tpl <==
{{- define "bakery.labels" -}}
app.kubernetes.io/version: old
#            ^ key
#                          ^ version
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}
{{- define "bakery.selectorLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/na
#                  ^ incomplete
{{- end }}
{{- define "bakery.name" -}}
app.kubernetes.io/na
#                  ^ text
{{- end }}
==> templates/oven.yaml <==
apiVersion: v1
kind: ConfigMap
metadata:
  name: oven
  labels:
    {{- include "bakery.labels" . | nindent 4 }}
    app.kubernetes.io/name: ""
    #                        ^ name
    app.kubernetes.io/instance: old
    #                           ^ instance
`;

describe('a helper of a chart', () => {
  it('has hovers with the objects into which it writes a label', async () => {
    const b = await bench(chart);
    assert.equal(
      b.hover('key'),
      lines(`
        app.kubernetes.io/version
        ---
        \`app.kubernetes.io/version\`: Current application version, semver, build number or git hash, for example \`5.7.21\` (recommended).

        **Written into** (1)
        - [ConfigMap/oven](<templates/oven.yaml#L2,7>) — oven.yaml:2
      `),
    );
  });

  it('has completion of keys and values if it writes labels', async () => {
    const b = await bench(chart);
    const labelsAt = (place: string) => b.completions(place).items.map(({ label }) => label);
    assert.deepEqual(labelsAt('version'), ['{{ .Chart.AppVersion | quote }}', '2.3']);
    assert.ok(labelsAt('incomplete').includes('app.kubernetes.io/name'));
    assert.ok(!labelsAt('incomplete').includes('app.kubernetes.io/instance'));
    assert.deepEqual(labelsAt('text'), []);
  });
});

describe('completion in a template of a chart', () => {
  it('offers what the chart and the release determine', async () => {
    const b = await bench(chart);
    const textsAt = (place: string) => b.completions(place).items.map(({ edit }) => edit.text);
    assert.deepEqual(textsAt('name'), ['"{{ .Chart.Name }}"', '"bakery"', '"oven"']);
    assert.deepEqual(textsAt('instance'), ['{{ .Release.Name }}', 'oven']);
  });
});
