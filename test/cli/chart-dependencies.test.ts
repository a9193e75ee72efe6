/** Tests which objects and values the dependencies of an executed chart have, and those that are not in the workspace. */

import assert from 'node:assert/strict';
import { objects, shown } from './chart-objects.ts';
import { runInMemory } from './memory-world.ts';
import { inRepository } from './path-answers.ts';

describe('an executed chart with dependencies', () => {
  it('has the copy of a dependency in its folder instead of the chart in its file:// repository', async () => {
    const map = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {chart: {{ .Chart.Name }}}}\n`;
    const files = {
      'a/Chart.yaml':
        'name: a\nversion: 1.0.0\ndependencies:\n- {name: db, alias: store, version: 1.0.0, repository: "file://../db", condition: store.enabled}\n',
      'db/Chart.yaml': 'name: db\nversion: 1.0.0\n',
      'db/templates/map.yaml': map('original'),
      'a/charts/db/Chart.yaml': 'name: db\nversion: 1.0.0\n',
      'a/charts/db/templates/map.yaml': map('copy'),
    };
    assert.deepEqual(shown(await objects(files, 'a', '--root', '.')), ['ConfigMap/copy chart=store']);
    const off = { ...files, 'a/values.yaml': 'store: {enabled: false}\n' };
    assert.deepEqual(shown(await objects(off, 'a', '--root', '.')), []);
  });

  it('gives global values to every dependency, and removes keys of maps with unknown values', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/templates/a.yaml':
        '{{ $m := dict "x" .Release.Name "y" "1" }}{{ range keys (dict "x" .Release.Name) }}{{ $_ := unset $m . }}{{ end }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels:\n    has: h{{ hasKey .Values "global" }}\n    {{- toYaml $m | nindent 4 }}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/b has=htrue y=1']);
  });

  it('knows the objects that a dependency of a repeated dependency has if charts declare it', async () => {
    const files = (declared: string) => ({
      'a/Chart.yaml':
        'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*"}\n- {name: b, alias: c, version: "*"}\n',
      'a/values.yaml': 'b: {d: {own: "1"}}\nc: {d: {own: "2"}}\n',
      'a/charts/b/Chart.yaml': `name: b\nversion: 1.0.0\n${declared}`,
      'a/charts/b/charts/d/Chart.yaml': 'name: d\nversion: 1.0.0\n',
      'a/charts/b/charts/d/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "d{{ .Values.own }}"}\n',
    });
    const found = async (declared: string) => {
      const { json } = await runInMemory(['objects', '--format', 'json', 'a'], { files: files(declared) });
      const all = (json as { objects: readonly { name: string; mayNotExist?: true }[] }).objects;
      return all.map(({ name, mayNotExist }) => `${name}${mayNotExist ? '?' : ''}`);
    };
    assert.deepEqual(await found('dependencies:\n- {name: d, version: "*"}\n'), ['d2', 'd1']);
    assert.deepEqual(await found(''), ['d{{ .Values.own }}?', 'd{{ .Values.own }}?']);
  });

  it('is turned off by a condition beside a null, and has global values that null removes only above', async () => {
    const files = {
      'a/Chart.yaml':
        'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*", condition: b.enabled}\n- {name: e, version: "*", import-values: [{child: out, parent: in}]}\n',
      'a/values.yaml': 'global: {l: "1"}\nb: {d: {x: 1}, enabled: true}\n',
      'a/values-off.yaml': 'global: {l: null}\nb: {d: null, enabled: false}\n',
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/values.yaml': 'd: {x: 2}\n',
      'a/charts/b/charts/d/Chart.yaml': 'name: d\nversion: 1.0.0\n',
      'a/charts/b/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n',
      'a/charts/e/Chart.yaml': 'name: e\nversion: 1.0.0\n',
      'a/charts/e/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: e, labels: {l: "{{ .Values.global.l }}"}}\n',
    };
    assert.deepEqual(shown(await objects(files, '--values', 'a/values-off.yaml', 'a')), ['ConfigMap/e l=1']);
  });

  it('has the nulls of the defaults of an undeclared dependency, and global values that charts share', async () => {
    const labels = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Chart.Name }}\n  labels: {v: {{ ${value} | toJson | quote }}}\n`;
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'global: {db: {primary: {}}}\n',
      'a/templates/a.yaml': labels('.Values.global'),
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/values.yaml': 'global: {db: {primary: {host: b}}}\nk: {d: null, e: 1}\n',
      'a/charts/b/templates/a.yaml': labels('.Values.k'),
    };
    assert.deepEqual(shown(await objects(files)), [
      'ConfigMap/a v={"db":{"primary":{"host":"b"}}}',
      'ConfigMap/b v={"d":null,"e":1}',
    ]);
  });

  it('does not know whether nulls are in maps if this depends on the version of Helm', async () => {
    const template =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  labels: {d: "d{{ .Values.k.d }}", has: "{{ hasKey .Values.k "d" }}", v: {{ .Values.k | toJson | quote }}}\n';
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*"}\n',
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/values.yaml': 'k: {d: null, e: 1}\n',
      'a/charts/b/templates/a.yaml': template,
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/b d=d has=? v=?']);
  });

  it('knows the values of a library whose nulls depend on the version of Helm', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*"}\n',
      'a/values.yaml': 'own: "1"\n',
      'a/templates/a.yaml': `{{- $_ := set . "Values" (mustMergeOverwrite (deepCopy .Values.b) (deepCopy (omit .Values "b"))) }}
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ default "c" .Values.global.name }}", labels: {own: "{{ .Values.own }}"}}
`,
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\ntype: library\n',
      'a/charts/b/values.yaml': 'global: {name: null}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/c own=1']);
  });

  it('does not know the values of a dependency that is not in the workspace', async () => {
    const { json, err } = await runInMemory(['objects', '--format', 'json', 'a'], {
      files: {
        'a/Chart.yaml': 'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*"}\n',
        'a/values.yaml': 'b: {d: "1"}\n',
        'a/templates/a.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {c: "{{ .Values.b.c.enabled }}", d: "{{ .Values.b.d }}"}}\n',
      },
    });
    assert.deepEqual(err, [
      "selector-lens: a is known only in part: Chart.yaml needs the chart 'b', which is not in the workspace.",
    ]);
    assert.deepEqual(shown((json as { objects: Parameters<typeof shown>[0] }).objects), ['ConfigMap/a c=? d=1']);
  });

  it('names a dependency whose folder git ignores', async () => {
    const files = {
      '.gitignore': 'charts/\n',
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\ndependencies:\n- {name: b, version: "*"}\n',
      'a/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    };
    const dependency = {
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/templates/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n',
    };
    const why =
      "selector-lens: 'a' was read only in part: Chart.yaml needs the chart 'b', whose folder git ignores, or which a sparse checkout or the settings exclude.";
    for (const each of [{ ...files, ...dependency }, files]) {
      const { out, err } = await runInMemory(['objects'], inRepository(each));
      assert.deepEqual([out.slice(1), err], [['  ConfigMap/a  a/templates/a.yaml:2'], [why]]);
    }
  });

  it('sees the values of a dependency as a plain map', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/charts/b/Chart.yaml': 'name: b\nversion: 1.0.0\n',
      'a/charts/b/values.yaml': 'c: {d: "1"}\n',
      'a/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {d: "{{ dig "c" "d" "none" .Values.b }}"}}\n',
    };
    assert.deepEqual(shown(await objects(files)), ['ConfigMap/a d=1']);
  });
});
