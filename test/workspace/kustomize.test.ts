/** Tests the effect of each field of a kustomization. The expectations are the output of `kubectl kustomize`. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { Renderings } from '../../server/src/workspace/kustomize/renderings.ts';
import { effectiveObjectsOf } from '../../server/src/workspace/kustomize/view.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { readFile, withFiles, workspaceIn } from '../../server/src/workspace/snapshot.ts';
import { lines } from '../harness/margin.ts';
import { built, deployment, root, service, workspaceOf } from './kustomizations.ts';

const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {}
  ingress:
    - ports: [{port: 80}]
    - from:
        - podSelector: {matchLabels: {app: gateway}}
`;

describe('a kustomization', () => {
  it('adds `commonLabels` to selectors and templates, by the field specs', () => {
    const files = {
      'kustomization.yaml': 'resources: [all.yaml]\ncommonLabels: {team: blue}\n',
      'all.yaml': [deployment, service, policy].join('---\n'),
    };
    assert.equal(
      built(files),
      lines(`
        Deployment/web
          metadata.labels: app=web, team=blue
          spec.template.metadata.labels: app=web, team=blue
          spec.template.spec.topologySpreadConstraints[0].labelSelector: app=web,team=blue
          spec.selector: app=web,team=blue
        Service/web
          metadata.labels: team=blue
          spec.selector: app=web,team=blue
        NetworkPolicy/web
          metadata.labels: team=blue
          spec.podSelector: nothing asked
          spec.ingress[1].from[0].podSelector: app=gateway,team=blue
      `),
    );
  });

  it('does not change selectors with `labels`, unless that is configured', () => {
    const files = {
      'kustomization.yaml':
        'resources: [all.yaml]\nlabels:\n- pairs: {a: own}\n- pairs: {b: made}\n  includeTemplates: true\n- pairs: {c: all}\n  includeSelectors: true\n- pairs: {d: field}\n  fields: [{path: spec/selector, kind: Service}]\n',
      'all.yaml': [deployment, service].join('---\n'),
    };
    assert.equal(
      built(files),
      lines(`
        Deployment/web
          metadata.labels: app=web, a=own, b=made, c=all, d=field
          spec.template.metadata.labels: app=web, b=made, c=all
          spec.template.spec.topologySpreadConstraints[0].labelSelector: app=web,c=all
          spec.selector: app=web,c=all
        Service/web
          metadata.labels: a=own, b=made, c=all, d=field
          spec.selector: app=web,c=all,d=field
      `),
    );
  });

  it('sets names and namespaces, except for cluster-scoped kinds and fixed names', () => {
    const kinds = ['v1 Namespace', 'v1 ConfigMap', 'rbac.authorization.k8s.io/v1 ClusterRole', 'example.com/v1 Widget'];
    const objects = kinds.map((each) => {
      const [version, kind] = each.split(' ');
      return `apiVersion: ${version}\nkind: ${kind}\nmetadata: {name: one}\n`;
    });
    const files = {
      'kustomization.yaml': 'resources: [all.yaml]\nnamespace: shop\nnamePrefix: a-\nnameSuffix: -z\n',
      'all.yaml': objects.join('---\n'),
    };
    assert.equal(
      built(files),
      'Namespace/shop\nConfigMap/a-one-z in shop\nClusterRole/a-one-z\nWidget/a-one-z in shop',
    );
  });

  it('merges patches: maps by key, nulls remove entries, `$patch` decides, other lists are replaced', () => {
    const patch = (body: string) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n${body}`;
    const deleted = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n$patch: delete\n';
    const files = {
      'kustomization.yaml':
        'resources: [all.yaml]\npatches: [{path: one.yaml}, {path: two.yaml}, {path: three.yaml}]\npatchesStrategicMerge: [policy.yaml]\n',
      'all.yaml': [deployment, service, policy].join('---\n'),
      'one.yaml': patch(
        'spec:\n  selector: {matchLabels: {app: null, tier: front}}\n  template: {metadata: {labels: {$patch: replace, tier: front}}}\n',
      ),
      'two.yaml': patch(
        'spec: {template: {spec: {topologySpreadConstraints: [{topologyKey: host, labelSelector: {matchLabels: {x: y}}}]}}}\n',
      ),
      'three.yaml': deleted,
      'policy.yaml':
        'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web, labels: {a: b}}\nspec: {ingress: [{ports: [{port: 1}]}]}\n',
    };
    assert.equal(
      built(files),
      lines(`
        Deployment/web
          metadata.labels: app=web
          spec.template.metadata.labels: tier=front
          spec.template.spec.topologySpreadConstraints[0].labelSelector: x=y
          spec.template.spec.topologySpreadConstraints[1].labelSelector: app=web
          spec.selector: tier=front
        NetworkPolicy/web
          metadata.labels: a=b
          spec.podSelector: nothing asked
      `),
    );
  });

  it('applies lists of operations, wherever they are', () => {
    const files = {
      'kustomization.yaml': `resources: [all.yaml]
patches:
  - target: {kind: Deploy.*|Nothing, labelSelector: app in (web)}
    patch: |-
      - op: add
        path: /metadata/labels/app.kubernetes.io~1name
        value: web
      - op: remove
        path: /spec/selector/matchLabels/app
  - target: {kind: NetworkPolicy}
    patch: '[{"op": "replace", "path": "/spec/ingress/1/from/0/podSelector", "value": {"matchLabels": {"b": "c"}}}]'
  - target: {kind: Service, name: web}
    path: operations.yaml
`,
      'all.yaml': [deployment, service, policy].join('---\n'),
      'operations.yaml':
        '- {op: copy, from: /spec/selector/app, path: /spec/selector/copy}\n- {op: test, path: /kind, value: Service}\n',
    };
    assert.equal(
      built(files),
      lines(`
        Deployment/web
          metadata.labels: app=web, app.kubernetes.io/name=web
          spec.template.metadata.labels: app=web
          spec.template.spec.topologySpreadConstraints[0].labelSelector: app=web
          spec.selector: nothing asked
        Service/web
          spec.selector: app=web,copy=web
        NetworkPolicy/web
          spec.podSelector: nothing asked
          spec.ingress[1].from[0].podSelector: b=c
      `),
    );
  });

  it('works through bases and components, and finds an object by its previous names', () => {
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]\nnamePrefix: base-\n',
      'base/web.yaml': service,
      'part/kustomization.yaml':
        'kind: Component\nresources: [more.yaml]\nlabels: [{pairs: {part: one}}]\npatches: [{target: {name: web}, patch: "[{op: add, path: /spec/selector/p, value: q}]"}]\n',
      'part/more.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n',
      'over/kustomization.yaml': 'resources: [../base]\ncomponents: [../part]\nnameSuffix: -over\n',
    };
    assert.equal(
      built(files, `${root}/over`),
      lines(`
        Service/base-web-over
          metadata.labels: part=one
          spec.selector: app=web,p=q
        ConfigMap/more-over
          metadata.labels: part=one
      `),
    );
  });

  it('generates objects, adds to them, and drops local ones', () => {
    const files = {
      'base/kustomization.yaml':
        'configMapGenerator:\n- name: a\n  literals: [x=y]\n  options: {labels: {own: "1"}}\nsecretGenerator:\n- {name: b}\ngeneratorOptions: {disableNameSuffixHash: true, labels: {all: "2"}}\n',
      'over/kustomization.yaml':
        'resources: [../base, local.yaml]\nconfigMapGenerator:\n- {name: a, behavior: merge, literals: [z=1], options: {labels: {more: "3"}, annotations: {note: "4 5"}}}\n- {name: hashed}\n',
      'over/local.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}\n',
    };
    assert.equal(
      built(files, `${root}/over`),
      lines(`
        ConfigMap/a
          metadata.labels: all=2, own=1, more=3
          metadata.annotations: note=4 5
        Secret/b
          metadata.labels: all=2
        ConfigMap/hashed-6ct58987ht
      `),
    );
  });

  it('merges a patch without an apiVersion into the objects that its target selects', () => {
    const files = {
      'kustomization.yaml':
        'resources: [all.yaml]\npatches:\n- target: {name: worker}\n  patch: |\n    $patch: delete\n    kind: any\n    metadata: {name: any}\n- target: {kind: Service}\n  patch: |\n    kind: Service\n    metadata: {name: any, labels: {tier: web}}\n',
      'all.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: worker}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: worker}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n',
    };
    assert.equal(
      built(files, root),
      lines(`
        Service/web
          metadata.labels: tier=web
      `),
    );
  });

  it('copies by `replacements`, and is uncertain about other fields', () => {
    const files = {
      'kustomization.yaml':
        'resources: [all.yaml]\nreplacements:\n- source: {kind: Service, fieldPath: spec.selector.app}\n  targets:\n  - {select: {kind: Deployment}, fieldPaths: [metadata.labels.app, spec.template.metadata.labels.copy], options: {create: true}}\n- source: {kind: Service, fieldPath: spec.type}\n  targets: [{select: {kind: Service}, fieldPaths: [spec.selector.app]}]\n',
      'all.yaml': [deployment, service.replace('app: web', 'app: shop')].join('---\n'),
    };
    const text = built(files);
    assert.match(text, /Deployment\/web\n {2}metadata.labels: app=shop\n.*labels: app=web, copy=shop\n/);
    assert.match(text, /Service\/web\n {2}spec.selector: app=/);
    assert.doesNotMatch(text, /spec.selector: app=shop/);
  });

  it('records the origin of each label', () => {
    const kustomization = 'resources: [all.yaml]\nlabels:\n- pairs: {team: blue}\n';
    const workspace = workspaceOf({ 'kustomization.yaml': kustomization, 'all.yaml': deployment });
    const object = workspace.rendering(root, catalogue)?.objects[0]?.object;
    const [own, added] = object?.labels?.entries ?? [];
    assert.equal(own?.value.origin, undefined);
    assert.equal(added?.value.origin?.uri, `${root}/kustomization.yaml`);
    const { start = 0, end = 0 } = added?.value.origin?.span ?? {};
    assert.equal(kustomization.slice(start, end), 'blue');
  });

  it('keeps unchanged objects identical, as written and as read', () => {
    const kustomization = 'resources: [all.yaml]\nnamespace: shop\nlabels: [{pairs: {team: blue}}]\n';
    const workspace = workspaceOf({ 'kustomization.yaml': kustomization, 'all.yaml': deployment });
    const [written] = workspace.files.get(`${root}/all.yaml`)?.manifest.objects ?? [];
    const object = workspace.rendering(root, catalogue)?.objects[0]?.object;
    assert.equal(object?.namespace?.text, 'shop');
    assert.equal(object?.templates[0], written?.templates[0]);
    assert.equal(object?.selectorSites.length, 2);
    for (const [index, site] of object?.selectorSites.entries() ?? [])
      assert.equal(site, written?.selectorSites[index]);
    const [before, after] = [written, object].map((each) => each?.labelSites.map(({ entries }) => entries.length));
    assert.deepEqual(
      [before, after],
      [
        [1, 1],
        [2, 1],
      ],
    );
    assert.equal(object?.labelSites[1], written?.labelSites[1]);
  });

  it('lists its objects as it applies them, and a folder as written', () => {
    const workspace = workspaceOf({
      'k/kustomization.yaml': 'resources: [web.yaml]\nnamePrefix: a-\n',
      'k/web.yaml': service,
      'plain/web.yaml': service,
    });
    const names = workspace
      .scopes()
      .all()
      .map((scope) => effectiveObjectsOf(workspace, catalogue, scope).map(({ object }) => object.name?.text));
    assert.deepEqual(names, [['a-web'], ['web']]);
  });

  it('handles cycles, missing files and invalid content', () => {
    const files = {
      'a/kustomization.yaml':
        'resources: [../b, gone.yaml]\npatches: [{path: gone.yaml}, 7, {patch: "{["}]\nlabels: 7\n',
      'b/kustomization.yaml': 'resources: [../a, web.yaml]\ncommonLabels: [a]\nnamespace: {a: b}\n',
      'b/web.yaml': service,
    };
    assert.equal(built(files, `${root}/a`), 'Service/web\n  spec.selector: app=* and more');
  });
});

describe('a rendering', () => {
  const overlay = (name: string) => `resources: [../../base]\nnamePrefix: ${name}-\n`;
  const files = {
    'base/kustomization.yaml': 'resources: [web.yaml]\n',
    'base/web.yaml': service,
    'overlays/a/kustomization.yaml': overlay('a'),
    'overlays/b/kustomization.yaml': overlay('b'),
    'other/kustomization.yaml': 'resources: [web.yaml]\n',
    'other/web.yaml': service,
  };
  const all = ['overlays/a', 'overlays/b', 'other'];
  const render = (workspace: Workspace) => {
    const before = workspace.renderingCount();
    for (const folder of all) workspace.rendering(`${root}/${folder}`, catalogue);
    return workspace.renderingCount() - before;
  };

  it('is created lazily, and once', () => {
    const workspace = workspaceOf(files);
    assert.equal(workspace.renderingCount(), 0);
    assert.equal(render(workspace), 3);
    assert.equal(render(workspace), 0);
  });

  it('shares bases among all kustomizations that include them, and builds an edited one again', () => {
    const renderings = new Renderings();
    const read = (name: string, text: string) => {
      const file = readFile(`${root}/${name}`, text, catalogue);
      return [file.uri, file] as const;
    };
    const more = { ...files, 'base/kustomization.yaml': 'resources: [web.yaml, ../lower]\n' };
    const lower = { 'lower/kustomization.yaml': 'resources: [web.yaml]\n', 'lower/web.yaml': deployment };
    const all = Object.entries({ ...more, ...lower }).map(([name, text]) => read(name, text));
    const workspace = workspaceIn([root], all, { rendered: renderings });
    render(workspace);
    assert.equal(renderings.baseCount, 2);
    render(withFiles(workspace, [read('base/web.yaml', `# more\n${service}`)]));
    assert.equal(renderings.baseCount, 3);
    render(withFiles(workspace, [read('lower/kustomization.yaml', 'resources: []\n')]));
    assert.equal(renderings.baseCount, 5);
  });

  it('shares incomplete bases too, but not cyclic ones', () => {
    const baseCount = (resources: string) => {
      const renderings = new Renderings();
      const all = { ...files, 'base/kustomization.yaml': `resources: ${resources}\n` };
      const read = Object.entries(all).map(([name, text]) => readFile(`${root}/${name}`, text, catalogue));
      const known = read.map((each) => [each.uri, each] as const);
      render(workspaceIn([root], known, { rendered: renderings }));
      return renderings.baseCount;
    };
    assert.equal(baseCount('[web.yaml, gone.yaml]'), 1);
    assert.equal(baseCount('[web.yaml, ../overlays/a]'), 3);
  });

  it('is dropped if it was not used since the last time', () => {
    const workspace = workspaceOf(files);
    render(workspace);
    workspace.evictUnused();
    workspace.rendering(`${root}/other`, catalogue);
    workspace.evictUnused();
    assert.equal(render(workspace), 2);
  });

  it('has names, labels and selectors that are known after it was dropped, until a file changes', () => {
    const workspace = workspaceOf(files);
    const termsIn = (from: Workspace) => [...(from.terms(`${root}/overlays/a`, catalogue)?.terms ?? [])];
    const relations = ['in ?', 'selects in own app', 'selects in own app=web'];
    const terms = ['name a-web', 'name web', ...relations];
    assert.deepEqual(termsIn(workspace), terms);
    workspace.evictUnused();
    workspace.evictUnused();
    assert.deepEqual(termsIn(workspace), terms);
    assert.equal(workspace.renderingCount(), 1);
    const edited = readFile(`${root}/base/web.yaml`, service.replace('name: web', 'name: shop'), catalogue);
    assert.deepEqual(termsIn(withFiles(workspace, [[edited.uri, edited]])), ['name a-shop', 'name shop', ...relations]);
    assert.deepEqual(workspace.terms(`${root}/nowhere`, catalogue), undefined);
  });

  it('is cached until the size limit is reached, which grows if it is needed again, or with all others around a file', () => {
    const folders = ['0', '1', '2', '3', '4', '5'];
    // Each kustomization counts as at least four objects.
    const services = folders.map((folder) => service.replace('name: web', `name: web${folder}`)).join('---\n');
    const renderedAgain = (objects: number, resource: string, more: object = {}) => {
      const lists = folders.map((folder) => [`${folder}/kustomization.yaml`, `resources: [${resource}]\n`] as const);
      const own = folders.map((folder) => [`${folder}/web.yaml`, services] as const);
      const read = Object.entries({ ...Object.fromEntries([...lists, ...own]), ...more }).map(([name, text]) =>
        readFile(`${root}/${name}`, text, catalogue),
      );
      const known = read.map((file) => [file.uri, file] as const);
      const workspace = workspaceIn([root], known, { rendered: new Renderings(objects) });
      const renderAll = () => {
        for (const folder of folders) workspace.rendering(`${root}/${folder}`, catalogue);
        return workspace.renderingCount();
      };
      const counts = [1, 2, 3, 4].map(renderAll);
      return counts.slice(1).map((count, round) => count - (counts[round] ?? 0));
    };
    assert.deepEqual(renderedAgain(0, 'web.yaml'), [4, 0, 0]);
    assert.deepEqual(renderedAgain(36, 'web.yaml'), [0, 0, 0]);
    const base = { 'base/web.yaml': service, 'base/kustomization.yaml': 'resources: [web.yaml]\n' };
    assert.deepEqual(renderedAgain(0, '../base', base), [0, 0, 0]);
  });

  it('is created again if one of its inputs changed', () => {
    const workspace = workspaceOf(files);
    render(workspace);
    const edit = (name: string, text: string | undefined) => {
      const uri = `${root}/${name}`;
      return withFiles(workspace, [[uri, text === undefined ? undefined : readFile(uri, text, catalogue)]]);
    };
    assert.equal(render(edit('base/web.yaml', `# more\n${service}`)), 2);
    assert.equal(render(edit('base/web.yaml', undefined)), 2);
    const fresh = workspaceOf(files);
    render(fresh);
    const uri = `${root}/overlays/a/kustomization.yaml`;
    const changed = withFiles(fresh, [[uri, readFile(uri, overlay('c'), catalogue)]]);
    assert.equal(render(changed), 1);
    const plain = readFile(`${root}/plain.yaml`, service, catalogue);
    assert.equal(render(withFiles(changed, [[plain.uri, plain]])), 0);
  });
});
