/** Tests the replacement of templates and placeholders, and the rest of the file. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests search for placeholders

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blank } from '../../server/src/manifests/placeholders/placeholders.ts';
import { blankManifest } from '../../server/src/manifests/yaml/blank-manifest.ts';
import { lines } from '../harness/margin.ts';
import { outline } from './outline.ts';

/** The text with `«` and `·` for the mask. */
function visible(text: string): string {
  return blank(text).text.replaceAll('\uE000', '«').replaceAll('\uE001', '·');
}

function configMap(labels: string): string {
  const indented = labels.split('\n').map((line) => `    ${line}`);
  return ['apiVersion: v1', 'kind: ConfigMap', 'metadata:', '  name: a', '  labels:', ...indented, ''].join('\n');
}

function labelsOf(labels: string): string {
  return outline(configMap(labels)).split('metadata.labels: ')[1] ?? '(none)';
}

describe('masks', () => {
  for (const [placeholder, blanked] of [
    ['a: ${X}', 'a: «···'],
    ['a: ${X:-a b}-b', 'a: «········-b'],
    ['a: $X', 'a: «·'],
    ['a: $x', 'a: «·'],
    ['a: web-$x-1', 'a: web-«·-1'],
    ['a: us$x', 'a: us$x'],
    ['$patch: delete', '$patch: delete'],
    ['a: $$x$$', 'a: «····'],
    ['a: $(x.y)', 'a: «·····'],
    ['a: @X@', 'a: «··'],
    ['a: x@sha256:0', 'a: x@sha256:0'],
    ['a: <x>', 'a: «··'],
    ['a: 1 < 2', 'a: 1 < 2'],
    ['a: x#{Y}#', 'a: x«····'],
    ['a: __X__', 'a: «····'],
    ['a: x__y__z', 'a: x__y__z'],
    ['a: {% x %}', 'a: «······'],
    ['a: %{ x }', 'a: «·····'],
    ['a: {X}', 'a: «··'],
    ['a: {x}', 'a: {x}'],
    ['a: %X_Y%', 'a: «····'],
    ['a: 5%', 'a: 5%'],
    ['a: <%= x %>', 'a: «·······'],
    ['a: <% x %>', 'a: «······'],
    ['a: ((x/y))', 'a: «······'],
    ['a: (x)', 'a: (x)'],
    ['a: [[ .X ]]', 'a: «·······'],
    ['a: $[[ x.y ]]', 'a: «·········'],
    ['a: [[1, 2]]', 'a: [[1, 2]]'],
    ['a: ENC[AES256_GCM,data:x]', 'a: «·····················'],
    ['a: ENC[1]', 'a: ENC[1]'],
    ['a: ${{ x }}', 'a: «·······'],
    ['a: {{ x }}', 'a: «······'],
    ['a: {{ x', 'a: {{ x'],
    ['a: "{{ x }} {{ y }}"', 'a: "«······ «······"'],
    ['{{- if x }}\na: 1\n{{- end }}', '           \na: 1\n          '],
    ['a: {{ x\n  y }}', 'a: «··········'],
    ['a: |\n  {{ x\ny }}\n  z', 'a: |\n  «········\n  z'],
    ['a: #@ x', 'a: «···'],
    ['a: b #@ x', 'a: «·····'],
    ['#@ if x:', '#@ if x:'],
    ['a: (@= x @)', 'a: «·······'],
  ] as const) {
    it(JSON.stringify(placeholder), () => assert.equal(visible(placeholder), blanked));
  }

  it('preserve the length, and everything outside of them', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '$',
      '${',
      '@',
      'X',
      'x',
      '<',
      '>',
      '__',
      '%',
      '#',
      '(',
      ')',
      ' ',
      '\n',
      '\r\n',
      ':',
      '"',
      '-',
      '#@ ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const blanked = blank(text).text;
        assert.equal(blanked.length, text.length);
        for (let at = 0; at < text.length; at++) {
          const character = blanked[at];
          if (character === text[at]) continue;
          assert.ok(character === '\uE000' || character === '\uE001' || character === ' ', JSON.stringify(text));
          // Only an action over several lines contains line breaks.
          if (/[\r\n]/.test(text[at] ?? '')) assert.equal(character, '\uE001', JSON.stringify(text));
        }
      }),
    );
  });

  it('have their positions, in order', () => {
    const text = 'a: ${A} {{ b }} @C@';
    const spans = blank(text).blanks.map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(spans, ['${A}', '{{ b }}', '@C@']);
  });
});

describe('labels of a template', () => {
  for (const [what, written, read] of [
    ['a literal', 'app: web', 'app=web'],
    ['a value', 'app: {{ .Values.app }}', 'app={*}'],
    ['a quoted value', 'app: "{{ .Values.app }}"', 'app={*}'],
    ['a part of a value', 'app: web-{{ .Values.env }}-eu', 'app={web-*-eu}'],
    ['a value that prints quotes', 'app: {{ .Values.app | quote }}', 'app={*}'],
    ['a key', '{{ .Values.key }}: web', '{*}=web'],
    ['a part of a key', '{{ .Values.prefix }}/app: web', '{*/app}=web'],
    ['a line of its own', '{{- include "labels" . | nindent 4 }}\napp: web', 'app=web, ...'],
    ['a line of its own below', 'app: web\n{{- toYaml .Values.labels | nindent 4 }}', 'app=web, ...'],
    ['a line without a trim', 'app: web\n{{ include "labels" . | indent 4 }}', 'app=web, ...'],
    ['a line for another map', 'app: web\n{{- toYaml .Values.spec | nindent 2 }}', 'app=web'],
    ['a condition', 'app: web\n{{- if .Values.x }}\ntier: a\n{{- end }}', 'app=web, tier=a (conditional)'],
    [
      'two branches',
      '{{- if .Values.x }}\ntier: a\n{{- else }}\ntier: b\n{{- end }}',
      'tier=a (conditional), tier=b (conditional)',
    ],
    ['a range', '{{- range $k, $v := .Values.l }}\n{{ $k }}: {{ $v }}\n{{- end }}', '{*}={*} (conditional)'],
    ['a condition before all', '{{- if .Values.x }}\ntier: a\n{{- end }}\napp: web', 'tier=a (conditional), app=web'],
    ['a comment', '{{/* a comment */}}\napp: web', 'app=web'],
    ['a variable', '{{- $x := 1 }}\napp: web', 'app=web'],
    ['ytt', 'app: #@ data.values.app\n#@ if x:\ntier: a\n#@ end', 'app={*}, tier=a (conditional)'],
    ['jinja', 'app: {{ app }}\n{% if x %}\ntier: a\n{% endif %}', 'app={*}, tier=a (conditional)'],
  ] as const) {
    it(`${what}: ${JSON.stringify(written)}`, () => assert.equal(labelsOf(written), read));
  }

  it('may be on a separate line, or on the line of the key', () => {
    for (const action of [
      '{{- include "l" . | nindent 4 }}',
      '{{ toYaml .Values.l | nindent 4 }}',
      '{{ .Values.l }}',
      '{{ template "l" }}',
    ]) {
      const text = `apiVersion: v1\nkind: Service\nmetadata:\n  labels: ${action}\n  name: a\nspec:\n  selector: ${action}\n`;
      assert.equal(
        outline(text),
        lines(`
        Service a
          metadata.labels: ...
          ? spec.selector: ...
      `),
        action,
      );
    }
  });

  it('may be below column 0, in documents of a range', () => {
    const text = lines(`
      {{- range .Values.shops }}
      ---
      apiVersion: v1
      kind: Service
      metadata:
        name: shop-{{ .name }}
      spec:
        selector:
          app: shop-{{ .name }}
      {{- end }}
    `);
    assert.equal(outline(text), 'Service {shop-*}\n  ? spec.selector: app={shop-*}');
  });

  it('are conditional in a conditional part, and certain in a conditional whole', () => {
    const text = lines(`
      {{- if .Values.enabled }}
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
        {{- if .Values.labelled }}
        labels:
          app: web
        {{- end }}
      spec:
        template:
          metadata:
            labels:
              app: web
      {{- end }}
    `);
    assert.equal(
      outline(text),
      lines(`
        Deployment of apps web
          metadata.labels: app=web (conditional)
          spec.template.metadata.labels: app=web
      `),
    );
  });

  it('are equal values for equal expressions', () => {
    const text = lines(`
      apiVersion: v1
      kind: Service
      metadata:
        labels: {a: "{{ .x }}", b: '{{ .x }}'}
    `);
    assert.equal(outline(text), 'Service (no name)\n  metadata.labels: a={*}, b={*}');
  });
});

describe('template actions in valid YAML', () => {
  /** The text of a file that is not a template of a chart, with `«` and `·` for the mask. */
  function shown(text: string): string {
    return blankManifest(text).text.replaceAll('\uE000', '«').replaceAll('\uE001', '·');
  }

  for (const [what, text, blanked] of [
    ['a block scalar', 'a: |\n  {{ if x }}\n  b: c\n', 'a: |\n  «·········\n  b: c\n'],
    ['a folded scalar with an action over two lines', 'a: >-\n  b {{ c\n  d }} e\n', 'a: >-\n  b «·········· e\n'],
    ['a plain scalar', 'a: b {{ c }} {% d %}\n', 'a: b «······ «······\n'],
    ['a dollar sign', 'a: b-${{ c }}\n', 'a: b-«·······\n'],
    ['quoted scalars', 'a: "{{ b }}"\nc: \'{{ d }}\'\n', 'a: "«······"\nc: \'«······\'\n'],
    ['a part of an action in each scalar', 'a: "{{ b"\nc: "d }}"\n', 'a: "{{ b"\nc: "d }}"\n'],
    ['a key', '"{{ a }}": b\n', '"«······": b\n'],
    ['a comment', '# {{ a }}\nb: c\n', '# {{ a }}\nb: c\n'],
    ['an anchor', 'a: &x\n  b: "{{ c }}"\nd: *x\n', 'a: &x\n  b: "«······"\nd: *x\n'],
    ['no scalar: a template', 'a: "{{ b }}"\n{{ c }}\n', 'a: "«······"\n       \n'],
    ['a map as a key: a template', 'a: {{ b }}\nc: "{{ d"\n', 'a: «······\nc: "{{ d"\n'],
  ] as const) {
    it(`in ${what}`, () => assert.equal(shown(text), blanked));
  }

  it('leave the rest of the scalar, and its other lines', () => {
    assert.equal(labelsOf('a: >-\n  b {{ c\n  d }} e\nf: g'), 'a={b * e}, f=g');
  });

  it('do not begin documents or objects', () => {
    const text = lines(`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: templates
      data:
        web: |
          {{- if .Values.enabled }}
          apiVersion: apps/v1
          kind: Deployment
          metadata:
            name: web
          {{ with
          .Values.labels }}
          labels: {{ . }}
    `);
    assert.equal(outline(`${text}\n`), 'ConfigMap templates');
  });

  it('make entries conditional in comments', () => {
    assert.equal(labelsOf('a: b\n# {{ if x }}\nc: d\n# {{ end }}\ne: f'), 'a=b, c=d (conditional), e=f');
  });
});
