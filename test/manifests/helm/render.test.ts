/** Tests the rendered templates of a chart, with the values that its files determine. */

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
{{- define "standard" -}}
{{- if and (hasKey . "custom") (hasKey . "context") -}}
{{- $own := dict "app" .context.Chart.Name "release" .context.Release.Name "by" "me" -}}
{{- with .context.Chart.AppVersion -}}
{{- $_ := set $own "version" . -}}
{{- end -}}
{{- $all := dict -}}
{{- range (list .custom $own) -}}
{{- $all = toYaml . | fromYaml | merge $all -}}
{{- end -}}
{{ toYaml $all }}
{{- else -}}
{{ include "selector" . }}
{{- end }}
{{- end }}
{{- define "looped" }}
{{- range $k, $v := (merge (dict "a" "b") .Values.labels) }}
{{ $k }}: {{ $v }}
{{- end }}
{{- end }}
{{- define "parted" }}{{ .part }}{{ end }}
{{- define "listed" }}{{ index . 1 }}: {{ (index . 0).Release.Name }}{{ end }}
{{- define "counted" }}{{ $x := "a" }}{{ if .Values.b }}{{ $x = "b" }}{{ end }}{{ $x }}{{ end }}
`;

const defined = new Map(helpersOf('file:///_helpers.tpl', helpers).map((helper) => [helper.name, helper]));
const values = readValues(
  'nameOverride: ""\nweb: { name: shop-web, port: 80 }\nflag: true\ncount: 3\nlist: []\nlabels: {}\n',
);

function renderer(): Renderer {
  return new Renderer({
    definition: (name) => defined.get(name),
    values: open('.Values', values),
    chart: open('.Chart', { Name: 'shop', Version: '1.0.0' }),
  });
}

/** The output of the last action, and that with the defaults of the chart. */
function written(text: string): { readonly text: string; readonly assumed: string | undefined } {
  const rendering = renderer();
  const outputs = [...rendering.render(readTemplate(text).nodes, 'file:///a.yaml').outputs.values()];
  const last = outputs.at(-1)?.text ?? '';
  return { text: last, assumed: rendering.assumed(last.slice(3, -3)) };
}

describe('an action in quotes or within other text', () => {
  for (const action of ['{{ .Values.web.name | quote }}', '{{ printf "%s-x" .Values.web.name }}']) {
    it(`has its default: ${action}`, () => {
      const rendering = renderer();
      rendering.render(readTemplate(action).nodes, 'file:///a.yaml');
      assert.equal(rendering.assumed('.Values.web.name'), 'shop-web');
    });
  }
});

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
    ['{{ include "listed" (list . "app") }}', 'app: {{ .Release.Name }}'],
    ['{{ (dict "a" "b").a }}', 'b'],
    ['{{ printf "%s-%d%%" "a" 3 }}', 'a-3%'],
    ['{{ printf "%q" "a" }}', '{{ printf "%q" "a" }}'],
    [
      '{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}',
      '{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}',
      'shop-1.0.0',
    ],
    ['{{ hasKey (dict "a" "b") "a" }}', 'true'],
    ['{{ hasKey . "Values" }}{{ hasKey . "other" }}', 'false'],
    ['{{ hasKey .Values.labels "a" }}', '{{ hasKey .Values.labels "a" }}', 'false'],
    ['{{ kindIs "map" (dict) }}', 'true'],
    ['{{ typeIs "string" .Values.labels }}', '{{ .Values.labels | typeIs "string" }}', 'false'],
    ['{{ toYaml (dict "b" 1 "a" .Release.Name) }}', 'a: "{{ .Release.Name }}"\nb: 1'],
    ['{{ $a := dict "a" "b" }}{{ $_ := set $a "c" "d" }}{{ toYaml $a }}', 'a: "b"\nc: "d"'],
    ['{{ $a := dict "a" "b" }}{{ $_ := unset $a "a" }}{{ toYaml $a }}', ''],
    ['{{ $a := dict "a" "b" }}{{ $b := merge $a (dict "c" "d") }}{{ toYaml $a }}', 'a: "b"\nc: "d"'],
    ['{{ $a := dict "a" "b" }}{{ $b := merge (deepCopy $a) (dict "c" "d") }}{{ toYaml $a }}', 'a: "b"'],
    ['{{ merge (dict "a" "b") (dict "a" "c" "d" "e") | toYaml }}', 'a: "b"\nd: "e"'],
    ['{{ mergeOverwrite (dict "a" "b") (dict "a" "c") | toYaml }}', 'a: "c"'],
    ['{{ merge (dict "a" "b") .Values.labels | toYaml }}', 'a: "b"\n{{ toYaml .Values.labels }}'],
    [
      '{{ merge .Values.labels (dict "a" "b") | toYaml }}',
      'a: "{{ .Values.labels.a | default "b" }}"\n{{ toYaml .Values.labels }}',
    ],
    [
      '{{ (merge .Values.labels (dict "a" .Release.Name)).a }}',
      '{{ .Values.labels.a | default .Release.Name }}',
      '{{ .Release.Name }}',
    ],
    ['{{ merge (pick .Values.labels "a") (dict "a" "b") | toYaml }}', 'a: "{{ .Values.labels.a | default "b" }}"'],
    ['{{ omit (fromYaml (include "selector" .)) "app" | toYaml }}', 'release: "{{ .Release.Name }}"'],
    ['{{ pick (fromYaml (include "selector" .)) "release" | toYaml }}', 'release: "{{ .Release.Name }}"'],
    [
      '{{ include "standard" . }}',
      'app: {{ .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}\nrelease: "{{ .Release.Name }}"',
    ],
    [
      '{{ include "standard" (dict "custom" .Values.labels "context" .) }}',
      [
        'app: "{{ (fromYaml (toYaml .Values.labels)).app | default .Chart.Name }}"',
        'by: "{{ (fromYaml (toYaml .Values.labels)).by | default "me" }}"',
        'release: "{{ (fromYaml (toYaml .Values.labels)).release | default .Release.Name }}"',
        '{{ toYaml (fromYaml (toYaml .Values.labels)) }}',
        '{{ with .Chart.AppVersion }}',
        'version: "{{ .Chart.AppVersion }}"',
        '{{ end }}',
      ].join('\n'),
    ],
    [
      '{{ include "looped" . }}',
      [
        '',
        'a: b',
        '{{ range .Values.labels }}',
        '{{ key of .Values.labels[] }}: {{ .Values.labels[] }}',
        '{{ end }}',
        '',
      ].join('\n'),
    ],
    ['{{/* }} */}}{{ "b" }}', 'b'],
  ] as const) {
    it(action, () => assert.deepEqual(written(action), { text, assumed }));
  }

  it('that includes a helper of several lines writes these lines, with their conditions', () => {
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

  it('that includes itself, once or twice, stays unknown after a bounded time', () => {
    assert.match(written('{{ include "again" . }}').text, /^\{\{.*\}\}$/);
    assert.match(written('{{ include "twice" . }}').text, /\{\{.*\}\}/);
  });

  it('does not grow with each level of conditions that users decide', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `{{ if .Values.c${at} }}"`).join('');
    const { text } = written(
      `{{ define "deep" }}${levels}${'{{ end }}'.repeat(40)}{{ end }}${levels}${'{{ end }}'.repeat(40)}`,
    );
    assert.ok(text.length < 1_000);
  });

  it('that combines maps without end stays unknown after a bounded time', () => {
    const doubled = '{{ $a = merge $a (dict "b" $a) $a }}{{ $a = set $a "c" (toYaml $a) }}'.repeat(40);
    assert.match(written(`{{ $a := dict "a" "b" }}${doubled}{{ toYaml $a }}`).text, /too much/);
  });

  for (const double of ['printf "%s%s" $a $a', 'replace "a" $a $a', 'printf "%s%s" (upper $a) $a', 'nindent 100 $a']) {
    it(`that doubles a text again and again stays unknown: ${double}`, () => {
      const text = written(`{{ $a := "aaaa" }}${`{{ $a = ${double} }}`.repeat(1_000)}{{ $a }}`).text;
      assert.match(text, /too much|replace/);
      assert.ok(text.length < 100_000);
    });
  }

  it('that changes a shared map changes its identity', () => {
    const [first, second] = ['', '{{ $_ := set $a "c" .Values.x }}'].map(
      (change) => written(`{{ $a := dict "a" .Values.b }}${change}{{ $a | toJson }}`).text,
    );
    assert.notEqual(first, second);
  });

  it('that sets an entry on the dot affects later actions of its own file', () => {
    const rendering = renderer();
    const texts = (text: string) =>
      [...rendering.render(readTemplate(text).nodes, 'file:///a.yaml').outputs.values()].map((each) => each.text);
    assert.deepEqual(texts('{{ .part }}{{ hasKey . "part" }}'), ['{{ .part }}', 'false']);
    const set = '{{ $_ := set . "part" "web" }}{{ .part }}{{ hasKey . "part" }}{{ include "parted" . }}';
    assert.deepEqual(texts(set), ['web', 'true', 'web']);
    assert.deepEqual(texts(set.replace('web', 'api')), ['api', 'true', 'api']);
    assert.deepEqual(texts('{{ include "parted" . }}'), ['{{ .part }}']);
    assert.match(texts('{{ if .Values.a }}{{ $_ := set . "part" "web" }}{{ end }}{{ .part }}')[0] ?? '', /\.part #/);
  });

  it('that changes the values of its chart affects later actions of its own file', () => {
    const rendering = renderer();
    const texts = (text: string) =>
      [...rendering.render(readTemplate(text).nodes, 'file:///a.yaml').outputs.values()].map((each) => each.text);
    const read = '{{ .Values.app }}{{ .Values.image.tag }}';
    assert.deepEqual(texts(read), ['{{ .Values.app }}', '{{ .Values.image.tag }}']);
    assert.deepEqual(texts(`{{ $_ := set .Values "app" "web" }}${read}`), ['web', '{{ .Values.image.tag }}']);
    assert.deepEqual(texts(`{{ $v := .Values.image }}{{ $_ := set $v "tag" "1" }}${read}`), ['{{ .Values.app }}', '1']);
    assert.deepEqual(texts(`{{ $_ := unset .Values "app" }}${read}`), ['', '{{ .Values.image.tag }}']);
    assert.deepEqual(texts(`{{ $_ := mergeOverwrite $.Values (dict "app" "web") }}{{ .Values.app }}`).at(-1), 'web');
    assert.deepEqual(texts(`{{ $_ := set $ "Values" (dict "app" "web") }}${read}`)[0], 'web');
    const unknown = [
      `{{ if .Values.a }}{{ $_ := set .Values "app" "web" }}{{ end }}`,
      `{{ $_ := unset $ "Values" }}`,
      '{{ $_ := set .Values "app" "web" }}'.repeat(101),
    ];
    for (const each of unknown) assert.match(texts(`${each}${read}`)[0] ?? '', /^\{\{ .*#\w+.* \}\}$/);
    assert.deepEqual(texts(read), ['{{ .Values.app }}', '{{ .Values.image.tag }}']);
  });

  it('that writes different text each time equals no other', () => {
    const rendering = renderer();
    const { outputs } = rendering.render(
      readTemplate('{{ include "dice" . }}{{ include "dice" . }}{{ now }}').nodes,
      'file:///a.yaml',
    );
    const texts = [...outputs.values()].map(({ text }) => text);
    assert.equal(new Set(texts).size, 3);
  });

  it('after a variable that a condition may set is unknown', () => {
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

  it('that defines a helper has the range of its name, or of the action without one', () => {
    const named = (text: string) => {
      const [define] = readTemplate(text).defines;
      return define && text.slice(define.span.start, define.span.end);
    };
    assert.equal(named('text{{define}}'), '{{define}}');
    assert.equal(named('{{ define "e" }}{{ end }}'), '"e"');
    assert.equal(named('{{ define `e` }}{{ end }}'), '`e`');
    assert.equal(named(String.raw`{{ define "\x65" }}{{ end }}`), String.raw`{{ define "\x65" }}`);
  });

  it('is parsed and rendered without an exception', () => {
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
    it(`of many ${what} ends`, () => {
      assert.doesNotThrow(() => renderer().render(readTemplate(text).nodes, 'file:///a.yaml'));
    });
  }

  it('reports each problem once', () => {
    const problems = (text: string) => readTemplate(text).problems.map(({ at, message }) => `${at}: ${message}`);
    assert.deepEqual(problems('{{ if .a }}x'), ['0: has no `end`']);
    assert.deepEqual(problems('x{{ end }}'), ['1: closes no block']);
    assert.deepEqual(problems('{{ else }}'), ['0: belongs to no `if`']);
    assert.deepEqual(problems('{{ if .a }}{{ else if .b }}{{ else }}{{ else }}{{ end }}'), [
      '37: follows another `else`',
    ]);
    for (const action of ['.Values.my-key', '$my-key', '.x-', 'print"a"', '.a.b*2', 'list .a-1'])
      assert.match(problems(`{{ ${action} }}`)[0] ?? '', /^0: has '.' directly after a name$/);
    assert.equal(problems('{{ (default "x" .a | upper }}')[0], '0: has a parenthesis that is not closed');
    assert.equal(problems('{{ if .a) | upper }}{{ end }}')[0], '0: closes a parenthesis that is not open');
    for (const action of ['"my-key" .', '`a-b` .', '1e-3 .', "'a' .", '$x:=1', '"a-b', '/* a-b */'])
      assert.doesNotMatch(problems(`{{ ${action} }}`)[0] ?? '', /after a name/);
    assert.deepEqual(problems('{{ .a b ~ }}'), ['0: cannot be read as a template action']);
    assert.deepEqual(problems('{{ if .a }}{{ else if .b }}{{ else }}{{ end }}'), []);
  });
});
