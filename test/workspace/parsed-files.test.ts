/** Tests that two states share the files that are equal in both, and that everything else on which a file depends is compared. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Session } from '../../server/src/session.ts';
import { ParsedFiles } from '../../server/src/workspace/live/parsed-files.ts';
import type { WorkspaceFile } from '../../server/src/workspace/model.ts';
import { benchFolder, TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

type Texts = Readonly<Record<string, string>>;

async function filesOf(texts: Texts, parsed?: ParsedFiles): Promise<ReadonlyMap<string, WorkspaceFile>> {
  const session = new Session({ catalogue, log: new TestLog(), isOneShot: true, parsed });
  const source = new MemoryFiles(Object.entries(texts).map(([name, text]) => [`${benchFolder}/${name}`, text]));
  await session.workspace.load(
    source,
    [benchFolder],
    () => undefined,
    () => false,
  );
  return new Map(
    Object.keys(texts).flatMap((name) => {
      const file = session.snapshot().files.get(`${benchFolder}/${name}`);
      return file === undefined ? [] : [[name, file] as const];
    }),
  );
}

/** Loads two states that share their files, and the second one alone; returns the names of the files that are shared. */
async function sharedBetween(before: Texts, after: Texts): Promise<readonly string[]> {
  const parsed = new ParsedFiles();
  const [old, fresh, alone] = [await filesOf(before, parsed), await filesOf(after, parsed), await filesOf(after)];
  for (const [name, file] of alone) assert.deepEqual(shown(fresh.get(name)), shown(file), name);
  return [...fresh].flatMap(([name, file]) => (old.get(name) === file ? [name] : []));
}

/** What a file contains, without functions. */
function shown(file: WorkspaceFile | undefined): unknown {
  return JSON.parse(JSON.stringify(file));
}

const widget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: w, labels: {app: "@(app)@"}}
spec: {pods: {matchLabels: {a: b}}}
`;
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n';
const definition = (field: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      schema: {openAPIV3Schema: {properties: {spec: {properties: {${field}: {properties: {matchLabels: {additionalProperties: {type: string}}}}}}}}}
`;
const template = `apiVersion: v1
kind: Service
metadata: {name: {{ include "shop.name" . }}}
spec: {selector: {app: {{ .Values.app }}}}
`;
const chart: Texts = {
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'shop/values.yaml': 'app: web\n',
  'shop/templates/_helpers.tpl': '{{ define "shop.name" }}shop{{ end }}\n',
  'shop/templates/service.yaml': template,
};

describe('two states share', () => {
  it('the files that are equal in both', async () => {
    const before = { 'a.yaml': service, 'b.yaml': service };
    assert.deepEqual(await sharedBetween(before, { ...before, 'b.yaml': `${service}\n` }), ['a.yaml']);
  });

  it('no object whose definition changes', async () => {
    const before = { 'a.yaml': service, 'crd.yaml': definition('pods'), 'widget.yaml': widget };
    assert.deepEqual(await sharedBetween(before, { ...before, 'crd.yaml': definition('others') }), ['a.yaml']);
    const { 'crd.yaml': _, ...without } = before;
    assert.deepEqual(await sharedBetween(without, before), ['a.yaml']);
    assert.deepEqual(await sharedBetween(before, without), ['a.yaml']);
  });

  it('no file whose configuration changes', async () => {
    const before = { 'widget.yaml': widget, 'other/a.yaml': service };
    const configured = {
      ...before,
      '.selector-lens.yaml': 'placeholders: ["@(NAME)@"]\n',
      'other/.selector-lens.yaml': '',
    };
    assert.deepEqual(await sharedBetween(before, configured), ['other/a.yaml']);
    assert.deepEqual(await sharedBetween(configured, before), ['other/a.yaml']);
  });

  it('no template whose chart changes', async () => {
    const shared = (after: Texts) => sharedBetween(chart, after);
    assert.deepEqual(await shared(chart), Object.keys(chart));
    const isTemplateShared = async (after: Texts) => (await shared(after)).includes('shop/templates/service.yaml');
    assert.equal(await isTemplateShared({ ...chart, 'shop/values.yaml': 'app: api\n' }), false);
    const { 'shop/Chart.yaml': _, ...templates } = chart;
    assert.equal(await isTemplateShared(templates), false);
  });

  it('no file that only one of them reads as data', async () => {
    const before = { 'values/app.yaml': 'app: web\n', 'a.yaml': service };
    const application = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shop, namespace: argocd}
spec:
  goTemplate: true
  generators: [{git: {repoURL: https://example.com/repo.git, revision: HEAD, files: [{path: values/*.yaml}]}}]
  template:
    metadata: {name: '{{ .app }}'}
    spec:
      project: default
      source: {repoURL: https://example.com/repo.git, path: shop}
      destination: {namespace: shop, name: in-cluster}
`;
    assert.deepEqual(await sharedBetween(before, { ...before, 'app.yaml': application }), ['a.yaml']);
  });
});
