/** Tests that a changed file selects every finding that its change causes, also in other files. */
import assert from 'node:assert/strict';
import { check, everyFinding, type Found, inRepository } from './path-answers.ts';
import { pathWorkspace } from './path-workspace.ts';

describe('a changed file', () => {
  const mutations: readonly (readonly [string, (text: string) => string | undefined])[] = [
    ['is deleted', () => undefined],
    ['is relabeled', (text) => text.replaceAll(/\b(app|owner|color): ?[\w]+/g, '$1: other')],
    ['selects something else', (text) => text.replace(/app: \w+\n$/, 'app: else\n')],
    ['loses its content', () => 'a: b\n'],
    ['is renamed', (text) => text.replace(/name: (\w+)/, 'name: renamed')],
    ['moves to a namespace', (text) => text.replace('metadata:\n', 'metadata:\n  namespace: moved\n')],
    ['names fewer resources', (text) => text.replace(/, \w+\.yaml\]/, ']').replace(/components: \S+\n/, '')],
    ['adds a label', (text) => `${text}commonLabels: {owner: Team New}\n`],
    ['is broken', (text) => `${text}  x: [\n`],
  ];
  for (const [what, mutate] of mutations) {
    it(`that ${what} selects every finding that this causes`, async () => {
      const before = new Set((await everyFinding()).map(findingKey));
      let caused = 0;
      for (const [path, text] of Object.entries(pathWorkspace)) {
        const after = mutate(text);
        if (after === text) continue;
        const { [path]: _, ...others } = pathWorkspace;
        const files = after === undefined ? others : { ...others, [path]: after };
        const isBroken = path.endsWith('.selector-lens.yaml') && after !== undefined;
        if (isBroken) continue;
        const all = await check(['.'], inRepository(files));
        const options = { ...inRepository(files), standardInput: { text: `${path}\n` } };
        const selected = new Set((await check(['--files-from', '-'], options)).map(findingKey));
        const fresh = all.map(findingKey).filter((each) => !before.has(each));
        caused += fresh.length;
        assert.deepEqual(
          fresh.filter((each) => !selected.has(each)),
          [],
          path,
        );
      }
      assert.ok(caused > 0, 'nothing is caused by it');
    });
  }
});
describe('a changed definition', () => {
  it('selects the findings in objects of its kind', async () => {
    const open = 'type: object, x-kubernetes-preserve-unknown-fields: true';
    const containers = '{type: array, items: {type: object}}';
    const pod = `{type: object, properties: {metadata: {${open}}, spec: {${open}, properties: {containers: ${containers}}}}}`;
    const definition = (field: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {${open}, properties: {${field}: ${pod}}}}}}
`;
    const widget =
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {pod: {metadata: {labels: {app: a b}}}}\n';
    const found = async (path: string, named: string) => {
      const options = inRepository({ 'crds/widget.yaml': definition(path), 'team/w.yaml': widget });
      return (await check([named], options)).map(({ file }) => file);
    };
    assert.deepEqual(await found('others', '.'), []);
    assert.deepEqual(await found('pod', '.'), ['/home/ada/shop/team/w.yaml']);
    assert.deepEqual(await found('pod', 'crds/widget.yaml'), ['/home/ada/shop/team/w.yaml']);
    assert.deepEqual(await found('pod', 'crds'), ['/home/ada/shop/team/w.yaml']);
  });
});

describe('a changed file of another scope', () => {
  const web = pathWorkspace['kustomize/base/web.yaml'] ?? '';
  const service = pathWorkspace['kustomize/base/service.yaml'] ?? '';
  const lonely = service.replaceAll('web', 'other');

  it('selects a selector that lost its match, as far as names and labels show', async () => {
    // Without any workload in its scope, a Service is not expected to match one.
    const files = {
      'svc/ledger.yaml': pathWorkspace['ledger.yaml'] ?? '',
      'deploy/web.yaml': web,
      'svc/service.yaml': service,
      'more/service.yaml': lonely,
    };
    const found = async (relabeled: string) => {
      const options = inRepository({ ...files, 'deploy/web.yaml': relabeled });
      return (await check(['deploy/web.yaml'], options)).map(({ file, rule }) => `${file} ${rule}`);
    };
    assert.deepEqual(await found(web), []);
    // It still has the name, or another label, that the selector requires.
    const orphaned = ['/home/ada/shop/svc/service.yaml selects-nothing'];
    assert.deepEqual(
      await found(web.replaceAll('app: website', 'app: site').replace('name: web', 'name: website')),
      orphaned,
    );
    const tiered = service.replace('app: website', 'app: website\n    tier: front');
    const options = inRepository({
      ...files,
      'svc/service.yaml': tiered,
      'deploy/web.yaml': web.replaceAll(/^( *)app: website$/gm, '$1app: site\n$1tier: front'),
    });
    assert.deepEqual(
      (await check(['deploy'], options)).map(({ file }) => file),
      ['/home/ada/shop/svc/service.yaml'],
    );
  });

  it('does not select a fault that it cannot cause, beside a selector that matches it', async () => {
    const mount = 'volumeMounts: [{name: dta, mountPath: /data}]';
    const mounting = `${web}    spec:\n      containers: [{name: web, image: web, ${mount}}]\n`;
    const options = inRepository({ 'a/web.yaml': web, 'b/web.yaml': mounting });
    const files = async (path: string) => (await check([path], options)).map(({ file }) => file);
    assert.deepEqual(await files('a'), []);
    assert.deepEqual(await files('b'), ['/home/ada/shop/b/web.yaml']);
  });
});

/** Without the overlays in which it holds: that there are others now does not make it a new finding in this one. */
function findingKey({ file, rule, message, range }: Found): string {
  return `${file} ${JSON.stringify(range)} ${rule}: ${message.replace(/ In (?:(?! In ).)+\.$/, '')}`;
}
