/** Tests what is reported if executing a chart, or expanding its helpers, takes too many steps. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

describe('a chart that is too much work', () => {
  it('is reported if executing it takes too many steps', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {x: "{{ range until 2000 }}{{ range until 2000 }}-{{ end }}{{ end }}"}\n',
    };
    const listed = await runInMemory(['objects', '--release', 'r', 'a'], { files });
    assert.match(
      listed.err.join('\n'),
      /executing the templates of a takes too many steps, so some objects are unknown/,
    );
    const { out } = await runInMemory(['check', '--release', 'r', 'a'], { files });
    assert.match(out.join('\n'), /a\/templates\/a\.yaml.*analysis-limit/s);
    const { out: ofDefaults } = await runInMemory(['check', 'a'], { files });
    assert.match(ofDefaults.join('\n'), /a\/templates\/a\.yaml.*analysis-limit/s);
  });

  it('is reported if many releases of it build many objects in loops, and each has an equal share', async () => {
    const release = (n: number) =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r${n}, namespace: ns${n}}\nspec:\n  chart: {spec: {chart: ./a, sourceRef: {kind: GitRepository, name: g}}}\n`;
    const source =
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g}\nspec: {url: https://g.example/t/r.git}\n';
    const files = {
      '.selector-lens.yaml': 'repository: https://g.example/t/r.git\n',
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/a.yaml':
        '{{ range until 300 }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b{{ . }}}\n{{ end }}',
      'releases.yaml': `${source}---\n${Array.from({ length: 40 }, (_, n) => release(n)).join('---\n')}`,
    };
    const listed = await runInMemory(['objects', '--format', 'json'], { files });
    const { objects } = JSON.parse(listed.out.join('\n')) as { readonly objects: readonly { readonly name: string }[] };
    assert.equal(objects.filter(({ name }) => name === 'b0').length, 40);
    assert.equal(objects.filter(({ name }) => name === 'b200').length, 0);
    const { out } = await runInMemory(['check'], { files });
    assert.match(out.join('\n'), /releases\.yaml.*Building this release takes too many steps/);
  });

  it('is reported if a helper includes itself without end, and its object is unknown', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_r.tpl': '{{ define "r" }}{{ include "r" . }}{{ end }}',
      'a/templates/a.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {selector: {app: "{{ include "r" . }}"}}\n',
    };
    const listed = await runInMemory(['objects', '--release', 'r', 'a'], { files });
    assert.match(listed.err.join('\n'), /executing the templates of a takes too many steps/);
    assert.doesNotMatch(listed.out.join('\n'), /other/);
    const { out } = await runInMemory(['check', 'a'], { files });
    assert.equal(out.join('\n').match(/analysis-limit/g)?.length, 1);
  });

  it('is reported if all of its objects are written by helpers', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_all.tpl':
        '{{ define "all" }}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {x: "{{ range until 2000 }}{{ range until 2000 }}-{{ end }}{{ end }}"}\n{{ end }}',
      'a/templates/all.yaml': '{{ include "all" . }}\n',
    };
    for (const options of [[], ['--release', 'r']]) {
      const { out } = await runInMemory(['check', ...options, 'a'], { files });
      assert.match(out.join('\n'), /a\/templates\/_all\.tpl:1:1: .*analysis-limit/);
    }
  });

  it('is reported if the output of a template is too long', async () => {
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
      'a/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {x: "{{ range until 100 }}{{ range until 1000 }}${'-'.repeat(50)}{{ end }}{{ end }}"}\n`,
    };
    const { err } = await runInMemory(['objects', 'a'], { files });
    assert.match(err.join('\n'), /executing the templates of a takes too many steps/);
    const { out } = await runInMemory(['check', 'a'], { files });
    assert.equal(out.join('\n').match(/analysis-limit/g)?.length, 1);
  });

  /** A chart whose values expand to more nodes than are read, by aliases or by nesting. */
  const chartWith = (values: string) => ({
    'a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'a/values.yaml': values,
    'a/templates/a.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector:\n    app: {{ .Values.app }}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {app: shop}}\n',
  });
  const aliases = `app: shop\nb: &b [${'x,'.repeat(400)}]\nlist:\n${'- *b\n'.repeat(200)}`;
  const nested = `app: shop\nlist: ${'['.repeat(700)}${']'.repeat(700)}\n`;

  for (const [title, values] of [
    ['aliases', aliases],
    ['nested lists', nested],
  ] as const) {
    it(`has unknown values if these are too large to be read, by ${title}`, async () => {
      const files = chartWith(values);
      const { out } = await runInMemory(['check', 'a'], { files });
      assert.match(out.join('\n'), /a\/values\.yaml:1:1: .*they are unknown.*analysis-limit/);
      for (const options of [[], ['--release', 'r']]) {
        const matched = await runInMemory(['match', ...options, '--object', 'Service/web', 'a'], { files });
        assert.match(matched.out.join('\n'), /may match Pod\/p .*the selector wants an unknown value/);
      }
    });

    it(`has unknown values if a named file is too large to be read, by ${title}`, async () => {
      const files = { ...chartWith('app: web\n'), 'a/more.yaml': values };
      const options = ['--release', 'r', '--values', 'a/more.yaml'];
      const matched = await runInMemory(['match', ...options, '--object', 'Service/web', 'a'], { files });
      assert.match(matched.out.join('\n'), /may match Pod\/p .*the selector wants an unknown value/);
      const { out } = await runInMemory(['check', ...options, 'a'], { files });
      assert.match(out.join('\n'), /a\/more\.yaml:1:1: .*analysis-limit/);
      assert.doesNotMatch(out.join('\n'), /not valid YAML/);
    });
  }

  it('is reported once if its helpers take too many steps to expand', async () => {
    const level = (n: number) =>
      `{{ define "h${n}" }}{{ if .Values.x }}k${n}: v\n{{ else }}{{ include "h${n + 1}" (dict "a" . "b" .) }}{{ end }}\n{{ include "h${n + 1}" (merge . (dict "c" .)) }}{{ end }}\n`;
    const service = (n: number) =>
      `apiVersion: v1\nkind: Service\nmetadata:\n  name: s${n}\n  labels: {{- include "h0" . | nindent 4 }}\n`;
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    const files = {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/templates/_h.tpl': `${numbers.map(level).join('')}{{ define "h60" }}a: b{{ end }}`,
      'a/templates/a.yaml': numbers.map(service).join('---\n'),
      'a/templates/b.yaml': numbers.map(service).join('---\n'),
    };
    const { out } = await runInMemory(['check', 'a'], { files });
    assert.equal(out.join('\n').match(/The helpers of this chart take too many steps/g)?.length, 1, out.join('\n'));
  });
});
