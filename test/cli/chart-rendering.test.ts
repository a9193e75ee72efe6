/** Tests which objects and labels an executed chart has in cases in which Helm is unusual. */

import assert from 'node:assert/strict';
import { objects, shown } from './chart-objects.ts';
import { runInMemory } from './memory-world.ts';

describe('a chart that is executed', () => {
  it('renders every file in templates/ except partials and notes', async () => {
    const text = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const names = ['a.yaml', 'b.tpl', 'c.txt', 'd.md', 'e', 'f.yaml.gotmpl', '_g.txt', 'NOTES.txt', 'sub/NOTES.txt'];
    const files = Object.fromEntries(names.map((name, at) => [`a/templates/${name}`, text(`n${at}`)]));
    const found = shown(await objects({ 'a/Chart.yaml': 'name: a\nversion: 1.0.0\n', ...files }));
    assert.deepEqual(
      found,
      [0, 1, 2, 3, 4, 5].map((at) => `ConfigMap/n${at}`),
    );
  });

  it('says at which templates and with which values Helm stops, and that no object is certain', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/broken.yaml': 'a: [\n',
      'a/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'a/templates/b.yaml': '# Required\n{{ required "an owner is required" .Values.owner }}\n',
      'a/templates/c.yaml': '{{ upper 1 }}\n',
    };
    const { json, err } = await runInMemory(['objects', '--format', 'json', 'a'], { files });
    assert.equal((json as { objects: readonly { mayNotExist?: true }[] }).objects[0]?.mayNotExist, true);
    assert.match(
      String(err),
      /with no values, Helm stops, so the objects of a are uncertain: a\/templates\/b\.yaml:2: an owner is required/,
    );
    assert.match(String(err), /a\/templates\/c\.yaml:1: wrong type of a parameter of upper/);
    const endless = { ...files, 'a/values.yaml': 'a: {b: [.inf]}\n' };
    const { err: infinite } = await runInMemory(['objects', 'a'], { files: endless });
    assert.match(String(infinite), /a\/values\.yaml:1: JSON has no infinite numbers/);
    const broken = await runInMemory(['objects', '--values', 'a/broken.yaml', 'a'], { files });
    assert.match(String(broken.err), /a\/broken\.yaml:1: it is not valid YAML/);
    const ofCheck = await runInMemory(['check', '--release', 'r', 'a/templates'], { files });
    assert.match(String(ofCheck.err), /with no values, Helm stops, .*b\.yaml:2: an owner is required/);
    const ofDefaults = await runInMemory(['check', 'a/templates'], { files });
    assert.doesNotMatch(String(ofDefaults.err), /Helm stops/);
  });

  it('states once why Helm stops at a template that creates several objects', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml':
        '{{ range until 3 }}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: web{{ . }}, labels: {app: 1}}\n{{ end }}\n',
    };
    const { err } = await runInMemory(['objects', 'a'], { files });
    assert.equal(err.filter((line) => line.includes('Helm stops')).length, 1);
  });

  it('is unknown in what its selectors match, if Helm stops with its values', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels:\n    app: web\n    {{- include "more" . | nindent 4 }}\n',
      'a/templates/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {tier: front}}\n',
    };
    const { out } = await runInMemory(['match', 'Service/web', '--root', 'a'], { files });
    assert.match(out.join('\n'), /Matches unknown: with no values, Helm stops at pod\.yaml: no template "more"\.$/);
  });

  it('names the values with which Helm stops', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'host: ""\n',
      'a/values-prod.yaml': 'port: 1\n',
      'a/values-all.yaml': 'host: example.org\n',
      'a/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\n',
      'a/templates/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, externalName: {{ required "a host is required" .Values.host }}}\n',
    };
    const matches = async (...options: string[]) => {
      const { out } = await runInMemory(['match', 'Service/web', '--root', 'a', ...options], { files });
      return out.at(-1);
    };
    const pod = 'Pod/web  a/templates/pod.yaml:2';
    assert.equal(
      await matches(),
      `  may match ${pod}: with values.yaml alone, Helm stops at service.yaml: a host is required`,
    );
    assert.equal(
      await matches('--values', 'a/values-prod.yaml'),
      `  may match ${pod}: with values-prod.yaml, Helm stops at service.yaml: a host is required`,
    );
    assert.equal(await matches('--values', 'a/values-all.yaml'), `  matches ${pod}`);
  });

  it('is not said to fail because of values or helpers that other files contain', async () => {
    const files = {
      'a/Chart.yaml':
        'name: a\nversion: 1.0.0\ndependencies: [{name: pool, version: 1.0.0, repository: "https://charts"}]\n',
      'a/values.yaml': 'pool: {server: {port: 1}}\n',
      'a/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: {{ .Values.pool.server.labels.app }}}}\n',
      'b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'b/templates/_helpers.gotmpl': '{{ define "b.app" }}web{{ end }}',
      'b/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: {{ include "b.app" . }}}}\n',
      'c/Chart.yaml':
        'name: c\nversion: 1.0.0\ndependencies: [{name: pool, version: 1.0.0, repository: "https://charts", import-values: [labels]}]\n',
      'c/values.yaml': 'labels: {tier: {}}\n',
      'c/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: {{ .Values.labels.tier.name.short }}}}\n',
    };
    const { err } = await runInMemory(['objects'], { files });
    assert.doesNotMatch(err.join('\n'), /Helm stops/);
  });

  it('keeps the names of objects whose helper does not exist when other actions are added', async () => {
    const namesOf = async (label: string) => {
      const files = {
        'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
        'a/templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${label}  name: {{ include "name" . }}\n`,
      };
      const { json } = await runInMemory(['objects', '--format', 'json', 'a'], { files });
      return (json as { objects: readonly { name: string }[] }).objects.map(({ name }) => name);
    };
    const [name = ''] = await namesOf('');
    assert.match(name, /include "name"/);
    assert.deepEqual(await namesOf('  labels: {app: {{ include "name" . }}}\n'), [name]);
  });

  it('has a text for nil in the output of a helper, which Helm removes only from files', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_helpers.tpl': '{{ define "on" }}{{ .Values.on }}{{ end }}',
      'a/templates/a.yaml':
        '{{ if include "on" . }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {len: n{{ include "on" . | len }}, text: "{{ include "on" . }}"}\n{{ end }}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/a len=n10 text=']);
  });

  it('separates documents where Helm does, also if text follows the separator', async () => {
    const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml': `${map('a')}---\n{{- /* Next */ -}}\n${map('b')}---${map('c')}`,
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/a', 'ConfigMap/b', 'ConfigMap/c']);
  });

  it('is not checked in the objects that only helpers write, as a note says', async () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_map.tpl': `{{- define "map" }}\n${map}{{- end }}\n`,
      'a/templates/a.yaml': '{{- include "map" . }}\n',
      'a/templates/NOTES.txt': '{{ include "map" . }}\n',
    };
    const note = 'selector-lens: Objects that only helpers write are not checked: a/templates/a.yaml.';
    const { code, err } = await runInMemory(['check'], { files });
    assert.deepEqual([code, err.at(-1)], [0, note]);
    const more = { ...files, 'a/templates/b.yaml': `${map}data: {{- include "map" . | nindent 2 }}\n` };
    assert.deepEqual((await runInMemory(['check'], { files: more })).err, [note]);
    assert.deepEqual((await runInMemory(['objects'], { files })).err, []);
  });

  it('lists the objects of helpers beside nulls in values files', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'labels: {a: "1"}\nparts: {web: {}}\n',
      'a/v.yaml': 'labels: {b: null}\nparts: {api: null}\n',
      'a/templates/a.yaml':
        '{{ range $name := keys .Values.parts | sortAlpha }}{{ printf "\\n---\\n%s" (toYaml (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" $name "labels" $.Values.labels))) }}\n{{ end }}',
    };
    const found = shown(await objects(files, '--values', 'a/v.yaml', 'a'));
    assert.deepEqual(found, ['ConfigMap/{{ (sortAlpha (keys (dict "api" .Values.parts.api "web" dict)))[] }} a=1']);
  });

  it('does not know what depends on the order in which a loop over keys changes a map', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'parts: {web: {}, api: {}}\nlabels: {}\n',
      'a/templates/a.yaml': `{{- $made := dict }}
{{- range $name := keys .Values.parts }}
{{- $_ := set $made $name (upper $name) }}
{{- $_ := set $made "last" $name }}
{{- $labels := merge $.Values.labels (dict "part" $name) }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ $name }}", labels: {part: {{ $labels.part }}, own: {{ $made.last }}}}
{{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: all, labels: {web: {{ $made.web }}, api: {{ $made.api }}, last: {{ $made.last }}, part: {{ .Values.labels.part }}}}
`,
    };
    assert.deepEqual(shown(await objects(files)), [
      'ConfigMap/api part=? own=api',
      'ConfigMap/web part=? own=web',
      'ConfigMap/all web=WEB api=API last=? part=?',
    ]);
  });

  it('accepts a map that is nil in parentheses, and its fields, but no field that is nil', async () => {
    const map = (name: string, text: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {{- ${text} | toYaml | nindent 4 }}\n`;
    const chart = { 'a/Chart.yaml': 'name: a\nversion: 1.0.0\n' };
    const valid = map('b', 'merge (.Values.none) (dict "a" "1" "b" (hasKey (.Values.none) "x" | toString))');
    assert.deepEqual(shown(await objects({ ...chart, 'a/templates/b.yaml': valid })), ['ConfigMap/b a=1 b=false']);
    const fields = map('b', '(dict "a" (quote (.Values.none).x.y))');
    assert.deepEqual(shown(await objects({ ...chart, 'a/templates/b.yaml': fields })), ['ConfigMap/b a=']);
    const invalid = map('b', 'merge .Values.none (dict "a" "1")');
    const { json } = await runInMemory(['objects', '--format', 'json', 'a'], {
      files: { ...chart, 'a/templates/b.yaml': invalid },
    });
    assert.equal((json as { objects: readonly { mayNotExist?: true }[] }).objects[0]?.mayNotExist, true);
  });

  it('contains the objects in files that a template finds', async () => {
    const named = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/files/b.yaml': named('b'),
      'a/files/c.yaml': named('c'),
      'a/files/more/d.yaml': named('d'),
      'a/templates/e.yaml': `{{- range $path, $_ := .Files.Glob "files/*.yaml" }}
---
{{ $.Files.Get $path }}
{{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: e, labels: {found: "{{ len (.Files.Glob "files/**.yaml") }}", none: {{ (.Files.Glob "no/*.yaml").AsConfig | quote }}}}
`,
    };
    assert.deepEqual(shown(await objects(files, '--scope', 'a')), [
      'ConfigMap/b',
      'ConfigMap/c',
      'ConfigMap/e found=3 none={}',
    ]);
  });

  it('follows Helm in merge keys, headers of block scalars, and escaped text', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'x: &x {b: "2", c: "3"}\nm:\n  b: "1"\n  <<: *x\n  c: "4"\n',
      'a/templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  labels:
    b: "{{ .Values.m.b }}"
    c: "{{ .Values.m.c }}"
    t: {{ toJson "<" | quote }}
    e: "{{ range $key, $value := fromYaml "\\"\\": {f: 1}" }}{{ $key }}-{{ $value.f }}{{ end }}"
data:
  one.json:
  |-
    {"a": 1}
---
x: &x {b: "2"}
apiVersion: v1
kind: ConfigMap
metadata: {name: b, labels: {b: "1", <<: *x}}
`,
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/a b=2 c=4 t="\\u003c" e=-1', 'ConfigMap/b b=2']);
  });

  it('fails if text that is certain is not valid YAML', async () => {
    const failing = async (template: string) => {
      const files = { 'a/Chart.yaml': 'name: a\nversion: 1.0.0\n', 'a/values.yaml': 'own: "{{ x }}-y"\n' };
      const { json } = await runInMemory(['objects', '--format', 'json', 'a'], {
        files: { ...files, 'a/templates/a.yaml': template },
      });
      return (json as { objects: readonly { mayNotExist?: true }[] }).objects.map(({ mayNotExist }) => mayNotExist);
    };
    const named = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    assert.deepEqual(await failing(named('"{{ .Values.own }}"')), [undefined]);
    assert.deepEqual(await failing('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.own }}\n'), [true]);
    assert.deepEqual(await failing(`${named('a-{{ randAlpha 3 }}')}---\n${named('b')}x: : [\n`), [true, true]);
    assert.deepEqual(await failing(named('a{{ env "X" }}')), [true]);
    const notes = { 'a/templates/NOTES.txt': '{{ fail "no" }}', 'a/templates/a.yaml': named('a') };
    const { json } = await runInMemory(['objects', '--format', 'json', 'a'], {
      files: { 'a/Chart.yaml': 'name: a\nversion: 1.0.0\n', ...notes },
    });
    assert.equal((json as { objects: readonly { mayNotExist?: true }[] }).objects[0]?.mayNotExist, true);
  });

  it('does not know a name that depends on the namespace of the release', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n{{- if eq .Release.Namespace "system" }}\n  name: b\n{{- else }}\n  name: c\n{{- end }}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/{{ either "b" "c" }}']);
    assert.deepEqual(shown(await objects(files, '--namespace', 'system', 'a', '--release', 'r')), ['ConfigMap/b']);
  });

  it('knows nothing that an unknown condition chooses', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_helpers.tpl':
        '{{ define "either" }}{{ if .Capabilities.APIVersions.Has "x/v1" }}b: "1"{{ else }}c: "2"{{ end }}{{ end }}',
      'a/templates/a.yaml': `{{- $either := fromYaml (include "either" .) }}
apiVersion: v1
kind: Service
{{- if .Capabilities.APIVersions.Has "x/v1" }}
metadata: {name: a, namespace: shop, labels: {has: "{{ hasKey $either "b" }}"}}
spec: {selector: {app: new}}
{{- else }}
metadata: {name: b, labels: {has: "{{ hasKey $either "b" }}"}}
spec: {selector: {app: old}}
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: old}}
  template: {metadata: {labels: {app: old}}}
`,
    };
    assert.deepEqual(
      (await objects(files)).map(({ name }) => name),
      ['{{ either "a" "b" }}', 'web'],
    );
    assert.doesNotMatch(shown(await objects(files)).join(), /has=[tf]/);
    const { code } = await runInMemory(['check', '--release', 'r', 'a'], { files });
    assert.equal(code, 0);
  });

  it('sees its own values as a plain map only with AsMap', async () => {
    const written = async (code: string) => {
      const files = {
        'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
        'a/values.yaml': 'c: {d: "1"}\n',
        'a/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {d: {{ ${code} | quote }}}}\n`,
      };
      return shown(await objects(files)).join();
    };
    assert.equal(await written('dig "c" "d" "none" .Values.AsMap'), 'ConfigMap/a d=1');
    assert.equal(await written('.Values.AsMap.c.d'), 'ConfigMap/a d=1');
    assert.equal(await written('typeOf .Values.AsMap'), 'ConfigMap/a d=map[string]interface {}');
    assert.equal(await written('.Values.YAML'), 'ConfigMap/a d=?');
    assert.equal(await written('.Values.c.AsMap'), 'ConfigMap/a d=');
  });

  it('fails if one file defines a helper twice', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_a.tpl': '{{ define "a" }}1{{ end }}\n{{ define "a" }}2{{ end }}\n',
      'a/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    };
    const { err } = await runInMemory(['objects', 'a'], { files });
    assert.match(String(err), /a\/templates\/_a\.tpl:2: the file defines 'a' twice/);
  });

  it('ignores everything that a pattern with an exclamation mark does not match, also Chart.yaml', async () => {
    const files = (ignored: string) => ({
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/.helmignore': ignored,
      'a/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'a/templates/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n',
    });
    const failed = await runInMemory(['objects', 'a'], { files: files('b.yaml\n!b.yaml\n') });
    assert.match(String(failed.err), /a\/\.helmignore:1: it ignores Chart\.yaml/);
    assert.deepEqual(shown(await objects(files('!*\nb.yaml\n'))), ['ConfigMap/a']);
  });

  it('does not know whether Helm lists an API version that no cluster serves, but knows that it lists no kind of it', async () => {
    const has = (name: string) => `"{{ .Capabilities.APIVersions.Has "${name}" }}"`;
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {old: ${has('policy/v1beta1')}, kind: ${has('policy/v1beta1/PodSecurityPolicy')}, new: ${has('policy/v1')}}\n`,
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/a old=? kind=false new=true']);
  });
});
