/** What do the templates of a chart write, as far as its files tell? */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { helpersOf } from '../../../server/src/manifests/helm/helpers.ts';
import { Renderer } from '../../../server/src/manifests/helm/render.ts';
import { readTemplate } from '../../../server/src/manifests/helm/syntax.ts';
import { open } from '../../../server/src/manifests/helm/value.ts';
import { readValues } from '../../../server/src/manifests/helm/values.ts';

const helpers = `
{{- define "name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}
{{- define "selector" -}}
app: {{ include "name" . }}
release: {{ .Release.Name | quote }}
{{- end }}
{{- define "labels" -}}
{{ include "selector" . }}
{{- if .Values.version }}
version: {{ .Values.version | quote }}
{{- else if .Chart.AppVersion }}
version: {{ .Chart.AppVersion }}
{{- end }}
by: {{ .Release.Service }}
{{- with .Values.more }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- define "literal" }}redis{{ end }}
{{- define "part" -}}
app: {{ .name }}
chart: {{ .root.Chart.Name }}
{{- end }}
{{- define "again" }}{{ include "again" . }}{{ end }}
{{- define "twice" }}{{ include "twice" . }}{{ include "twice" (dict "a" .) }}{{ end }}
{{- define "dice" }}{{ randAlphaNum 5 }}{{ end }}
{{- define "counted" }}{{ $x := "a" }}{{ if .Values.b }}{{ $x = "b" }}{{ end }}{{ $x }}{{ end }}
`;

const defined = new Map(helpersOf('file:///_helpers.tpl', helpers).map((helper) => [helper.name, helper]));
const values = readValues('nameOverride: ""\nweb: { name: shop-web, port: 80 }\nflag: true\ncount: 3\nlist: []\n');

function renderer(): Renderer {
  return new Renderer({
    definition: (name) => defined.get(name),
    values: open('.Values', values),
    chart: open('.Chart', { Name: 'shop', Version: '1.0.0' }),
  });
}

/** What the last action writes, and what that is with the defaults of the chart. */
function written(text: string): { readonly text: string; readonly assumed: string | undefined } {
  const rendering = renderer();
  const outputs = [...rendering.render(readTemplate(text).nodes, 'file:///a.yaml').outputs.values()];
  const last = outputs.at(-1)?.text ?? '';
  return { text: last, assumed: rendering.assumed(last.slice(3, -3)) };
}

describe('an action of a chart', () => {
  for (const [action, text, assumed] of [
    ['{{ "a" }}', 'a'],
    ['{{ `a` }}', 'a'],
    ['{{ "a" | quote }}', '"a"'],
    ['{{ .Values.web.name }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{.Values.web.name}}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ $.Values.web.name }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ (.Values.web).name }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ index .Values "web" "name" }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ .Values.nothing }}', '{{ .Values.nothing }}', ''],
    ['{{ .Release.Name }}', '{{ .Release.Name }}'],
    ['{{ .Release.Service }}', 'Helm'],
    ['{{ .Chart.Name }}', '{{ .Chart.Name }}', 'shop'],
    ['{{ include "literal" . }}', 'redis'],
    ['{{ template "literal" . }}', 'redis'],
    ['{{ include "literal" . | upper }}', 'REDIS'],
    ['{{ include "missing" . }}', '{{ include "missing" . }}'],
    ['{{ include "name" $ }}', '{{ .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}', 'shop'],
    [
      '{{ include "name" . | trunc 63 | trimSuffix "-" }}',
      '{{ .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}',
      'shop',
    ],
    ['{{ include "fullname" . }}', '{{ include "fullname" . }}'],
    ['{{ printf "%s-%s" (include "literal" .) .Release.Name }}', 'redis-{{ .Release.Name }}'],
    ['{{ default "a" .Values.web.name }}', '{{ .Values.web.name | default "a" }}', 'shop-web'],
    ['{{ default "a" "b" }}', 'b'],
    ['{{ default "a" "" }}', 'a'],
    ['{{ .Values.web.name | default "a" | quote }}', '"{{ .Values.web.name | default "a" }}"'],
    ['{{ required "must" .Values.web.name }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ ternary "a" "b" .Values.flag }}', '{{ .Values.flag | ternary "a" "b" }}', 'a'],
    ['{{ .Values.count }}', '{{ .Values.count }}', '3'],
    ['{{ include "part" (dict "name" "web" "root" .) | nindent 2 }}', '\n  app: web\n  chart: {{ .Chart.Name }}'],
    ['{{ $a := "x" }}{{ $a }}', 'x'],
    ['{{ with .Values.web }}{{ .name }}{{ end }}', '{{ .Values.web.name }}', 'shop-web'],
    ['{{ with .Values.web }}{{ $.Release.Name }}{{ end }}', '{{ .Release.Name }}'],
    ['{{ range $i, $x := .Values.list }}{{ $x.name }}{{ end }}', '{{ .Values.list[].name }}'],
    ['{{ "}}" }}', '}}'],
    ['{{/* }} */}}{{ "b" }}', 'b'],
  ] as const) {
    it(action, () => assert.deepEqual(written(action), { text, assumed }));
  }

  it('that includes a helper of lines writes these lines, and what decides on them', () => {
    assert.equal(
      written('{{ include "labels" . }}').text,
      [
        'app: {{ .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}',
        'release: "{{ .Release.Name }}"',
        '{{ if .Values.version }}',
        'version: "{{ .Values.version }}"',
        '{{ else }}',
        '{{ if .Chart.AppVersion }}',
        'version: {{ .Chart.AppVersion }}',
        '{{ end }}',
        '',
        '{{ end }}',
        '',
        'by: Helm',
        '{{ with .Values.more }}',
        '{{ toYaml .Values.more }}',
        '{{ end }}',
        '',
      ].join('\n'),
    );
  });

  it('that includes itself, once or twice, is left after a bounded time', () => {
    assert.match(written('{{ include "again" . }}').text, /^\{\{.*\}\}$/);
    assert.match(written('{{ include "twice" . }}').text, /\{\{.*\}\}/);
  });

  it('that writes something else each time is the same as no other', () => {
    const rendering = renderer();
    const { outputs } = rendering.render(
      readTemplate('{{ include "dice" . }}{{ include "dice" . }}{{ now }}').nodes,
      'file:///a.yaml',
    );
    const texts = [...outputs.values()].map(({ text }) => text);
    assert.equal(new Set(texts).size, 3);
  });

  it('after a variable that was set where somebody chooses is not known', () => {
    assert.equal(written('{{ include "counted" . }}').text, '{{ include "counted" . }}');
  });
});

describe('any template', () => {
  const piece = fc.constantFrom(
    ...['{{', '}}', '{{-', '-}}', ' ', '\n', 'if', 'else', 'end', 'with', 'range', 'define', 'template', 'include'],
    ...[
      '"a"',
      '"',
      '`',
      '(',
      ')',
      '|',
      '.',
      '.a',
      '$',
      '$x',
      ':=',
      '=',
      ',',
      '1',
      'x',
      '/*',
      '*/',
      'a: b',
      'nindent 2',
    ],
    ...['{{ if .a }}', '{{ else }}', '{{ end }}', '{{ include "labels" . }}', '{{ define "z" }}', '{{ range .a }}'],
  );

  it('that defines a helper says where its name stands, or where the action does that has none', () => {
    const named = (text: string) => {
      const [define] = readTemplate(text).defines;
      return define && text.slice(define.span.start, define.span.end);
    };
    assert.equal(named('text{{define}}'), '{{define}}');
    assert.equal(named('{{ define "e" }}{{ end }}'), '"e"');
    assert.equal(named('{{ define `e` }}{{ end }}'), '`e`');
    assert.equal(named(String.raw`{{ define "\x65" }}{{ end }}`), String.raw`{{ define "\x65" }}`);
  });

  it('is read and rendered without a throw', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const template = readTemplate(text);
        for (const { whole, span } of template.defines)
          assert.ok(whole.start <= span.start && span.end <= whole.end && whole.end <= text.length, text);
        renderer().render(template.nodes, 'file:///a.yaml');
      }),
      { numRuns: 1000 },
    );
  });

  for (const [what, text] of [
    ['open blocks', '{{ if .a }}'.repeat(20_000)],
    ['open actions', '{{ "'.repeat(100_000)],
    ['raw strings', '{{ `'.repeat(100_000)],
    ['parentheses', `{{ ${'('.repeat(10_000)} }}`],
    ['pipes', `{{ .a ${'| quote '.repeat(2_000)} }}`],
    ['ends', '{{ end }}'.repeat(50_000)],
    ['includes', '{{ include "labels" . }}'.repeat(5_000)],
  ] as const) {
    it(`of many ${what} takes a bounded time`, () => {
      const before = performance.now();
      renderer().render(readTemplate(text).nodes, 'file:///a.yaml');
      assert.ok(performance.now() - before < 3_000);
    });
  }

  it('says once where it is not in order', () => {
    const problems = (text: string) => readTemplate(text).problems.map(({ at, message }) => `${at}: ${message}`);
    assert.deepEqual(problems('{{ if .a }}x'), ['0: has no `end`']);
    assert.deepEqual(problems('x{{ end }}'), ['1: ends nothing']);
    assert.deepEqual(problems('{{ else }}'), ['0: belongs to no `if`']);
    assert.deepEqual(problems('{{ .a b ~ }}'), ['0: cannot be read as a template action']);
    assert.deepEqual(problems('{{ if .a }}{{ else if .b }}{{ else }}{{ end }}'), []);
  });
});
