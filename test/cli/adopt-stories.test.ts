/** Tests the plan of an adoption for the states of repositories that people report. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

/** Returns the changed lines of a plan, each file with its name, the restarts, and what is left as it is. */
async function plan(files: Files, ...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await runInMemory(['adopt', ...words], { files });
  return out.filter((line) => /^(?:[-+](?!-- )(?! (?:Every|No) )|\+\+\+|[NC]|- \d)/.test(line));
}

/** Applies stage 1 with pod templates, and returns the files afterwards. */
async function afterStage1(files: Files, ...words: readonly string[]): Promise<Files> {
  const { written } = await runInMemory(['adopt', '--templates', '--write', ...words], { files });
  return { ...files, ...written };
}

interface Parts {
  readonly name: string;
  readonly kind?: string;
  readonly own?: string;
  readonly selector?: string;
  readonly pods?: string;
}

/** Returns a workload; by default, a Deployment with the label `app` on its pods. */
function workload({ name, kind = 'Deployment', own, selector, pods }: Parts): string {
  const labels = selector ?? `{app: ${name}}`;
  const metadata = own === undefined ? '' : `\n  labels: ${own}`;
  return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}${metadata}
spec:
  selector:
    matchLabels: ${labels}
  template:
    metadata:
      labels: ${pods ?? labels}
    spec:
      containers: [{name: main, image: 'example/main:2.0'}]
`;
}

function service(name: string, selector: string, own?: string): string {
  const metadata = own === undefined ? '' : `\n  labels: ${own}`;
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}${metadata}
spec:
  selector: ${selector}
  ports: [{port: 80}]
`;
}

function policy(name: string, selector: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchLabels: ${selector}
`;
}

const name = '--keys=app.kubernetes.io/name';
const both = '--keys=app.kubernetes.io/name,app.kubernetes.io/instance';

const chartFiles = (template: string, helpers = '', appVersion = '"4.5"'): Files => ({
  'web/Chart.yaml': `apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: ${appVersion}\n`,
  'web/values.yaml': 'replicas: 1\n',
  'web/templates/_helpers.tpl': helpers,
  'web/templates/web.yaml': template,
});

const chartDeployment = (own: string, selector = own) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
${own}
spec:
  selector:
    matchLabels:
${selector.replaceAll(/^ {4}/gm, '      ').replaceAll('nindent 4', 'nindent 6')}
  template:
    metadata:
      labels:
${selector.replaceAll(/^ {4}/gm, '        ').replaceAll('nindent 4', 'nindent 8')}
    spec:
      containers: [{name: main, image: 'example/main:2.0'}]
`;

describe('the adoption of recommended labels, stage 1', () => {
  it('maps app and release, beside which app.kubernetes.io/name is left as it is', async () => {
    const own = '{app: old, release: blue, app.kubernetes.io/name: web}';
    assert.deepEqual(await plan({ 'web.yaml': workload({ name: 'web', own }) }, both), [
      '+++ b/web.yaml',
      '-  labels: {app: old, release: blue, app.kubernetes.io/name: web}',
      '+  labels: {app: old, release: blue, app.kubernetes.io/name: web, app.kubernetes.io/instance: blue}',
    ]);
  });

  it('maps k8s-app, tier and heritage', async () => {
    const own = '{k8s-app: dns, tier: node, heritage: Helm}';
    assert.deepEqual(await plan({ 'dns.yaml': workload({ name: 'dns', own, selector: '{k8s-app: dns}' }) }), [
      '+++ b/dns.yaml',
      '-  labels: {k8s-app: dns, tier: node, heritage: Helm}',
      '+  labels: {k8s-app: dns, tier: node, heritage: Helm, app.kubernetes.io/name: dns, app.kubernetes.io/instance: dns, app.kubernetes.io/version: "2.0", app.kubernetes.io/component: node, app.kubernetes.io/managed-by: Helm}',
    ]);
  });

  it('keeps two releases in one namespace apart', async () => {
    const files = {
      'shop/blue.yaml': `${workload({ name: 'blue', selector: '{app: web, release: blue}' })}---\n${service('blue', '{app: web, release: blue}')}`,
      'shop/green.yaml': `${workload({ name: 'green', selector: '{app: web, release: green}' })}---\n${service('green', '{app: web, release: green}')}`,
    };
    assert.deepEqual(await plan(files, both), [
      '+++ b/shop/blue.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: blue',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: blue',
      '+++ b/shop/green.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: green',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/instance: green',
    ]);
    assert.deepEqual(await plan(await afterStage1(files, both), '--stage=2', both), [
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/blue at shop/blue.yaml:4, Deployment/green at shop/green.yaml:4.',
      '+++ b/shop/blue.yaml',
      '-  selector: {app: web, release: blue}',
      '+  selector: {app.kubernetes.io/name: web, app.kubernetes.io/instance: blue}',
      '+++ b/shop/green.yaml',
      '-  selector: {app: web, release: green}',
      '+  selector: {app.kubernetes.io/name: web, app.kubernetes.io/instance: green}',
    ]);
  });

  it('leaves out a pod label that the policy of another team selects', async () => {
    const files = {
      'shop/web.yaml': workload({ name: 'web' }),
      'security/policy.yaml': policy('isolate', '{app.kubernetes.io/name: web}'),
    };
    assert.deepEqual(await plan(files, '--templates', name), [
      'Not changed: NetworkPolicy/isolate would newly select Deployment/web. Deployment/web at shop/web.yaml:4.',
      '+++ b/shop/web.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
    ]);
  });

  it('leaves out a pod label that a monitor or budget in the same folder would newly match', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: all
spec:
  minAvailable: 1
  selector:
    matchExpressions: [{key: app.kubernetes.io/name, operator: Exists}]
`;
    const files = { 'web.yaml': `${workload({ name: 'web' })}---\n${budget}` };
    assert.deepEqual(await plan(files, '--templates', name), [
      'Not changed: PodDisruptionBudget/all would newly select Deployment/web. Deployment/web at web.yaml:4.',
      '+++ b/web.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
    ]);
  });

  it('leaves out a label that would end a match', async () => {
    const absent = policy('legacy', '{}').replace(
      'matchLabels: {}',
      'matchExpressions: [{key: app.kubernetes.io/name, operator: DoesNotExist}]',
    );
    assert.deepEqual(await plan({ 'web.yaml': `${workload({ name: 'web' })}---\n${absent}` }, '--templates', name), [
      'Not changed: NetworkPolicy/legacy would no longer select Deployment/web. Deployment/web at web.yaml:4.',
      '+++ b/web.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
    ]);
  });

  it('does not extend commonLabels of a base with a StatefulSet', async () => {
    const files = {
      'base/kustomization.yaml': 'resources: [db.yaml, service.yaml]\ncommonLabels:\n  app: db\n',
      'base/db.yaml': workload({ name: 'db', kind: 'StatefulSet' }),
      'base/service.yaml': service('db', '{app: db}'),
      'shop/kustomization.yaml': 'resources: [../base]\nnamespace: shop\n',
    };
    assert.deepEqual(await plan(files), [
      "Not changed: A kustomization changes the image, so that 'app.kubernetes.io/version' is not added. StatefulSet/db at base/db.yaml:4.",
      '+++ b/base/kustomization.yaml',
      '+labels:',
      '+  - includeSelectors: false',
      '+    pairs:',
      '+      app.kubernetes.io/managed-by: kustomize',
      '+++ b/base/db.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: db',
      '+    app.kubernetes.io/instance: db',
      '+++ b/base/service.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: db',
      '+    app.kubernetes.io/instance: db',
    ]);
  });

  it('adds labels through a kustomization, to pod templates as well', async () => {
    const files = {
      'shop/kustomization.yaml': 'resources:\n  - web.yaml\n  - api.yaml\nlabels:\n  - pairs:\n      team: blue\n',
      'shop/web.yaml': workload({ name: 'web' }),
      'shop/api.yaml': workload({ name: 'api' }),
    };
    assert.deepEqual(await plan(files, '--templates', '--keys=app.kubernetes.io/part-of'), [
      '- 2 workloads replace their pods (2 pods): Deployment/web, Deployment/api.',
      '+++ b/shop/kustomization.yaml',
      '+  - includeSelectors: false',
      '+    includeTemplates: true',
      '+    pairs:',
      '+      app.kubernetes.io/part-of: shop',
    ]);
  });

  it('adds labels to files if a Job makes includeTemplates impossible', async () => {
    const job = workload({ name: 'once' })
      .replace('apps/v1', 'batch/v1')
      .replace('Deployment', 'Job')
      .replace(/ {2}selector:\n.*\n/, '');
    const files = {
      'shop/kustomization.yaml': 'resources: [web.yaml, once.yaml]\n',
      'shop/web.yaml': workload({ name: 'web' }),
      'shop/once.yaml': job,
    };
    assert.deepEqual(await plan(files, '--templates', '--keys=app.kubernetes.io/part-of'), [
      '- 1 workload replaces its pods (1 pod): Deployment/web.',
      'Not changed: Its pod template cannot be updated (`spec.template` is immutable). Job/once at shop/once.yaml:4.',
      '+++ b/shop/once.yaml',
      '+  labels:',
      '+    app.kubernetes.io/part-of: shop',
      '+++ b/shop/web.yaml',
      '+  labels:',
      '+    app.kubernetes.io/part-of: shop',
      '-      labels: {app: web}',
      '+      labels: {app: web, app.kubernetes.io/part-of: shop}',
    ]);
  });

  it('derives no version from an image that an overlay replaces', async () => {
    const files = {
      'shop/base/kustomization.yaml': 'resources: [web.yaml]\n',
      'shop/base/web.yaml': workload({ name: 'web' }),
      'shop/prod/kustomization.yaml': 'resources: [../base]\nimages: [{name: example/main, newTag: "3.1"}]\n',
    };
    assert.deepEqual(await plan(files, '--keys=app.kubernetes.io/version,app.kubernetes.io/part-of'), [
      "Not changed: A kustomization changes the image, so that 'app.kubernetes.io/version' is not added. Deployment/web at shop/base/web.yaml:4.",
      '+++ b/shop/base/web.yaml',
      '+  labels:',
      '+    app.kubernetes.io/part-of: shop',
    ]);
  });

  it('leaves out a value that overlays set differently', async () => {
    const patch = (app: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    app: ${app}\n`;
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': workload({ name: 'web', own: '{app: web}' }),
      'dev/kustomization.yaml': 'resources: [../base]\npatches: [{path: app.yaml}]\n',
      'dev/app.yaml': patch('dev'),
      'prod/kustomization.yaml': 'resources: [../base]\npatches: [{path: app.yaml}]\n',
      'prod/app.yaml': patch('prod'),
    };
    assert.deepEqual(await plan(files, name), [
      'No labels to add.',
      "Not changed: Overlays set different values for the label that 'app.kubernetes.io/name' replaces. Deployment/web at base/web.yaml:4.",
    ]);
  });

  it('splits the labels helper of a chart without selectorLabels', async () => {
    const helpers = '{{- define "web.labels" -}}\napp: {{ .Chart.Name }}\nrelease: {{ .Release.Name }}\n{{- end -}}\n';
    const template = chartDeployment('    {{- include "web.labels" . | nindent 4 }}');
    assert.deepEqual(await plan(chartFiles(template, helpers)), [
      '+++ b/web/templates/_helpers.tpl',
      '+{{ include "web.selectorLabels" . }}',
      '+app.kubernetes.io/name: {{ .Chart.Name }}',
      '+app.kubernetes.io/instance: {{ .Release.Name }}',
      '+{{- end -}}',
      '+',
      '+{{- define "web.selectorLabels" -}}',
      '+++ b/web/templates/web.yaml',
      '-      {{- include "web.labels" . | nindent 6 }}',
      '+      {{- include "web.selectorLabels" . | nindent 6 }}',
      '-        {{- include "web.labels" . | nindent 8 }}',
      '+        {{- include "web.selectorLabels" . | nindent 8 }}',
    ]);
  });

  it('extends the labels helper of a chart with selectorLabels', async () => {
    const helpers = `{{- define "web.selectorLabels" -}}
app: {{ .Chart.Name }}
{{- end -}}
{{- define "web.labels" -}}
app: {{ .Chart.Name }}
chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
`;
    const template = chartDeployment(
      '    {{- include "web.labels" . | nindent 4 }}',
      '    {{- include "web.selectorLabels" . | nindent 4 }}',
    );
    assert.deepEqual(await plan(chartFiles(template, helpers)), [
      '+++ b/web/templates/_helpers.tpl',
      '+app.kubernetes.io/name: {{ .Chart.Name }}',
      '+helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}',
    ]);
  });

  it('copies the expressions of labels in the templates of a chart', async () => {
    const template = chartDeployment('    app: {{ .Chart.Name }}\n    release: {{ .Release.Name }}');
    assert.deepEqual(await plan(chartFiles(template)), [
      '+++ b/web/templates/web.yaml',
      '+    app.kubernetes.io/name: {{ .Chart.Name }}',
      '+    app.kubernetes.io/instance: {{ .Release.Name }}',
      '+    app.kubernetes.io/managed-by: {{ .Release.Service }}',
    ]);
  });

  it('leaves out labels that template actions write', async () => {
    const template = chartDeployment(
      '    app: web\n    {{- with .Values.labels }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}',
    );
    assert.deepEqual(await plan(chartFiles(template)), [
      'No labels to add.',
      'Not changed: Template actions write its labels. Deployment/{{ .Release.Name }} at web/templates/web.yaml:4.',
    ]);
  });

  it('does not take a manifest in a folder with the name templates for a template of a chart', async () => {
    const files = { 'templates/web.yaml': workload({ name: 'web', own: '{app: web}' }) };
    assert.deepEqual(await plan(files, both), [
      '+++ b/templates/web.yaml',
      '-  labels: {app: web}',
      '+  labels: {app: web, app.kubernetes.io/name: web, app.kubernetes.io/instance: web}',
    ]);
  });

  it('leaves out generated files', async () => {
    assert.deepEqual(
      await plan({ 'web.yaml': `# Code generated by a tool. DO NOT EDIT.\n${workload({ name: 'web' })}` }, name),
      ['No labels to add.', 'Not changed: The file is generated. Deployment/web at web.yaml:5.'],
    );
  });

  it('gives a Service the labels of the only workload that it selects', async () => {
    const files = {
      'web.yaml': `${workload({ name: 'web', own: '{app: web, component: front}' })}---\n${service('public', '{app: web}')}`,
    };
    assert.deepEqual(await plan(files, '--keys=app.kubernetes.io/name,app.kubernetes.io/component'), [
      '+++ b/web.yaml',
      '-  labels: {app: web, component: front}',
      '+  labels: {app: web, component: front, app.kubernetes.io/name: web, app.kubernetes.io/component: front}',
      '+  labels:',
      '+    app.kubernetes.io/name: web',
      '+    app.kubernetes.io/component: front',
    ]);
  });

  it('copies the values of labels that a label of the team replaces, if they are allowed', async () => {
    const files = {
      '.selector-lens.yaml': 'labels:\n  team:\n    values: [blue]\n    replaces: [squad]\n',
      'web.yaml': workload({ name: 'web', own: '{squad: blue}' }),
      'api.yaml': workload({ name: 'api', own: '{squad: red}' }),
    };
    assert.deepEqual(await plan(files, '--keys=team'), [
      "Not changed: The registry of labels does not allow 'red' as the value of 'team'. Deployment/api at api.yaml:4.",
      '+++ b/web.yaml',
      '-  labels: {squad: blue}',
      '+  labels: {squad: blue, team: blue}',
    ]);
  });

  it('labels the pods of a CronJob, which no update replaces', async () => {
    const job = `apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
spec:
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      template:
        metadata:
          labels:
            app: report
        spec:
          restartPolicy: Never
          containers: [{name: main, image: 'example/main:2.0'}]
`;
    assert.deepEqual(await plan({ 'report.yaml': job }, '--templates', name), [
      '+++ b/report.yaml',
      '+  labels:',
      '+    app.kubernetes.io/name: report',
      '+            app.kubernetes.io/name: report',
    ]);
  });
});

describe('the adoption of recommended labels, stage 2', () => {
  it('does not move a selector before all of its pods have the label', async () => {
    const files = { 'web.yaml': `${workload({ name: 'web' })}---\n${service('web', '{app: web}')}` };
    assert.deepEqual(await plan(files, '--stage=2', name), [
      'No selectors to move.',
      "Not changed: Not all objects that its selector matches have the same 'app.kubernetes.io/name': apply stage 1 first. Service/web at web.yaml:17.",
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/web at web.yaml:4.',
    ]);
  });

  it('moves Services and policies after stage 1', async () => {
    const files = await afterStage1(
      {
        'web.yaml': `${workload({ name: 'web' })}---\n${service('web', '{app: web}')}---\n${policy('web', '{app: web}')}`,
      },
      name,
    );
    assert.deepEqual(await plan(files, '--stage=2', name), [
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/web at web.yaml:4.',
      '+++ b/web.yaml',
      '-  selector: {app: web}',
      '+  selector: {app.kubernetes.io/name: web}',
      '-    matchLabels: {app: web}',
      '+    matchLabels: {app.kubernetes.io/name: web}',
    ]);
  });

  it('removes a label from a selector that already requires the recommended label', async () => {
    const labels = '{app: web, app.kubernetes.io/name: web}';
    const files = { 'web.yaml': `${workload({ name: 'web', pods: labels })}---\n${service('web', labels)}` };
    assert.deepEqual(await plan(files, '--stage=2', name), [
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/web at web.yaml:4.',
      '+++ b/web.yaml',
      '-  selector: {app: web, app.kubernetes.io/name: web}',
      '+  selector: {app.kubernetes.io/name: web}',
    ]);
  });

  it('does not move a selector that would then match the pods of another workload', async () => {
    const other = workload({ name: 'other', pods: '{app: other, app.kubernetes.io/name: web}' });
    const pods = '{app: web, app.kubernetes.io/name: web}';
    const files = {
      'web.yaml': `${workload({ name: 'web', pods })}---\n${other}---\n${service('web', '{app: web}')}`,
    };
    assert.deepEqual(await plan(files, '--stage=2', name), [
      'No selectors to move.',
      'Not changed: Service/web would newly select Deployment/other. Service/web at web.yaml:30.',
      'Cannot be updated: `spec.selector` is immutable; if the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. Deployment/web at web.yaml:4, Deployment/other at web.yaml:17.',
    ]);
  });
});
