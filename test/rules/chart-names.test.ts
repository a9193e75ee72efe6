/** Tests that misspelled names with template actions are reported as the execution of their chart writes them. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const helpers = `
  ==> kiosk/Chart.yaml <==
  apiVersion: v2
  name: kiosk
  version: 0.1.0
  ==> kiosk/values.yaml <==
  config: {name: kiosk-config, create: true}
  tls: {enabled: false, secretName: kiosk-certificate}
  ==> kiosk/templates/_helpers.tpl <==
  {{- define "kiosk.fullname" -}}
  {{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name }}{{ end }}
  {{- end }}
`;

/** Returns the findings in a Deployment whose pods refer to an object; `others` are further documents of the chart. */
async function findings(reference: string, others: string): Promise<readonly string[]> {
  const b = await bench(`${helpers}
  ==> kiosk/templates/kiosk.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: {{ include "kiosk.fullname" . }}-web}
  spec:
    selector: {matchLabels: {app: kiosk}}
    template:
      metadata: {labels: {app: kiosk}}
      spec:
        containers:
          - name: kiosk
            image: example.com/kiosk
            envFrom:
              - configMapRef: {name: ${reference}}
${others.replaceAll(/^/gm, '  ')}
  `);
  const found = b.findings('kiosk/templates/kiosk.yaml').filter(({ rule }) => rule === 'reference-missing');
  return found.map(({ severity, message }) => `${severity} ${message}`);
}

function configMap(name: string): string {
  return `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
`;
}

const fullname = '{{ include "kiosk.fullname" . }}';

describe('a misspelled name in a chart', () => {
  it('is a warning if every release writes the same different names', async () => {
    assert.deepEqual(await findings(`${fullname}-configs`, configMap(`${fullname}-config`)), [
      `warning No ConfigMap '${fullname}-configs' in this scope. Closest: ConfigMap/${fullname}-config.`,
    ]);
    assert.deepEqual(await findings('{{ .Release.Name }}-settigns', configMap('{{ .Release.Name }}-settings')), [
      "warning No ConfigMap '{{ .Release.Name }}-settigns' in this scope. Closest: ConfigMap/{{ .Release.Name }}-settings.",
    ]);
  });

  it('is a warning in an autoscaler', async () => {
    const autoscaler = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: ${fullname}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${fullname}-wbe}
  maxReplicas: 3
`;
    assert.deepEqual(await findings('plain', `${configMap('plain')}${autoscaler}`), [
      `warning No Deployment '${fullname}-wbe' in this scope: nothing is scaled. Closest: Deployment/${fullname}-web.`,
    ]);
  });

  it('is none if the object exists', async () => {
    assert.deepEqual(await findings(`${fullname}-config`, configMap(`${fullname}-config`)), []);
    const both = `${configMap(`${fullname}-config`)}${configMap(`${fullname}-configs`)}`;
    assert.deepEqual(await findings(`${fullname}-configs`, both), []);
  });

  it('is none if other values may set the name', async () => {
    assert.deepEqual(await findings('{{ .Values.config.name }}', configMap('kiosk-configs')), []);
    assert.deepEqual(await findings('{{ .Release.Name }}-configs', configMap('{{ .Values.config.name }}')), []);
    assert.deepEqual(await findings('kiosk-{{ .Values.config.create }}', configMap('kiosk-turu')), []);
  });

  it('is none if other values may create the object', async () => {
    const conditional = `{{- if not .Values.config.create }}\n${configMap(`${fullname}-configs`)}{{- end }}\n`;
    assert.deepEqual(await findings(`${fullname}-configs`, `${configMap(`${fullname}-config`)}${conditional}`), []);
  });

  it('is none if unknown names may be equal', async () => {
    const other = configMap('{{ .Release.Namespace }}-configs');
    assert.deepEqual(await findings(`${fullname}-configs`, `${configMap(`${fullname}-config`)}${other}`), []);
  });

  it('is none if the custom objects of the chart may create the object', async () => {
    const operand = `---
apiVersion: example.com/v1
kind: Kiosk
metadata: {name: ${fullname}}
`;
    assert.deepEqual(await findings(`${fullname}-configs`, `${configMap(`${fullname}-config`)}${operand}`), []);
  });
});
