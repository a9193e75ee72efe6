/** Tests that `match` lists the objects that kubectl would select, and those that create such pods. */
import assert from 'node:assert/strict';
import { goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'prices.yaml': goodPrices, 'app/web.yaml': web, 'app/service.yaml': service };

interface Matched {
  readonly selector: string;
  readonly canonical: string;
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

async function match(...words: readonly string[]): Promise<Matched> {
  const { json, code } = await runInMemory(['match', '--format', 'json', ...words], { files });
  assert.equal(code, 0);
  return json as Matched;
}

/** The scope of these files. */
const scope = { kind: 'folder', path: '.' };

function names({ objects }: Matched): readonly string[] {
  return objects.map(({ kind, name }) => `${kind}/${name}`);
}

describe('match as JSON', () => {
  it('has the documented shape', async () => {
    assert.deepEqual(await match('--selector', ' tier in (data,front),app '), {
      selector: ' tier in (data,front),app ',
      canonical: 'app,tier in (data,front)',
      objects: [
        { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web', file: 'app/web.yaml', line: 2, scope },
        { group: '', kind: 'ConfigMap', name: 'prices', file: 'prices.yaml', line: 2, scope },
      ],
    });
  });

  it('lists objects that create matching pods, with their templates, with --pods', async () => {
    assert.deepEqual((await match('--selector', 'app=web', '--pods')).objects, [
      {
        group: 'apps',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        file: 'app/web.yaml',
        line: 2,
        via: 'spec.template',
        scope,
      },
    ]);
    assert.deepEqual(names(await match('--selector', 'tier=front', '--pods')), []);
    assert.deepEqual(names(await match('--selector', 'tier=pod')), []);
  });

  it('has an empty list if nothing matches', async () => {
    assert.deepEqual(await match('--selector', 'app=nobody'), {
      selector: 'app=nobody',
      canonical: 'app=nobody',
      objects: [],
    });
  });

  it('matches everything with the empty selector', async () => {
    const { canonical, objects } = await match('--selector', '');
    assert.equal(canonical, '');
    assert.equal(objects.length, 3);
  });
});

describe('match as text', () => {
  it('prints one line for each object', async () => {
    const { code, out, err } = await runInMemory(['match', '--selector', 'app in (web, prices)'], { files });
    assert.equal(code, 0);
    assert.deepEqual(err, []);
    assert.deepEqual(out, [
      'app/service.yaml:2: Service/web in shop',
      'app/web.yaml:2: Deployment/web in shop',
      'prices.yaml:2: ConfigMap/prices',
    ]);
  });

  it('uses the labels of a selector that a template writes, but none that the API server generates', async () => {
    const workload = (kind: string, version: string) => `apiVersion: ${version}
kind: ${kind}
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels:
        {{- include "labels" . | nindent 8 }}
`;
    const chart = {
      'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'templates/deployment.yaml': workload('Deployment', 'apps/v1'),
      'templates/job.yaml': workload('Job', 'batch/v1'),
    };
    const { out } = await runInMemory(['match', '-l', 'app=web', '--pods'], { files: chart });
    assert.deepEqual(out, ['templates/deployment.yaml:2: Deployment/web (spec.template)']);
  });

  it('reports an unknown kind, but not a kind without objects', async () => {
    const asked = async (kind: string) => runInMemory(['match', '-l', 'app', '--kind', kind], { files });
    const { code, out, err } = await asked('Servic');
    const says = "selector-lens: No objects of kind 'Servic'. Did you mean 'Service'?";
    assert.deepEqual({ code, out, err }, { code: 0, out: [], err: [says, 'No objects match.'] });
    assert.deepEqual((await asked('ds')).err, ['No objects match.']);
  });

  it('names the template with --pods', async () => {
    const { out } = await runInMemory(['match', '-l', 'app=web', '--pods'], { files });
    assert.deepEqual(out, ['app/web.yaml:2: Deployment/web in shop (spec.template)']);
  });

  it('names the kinds that do not support a field if nothing matches', async () => {
    const { code, out, err } = await runInMemory(['match', '--field-selector', 'metadata.nam=web'], { files });
    const says = "These kinds do not support the field 'metadata.nam', so their objects are left out:";
    assert.deepEqual({ code, out }, { code: 0, out: [] });
    assert.match(
      err.join('\n'),
      new RegExp(`^No objects match\\.\n${says} .*Deployment.*\\. Did you mean 'metadata.name'\\?$`),
    );
  });

  it('reports on standard error that nothing matches, and exits with 0', async () => {
    const { code, out, err } = await runInMemory(['match', '-l', 'app=nobody'], { files });
    assert.deepEqual({ code, out, err }, { code: 0, out: [], err: ['No objects match.'] });
  });
});

describe('match narrowed down', () => {
  it('to a kind, in any case', async () => {
    assert.deepEqual(names(await match('--selector=app', '--kind', 'service')), ['Service/web']);
    assert.deepEqual(names(await match('--selector=app', '--kind=Pod')), []);
    assert.deepEqual(names(await match('--selector=app', '--kind', 'svc')), ['Service/web']);
    assert.deepEqual(names(await match('--selector=app', '--kind', 'deployments.apps')), ['Deployment/web']);
  });

  it('with columns of labels, sorted by them (requirement A4)', async () => {
    const labeled = (name: string, labels: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {${labels}}}\n`;
    const all = ['app: a, tier: web', 'app: a', 'app: a, tier: data', 'app: a, tier: web, team: blue'];
    const texts = { 'all.yaml': all.map((labels, index) => labeled(`c${index}`, labels)).join('---\n') };
    const { out } = await runInMemory(['match', '-l', 'app=a', '-L', 'tier,team'], { files: texts });
    assert.deepEqual(out, [
      'all.yaml:10: ConfigMap/c2 tier=data team=<none>',
      'all.yaml:14: ConfigMap/c3 tier=web team=blue',
      'all.yaml:2: ConfigMap/c0 tier=web team=<none>',
      'all.yaml:6: ConfigMap/c1 tier=<none> team=<none>',
    ]);
    const { json } = await runInMemory(['match', '-l', 'team', '--label-columns=team,none', '--format=json'], {
      files: texts,
    });
    const [only] = (json as Matched).objects;
    assert.deepEqual(only?.['labels'], { team: 'blue', none: null });
  });

  it('to a namespace, including objects without one (requirement C5)', async () => {
    const all = ['Service/web', 'Deployment/web', 'ConfigMap/prices'];
    assert.deepEqual(names(await match('--selector=app', '--namespace', 'shop')), all);
    assert.deepEqual(names(await match('--selector=app', '-n', 'default')), ['ConfigMap/prices']);
  });

  it('to fields in manifests', async () => {
    const byName = await match('-l', 'app', '--field-selector', 'metadata.name=web,metadata.namespace!=other');
    assert.deepEqual(names(byName), ['Service/web', 'Deployment/web']);
    assert.deepEqual(names(await match('--field-selector', 'metadata.name==prices')), ['ConfigMap/prices']);
  });

  it('to fields with their defaults, with values that no manifest contains (requirements F2, F9)', async () => {
    const pods = `apiVersion: v1
kind: Pod
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec: {restartPolicy: Never}
---
apiVersion: v1
kind: Service
metadata: {name: c}
`;
    const found = (...words: readonly string[]) =>
      runInMemory(['match', '--field-selector', ...words], { files: { 'a.yaml': pods } });
    const running = await found('status.phase!=Running,spec.restartPolicy=Always');
    assert.deepEqual(running.out, ["a.yaml:2: Pod/a may match: 'status.phase' is not in any manifest"]);
    assert.deepEqual((await found('spec.restartPolicy=Never')).out, ['a.yaml:6: Pod/b']);
    const ofTwo = await found('metadata.name!=b', '--kind', 'pods,services');
    assert.deepEqual(ofTwo.out, ['a.yaml:2: Pod/a', 'a.yaml:11: Service/c']);
    const custom = 'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\n---\n';
    const unknown = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n';
    const { out } = await runInMemory(['match', '--field-selector', 'spec.restartPolicy=Always'], {
      files: { 'a.yaml': `${custom}${unknown}` },
    });
    assert.deepEqual(out, ["a.yaml:6: Widget/a may match: 'spec.restartPolicy' is not in any manifest"]);
    const { code, err } = await found('spec.type=ClusterIP', '--kind', 'po,svc');
    assert.equal(code, 2);
    assert.match(err.join(), /Field selectors of Pod do not support 'spec.type'; supported fields: metadata.name,/);
  });

  it('to a namespace, without cluster-scoped objects', async () => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a, namespace: shop}\n';
    const found = async (text: string, ...words: readonly string[]) => {
      const { out } = await runInMemory(['match', '--field-selector', text, ...words], { files: { 'a.yaml': role } });
      return out;
    };
    assert.deepEqual(await found('metadata.namespace=shop'), []);
    assert.deepEqual(await found('metadata.namespace=prod', '--namespace', 'prod'), []);
    assert.deepEqual(await found('metadata.namespace!=shop'), ['a.yaml:2: ClusterRole/a']);
    assert.deepEqual(await found('metadata.namespace='), ['a.yaml:2: ClusterRole/a']);
  });

  it('by options with their values attached', async () => {
    assert.deepEqual(names(await match('-lapp=web', '-nshop')), ['Service/web', 'Deployment/web']);
    assert.deepEqual(names(await match('-l=app=web', '-n=shop')), ['Service/web', 'Deployment/web']);
  });

  it('to paths', async () => {
    assert.deepEqual(names(await match('--selector=app', 'app')), ['Service/web', 'Deployment/web']);
    assert.deepEqual(names(await match('--selector=app', 'prices.yaml')), ['ConfigMap/prices']);
  });

  it('to standard input', async () => {
    const { out } = await runInMemory(['match', '-l', 'app', '-'], { files, standardInput: { text: goodPrices } });
    assert.deepEqual(out, ['-:2: ConfigMap/prices']);
  });
});

describe('match --as-written', () => {
  const listed = async (text: string, selector: string) => {
    const { out } = await runInMemory(['match', '--as-written', '-l', selector], { files: { 'x.yaml': text } });
    return out.map((line) => line.replace(/^.*: /, ''));
  };

  it('lists each item of a List, but not the List', async () => {
    const item = (name: string) =>
      `- apiVersion: v1\n  kind: Pod\n  metadata: {name: ${name}, labels: {app: ${name}}}\n`;
    const list = `apiVersion: v1\nkind: List\nmetadata: {labels: {app: list}}\nitems:\n${item('a')}${item('b')}`;
    assert.deepEqual(await listed(list, 'app'), ['Pod/a', 'Pod/b']);
  });

  it('leaves out an object that kubectl cannot decode', async () => {
    assert.deepEqual(await listed(goodPrices.replace('tier: data', 'tier: 1.10'), 'app=prices'), []);
    assert.deepEqual(await listed(goodPrices.replace('tier: data', 'tier: yes'), 'app=prices'), []);
  });

  const named = (name: string, labels: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {${labels}}}\n`;

  it('leaves out an object whose metadata kubectl cannot decode', async () => {
    for (const wrong of ['name: yes', 'name: x, namespace: 1', 'name: x, annotations: {a: 1}', 'name: x, labels: []'])
      assert.deepEqual(await listed(`apiVersion: v1\nkind: Pod\nmetadata: {${wrong}}\n`, '!nobody'), [], wrong);
    assert.deepEqual(await listed(`${named('a', 'app: a')}items: none\n`, 'app'), []);
    assert.deepEqual(await listed(named('a', 'app: a').replace('ConfigMap', '1'), 'app'), []);
    assert.deepEqual(await listed(named('a', 'app: a').replace('v1', '1.0'), 'app'), []);
    const fields = ['uid: 1', 'generation: x', 'creationTimestamp: now', 'finalizers: [1]', 'ownerReferences: [x]'];
    for (const wrong of fields) assert.deepEqual(await listed(named('a', `app: a}, ${wrong}, x: {`), 'app'), [], wrong);
    const right = 'creationTimestamp: 2026-01-02T03:04:05Z, deletionTimestamp: null, generation: 1, finalizers: [a]';
    assert.deepEqual(await listed(named('a', `app: a}, ${right}, ownerReferences: [{}], x: {`), 'app'), [
      'ConfigMap/a',
    ]);
  });

  it('uses the last of duplicate labels', async () => {
    assert.deepEqual(await listed(named('a', 'app: 1, app: a'), 'app=a'), ['ConfigMap/a']);
    assert.deepEqual(await listed(named('a', 'app: a, app: 1'), 'app'), []);
  });

  it('parses unquoted keys as YAML 1.1', async () => {
    assert.deepEqual(await listed(named('a', 'on: a'), 'true=a'), ['ConfigMap/a']);
    assert.deepEqual(await listed(named('a', '"on": a'), 'on=a'), ['ConfigMap/a']);
    assert.deepEqual(await listed(named('a', 'app: ! 1'), 'app=1'), ['ConfigMap/a']);
  });

  it('ignores everything after a syntax error', async () => {
    const around = (broken: string) => `${named('a', 'app: a')}---\n${broken}---\n${named('c', 'app: c')}`;
    const broken = [
      `${named('b', 'app: b')}  - x\n`,
      named('b', 'app: b, x: *nothing'),
      named('b', 'app: b, <<: x'),
      named('b', 'app: b, x: .inf'),
      named('b', 'app: b, ~: x'),
      `${named('b', 'app: b')}data: {{ .Values.data }}\n`,
      `%YAML 1.1\n---\n${named('b', 'app: b')}`,
    ];
    for (const each of broken) assert.deepEqual(await listed(around(each), 'app'), ['ConfigMap/a'], each);
  });

  it('needs no blank between a quote or bracket and a comment', async () => {
    const text = named('a', 'app: "a"').replace('}}', '}}#all').replace('name: a', "name: 'a'");
    assert.deepEqual(await listed(`${text}data:\n- "a"# b\n`, 'app'), ['ConfigMap/a']);
  });

  it('accepts any indentation in brackets and braces', async () => {
    const flow = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: { # all\napp: a, "b": 'c'#c\n  }\n`;
    const block = 'data:\n  a: |\n    x: {\n    "y": [\n  b: >-\n    {\n  c: [a,\n    it\'s, # {\n  ]\n';
    assert.deepEqual(await listed(`${flow}${block}`, 'app=a,b=c'), ['ConfigMap/a']);
    assert.deepEqual(await listed(`${flow}data: [\n`, 'app'), []);
  });

  it('stops at a line that is blank or a comment after a tab', async () => {
    for (const line of ['\t', '\t ', '\t# c'])
      for (const before of ['', 'x: y\n', 'x: "y"\n', 'x: |\n  y\n', 'data:\n'])
        assert.deepEqual(await listed(`${named('a', 'app: a')}${before}${line}\n`, 'app'), [], before + line);
    for (const value of ['[\n\t\n]', '{\n\t# c\n}', '"a\n\t\n  b"', "'a\n\t\n  b'"])
      assert.deepEqual(await listed(`${named('a', 'app: a')}data: ${value}\n`, 'app'), ['ConfigMap/a'], value);
  });

  it('ignores text around a line that only begins like a separator', async () => {
    for (const line of ['--- {a: b}', '---a: b', '----'])
      assert.deepEqual(
        await listed(`${named('a', 'app: a')}---\n${named('b', 'app: b')}${line}\n---\n${named('c', 'app: c')}`, 'app'),
        ['ConfigMap/a'],
        line,
      );
  });

  it('continues after an object that it cannot decode', async () => {
    const text = [named('a', 'app: a'), named('b', 'app: 1'), 'text\n', '[]\n', named('c', 'app: c')].join('---\n');
    assert.deepEqual(await listed(text, 'app'), ['ConfigMap/a', 'ConfigMap/c']);
  });

  it('uses the YAML document up to its end, and every value of JSON', async () => {
    assert.deepEqual(await listed(`${named('a', 'app: a')}...\n${named('b', 'app: b')}`, 'app'), ['ConfigMap/a']);
    const json = (name: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: name } } });
    assert.deepEqual(await listed(`${json('a')}\n${json('b')}\n---\n${json('c')}`, 'app'), ['Pod/a', 'Pod/b']);
  });

  it('parses a text that begins with a brace as JSON, up to the first other text', async () => {
    const pod = (name: string) =>
      `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "${name}", "labels": {"app": "a"}}}`;
    const noJson = [
      '{apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: a}}}',
      pod('b').replaceAll('"', "'"),
      pod('b').replace('}}}', '},},}'),
      pod('b').replace('"a"}', '"a", "b": [{"c": "d"}}'),
      pod('b').replace('v1', '\\x761'),
    ];
    for (const text of noJson) assert.deepEqual(await listed(` \n${text}\n${pod('c')}`, 'app'), [], text);
    for (const text of [...noJson, ']', '# the next one', `---\n${pod('b')}`])
      assert.deepEqual(await listed(`${pod('a')}\n${text}\n${pod('c')}`, 'app'), ['Pod/a'], text);
    const [flow] = noJson;
    assert.deepEqual(await listed(`# in braces\n${flow}`, 'app'), ['Pod/b']);
  });

  it('ignores labels in items of a List if one is no string', async () => {
    const list = (label: string) =>
      `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {${label}, x: y}}}\n`;
    assert.deepEqual(await listed(list('app: 1'), '!x'), ['Pod/a']);
    assert.deepEqual(await listed(list('app: 1'), 'x'), []);
  });

  it('ignores the objects in a Template', async () => {
    const held = '{apiVersion: v1, kind: Pod, metadata: {name: held, labels: {app: a}}}';
    const template = `apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t, labels: {app: a}}\nobjects: [${held}]\n`;
    assert.deepEqual(await listed(template, 'app'), ['Template/t']);
  });

  it('ignores labels in a map with a null value', async () => {
    assert.deepEqual(await listed(goodPrices.replace('tier: data', 'tier:'), 'app'), []);
    assert.deepEqual(await listed(goodPrices.replace('tier: data', 'tier:'), '!app'), ['ConfigMap/prices']);
  });

  it('leaves out the configuration of a tool, which no cluster stores', async () => {
    const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n';
    assert.deepEqual(await listed(`${goodPrices}---\n${kustomization}`, '!nobody'), ['ConfigMap/prices']);
  });

  it('does not list possible matches', async () => {
    assert.deepEqual(await listed(goodPrices.replace('tier: data', 'tier: {{ .Values.tier }}'), 'tier=data'), []);
  });
});

describe('match of a Service of type ExternalName', () => {
  it('states why the selector is ignored (requirement C25)', async () => {
    const files = {
      'bank.yaml': `apiVersion: v1
kind: Service
metadata: {name: bank}
spec: {type: ExternalName, externalName: bank.example.com, selector: {app: bank}}
---
apiVersion: v1
kind: Pod
metadata: {name: bank, labels: {app: bank}}
`,
    };
    const { out } = await runInMemory(['match', 'Service/bank'], { files });
    assert.match(out.join('\n'), /^ {2}It matches nothing: it is ignored, because spec\.type is ExternalName\.$/m);
  });
});
