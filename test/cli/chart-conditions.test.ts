/** Tests that nothing is certain after a branch of a template of which it is unknown whether it is executed. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

interface Listed {
  readonly kind: string;
  readonly name: string;
  readonly mayNotExist?: true;
  readonly labels: Readonly<Record<string, string | null>>;
  readonly open?: true;
  readonly selectors: readonly { readonly canonical: string; readonly open?: true }[];
}

/** A condition that no file decides. */
const unknown = '$.Capabilities.APIVersions.Has "x/v1"';

/** Returns a ConfigMap with labels. */
function map(labels: string, name = 'a'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    ${labels}\n`;
}

/** Lists the objects of a chart, such as `ConfigMap/a? x=1 y=? ...`: `?` is unknown, and `...` represents other labels. */
async function listed(template: string, helpers = '', values = ''): Promise<readonly string[]> {
  const { json, err } = await runInMemory(['objects', '--format', 'json', 'a'], {
    files: {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': values,
      'a/templates/_a.tpl': helpers,
      'a/templates/a.yaml': template,
    },
  });
  assert.deepEqual(err, []);
  return (json as { objects: readonly Listed[] }).objects.map(
    ({ kind, name, mayNotExist, labels, open, selectors }) => {
      const written = Object.entries(labels).map(([key, value]) => ` ${key}=${value ?? '?'}`);
      const selected = selectors.map(({ canonical, open: more }) => ` [${canonical}${more ? ' ...' : ''}]`);
      return `${kind}/${name}${mayNotExist ? '?' : ''}${written.join('')}${open ? ' ...' : ''}${selected.join('')}`;
    },
  );
}

describe('an unknown condition in a template', () => {
  it('may leave a loop, so that what follows in the loop, and later iterations, are unknown', async () => {
    const assigned = `{{- $last := "none" }}{{- range list "b" "c" }}{{- if ${unknown} }}{{- break }}{{- end }}{{- $last = . }}{{- end }}\n`;
    assert.deepEqual(await listed(assigned + map('last: {{ $last }}')), ['ConfigMap/a last=?']);
    const written = `{{- range list "b" "c" "d" }}\n{{- if and (eq . "c") (${unknown}) }}{{- break }}{{- end }}\n---\n${map('x: "{{ . }}"', '{{ . }}')}{{- end }}`;
    assert.deepEqual(await listed(written), ['ConfigMap/b x=b', 'ConfigMap/c? x=c', 'ConfigMap/d? x=d']);
    const either = `{{- range list "b" "c" }}\n---\n${map('x: "{{ . }}"', '{{ . }}')}{{- if ${unknown} }}{{- break }}{{- else }}{{- break }}{{- end }}{{- end }}`;
    assert.deepEqual(await listed(either), ['ConfigMap/b x=b']);
  });

  it('may continue a loop, so that lists and numbers that the rest of the iteration changes are unknown', async () => {
    const text = `{{- $l := list }}{{- $n := 0 }}{{- range list "b" "c" "d" }}{{- if and (eq . "c") (${unknown}) }}{{- continue }}{{- end }}{{- $l = append $l . }}{{- $n = add1 $n }}{{- end }}\n`;
    const found = await listed(text + map('l: {{ join "-" $l }}\n    k: "{{ $n }}"\n    size: "{{ len $l }}"'));
    assert.deepEqual(found, ['ConfigMap/a l=? k=? size=?']);
    const nested = `{{- range list "b" "c" }}\n---\n{{- if eq . "b" }}{{- if ${unknown} }}{{- continue }}{{- end }}\n${map('in: "1"', 'in-{{ . }}')}{{- end }}\n---\n${map('x: "1"', '{{ . }}')}{{- end }}`;
    assert.deepEqual(await listed(nested), ['ConfigMap/in-b? in=1', 'ConfigMap/b? x=1', 'ConfigMap/c x=1']);
  });

  it('may end all iterations in different ways, and a loop around them goes on', async () => {
    const text = `{{- range $b := list "b" "c" }}{{- range list 1 2 }}{{- if ${unknown} }}{{- break }}{{- else }}{{- continue }}{{- end }}{{ fail "no" }}{{- end }}\n---\n${map('x: "1"', '{{ $b }}')}{{- end }}`;
    assert.deepEqual(await listed(text), ['ConfigMap/b x=1', 'ConfigMap/c x=1']);
    const ends = `{{- range list "b" "c" }}{{- if ${unknown} }}{{- continue }}{{- end }}{{- break }}{{- end }}\n${map('x: "1"')}`;
    assert.deepEqual(await listed(ends), ['ConfigMap/a x=1']);
  });

  it('may be that of the else of a loop over an unknown list', async () => {
    const text = `{{- $found := "no" }}{{- range (lookup "v1" "Secret" "" "").items }}{{- $found = "yes" }}\n---\n${map('x: "1"', 'b')}{{- else }}\n---\n${map('x: "2"', 'c')}{{- end }}\n---\n${map('found: "{{ $found }}"')}`;
    assert.deepEqual(await listed(text), ['ConfigMap/b? x=1', 'ConfigMap/c? x=2', 'ConfigMap/a found=?']);
  });

  it('does not hide what earlier iterations over an unknown list change', async () => {
    const text = `{{- $seen := "no" }}{{- range (lookup "v1" "Secret" "" "").items }}\n---\n${map('seen: {{ $seen }}', 'b')}{{- $seen = "yes" }}{{- end }}`;
    assert.deepEqual(await listed(text), ['ConfigMap/b? seen=?']);
  });

  it('leaves requirements, values of requirements and items of a List unknown', async () => {
    const policy = (requirements: string) =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p}\nspec:\n  podSelector:\n    matchExpressions:\n${requirements}`;
    const more = `    - {key: app, operator: In, values: [web]}\n    {{- if ${unknown} }}\n    - {key: tier, operator: Exists}\n    {{- end }}\n`;
    assert.deepEqual(await listed(policy(more)), ['NetworkPolicy/p [app in (web) ...]']);
    const values = `    - key: app\n      operator: In\n      values:\n      - web\n      {{- if ${unknown} }}\n      - api\n      {{- end }}\n`;
    assert.deepEqual(await listed(policy(values)), ['NetworkPolicy/p [app in (*,web)]']);
    const items = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n{{- if ${unknown} }}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n{{- end }}\n`;
    assert.deepEqual(await listed(items), ['ConfigMap/b', 'ConfigMap/c? ...']);
  });

  it('leaves variables, lists and maps unknown that a branch changes', async () => {
    const variable = `{{- $x := "a" }}{{- if ${unknown} }}{{- $x = "b" }}{{- end }}{{- if eq $x "a" }}{{- $x = "c" }}{{- end }}\n`;
    assert.deepEqual(await listed(variable + map('x: {{ $x }}')), ['ConfigMap/a x=?']);
    const list = `{{- $l := list "b" }}{{- if ${unknown} }}{{- $l = append $l "c" }}{{- end }}\n`;
    const ofList = map('size: "{{ len $l }}"\n    has: "{{ has "c" $l }}"\n    all: {{ join "-" $l }}');
    assert.deepEqual(await listed(list + ofList), ['ConfigMap/a size=? has=? all=?']);
    const entries = `{{- $d := dict "b" "1" "c" "2" }}{{- if ${unknown} }}{{- $_ := set $d "d" "3" }}{{- $_ := unset $d "b" }}{{- end }}\n`;
    assert.deepEqual(await listed(entries + map('{{- toYaml $d | nindent 4 }}')), ['ConfigMap/a c=2 ...']);
  });

  it('leaves the text of helpers, and what functions make of it, unknown', async () => {
    const helper = `{{ define "x" }}{{ if ${unknown.replace('$', '')} }}new{{ else }}old{{ end }}{{ end }}`;
    const text = map(
      'x: {{ include "x" . }}\n    quoted: {{ include "x" . | quote }}\n    upper: {{ include "x" . | upper }}\n    json: {{ dict "x" (include "x" .) | toJson | quote }}\n    is: "{{ eq (include "x" .) "new" }}"\n    filled: "{{ not (empty (include "x" .)) }}"',
    );
    assert.deepEqual(await listed(text, helper), ['ConfigMap/a x=? quoted=? upper=? json=? is=? filled=?']);
    const lines = `{{ define "x" }}b: "1"\n{{ if ${unknown.replace('$', '')} }}c: "2"\n{{ end }}d: "3"{{ end }}`;
    assert.deepEqual(await listed(map('{{- include "x" . | nindent 4 }}'), lines), ['ConfigMap/a b=1 d=3 ...']);
  });

  it('with a condition in it, does not end at the end of another block', async () => {
    const helper = `{{ define "x" }}{{ if ${unknown.replace('$', '')} }}b{{ else }}c{{ end }}{{ end }}`;
    const text = `{{- $x := include "x" . }}{{- $name := ternary "b" "c" (eq $x "b") }}{{- if eq $x "b" }}\n${map('x: "1"', '{{ if eq $x "b" }}b{{ end }}')}---\n{{- else if eq $x "c" }}\n${map('x: "2"', '{{ if eq $x "b" }}b{{ end }}')}---\n{{- end }}\n`;
    const found = await listed(text, helper);
    assert.deepEqual(
      found.map((each) => each.replace(/\{\{.*\}\}/, 'N')),
      ['ConfigMap/N? x=1', 'ConfigMap/N? x=2'],
    );
  });

  it('leaves the fields of parsed text unknown that depend on it, also if the text may be invalid', async () => {
    const parsed = `{{- $y := fromYaml (printf "b: %s" .Release.Namespace) }}{{- $e := fromYaml "b: [" }}{{- $j := fromJson "{" }}\n`;
    const found = await listed(
      parsed +
        map(
          'b: "{{ $y.b }}"\n    error: "{{ hasKey $e "Error" }}"\n    e: "{{ $e.b }}"\n    j: "{{ if $j.Error }}1{{ end }}"',
        ),
    );
    assert.deepEqual(found, ['ConfigMap/a b=? error=? e=? j=?']);
  });

  it('leaves only the values unknown that depend on it in JSON', async () => {
    const json = `{{ toJson (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" "a" "labels" (dict "release" .Release.Name "known" "<1>" "x" (ternary "1" "2" (${unknown})) "part" (printf "p-%s" .Release.Namespace)))) }}`;
    assert.deepEqual(await listed(json), ['ConfigMap/a known=<1> part=? release=? x=?']);
    const copied = `{{- $copy := fromJson (toJson (dict "a" "1" "b" .Release.Name)) }}\n`;
    const found = await listed(
      copied +
        map(
          'a: {{ quote $copy.a }}\n    b: {{ $copy.b }}\n    text: {{ toJson $copy | quote }}\n    c: {{ $copy.c | default "none" }}',
        ),
    );
    assert.deepEqual(found, ['ConfigMap/a a=1 b=? text=? c=none']);
  });

  it('may be the date, which is unknown and not empty', async () => {
    const found = await listed(
      map('now: "{{ now | date "2006" }}"\n    is: "{{ if now }}1{{ end }}"\n    ago: {{ ago now }}'),
    );
    assert.deepEqual(found, ['ConfigMap/a now=? is=? ago=?']);
  });
});
