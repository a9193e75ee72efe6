/** Tests the effect of a `.selector-lens.yaml` on all results, and of its changes on other files. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Session } from '../../server/src/session.ts';
import { defaultSettings } from '../../server/src/settings/settings.ts';
import { benchFolder, TestLog } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const configUri = `${benchFolder}/.selector-lens.yaml`;
const podUri = `${benchFolder}/a/pod.yaml`;

const pod = (value: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    app: ${value}\nspec:\n  containers: []\n`;

const widget = lines(`
  apiVersion: example.com/v1
  kind: Widget
  metadata: { name: w }
  spec: { chooser: { app: web } }
`).concat('\n');

const widgetKind = lines(`
  catalogue:
    - group: example.com
      kind: Widget
      selectors: [{ path: spec.chooser, form: map, reach: own, targets: [{ group: "", kind: Pod }] }]
`).concat('\n');

async function sessionOver(texts: Readonly<Record<string, string>>) {
  const log = new TestLog();
  const session = new Session({ catalogue, log });
  const source = new MemoryFiles(Object.entries(texts).map(([name, text]) => [`${benchFolder}/${name}`, text]));
  const load = () =>
    session.workspace.load(
      source,
      [benchFolder],
      () => undefined,
      () => false,
    );
  await load();
  const change = async (name: string, text: string | undefined) => {
    const uri = `${benchFolder}/${name}`;
    if (text === undefined) source.texts.delete(uri);
    else source.texts.set(uri, text);
    await session.workspace.refresh(source, [{ uri, gone: text === undefined }]);
  };
  return { session, log, source, change, load };
}

/** The findings in the pod, with its text from disk. */
function found(session: Session, uri = podUri): readonly string[] {
  const file = session.snapshot().files.get(uri);
  assert.ok(file !== undefined);
  return session.check(file, () => pod('~~NAME.1~~')).map(({ rule, severity }) => `${severity} ${rule}`);
}

function sitesOfWidget(session: Session): readonly string[] {
  const file = session.snapshot().files.get(`${benchFolder}/a/widget.yaml`);
  return file?.manifest.objects.flatMap((object) => object.selectorSites.map((site) => site.path)) ?? [];
}

describe('a workspace with a .selector-lens.yaml', () => {
  it('reports the findings that the file enables', async () => {
    const { session, change } = await sessionOver({ 'a/pod.yaml': pod('-a-'), '.selector-lens.yaml': '' });
    assert.deepEqual(found(session), ['error label-value-syntax']);
    await change('.selector-lens.yaml', 'rules: { label-value-syntax: hint }\n');
    assert.deepEqual(found(session), ['hint label-value-syntax']);
    await change('.selector-lens.yaml', 'ignore: [{ rule: label-value-syntax, files: ["a/**"], reason: fixtures }]\n');
    assert.deepEqual(found(session), []);
    await change('.selector-lens.yaml', 'generated: [a/]\n');
    assert.deepEqual(found(session), []);
    await change('.selector-lens.yaml', undefined);
    assert.deepEqual(found(session), ['error label-value-syntax']);
  });

  it('uses the nearest one only', async () => {
    const { session } = await sessionOver({
      '.selector-lens.yaml': 'rules: { label-value-syntax: hint }\n',
      'a/.selector-lens.yaml': 'rules: {}\n',
      'a/pod.yaml': pod('-a-'),
      'b/pod.yaml': pod('-a-'),
    });
    assert.deepEqual(found(session), ['error label-value-syntax']);
    assert.deepEqual(found(session, `${benchFolder}/b/pod.yaml`), ['hint label-value-syntax']);
  });

  it('extends another one, whose changes apply too', async () => {
    const { session, change } = await sessionOver({
      'shared/.selector-lens.yaml': 'rules: { label-value-syntax: hint }\n',
      'a/.selector-lens.yaml': 'extends: ../shared/.selector-lens.yaml\n',
      'a/pod.yaml': pod('-a-'),
    });
    assert.deepEqual(found(session), ['hint label-value-syntax']);
    await change('shared/.selector-lens.yaml', 'ignore: [{ rule: label-value-syntax, files: [pod.yaml] }]\n');
    assert.deepEqual(found(session), ['error label-value-syntax']);
    await change(
      'shared/.selector-lens.yaml',
      'overrides: [{ objects: [Pod/a], rules: { label-value-syntax: off } }]\n',
    );
    assert.deepEqual(found(session), []);
    await change(
      'a/.selector-lens.yaml',
      'extends: ../shared/.selector-lens.yaml\nrules: { label-value-syntax: hint }\n',
    );
    assert.deepEqual(found(session), ['hint label-value-syntax']);
    await change('shared/.selector-lens.yaml', undefined);
    assert.deepEqual(found(session), ['hint label-value-syntax']);
  });

  it('inherits the kinds and placeholders of another one, in files that were read before too', async () => {
    const texts = {
      'a/pod.yaml': pod('~~NAME.1~~'),
      'a/widget.yaml': widget,
      'shared/.selector-lens.yaml': widgetKind,
    };
    const { session, change, load } = await sessionOver(texts);
    assert.deepEqual([found(session), sitesOfWidget(session)], [['error label-value-syntax'], []]);
    await change('a/.selector-lens.yaml', 'extends: ../shared/.selector-lens.yaml\nplaceholders: ["@@NAME@@"]\n');
    assert.deepEqual(sitesOfWidget(session), ['spec.chooser']);
    await change('shared/.selector-lens.yaml', 'placeholders: ["~~NAME~~"]\n');
    assert.deepEqual([found(session), sitesOfWidget(session)], [[], []]);
    await load();
    assert.deepEqual([found(session), sitesOfWidget(session)], [[], []]);
  });

  it('selects a level, which takes precedence over that of the editor but not over single rules', async () => {
    const legacy = pod('web').replace('app: web', 'app: web\n    appName: web');
    const { session, change } = await sessionOver({ 'a/pod.yaml': legacy, '.selector-lens.yaml': '' });
    assert.deepEqual(found(session), []);
    session.workspace.configure({ settings: { ...defaultSettings, level: 'strict' } });
    assert.deepEqual(found(session), [
      'warning recommended-labels',
      'warning legacy-labels',
      'warning label-key-style',
    ]);
    await change('.selector-lens.yaml', 'rules: { label-key-style: information }\n');
    assert.ok(found(session).includes('information label-key-style'));
    await change('.selector-lens.yaml', 'level: essential\nrules: { label-key-style: information }\n');
    assert.deepEqual(found(session), ['information label-key-style']);
    session.choose({ level: 'default' });
    assert.deepEqual(found(session), ['information label-key-style']);
  });

  it('treats the placeholders of the team as unknown, in files that were read before too', async () => {
    const { session, change } = await sessionOver({ 'a/pod.yaml': pod('~~NAME.1~~') });
    assert.deepEqual(found(session), ['error label-value-syntax']);
    await change('.selector-lens.yaml', 'placeholders: ["~~NAME~~"]\n');
    assert.deepEqual(found(session), []);
    await change('.selector-lens.yaml', undefined);
    assert.deepEqual(found(session), ['error label-value-syntax']);
  });

  it('uses the kinds of the team from the start, and those that are added later', async () => {
    const texts = { 'a/pod.yaml': pod('web'), 'a/widget.yaml': widget };
    const { session } = await sessionOver({ ...texts, '.selector-lens.yaml': widgetKind });
    assert.deepEqual(sitesOfWidget(session), ['spec.chooser']);
    const later = await sessionOver(texts);
    assert.deepEqual(sitesOfWidget(later.session), []);
    await later.change('.selector-lens.yaml', widgetKind);
    assert.deepEqual(sitesOfWidget(later.session), ['spec.chooser']);
    await later.load();
    assert.deepEqual(sitesOfWidget(later.session), ['spec.chooser']);
  });

  it('applies unsaved changes to open files', async () => {
    const { session } = await sessionOver({ 'a/pod.yaml': pod('~~X~~'), '.selector-lens.yaml': '' });
    session.workspace.edit(podUri, pod('~~X~~'));
    assert.equal(session.findings(podUri).length, 1);
    session.workspace.edit(configUri, 'placeholders: ["~~NAME~~"]\n');
    assert.equal(session.findings(podUri).length, 0);
    session.workspace.close(configUri);
    assert.equal(session.findings(podUri).length, 1);
  });

  it('applies saved changes to open files', async () => {
    const { session, change } = await sessionOver({ 'a/pod.yaml': pod('~~X~~') });
    session.workspace.edit(podUri, pod('~~X~~'));
    assert.equal(session.findings(podUri).length, 1);
    await change('.selector-lens.yaml', 'placeholders: ["~~NAME~~"]\n');
    assert.equal(session.findings(podUri).length, 0);
    await change('.selector-lens.yaml', undefined);
    assert.equal(session.findings(podUri).length, 1);
  });

  it('reports invalid parts once, and again only after a change', async () => {
    const { session, log, change } = await sessionOver({ '.selector-lens.yaml': 'rules: {}\nscops: []\n' });
    const described = () => log.described.filter((line) => line.includes('selector-lens.yaml'));
    const first = `${configUri}:2: The key 'scops' is unknown. Did you mean 'scopes'?`;
    assert.deepEqual(described(), [first]);
    await change('.selector-lens.yaml', 'rules: {}\nscops: []\nignore: []\n');
    assert.deepEqual(described(), [first]);
    assert.deepEqual(
      session.workspace.configProblems(configUri).map(({ code }) => code),
      ['unknown-key'],
    );
    await change('.selector-lens.yaml', 'rules: 1\n');
    assert.deepEqual(described(), [first, `${configUri}:1: \`rules\` must be a map.`]);
  });

  it('is not counted as a file of manifests', async () => {
    const { session } = await sessionOver({
      '.selector-lens.yaml': 'externals: [{ kind: Pod, name: x }]\n',
      'a/pod.yaml': pod('web'),
    });
    const { files, objects } = session.workspace.summary();
    assert.deepEqual([files, objects], [1, 1]);
  });
});
