/** Tests surprising behaviors of kustomize. The expectations are the output of `kubectl kustomize`. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import { lines } from '../harness/margin.ts';
import { built, deployment, root, service, workspaceOf } from './kustomizations.ts';

describe('a kustomization, in detail', () => {
  it('overwrites a label in all fields that share its node, as kustomize does', () => {
    const base = {
      'base/kustomization.yaml': 'resources: [all.yaml]\ncommonLabels: {team: blue}\n',
      'base/all.yaml': deployment,
    };
    const over = (more: string) => {
      return built({ ...base, 'over/kustomization.yaml': `resources: [../base]\n${more}` }, `${root}/over`);
    };
    const all = (team: string) =>
      lines(`
        Deployment/web
          metadata.labels: app=web, team=${team}
          spec.template.metadata.labels: app=web, team=${team}
          spec.template.spec.topologySpreadConstraints[0].labelSelector: app=web,team=${team}
          spec.selector: app=web,team=${team}
      `);
    assert.equal(over('labels: [{pairs: {team: red}}]\n'), all('red'));
    const patch = (labels: string) =>
      `patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: ${labels}}}"}]\n`;
    assert.equal(over(patch('{team: red}')), all('red'));
    const replacement =
      'replacements:\n- {source: {kind: Deployment}, targets: [{select: {kind: Deployment}, fieldPaths: [metadata.labels.team]}]}\n';
    assert.equal(over(replacement), all('web'));
    // A JSON patch is applied to a copy, and a value that is removed and added again is a different one.
    const apart = all('blue').replace('metadata.labels: app=web, team=blue', 'metadata.labels: app=web, team=red');
    const operations =
      'patches: [{target: {kind: Deployment}, patch: "[{op: replace, path: /metadata/labels/team, value: red}]"}]\n';
    assert.equal(over(operations), apart);
    assert.equal(over(`${patch('{team: null}')}labels: [{pairs: {team: red}}]\n`), apart);
  });

  it('applies a patch that is written as one line of YAML', () => {
    const patched = (field: string, patch: string) =>
      built({
        'kustomization.yaml': `resources: [web.yaml]\n${field}: [{target: {version: v1, kind: Service, name: web}, patch: ${patch}}]\n`,
        'web.yaml': service.replace('{name: web}', '{name: web, labels: {a: b}}'),
      }).split('\n')[1];
    const operation = '- {op: replace, path: /metadata/labels/a, value: new}';
    for (const patch of [`"${operation}"`, `'${operation}'`]) {
      assert.equal(patched('patches', patch)?.trim(), 'metadata.labels: a=new', patch);
    }
    assert.equal(patched('patchesJson6902', `"${operation}"`)?.trim(), 'metadata.labels: a=new');
  });

  it('converts null and maps in a patch with a target to text, as kustomize does', () => {
    const patched = (metadata: string, target: string) => {
      const patch = `{apiVersion: v1, kind: Service, metadata: {name: web, ${metadata}}}`;
      const files = {
        'kustomization.yaml': `resources: [web.yaml]\npatches: [{patch: "${patch}"${target}}]\n`,
        'web.yaml': service.replace('{name: web}', '{name: web, labels: {a: b, c: d}}'),
      };
      return built(files).split('\n')[1]?.trim();
    };
    const target = ', target: {kind: Service}';
    assert.equal(patched('labels: {a: null}', ''), 'metadata.labels: c=d');
    assert.equal(patched('labels: {a: null}', target), 'metadata.labels: a=null, c=d');
    assert.equal(patched('labels: null', ''), 'spec.selector: app=web');
    assert.equal(patched('labels: null', target), 'metadata.labels: a=b, c=d');
    assert.equal(patched('labels: {$patch: replace, e: f}', target), 'metadata.labels: e=f');
  });

  it('does nothing if a patch replaces the whole object, and distinguishes spread constraints by both keys', () => {
    const patch = (body: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n${body}`;
    const constraint = (when: string) =>
      `spec: {template: {spec: {topologySpreadConstraints: [{topologyKey: zone, ${when}labelSelector: {matchLabels: {x: y}}}]}}}\n`;
    const files = (body: string) => ({
      'kustomization.yaml': 'resources: [all.yaml]\npatches: [{path: patch.yaml}]\n',
      'all.yaml': deployment.replace('maxSkew: 1', 'maxSkew: 1, whenUnsatisfiable: DoNotSchedule'),
      'patch.yaml': patch(body),
    });
    const sorted = (text: string) => text.split('\n').toSorted();
    assert.deepEqual(sorted(built(files('$patch: replace\nspec: {}\n'))), sorted(built(files(''))));
    const at = (index: number) => `spec.template.spec.topologySpreadConstraints[${index}].labelSelector`;
    const constraints = (text: string) => text.split('\n').filter((line) => line.includes('topologySpread'));
    assert.deepEqual(constraints(built(files(constraint('whenUnsatisfiable: DoNotSchedule, ')))), [
      `  ${at(0)}: app=web,x=y`,
    ]);
    // Without a value of the second key, kustomize drops the item of the patch.
    assert.deepEqual(constraints(built(files(constraint('')))), [`  ${at(0)}: app=web`]);
    assert.deepEqual(constraints(built(files(constraint('whenUnsatisfiable: ScheduleAnyway, ')))), [
      `  ${at(0)}: x=y`,
      `  ${at(1)}: app=web`,
    ]);
  });

  it('reads words such as yes and y in resources and patches as strings', () => {
    const words = (patch: string) => ({
      'kustomization.yaml': `resources: [all.yaml]\npatches: [{target: {kind: Service}, patch: "${patch}"}]\n`,
      'all.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web, labels: {y: a, on: yes, t: true}}\nspec: {selector: {n: off}}\n',
    });
    const unchanged = built(words('[]'));
    assert.match(unchanged, /metadata.labels: y=a, on=yes, t=true/);
    assert.match(unchanged, /spec.selector: n=off/);
    const object = workspaceOf(words('[]')).rendering(root, catalogue)?.objects[0]?.object;
    assert.deepEqual(labeledObjectsOf(object ?? assert.fail())[0]?.labels, { y: 'a', on: 'yes', t: 'true' });
    const merged = built(words('{apiVersion: v1, kind: Service, metadata: {name: web, labels: {y: b, no: off}}}'));
    assert.match(merged, /metadata.labels: y=b, on=yes, t=true, no=off/);
  });

  it('reads words with a tag as what the tag states', () => {
    const typesOf = (labels: string) => {
      const files = {
        'kustomization.yaml': 'resources: [all.yaml]\n',
        'all.yaml': `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  labels: {${labels}}\n`,
      };
      const { object } = workspaceOf(files).rendering(root, catalogue)?.objects[0] ?? assert.fail();
      return object.labels?.entries.map(({ key, value }) => `${key.type} ${key.text}: ${value.type} ${value.text}`);
    };
    // In a label, another word without a tag causes the tree to be converted.
    assert.deepEqual(typesOf('a: !!bool yes, b: !!bool "off", c: !!str on, d: no, !!bool y: e'), [
      'string a: boolean yes',
      'string b: boolean off',
      'string c: string on',
      'string d: string no',
      'boolean y: string e',
    ]);
    assert.deepEqual(typesOf('a: &word !!bool yes, b: *word'), ['string a: boolean yes', 'string b: boolean yes']);
  });

  it('applies patches to the namespaces next to a selector', () => {
    const monitor = (change: string) => {
      const files = {
        'kustomization.yaml': `resources: [monitor.yaml]\n${change}\n`,
        'monitor.yaml':
          'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\nspec: {namespaceSelector: {matchNames: [shop]}, selector: {matchLabels: {app: web}}}\n',
      };
      const [found] = workspaceOf(files).rendering(root, catalogue)?.objects ?? [];
      return found?.object.selectorSites[0]?.namespaces;
    };
    const listed = { names: ['shop'], any: false, open: false };
    assert.deepEqual(monitor('namespace: monitoring'), listed);
    assert.deepEqual(monitor('labels: [{pairs: {team: web}, fields: [{path: spec/selector/matchLabels}]}]'), listed);
    const patch = (text: string) => `patches: [{target: {kind: ServiceMonitor}, patch: "${text}"}]`;
    const merged = (changes: string) =>
      monitor(patch(`{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: web}, ${changes}}`));
    const names = (...all: readonly string[]) => ({ ...listed, names: all });
    assert.deepEqual(merged('spec: {x: y}'), listed);
    assert.deepEqual(merged('annotations: {a: b}'), listed);
    assert.deepEqual(merged('spec: {namespaceSelector: {matchNames: [bank, shop]}}'), names('bank', 'shop'));
    assert.deepEqual(
      merged('spec: {selector: {matchLabels: {a: b}}, namespaceSelector: {matchNames: [bank]}}'),
      names('bank'),
    );
    assert.deepEqual(merged('spec: {namespaceSelector: {any: true}}'), { ...listed, any: true });
    assert.deepEqual(merged('spec: {namespaceSelector: {any: true, matchNames: null}}'), { ...names(), any: true });
    for (const removed of ['{matchNames: null}', 'null'])
      assert.equal(merged(`spec: {namespaceSelector: ${removed}}`), undefined);
    assert.deepEqual(monitor(patch('[{op: add, path: /metadata/labels, value: {a: b}}]')), listed);
    const operation = (op: string) => monitor(patch(`[{path: /spec/namespaceSelector/matchNames/${op}}]`));
    assert.deepEqual(operation('-, op: add, value: bank'), names('shop', 'bank'));
    assert.deepEqual(operation('0, op: replace, value: bank'), names('bank'));
    assert.deepEqual(operation('0, op: remove'), names());
    assert.deepEqual(monitor(patch('[{op: replace, path: /spec/namespaceSelector, value: {any: true}}]')), {
      names: [],
      any: true,
      open: false,
    });
    const term = '{labelSelector: {matchLabels: {app: web}}, namespaces: [shop], topologyKey: zone}';
    const affinity = `{podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [${term}]}}`;
    const files = {
      'kustomization.yaml': `resources: [web.yaml]\npatches: [{target: {kind: Pod}, patch: "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {x: y}}"}]\n`,
      'web.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {affinity: ${affinity}}\n`,
    };
    const [pod] = workspaceOf(files).rendering(root, catalogue)?.objects ?? [];
    assert.deepEqual(pod?.object.selectorSites[0]?.namespaces, listed);
  });

  it('adds the label of the builder to the root, with an unknown program', () => {
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]\nbuildMetadata: [managedByLabel]\n',
      'base/web.yaml': service,
      'over/kustomization.yaml': 'resources: [../base]\n',
    };
    assert.equal(built(files, `${root}/over`), 'Service/web\n  spec.selector: app=web');
    const value = workspaceOf(files).rendering(`${root}/base`, catalogue)?.objects[0]?.object.labels?.entries[0]?.value;
    assert.deepEqual(value?.value, { unknown: 'kustomize-…', pattern: 'kustomize-*' });
  });

  it('patches and replaces by transformers, those in the kustomization first', () => {
    const patch = (selector: string) =>
      `|-\n    {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: ${selector}}}`;
    const transformers = [
      `kind: PatchTransformer\n  patch: ${patch('{a: one}')}`,
      `kind: PatchTransformer\n  target: {kind: Service, name: w.b}\n  patch: '[{op: add, path: /spec/selector/b, value: two}]'`,
      `kind: PatchTransformer\n  path: patch.yaml`,
      `kind: PatchStrategicMergeTransformer\n  patches: ${patch('{d: four}')}`,
      `kind: PatchJson6902Transformer\n  target: {version: v1, kind: Service, name: web}\n  jsonOp: '[{op: remove, path: /spec/selector/app}]'`,
      'kind: ReplacementTransformer\n  replacements: [{source: {kind: Service}, targets: [{select: {kind: Service}, fieldPaths: [spec.selector.a]}]}]',
    ];
    const inline = transformers.map(
      (each, index) => `- |-\n  apiVersion: builtin\n  metadata: {name: t${index}}\n  ${each}\n`,
    );
    const kustomization = `resources: [web.yaml]\ntransformers:\n- suffix.yaml\n${inline.join('')}`;
    const files = {
      'kustomization.yaml': kustomization,
      'web.yaml': service,
      'suffix.yaml':
        'apiVersion: builtin\nkind: SuffixTransformer\nmetadata: {name: s}\nsuffix: -z\nfieldSpecs: [{path: metadata/name}, {path: spec/selector/b}]\n',
      'patch.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {c: three}}\n',
    };
    assert.equal(built(files), 'Service/web-z\n  spec.selector: a=web,b=two-z,c=three,d=four');
    const named = inline.map((each) => each.slice(4).replace(/^ {2}/gm, ''));
    const inFiles = {
      ...files,
      'kustomization.yaml': `resources: [web.yaml]\ntransformers: [${named.map((_, index) => `t${index}.yaml`).join(', ')}, suffix.yaml]\n`,
      ...Object.fromEntries(named.map((text, index) => [`t${index}.yaml`, text])),
    };
    assert.equal(built(inFiles), built(files));
  });

  it('reads replacements in separate files, and is uncertain after changes that it cannot parse', () => {
    const replacement =
      '- source: {kind: Service}\n  targets: [{select: {kind: Service}, fieldPaths: [spec.selector.app]}]\n';
    const files = {
      'kustomization.yaml': 'resources: [web.yaml]\nreplacements: [{path: copy.yaml}]\n',
      'web.yaml': service.replace('app: web', 'app: shop'),
      'copy.yaml': replacement,
    };
    assert.equal(built(files), 'Service/web\n  spec.selector: app=web');
    assert.match(built({ ...files, 'copy.yaml': 'nothing: here\n' }), /spec.selector: app=\* and more/);
    const made =
      '- source: {kind: Service}\n  targets: [{select: {kind: Service}, fieldPaths: ["spec.ports.[name=x].port"], options: {create: true}}]\n';
    assert.match(built({ ...files, 'copy.yaml': made }), /spec.selector: app=shop and more/);
    const patches = 'resources: [web.yaml]\npatches: [{path: patch.yaml, target: {name: web}}]\n';
    const broken = { 'kustomization.yaml': patches, 'web.yaml': service, 'patch.yaml': 'spec: [' };
    assert.match(built(broken), /spec.selector: app=web and more/);
    // With a target, kustomize merges a patch without `apiVersion`.
    const untyped = {
      ...broken,
      'patch.yaml': 'kind: Service\nmetadata: {name: web}\nspec: {selector: {app: shop}}\n',
    };
    assert.match(built(untyped), /spec.selector: app=\* and more/);
    const unlabeled = { ...untyped, 'patch.yaml': 'kind: Service\nmetadata: {name: web}\nspec: {type: NodePort}\n' };
    assert.equal(built(unlabeled), 'Service/web\n  spec.selector: app=web');
  });
});
