/** Tests selectors of which a template writes the list of values: with chart defaults they are what Helm writes. */
import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const forms: Readonly<Record<string, string>> = {
  'on the line of the key': 'values: {{ toYaml .Values.apps | nindent 10 }}',
  'as JSON': 'values: {{ .Values.apps | toJson }}',
  'below the key': 'values:\n          {{- toYaml .Values.apps | nindent 10 }}',
  'in the column of the key': 'values:\n        {{- toYaml .Values.apps | nindent 8 }}',
};

describe('a selector with values that a template writes', () => {
  for (const [form, values] of Object.entries(forms))
    it(`${form} is evaluated with chart defaults`, async () => {
      const template = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  minAvailable: 1
  selector:
    matchExpressions:
      - key: app
        operator: In
        ${values}
`;
      const b = await bench(
        `==> Chart.yaml <==\n{apiVersion: v2, name: shop, version: 1.0.0}\n` +
          `==> values.yaml <==\napps: [web, api]\n` +
          `==> templates/pod.yaml <==\n{apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}}}\n` +
          `==> templates/budget.yaml <==\n${template.replace('  selector:\n', '  selector:\n  #^ here\n')}`,
      );
      assert.match(b.hover('here'), /Pods where `app` is 'web' or 'api'\..*\*\*Matches\*\* \(1\)\n- \[Pod\/web\]/s);
      assert.deepEqual(b.findings('templates/budget.yaml'), []);
    });
});
