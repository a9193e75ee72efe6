/** Tests the evaluation of charts that no GitOps object installs, with their default values and with named values files. */

import assert from 'node:assert/strict';
import { objects, shown } from './chart-objects.ts';
import { runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

const labels = `{{- define "web.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- define "web.extra" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}
  labels: {{- include "web.labels" .root | nindent 4 }}
{{- end }}
`;

const chart: Files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'kind: Deployment\nlabels: {}\nmetrics: false\nextra: [a, b]\nselected: {tier: front}\n',
  'web/values-prod.yaml': 'kind: StatefulSet\nlabels: {tier: back}\nmetrics: true\nextra: []\n',
  'web/ci/small-values.yaml': 'labels: {tier: front}\n',
  'web/templates/_helpers.tpl': labels,
  'web/templates/web.yaml': `apiVersion: apps/v1
{{- if eq .Values.kind "Deployment" }}
kind: Deployment
{{- else }}
kind: StatefulSet
{{- end }}
metadata:
  name: web
  labels: {{- include "web.labels" . | nindent 4 }}
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {{- include "web.labels" . | nindent 8 }}
        app: web
`,
  'web/templates/service.yaml': `{{- if .Values.metrics }}
apiVersion: v1
kind: Service
metadata:
  name: metrics
spec:
  selector: {{- toYaml .Values.selected | nindent 4 }}
{{- end }}
{{- range .Values.extra }}
---
{{ include "web.extra" (dict "name" . "root" $) }}
{{- end }}
`,
};

describe('a chart', () => {
  it('has the objects of its default values, whose release has an unknown name', async () => {
    assert.deepEqual(shown(await objects(chart, 'web')), [
      'ConfigMap/a name=web instance=?',
      'ConfigMap/b name=web instance=?',
      'Deployment/web name=web instance=?',
    ]);
  });

  it('has the objects of a named values file, and of a named release', async () => {
    const prod = ['--values', 'web/values-prod.yaml', '--release', 'shop', 'web'];
    assert.deepEqual(shown(await objects(chart, ...prod)), [
      'Service/metrics',
      'StatefulSet/web name=web instance=shop tier=back',
    ]);
    const small = ['--values', 'web/values-prod.yaml', '--values', 'web/ci/small-values.yaml', 'web'];
    const [, web] = await objects(chart, ...small);
    assert.deepEqual(web?.pods?.[0]?.labels, {
      'app.kubernetes.io/name': 'web',
      'app.kubernetes.io/instance': null,
      tier: 'front',
      app: 'web',
    });
  });

  it('reads values as YAML 1.1', async () => {
    const values = "y: 'no key y'\nmode: 0755\nport: 8_080\nratio: 1_0.5\n010: eight\nhex: 0x1F\n";
    const template = `kind: ConfigMap
apiVersion: v1
metadata:
  name: numbers
  labels:
    short: {{ .Values.y | default "none" | quote }}
    "true": {{ index .Values "true" | quote }}
    mode: {{ .Values.mode | quote }}
    port: {{ .Values.port | quote }}
    ratio: {{ .Values.ratio | quote }}
    eight: {{ index .Values "8" | quote }}
    hex: {{ .Values.hex | quote }}
`;
    const files = { ...chart, 'web/values.yaml': values, 'web/templates/numbers.yaml': template };
    assert.deepEqual(
      shown(await objects(files, '--release', 'shop', 'web')).filter((each) => each.includes('numbers')),
      ['ConfigMap/numbers short=none true=no key y mode=493 port=8080 ratio=10.5 eight=eight hex=31'],
    );
  });

  it('has no dependency whose condition is false, of which spaces are a part', async () => {
    const found = async (condition: string) => {
      const files = {
        ...chart,
        'web/Chart.yaml': `apiVersion: v2\nname: web\ndependencies:\n- {name: db, version: 1.0.0, condition: "${condition}"}\n`,
        'web/values.yaml': 'db: {enabled: false}\n',
        'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
        'web/charts/db/templates/db.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: db}\n',
      };
      return shown(await objects(files, '--release', 'shop', 'web')).includes('ConfigMap/db');
    };
    assert.equal(await found(' db.enabled '), false);
    assert.equal(await found('absent,db.enabled'), false);
    assert.equal(await found('absent, db.enabled'), true);
    assert.equal(await found('db.enabled ,absent'), true);
  });

  it('imports only the default values of a dependency', async () => {
    const files = {
      ...chart,
      'web/Chart.yaml':
        'apiVersion: v2\nname: web\ndependencies:\n- {name: db, version: 1.0.0, import-values: [{child: net, parent: imported}]}\n',
      'web/values.yaml': 'db: {net: {host: usual}}\n',
      'web/v.yaml': 'db: {net: {port: "1", host: own}}\n',
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/db/values.yaml': 'net: {port: "6379", host: none}\n',
      'web/templates/web.yaml':
        'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: web\n  labels: {{ toJson .Values.imported }}\n',
    };
    const found = await objects(files, '--values', 'web/v.yaml', '--release', 'shop', 'web');
    assert.deepEqual(shown(found), ['ConfigMap/web host=usual port=6379']);
  });

  it('has no objects of folders that Helm skips among its dependencies', async () => {
    const files = {
      ...chart,
      'web/values.yaml': 'kind: Deployment\n',
      'web/charts/_db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/_db/templates/db.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: db}\n',
    };
    const found = await objects(files, '--release', 'shop', 'web');
    assert.deepEqual(shown(found), ['Deployment/web name=web instance=shop']);
  });

  it('merges several values files before it merges the default values', async () => {
    const files = {
      ...chart,
      'web/values.yaml': 'labels: {tier: front}\n',
      'web/values-none.yaml': 'labels: null\n',
      'web/values-more.yaml': 'labels: {zone: a}\n',
    };
    const found = await objects(
      files,
      ...['--values', 'web/values-none.yaml', '--values', 'web/values-more.yaml', '--release', 'shop', 'web'],
    );
    assert.deepEqual(shown(found), ['StatefulSet/web name=web instance=shop tier=front zone=a']);
  });

  it('uses the helper of a dependency if its own definition is empty', async () => {
    const files = {
      ...chart,
      'web/templates/_empty.tpl': '{{- define "db.label" }}\n{{ end }}\n',
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/db/templates/_helpers.tpl': '{{- define "db.label" }}db{{ end }}\n',
      'web/templates/web.yaml':
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: web, labels: {a: "{{ include "db.label" . }}"}}\n',
    };
    const found = shown(await objects(files, '--release', 'shop', 'web'));
    assert.equal(found.at(-1), 'ConfigMap/web a=db');
  });

  it('has no objects of templates that Helm does not load, and reads no such files', async () => {
    const named = (name: string) => `kind: ConfigMap\napiVersion: v1\nmetadata: {name: ${name}}\n`;
    const files = {
      ...chart,
      'web/.helmignore': '# list\ntemplates/old/\n*.bak.yaml\n/files/secret.yaml\nnothing.yaml/\n',
      'web/templates/old/a.yaml': named('a'),
      'web/templates/b.bak.yaml': named('b'),
      'web/templates/.c.yaml': named('c'),
      'web/templates/more/.d.yaml': named('d'),
      'web/templates/nothing.yaml': named('e'),
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/db/templates/old/f.yaml': named('f'),
      'web/charts/db/templates/g.bak.yaml': named('g'),
      'web/files/secret.yaml': 'x',
      'web/files/plain.yaml': 'x',
      'web/templates/web.yaml': `kind: ConfigMap
apiVersion: v1
metadata:
  name: web
  labels:
    secret: "{{ .Files.Get "files/secret.yaml" }}"
    plain: "{{ .Files.Get "files/plain.yaml" }}"
    values: "{{ .Files.Get "values.yaml" }}"
    template: "{{ .Files.Get "templates/nothing.yaml" }}"
`,
    };
    const found = shown(await objects(files, '--release', 'shop', 'web'));
    assert.deepEqual(found.filter((each) => !each.includes('instance')).toSorted(), [
      'ConfigMap/d',
      'ConfigMap/e',
      'ConfigMap/f',
      'ConfigMap/web secret= plain=x values= template=',
    ]);
  });

  it('has no keys that null removes', async () => {
    const template = (name: string) =>
      `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${name}\n  labels:\n    a: "{{ .Values.a.x | default "gone" }}"\n    b: "{{ hasKey .Values.b "y" }}"\n    c: "{{ .Values.c.z }}"\n`;
    const files = {
      ...chart,
      'web/values.yaml': 'a: {x: "1"}\nb: {x: "1"}\nc: {z: "1"}\ndb: {b: {y: "1"}}\n',
      'web/v.yaml': 'a: {x: null}\nb: {y: null}\ndb: {a: {x: null}, b: {y: null}}\n',
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/db/values.yaml': 'a: {x: "1"}\nb: {y: "2"}\nc: {z: "1"}\n',
      'web/charts/db/templates/db.yaml': template('db'),
      'web/templates/web.yaml': template('web'),
    };
    const found = shown(await objects(files, '--values', 'web/v.yaml', '--release', 'shop', 'web'));
    assert.deepEqual(found, ['ConfigMap/web a=gone b=false c=1', 'ConfigMap/db a=gone b=false c=1']);
  });

  it('sees the changes that its dependencies make to their values', async () => {
    const files = {
      ...chart,
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'web/charts/db/values.yaml': 'tier: old\nlabels: {}\n',
      'web/charts/db/templates/db.yaml': '{{ $_ := set .Values "tier" "new" }}{{ $_ := set .Values.labels "a" "1" }}',
      'web/templates/web.yaml':
        'kind: ConfigMap\napiVersion: v1\nmetadata: {name: web, labels: {t: "{{ .Values.db.tier }}", l: "{{ .Values.db.labels.a }}"}}\n',
    };
    const found = shown(await objects(files, '--release', 'shop', 'web'));
    assert.equal(found.at(-1), 'ConfigMap/web t=new l=1');
  });

  it('has an open selector if a helper with unknown output adds to it', async () => {
    const files = {
      ...chart,
      'web/templates/web.yaml': `kind: Service
apiVersion: v1
metadata: {name: web}
spec:
  selector: {{- dict "a" (lookup "v1" "Secret" "x" "y") | toYaml | replace "a" .Release.Name | nindent 4 }}
    tier: front
`,
    };
    const { json } = await runInMemory(['objects', '--format', 'json', 'web'], { files });
    const { objects: all } = json as { objects: readonly { name: string; selectors: readonly object[] }[] };
    const service = all.find(({ name }) => name === 'web');
    assert.deepEqual(service?.selectors, [{ path: 'spec.selector', canonical: 'tier=front', open: true }]);
    assert.match(
      String(
        (
          await runInMemory(['who-selects', '--object', 'Pod/a', '.'], {
            files: {
              ...files,
              'web/templates/pod.yaml': 'kind: Pod\napiVersion: v1\nmetadata: {name: a, labels: {tier: front}}\n',
            },
          })
        ).out,
      ),
      /Service\/web may select it/,
    );
  });

  it('is not changed by the values file of another chart, but by a file in no chart', async () => {
    const api = Object.fromEntries(Object.entries(chart).map(([name, text]) => [name.replace('web/', 'api/'), text]));
    const files = { ...chart, ...api, 'common.yaml': 'labels: {tier: common}\nextra: []\n' };
    const own = shown(await objects(files, '--values', 'api/values-prod.yaml', 'web'));
    assert.equal(own.at(-1), 'Deployment/web name=web instance=?');
    const common = shown(await objects(files, '--values', 'common.yaml', 'web', 'api'));
    assert.deepEqual(common, Array(2).fill('Deployment/web name=web instance=? tier=common'));
  });

  it('matches certainly with named values only', async () => {
    const match = async (...words: readonly string[]) => {
      const { json } = await runInMemory(['match', '-l', 'tier=back', '--pods', '--format', 'json', ...words, 'web'], {
        files: chart,
      });
      return (json as { objects: readonly { kind: string }[] }).objects.map(({ kind }) => kind);
    };
    assert.deepEqual(await match('--values', 'web/values-prod.yaml'), ['StatefulSet']);
    assert.deepEqual(await match('--values', 'web/ci/small-values.yaml'), []);
  });

  it('has the problems of named values, but no problem that only the default values cause', async () => {
    const check = async (...words: readonly string[]) => {
      const { out } = await runInMemory(['check', ...words, 'web'], { files: chart });
      return [...new Set(out.flatMap((line) => /selects-\w+/.exec(line) ?? []))];
    };
    assert.deepEqual(await check(), []);
    assert.deepEqual(await check('--release', 'shop'), []);
    assert.deepEqual(await check('--values', 'web/values-prod.yaml'), ['selects-nothing']);
  });

  it('is compared with named values', async () => {
    const old = Object.fromEntries(Object.entries(chart).map(([name, text]) => [`old/${name}`, text]));
    const fresh = Object.fromEntries(
      Object.entries(chart).map(([name, text]) => [`new/${name}`, text.replace('tier: back', 'tier: front')]),
    );
    const diff = async (...words: readonly string[]) => {
      const { json } = await runInMemory(['diff', 'old/web', 'new/web', '--format', 'json', ...words], {
        files: { ...old, ...fresh },
      });
      return (json as { changes: readonly { kind: string }[] }).changes.map(({ kind }) => kind);
    };
    const prod = ['old', 'new'].flatMap((side) => ['--values', `${side}/web/values-prod.yaml`]);
    assert.deepEqual(await diff(...prod), ['gained']);
    assert.deepEqual(await diff('--release', 'shop'), []);
  });

  it('decides with named values which connections its policies allow', async () => {
    const files = {
      'net/Chart.yaml': 'name: net\nversion: 1.0.0\n',
      'net/values.yaml': 'client: web\nallowed: none\nport: 80\n',
      'net/values-prod.yaml': 'allowed: web\nport: 5432\n',
      'net/templates/all.yaml': ['{{ .Values.client }}', 'db']
        .map((name) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  labels: {app: ${name}}\n`)
        .join('---\n'),
      'net/templates/policy.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
    - from: [{podSelector: {matchLabels: {app: {{ .Values.allowed }}}}}]
      ports: [{port: {{ .Values.port }}}]
`,
    };
    const isAllowed = async (...words: readonly string[]) => {
      const { json } = await runInMemory(['reach', 'web', 'db', '--port', '5432', '--format', 'json', ...words], {
        files,
      });
      return (json as { allowed: boolean }).allowed;
    };
    assert.equal(await isAllowed('--values', 'net/values-prod.yaml'), true);
    assert.equal(await isAllowed('--release', 'shop'), false);
  });

  it('loses matches by a proposal for named values', async () => {
    const files = { ...chart, 'web/values-prod.yaml': 'metrics: true\nselected: {tier: back}\nlabels: {tier: back}\n' };
    const text = 'metrics: true\nselected: {tier: back}\n';
    const proposal = JSON.stringify({ files: [{ path: 'web/values-prod.yaml', text }] });
    const impact = async (...words: readonly string[]) => {
      const standardInput = { text: proposal };
      const { json } = await runInMemory(['impact', '-', '--format', 'json', ...words], { files, standardInput });
      return (json as { changes: readonly { kind: string }[] }).changes.map(({ kind }) => kind);
    };
    assert.deepEqual(await impact('--values', 'web/values-prod.yaml'), ['lost']);
    assert.deepEqual(await impact(), []);
  });

  it('reads files with values for its templates, and may replace its values', async () => {
    const files = {
      'mesh/Chart.yaml': 'name: mesh\nversion: 1.0.0\n',
      'mesh/values.yaml': 'defaults: {app: mesh, tier: none}\nprofile: ambient\n',
      'mesh/files/profile-ambient.yaml': 'tier: ambient\n',
      'mesh/templates/zzz.yaml': `{{- $defaults := .Values.defaults }}
{{- $_ := unset $.Values "defaults" }}
{{- $profile := .Files.Get (printf "files/profile-%s.yaml" .Values.profile) | fromYaml }}
{{- $_ := mustMergeOverwrite $defaults $profile }}
{{- $_ := set $ "Values" (mustMergeOverwrite $defaults $.Values) }}
`,
      'mesh/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels: {app: {{ .Values.app }}, tier: {{ .Values.tier }}, rest: {{ .Values.defaults | default "none" }}}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['Pod/p app=mesh tier=ambient rest=none']);
  });

  it('has no objects of a library, and those of a chart elsewhere that it turns off', async () => {
    const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
    const files = {
      'shop/Chart.yaml':
        'name: shop\nversion: 1.0.0\ndependencies:\n  - {name: library, repository: "file://../library"}\n  - {name: api, repository: "file://../api", condition: api.enabled}\n',
      'shop/values.yaml': 'api: {enabled: false}\n',
      'shop/templates/pod.yaml': pod('shop'),
      'library/Chart.yaml': 'name: library\ntype: library\nversion: 1.0.0\n',
      'library/templates/pod.yaml': pod('library'),
      'api/Chart.yaml': 'name: api\nversion: 1.0.0\n',
      'api/templates/pod.yaml': pod('api'),
    };
    assert.deepEqual(shown(await objects(files)), ['Pod/api', 'Pod/shop']);
  });

  it('without appVersion has an empty one', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    app: a\n    {{- if .Chart.AppVersion }}\n    version: {{ .Chart.AppVersion }}\n    {{- end }}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['Pod/p app=a']);
  });

  it('refuses values files that do not exist', async () => {
    const { code, err } = await runInMemory(['objects', '--values', 'none.yaml', 'web'], { files: chart });
    assert.equal(code, 2);
    assert.match(String(err), /'none\.yaml'/);
  });
});
