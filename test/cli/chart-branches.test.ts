/** Tests that the conditions of a template decide with the default values of its chart, and that what an unknown condition chooses is unknown. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const pod = (name: string, labels: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {${labels}}}\nspec: {containers: [{name: a, image: a}]}\n`;
const pods = [pod('one', 'app: one'), pod('two', 'app: two, tier: back')];

interface Found {
  readonly name: string;
  readonly answer: 'yes' | 'maybe';
}

interface Chart {
  readonly values?: string;
  readonly templates: Readonly<Record<string, string>>;
  /** Further files, such as `charts/db/Chart.yaml`. */
  readonly files?: Readonly<Record<string, string>>;
}

const worldOf = ({ values = '', templates, files = {} }: Chart) => ({
  files: {
    'a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'a/values.yaml': values,
    ...Object.fromEntries(Object.entries(templates).map(([name, text]) => [`a/templates/${name}`, text])),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`a/${name}`, text])),
  },
});

/** Returns the pods that the Service of a chart selects, such as `one two?`, and the last line on standard error. */
async function selectedIn(chart: Chart): Promise<readonly [selected: string, err: string | undefined]> {
  const { json, err } = await runInMemory(['match', 'Service/web', '--format', 'json', 'a'], worldOf(chart));
  const { selectors } = json as { selectors: readonly { matches: readonly Found[] }[] };
  const matches = selectors.flatMap((each) => each.matches);
  return [matches.map(({ name, answer }) => `${name}${answer === 'yes' ? '' : '?'}`).join(' '), err.at(-1)];
}

const service = (spec: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports: [{port: 80}]\n${spec}`;

/** Returns the pods that a Service selects whose spec is given. */
async function selected(spec: string, values = 'legacy: true\nselector: {app: one}\n'): Promise<string> {
  const [found] = await selectedIn({ values, templates: { 'web.yaml': [service(spec), ...pods].join('---\n') } });
  return found;
}

const unknown = '.Capabilities.APIVersions.Has "shop.example/v1"';
const either = (one: string, other: string, condition = '.Values.legacy') =>
  `  {{- if ${condition} }}\n${one}  {{- else }}\n${other}  {{- end }}\n`;

describe('a selector in both branches of a template', () => {
  it('is that of the branch that the default values choose', async () => {
    assert.equal(await selected(either('  selector: {app: one}\n', '  selector: {app: two}\n')), 'one');
    assert.equal(await selected(either('  selector: {app: one}\n', '  selector: {app: two}\n'), ''), 'two');
    const branches =
      '  {{- with .Values.selector }}\n  selector: {{- toYaml . | nindent 4 }}\n  {{- else }}\n  selector: {app: two}\n  {{- end }}\n';
    assert.equal(await selected(branches), 'one');
    const blocks =
      '  {{- if .Values.legacy }}\n  selector: {app: one}\n  {{- end }}\n  {{- if not .Values.legacy }}\n  selector: {app: two}\n  {{- end }}\n';
    assert.equal(await selected(blocks), 'one');
  });

  it('is unknown if the condition is unknown and the branches differ', async () => {
    const chosen = (one: string, other: string) => selected(either(one, other, unknown));
    assert.equal(await chosen('  selector: {app: one}\n', '  selector: {app: two}\n'), 'one? two?');
    assert.equal(await chosen('  selector: {app: one}\n', '  selector: {tier: back}\n'), 'one? two?');
  });

  it('is read from text that an action writes in one line', async () => {
    assert.equal(await selected('  selector: {{ toJson .Values.selector }}\n'), 'one');
  });

  it('does not exist without the only branch that writes it', async () => {
    const lone = '  {{- if .Values.legacy }}\n  selector: {app: one}\n  {{- end }}\n';
    assert.equal(await selected(lone), 'one');
    assert.equal(await selected(lone, ''), '');
  });
});

describe('the objects of a chart', () => {
  const objectsOf = async (chart: Chart) => {
    const { json } = await runInMemory(['objects', '--format', 'json', 'a'], worldOf(chart));
    const { objects } = json as { objects: readonly { kind: string; name: string; mayNotExist?: true }[] };
    return objects.map(({ kind, name, mayNotExist }) => `${kind}/${name}${mayNotExist ? '?' : ''}`).join(' ');
  };

  it('have the kind and the name of the branches that the default values choose', async () => {
    const template =
      'apiVersion: v1\n{{- if .Values.web }}\nkind: Service\n{{- else }}\nkind: ConfigMap\n{{- end }}\nmetadata:\n  {{- if .Values.web }}\n  name: one\n  {{- else }}\n  name: two\n  {{- end }}\n';
    assert.equal(await objectsOf({ values: 'web: true\n', templates: { 'a.yaml': template } }), 'Service/one');
    assert.equal(await objectsOf({ templates: { 'a.yaml': template } }), 'ConfigMap/two');
  });

  it('come from helpers, text in values, loops and files', async () => {
    const made = (name: string) => pod(name, 'app: one');
    const [found] = await selectedIn({
      values: `text: |\n${made('text').replace(/^/gm, '  ')}\nnames: [r1, r2]\n`,
      templates: {
        '_pod.tpl': `{{- define "pod" }}\n${made('helper')}{{- end }}\n`,
        'pods.yaml': `{{ include "pod" . }}\n---\n{{ tpl .Values.text . }}\n{{ range .Values.names }}\n---\n${made('{{ . }}')}{{ end }}\n---\n{{ .Files.Get "extra/pod.yaml" }}\n`,
        'web.yaml': service('  selector: {app: one}\n'),
      },
      files: { 'extra/pod.yaml': made('file') },
    });
    assert.deepEqual(found.split(' ').toSorted(), ['file', 'helper', 'r1', 'r2', 'text']);
  });

  it('are those of all files in its templates that Helm renders', async () => {
    const templates = Object.fromEntries(
      ['a.yaml', 'b.yaml.disabled', 'c.bak~', 'd', '_e.yaml', 'f.yaml', 'NOTES.txt'].map((name) => [
        name,
        pod(name.replace(/\W.*/, '').toLowerCase(), 'app: one'),
      ]),
    );
    const files = { '.helmignore': 'templates/f.yaml\n' };
    assert.equal(await objectsOf({ templates, files }), 'Pod/a Pod/b Pod/c Pod/d');
  });

  it('exist if the values fulfill the schema and a release of Kubernetes the constraint', async () => {
    const schema = { properties: { list: { items: { type: 'string', minLength: 1 } } }, required: ['list'] };
    const chart = {
      values: 'list: [a, b]\n',
      templates: { 'a.yaml': pod('one', 'app: one') },
      files: { 'values.schema.json': JSON.stringify(schema) },
    };
    assert.equal(await objectsOf(chart), 'Pod/one');
    const constrained = (versions: string) => ({
      ...chart,
      files: { 'Chart.yaml': `apiVersion: v2\nname: a\nversion: 1.0.0\nkubeVersion: "${versions}"\n` },
    });
    assert.equal(await objectsOf(constrained('>=1.19.0-0')), 'Pod/one');
    assert.equal(await objectsOf(constrained('>=1.99.0')), 'Pod/one?');
    assert.equal(await objectsOf(constrained('<1.10.0')), 'Pod/one?');
    assert.equal(await objectsOf(constrained('>=1.19.0-0 <1.35.0-0')), 'Pod/one');
  });

  it('may not exist if the API server rejects an unquoted value of a label', async () => {
    const selects = async (template: string, values: string) => {
      const [found, err] = await selectedIn({ values, templates: { 'a.yaml': template } });
      return [found, err?.replace(/^.*are uncertain: /, '')];
    };
    const template = `${service('  selector: {app: one}\n')}---\n${pod('one', 'app: one, active: {{ .Values.flag }}')}`;
    assert.deepEqual(await selects(template, 'flag: "text"\n'), ['one', undefined]);
    for (const flag of ['true', '"true"', '"off"', '"y"'])
      assert.deepEqual(await selects(template, `flag: ${flag}\n`), [
        'one?',
        "a/templates/a.yaml:10: the API server rejects the unquoted value of 'active', a boolean",
      ]);
    assert.deepEqual(await selects(template, 'flag: "1.20"\n'), [
      'one?',
      "a/templates/a.yaml:10: the API server rejects the unquoted value of 'active', a number",
    ]);
    // A date and an empty value are strings for the API server.
    for (const flag of ['2001-01-01', '', '"1:30"'])
      assert.equal((await selects(template, `flag: ${flag}\n`))[0], 'one');
    const quoted = template.replace('.flag', '.flag | quote');
    assert.deepEqual(await selects(quoted, 'flag: true\n'), ['one', undefined]);
  });

  it('may not exist if Helm reports an error', async () => {
    const inFile = (reason: string) => `a/templates/b.yaml:1: ${reason}`;
    const failing = async (template: string, more: Partial<Chart> = {}) => {
      const templates = {
        ...more.templates,
        'web.yaml': [service('  selector: {app: one}\n'), ...pods].join('---\n'),
        'b.yaml': template,
      };
      const [found, err] = await selectedIn({ ...more, templates });
      assert.equal(found, 'one?');
      return err?.replace(/^.*are uncertain: /, '');
    };
    assert.match(
      (await failing('a: {{ $web }}\n')) ?? '',
      /:1:4: `{{ \$web }}` uses the undefined variable \$web; Helm/,
    );
    assert.equal(await failing('a: {{ webs 1 }}\n'), 'a/templates/b.yaml:1: function "webs" not defined');
    const inBranch = (action: string) => failing(`{{ if false }}{{ ${action} }}{{ end }}\n`);
    const undefinedAt = (column: number) =>
      new RegExp(`:1:${column}: .*uses the undefined variable \\$web; Helm cannot`);
    assert.match((await inBranch('.Values.a | default $web')) ?? '', undefinedAt(15));
    assert.match((await inBranch('range $i, $web := .a }}{{ $i }}{{ end }}{{ $web')) ?? '', undefinedAt(58));
    assert.match((await failing('{{ $a := 1 }}{{ $a = $web }}')) ?? '', undefinedAt(14));
    assert.equal(await inBranch('.Values.a | env'), inFile('function "env" not defined'));
    assert.equal(await inBranch('webs 1'), inFile('function "webs" not defined'));
    assert.match((await inBranch('else }}a{{ else')) ?? '', / `{{ else }}` follows another `else`; Helm cannot render/);
    assert.match((await inBranch('.Values.my-key')) ?? '', / has '-' directly after a name; Helm cannot render/);
    const inHelper = { templates: { '_a.tpl': '{{ define "a" }}\n{{ $web }}{{ end }}\n' } };
    assert.match(
      (await failing('', inHelper)) ?? '',
      /_a.tpl:2:1: `{{ \$web }}` uses the undefined variable \$web; Helm/,
    );
    assert.equal(await failing('a: {{ include "web" . }}\n'), 'a/templates/b.yaml:1: no template "web"');
    const inText = 'the text of tpl is not a template: an action is not closed';
    assert.equal(await failing('a: {{ tpl "{{ .Values.a" . }}\n'), `a/templates/b.yaml:1: ${inText}`);
    const schema = { properties: { replicas: { type: 'integer' } }, required: ['replicas'] };
    const withSchema = { files: { 'values.schema.json': JSON.stringify(schema) } };
    const forbidden = "a/values.schema.json:1: it does not allow 'replicas'";
    assert.equal(await failing('', { ...withSchema, values: 'replicas: many\n' }), forbidden);
    assert.equal(await failing('', withSchema), forbidden);
    const files = { 'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n' };
    const ofSubchart = await failing('', { values: 'db: null\n', files });
    assert.equal(ofSubchart, "a/values.yaml:1: the value of 'db' is not a map");
  });
});
