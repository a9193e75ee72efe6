/** What does a `.selector-lens.yaml` change in all answers, and what becomes of the files when it changes? */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Service } from '../../server/src/service.ts';
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

async function serviceOver(texts: Readonly<Record<string, string>>) {
  const log = new TestLog();
  const service = new Service({ catalogue, log });
  const source = new MemoryFiles(Object.entries(texts).map(([name, text]) => [`${benchFolder}/${name}`, text]));
  const load = () =>
    service.load(
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
    await service.refresh(source, [{ uri, gone: text === undefined }]);
  };
  return { service, log, source, change, load };
}

/** What is found in the pod, read as it is stored. */
function found(service: Service, uri = podUri): readonly string[] {
  const file = service.workspace().files.get(uri);
  assert.ok(file !== undefined);
  return service.check(file, () => pod('~~NAME.1~~')).map(({ rule, severity }) => `${severity} ${rule}`);
}

function sitesOfWidget(service: Service): readonly string[] {
  const file = service.workspace().files.get(`${benchFolder}/a/widget.yaml`);
  return file?.manifest.objects.flatMap((object) => object.selectorSites.map((site) => site.path)) ?? [];
}

describe('a workspace with a .selector-lens.yaml', () => {
  it('finds what the file lets it find', async () => {
    const { service, change } = await serviceOver({ 'a/pod.yaml': pod('-a-'), '.selector-lens.yaml': '' });
    assert.deepEqual(found(service), ['error label-value-syntax']);
    await change('.selector-lens.yaml', 'rules: { label-value-syntax: hint }\n');
    assert.deepEqual(found(service), ['hint label-value-syntax']);
    await change('.selector-lens.yaml', 'ignore: [{ rule: label-value-syntax, files: ["a/**"], reason: fixtures }]\n');
    assert.deepEqual(found(service), []);
    await change('.selector-lens.yaml', 'generated: [a/]\n');
    assert.deepEqual(found(service), []);
    await change('.selector-lens.yaml', undefined);
    assert.deepEqual(found(service), ['error label-value-syntax']);
  });

  it('asks the nearest one only', async () => {
    const { service } = await serviceOver({
      '.selector-lens.yaml': 'rules: { label-value-syntax: hint }\n',
      'a/.selector-lens.yaml': 'rules: {}\n',
      'a/pod.yaml': pod('-a-'),
      'b/pod.yaml': pod('-a-'),
    });
    assert.deepEqual(found(service), ['error label-value-syntax']);
    assert.deepEqual(found(service, `${benchFolder}/b/pod.yaml`), ['hint label-value-syntax']);
  });

  it('takes the placeholders of the team for unknown, in files that were read before too', async () => {
    const { service, change } = await serviceOver({ 'a/pod.yaml': pod('~~NAME.1~~') });
    assert.deepEqual(found(service), ['error label-value-syntax']);
    await change('.selector-lens.yaml', 'placeholders: ["~~NAME~~"]\n');
    assert.deepEqual(found(service), []);
    await change('.selector-lens.yaml', undefined);
    assert.deepEqual(found(service), ['error label-value-syntax']);
  });

  it('knows the kinds of the team from the first reading on, and those that come later', async () => {
    const texts = { 'a/pod.yaml': pod('web'), 'a/widget.yaml': widget };
    const { service } = await serviceOver({ ...texts, '.selector-lens.yaml': widgetKind });
    assert.deepEqual(sitesOfWidget(service), ['spec.chooser']);
    const later = await serviceOver(texts);
    assert.deepEqual(sitesOfWidget(later.service), []);
    await later.change('.selector-lens.yaml', widgetKind);
    assert.deepEqual(sitesOfWidget(later.service), ['spec.chooser']);
    await later.load();
    assert.deepEqual(sitesOfWidget(later.service), ['spec.chooser']);
  });

  it('hears what is typed in it, for the files that are open', async () => {
    const { service } = await serviceOver({ 'a/pod.yaml': pod('~~X~~'), '.selector-lens.yaml': '' });
    service.edit(podUri, pod('~~X~~'));
    assert.equal(service.findings(podUri).length, 1);
    service.edit(configUri, 'placeholders: ["~~NAME~~"]\n');
    assert.equal(service.findings(podUri).length, 0);
    service.close(configUri);
    assert.equal(service.findings(podUri).length, 1);
  });

  it('hears what is stored in it, for the files that are open', async () => {
    const { service, change } = await serviceOver({ 'a/pod.yaml': pod('~~X~~') });
    service.edit(podUri, pod('~~X~~'));
    assert.equal(service.findings(podUri).length, 1);
    await change('.selector-lens.yaml', 'placeholders: ["~~NAME~~"]\n');
    assert.equal(service.findings(podUri).length, 0);
    await change('.selector-lens.yaml', undefined);
    assert.equal(service.findings(podUri).length, 1);
  });

  it('says once what is not understood, and again only when that changed', async () => {
    const { service, log, change } = await serviceOver({ '.selector-lens.yaml': 'rules: {}\nscops: []\n' });
    const said = () => log.said.filter((line) => line.includes('selector-lens.yaml'));
    const first = `${configUri}:2: The key 'scops' is unknown. Did you mean 'scopes'?`;
    assert.deepEqual(said(), [first]);
    await change('.selector-lens.yaml', 'rules: {}\nscops: []\nignore: []\n');
    assert.deepEqual(said(), [first]);
    assert.deepEqual(
      service.configProblems(configUri).map(({ code }) => code),
      ['unknown-key'],
    );
    await change('.selector-lens.yaml', 'rules: 1\n');
    assert.deepEqual(said(), [first, `${configUri}:1: \`rules\` must be a map.`]);
  });

  it('does not count what it tells of as a file of manifests', async () => {
    const { service } = await serviceOver({
      '.selector-lens.yaml': 'externals: [{ kind: Pod, name: x }]\n',
      'a/pod.yaml': pod('web'),
    });
    const { files, objects } = service.summary();
    assert.deepEqual([files, objects], [1, 1]);
  });
});
