/** Compares the execution of templates with outputs of Helm. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { WorkBudget } from '../../server/src/engine/work-budget.ts';
import { capabilities } from '../../server/src/manifests/helm/execution/capabilities.ts';
import { Executor, plainText } from '../../server/src/manifests/helm/execution/executor.ts';
import {
  escapedData,
  TemplateMap,
  type TemplateValue,
  templateValueOf,
  Unknown,
} from '../../server/src/manifests/helm/execution/template-value.ts';
import { readTemplate } from '../../server/src/manifests/helm/syntax.ts';
import { readValues } from '../../server/src/manifests/helm/values.ts';

const vector = (name: string) => readFileSync(new URL(`../vectors/helm/${name}`, import.meta.url), 'utf8');
const helpers = new Map(readTemplate(vector('_helpers.tpl')).defines.map((each) => [each.name, each]));
const values = readValues(vector('values.yaml')) ?? {};

function dot(...more: readonly (readonly [string, TemplateValue])[]): TemplateMap {
  const about = (entries: Readonly<Record<string, TemplateValue>>) => new TemplateMap(Object.entries(entries));
  return new TemplateMap([
    ['Values', templateValueOf(escapedData(values), '.Values')],
    ['Chart', about({ Name: 'web', Version: '1.2.3', AppVersion: '2.0' })],
    ['Release', about({ Name: 'rel', Namespace: 'ns', Service: 'Helm', IsInstall: true, IsUpgrade: false })],
    ['Template', about({ Name: 'web/templates/a.txt', BasePath: 'web/templates' })],
    ['Capabilities', capabilities()],
    ...more,
  ]);
}

function executed(template: string, root = dot()): string | undefined {
  const executor = new Executor({ definition: (name) => helpers.get(name) }, new WorkBudget(400_000));
  const { output, isComplete } = executor.execute(readTemplate(template).nodes, root);
  return isComplete ? plainText(output) : undefined;
}

interface Vector {
  readonly template: string;
  readonly output?: string;
}

describe('a template', () => {
  it('prints a version that it parses', () => {
    assert.equal(executed('{{ semver "v1.2.3-b+m" | toString }} {{ (semver "1.2+m").Metadata }}'), '1.2.3-b+m m');
  });

  it('has texts with escapes, characters, and numbers that are rounded to even', () => {
    assert.equal(executed('{{ "\\u0041\\x42\\103\\t|" }}{{ \'a\' }}'), 'ABC\t|97');
    assert.equal(executed('{{ printf "%.1f %.1f %.0f %.0f %.2f" 1.25 1.35 2.5 3.5 0.5 }}'), '1.2 1.4 2 4 0.50');
    assert.notEqual(executed('{{ atoi "9007199254740993" }}'), '0');
    assert.notEqual(executed('{{ int64 "9007199254740993" }}'), '0');
  });

  for (const line of vector('templates.jsonl').trim().split('\n')) {
    const { template, output }: Vector = JSON.parse(line);
    it(`writes what Helm writes: ${template.slice(0, 80)}`, () => {
      assert.equal(executed(template), output);
    });
  }
});

describe('an unknown value', () => {
  const unknown = (template: string, expected: string) =>
    it(`remains in ${template}`, () => {
      const root = dot(['Values', new TemplateMap([['known', 'x']], '.Values')]);
      assert.equal(executed(template, root), expected);
    });

  unknown('{{ .Values.name }}-{{ .Values.known }}', '{{ .Values.name }}-x');
  unknown('{{ printf "%s-web" .Values.name | quote }}', '"{{ .Values.name }}-web"');
  unknown('{{ .Values.name | default "web" }}', '{{ default "web" .Values.name }}');
  unknown('{{ .Values.known | default .Values.name }}', 'x');
  unknown(
    '{{ and false .Values.name }} {{ and .Values.name false }} {{ if or .Values.name true }}a{{ end }}',
    'false false a',
  );
  unknown('{{ if .Values.on }}a{{ else }}b{{ end }}', '{{ (if .Values.on): "a" else: "b" }}');
  unknown('{{ $x := 1 }}{{ if .Values.on }}{{ $x = 1 }}{{ end }}{{ $x }}', '1');
  unknown('{{ if .Values.on }}{{ fail "no" }}{{ else }}a{{ end }}', 'a');
  unknown(
    '{{ range .Values.list }}\na: {{ .x }}{{ end }}',
    '\n{{ range .Values.list[] }}\na: {{ .Values.list[].x }}\n{{ end }}\n',
  );
  unknown('{{ toYaml (dict "a" .Values.name "b" 1) }}', 'a: {{ .Values.name }}\nb: 1');
  unknown('{{ (merge (dict "a" "") .Values.labels).a }}', '{{ .Values.labels.a }}');
  unknown('{{ (merge (dict "a" "1") .Values.labels).a }}', '1');
  unknown('{{ eq .Values.name .Values.name }} {{ eq .Values.name "x" }}', 'true {{ eq .Values.name "x" }}');
  unknown('{{ semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version }}', 'true');
  unknown(
    '{{ semverCompare ">=1.21" .Capabilities.KubeVersion.GitVersion }}',
    '{{ semverCompare ">=1.21" .Capabilities.KubeVersion }}',
  );
  unknown(
    '{{ semverCompare ">=4.0.0" .Capabilities.HelmVersion.Version }}',
    '{{ semverCompare ">=4.0.0" .Capabilities.HelmVersion.Version }}',
  );
  unknown(
    '{{ .Capabilities.APIVersions.Has "extensions/v1beta1" }}',
    '{{ .Capabilities.APIVersions.Has "extensions/v1beta1" }}',
  );
  unknown(
    '{{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}',
    '{{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}',
  );

  unknown(
    '{{ range uniq (list "a" .Values.name "a") }}\nx: {{ . }}{{ end }}',
    '\nx: a\n{{ range .Values.name }}\nx: {{ .Values.name }}\n{{ end }}\n',
  );
  unknown('{{ uniq (list .Values.name .Values.name) | first }} {{ uniq (list 1 2 1) }}', '{{ .Values.name }} [1 2]');

  it('follows `$` if a template declares it again', () => {
    const root = dot(['Release', new TemplateMap([['Name', 'web']])]);
    const text = '{{ with list $ 1 }}{{ $ := index . 0 }}{{ $.Release.Name }}{{ end }}';
    assert.equal(executed(text, root), 'web');
    assert.equal(executed('{{ if true }}{{ $ := dict "x" 1 }}{{ $.x }}{{ end }}{{ $.Release.Name }}', root), '1web');
  });

  it('follows a variable that a branch may set', () => {
    const root = dot(['Values', new TemplateMap([], '.Values')]);
    const output = executed('{{ $x := 1 }}{{ if .Values.on }}{{ $x = 2 }}{{ end }}{{ $x }}', root) ?? '';
    assert.match(output, /^\{\{ either .* \}\}$/);
    const set = '{{ $m := dict }}{{ if .Values.on }}{{ $_ := set $m "a" 1 }}{{ end }}{{ hasKey $m "a" }}';
    assert.match(executed(set, root) ?? '', /^\{\{ hasKey .* \}\}$/);
  });
});

describe('an unknown name', () => {
  it('is not changed by functions that only change other texts', () => {
    const release = new TemplateMap([['Namespace', new Unknown('.Release.Namespace', { filled: true })]]);
    const of = (template: string) => executed(template, dot(['Release', release]));
    assert.equal(of('{{ .Release.Namespace | trunc 63 | trimSuffix "-" | lower }}'), '{{ .Release.Namespace }}');
    assert.equal(of('{{ .Release.Namespace | trunc 20 }}'), '{{ trunc 20 .Release.Namespace }}');
    assert.equal(of('{{ .Release.Namespace | trimSuffix "prod" }}'), '{{ trimSuffix "prod" .Release.Namespace }}');
  });
});

describe('a function that depends on the environment, the network, the time or random values', () => {
  for (const call of [
    'getHostByName "example.com"',
    'now',
    'date "2006" now',
    'randAlphaNum 5',
    'uuidv4',
    'genPrivateKey "rsa"',
    'genCA "a" 365',
    'shuffle "abc"',
    'bcrypt "a"',
  ])
    it(`has an unknown result: ${call}`, () => {
      assert.match(executed(`{{ ${call} }}`) ?? '', /^\{\{ .+ \}\}$/);
    });
});

describe('the work of a chart', () => {
  it('is bounded', () => {
    const budget = new WorkBudget(400_000);
    const executor = new Executor(
      {
        definition: (name) =>
          Number(name) > 100
            ? undefined
            : { body: readTemplate(`{{ include "${Number(name) + 1}" . }}`.repeat(2)).nodes },
      },
      budget,
    );
    const { isComplete } = executor.execute(readTemplate('{{ include "0" . }}').nodes, dot());
    assert.equal(isComplete, false);
    assert.equal(budget.isSpent, true);
  });

  it('ends without the document that it would cut off', () => {
    const loop = readTemplate('{{ include "loop" . }}{{ include "loop" . }}').nodes;
    const executor = new Executor({ definition: () => ({ body: loop }) }, new WorkBudget(400_000));
    const written = 'kind: Pod\n---\nkind: Service\nmetadata:\n  labels:\n{{ include "loop" . | indent 4 }}\n';
    const { output, isComplete } = executor.execute(readTemplate(written).nodes, dot());
    assert.deepEqual([plainText(output), isComplete], ['kind: Pod', false]);
  });

  it('includes the characters in which a pattern is searched', () => {
    const [budget, other] = [new WorkBudget(400_000), new WorkBudget(400_000)];
    const search = (text: string, pattern: string) => `{{ regexFindAll "${pattern}" (repeat ${text} "a") -1 | len }}`;
    const run = (template: string, given: WorkBudget) => {
      const executor = new Executor({ definition: () => undefined }, given);
      return plainText(executor.execute(readTemplate(template).nodes, dot()).output);
    };
    assert.match(run(search('3000', '(a{0,30}){0,30}b'), budget), /^\{\{ len/);
    assert.equal(run(`${search('3000', '(a{0,30}){0,30}b')}`.repeat(20), other), '');
    assert.equal(other.isSpent, true);
    assert.equal(run(search('30000', 'a'), budget), '30000');
  });

  const doubled = '{{ $s := dict }}{{ range until 60 }}{{ $s = dict "a" $s "b" $s }}{{ end }}';
  const hostile = {
    'data that repeats itself as YAML': `${doubled}{{ toYaml $s }}`,
    'data that repeats itself as JSON': `${doubled}{{ toJson $s }}`,
    'data that repeats itself as text': `${doubled}{{ $s }}`,
    'copies of data that repeats itself': `${doubled}{{ $c := deepCopy $s }}`,
    'merged data that repeats itself': `${doubled}{{ $c := merge (dict) $s }}`,
    'compared data that repeats itself': `${doubled}{{ if eq (toString $s) "x" }}{{ end }}`,
    'an expression with data that repeats itself': `${doubled}{{ $c := get $s .Values.unknown }}{{ lookup "v1" "Pod" $s $s }}`,
    'lists that repeat themselves': '{{ $s := list }}{{ range until 60 }}{{ $s = list $s $s }}{{ end }}{{ toJson $s }}',
    'maps that are connected later':
      '{{ $d := list }}{{ range until 60 }}{{ $d = append $d (dict) }}{{ end }}{{ range $i := untilStep 59 0 -1 }}{{ $m := index $d $i }}{{ $n := index $d (sub $i 1) }}{{ $_ := set $m "a" $n }}{{ $_ := set $m "b" $n }}{{ end }}{{ toYaml (index $d 59) }}',
    'a map that contains itself': '{{ $s := dict }}{{ $_ := set $s "a" $s }}{{ toYaml $s }}',
    'data that is too deep': '{{ $s := dict }}{{ range until 3000 }}{{ $s = dict "a" $s }}{{ end }}{{ toYaml $s }}',
    'large data over and over':
      '{{ $s := repeat 100000 "x" }}{{ $m := dict "a" $s "b" $s "c" $s }}{{ range until 100000 }}{{ $y := toYaml $m }}{{ end }}',
  };
  for (const [title, text] of Object.entries(hostile))
    it(`is bounded for ${title}`, () => {
      const executor = new Executor({ definition: () => undefined }, new WorkBudget(400_000));
      const { isComplete } = executor.execute(readTemplate(text).nodes, dot());
      assert.equal(isComplete, false);
    });

  it('is shared by all templates, and includes measuring data that changes', () => {
    const text = '{{ $d := dict }}{{ range until 400 }}{{ $_ := set $d (printf "%d" .) (deepCopy $d) }}{{ end }}';
    const budget = new WorkBudget(400_000);
    const executor = new Executor({ definition: () => undefined }, budget);
    executor.execute(readTemplate(text).nodes, dot());
    assert.equal(budget.isSpent, true);
    const { output, isComplete } = executor.execute(readTemplate('kind: Pod').nodes, dot());
    assert.deepEqual([plainText(output), isComplete], ['', false]);
  });

  it('is bounded in the length of texts', () => {
    const text = `{{ $x := "0123456789" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ $x }}`;
    const executor = new Executor({ definition: () => undefined }, new WorkBudget(400_000));
    const { output } = executor.execute(readTemplate(text).nodes, dot());
    assert.match(plainText(output), /^\{\{ .* \}\}$/);
  });

  it('does not grow with each level of conditions that are unknown', () => {
    const level = (at: number) => `{{ if .Values.c${at} }}{{ include "${at + 1}" . }}{{ else }}b"{{ end }}`;
    const body = (name: string) => (name === '60' ? [] : readTemplate(level(Number(name))).nodes);
    const executor = new Executor({ definition: (name) => ({ body: body(name) }) }, new WorkBudget(400_000));
    const root = dot(['Values', new TemplateMap([], '.Values')]);
    const { output, isComplete } = executor.execute(readTemplate('{{ include "0" . }}').nodes, root);
    assert.equal(isComplete, true);
    assert.ok(output.length < 1_000, `${output.length}`);
  });

  it('is little for helpers that are missing, although their parameters contain all values', () => {
    const entries = Array.from({ length: 2_000 }, (_, at): [string, string] => [`key${at}`, 'x'.repeat(50)]);
    const root = dot(['Values', new TemplateMap(entries)]);
    const budget = new WorkBudget(400_000);
    const executor = new Executor({ definition: () => undefined }, budget);
    const { output } = executor.execute(
      readTemplate('{{ range until 100 }}{{ include "missing" (dict "context" $) }}{{ end }}').nodes,
      root,
    );
    assert.equal(new Set(plainText(output).match(/#\w+/g)).size, 1);
  });
});
