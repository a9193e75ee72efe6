/** Tests what Applications of Argo CD apply: which files, and the changes to their objects. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { labeledObjectsOf } from '../../../server/src/manifests/label-sets.ts';
import { seenBy } from '../../../server/src/workspace/kustomize/view.ts';
import { reaches } from '../../../server/src/workspace/selection/namespaces.ts';
import { lines } from '../../harness/margin.ts';
import { deployment, root, service, workspaceOf } from '../kustomizations.ts';
import { app, configMap, detailed, objects, scopes, set } from './applications.ts';

describe('an Application', () => {
  it('builds the manifests of its folder, without those of folders in it (scenario 19)', () => {
    const files = {
      'argocd/app.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': service,
      'shop/deep/b.yaml': configMap('deep'),
      'other/c.yaml': configMap('other'),
    };
    assert.equal(
      scopes(files),
      lines(`
        argo-application argocd/app.yaml: shop/a.yaml
        folder argocd: argocd/app.yaml
        folder other: other/c.yaml
        folder shop/deep: shop/deep/b.yaml
      `),
    );
    const recursive = { ...files, 'argocd/app.yaml': app('shop', 'path: shop, directory: {recurse: true}') };
    assert.match(scopes(recursive), /app.yaml: shop\/a.yaml, shop\/deep\/b.yaml\n/);
    const some = {
      ...files,
      'argocd/app.yaml': app('shop', 'path: shop, directory: {recurse: true, exclude: "deep/*"}'),
    };
    assert.match(scopes(some), /app.yaml: shop\/a.yaml\n/);
  });

  it('leaves out files that say so', () => {
    const files = {
      'argocd/app.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': service,
      'shop/b.yaml': `# +argocd:skip-file-rendering\n${configMap('b')}`,
    };
    assert.equal(objects(files, 'argocd/app.yaml'), 'Service/web in prod');
  });

  it('reads words such as y and yes as kubectl does, unless kustomize builds the folder', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {y: b, on: c}}\n',
    };
    const labelsIn = (all: Readonly<Record<string, string>>) => {
      const rendering = workspaceOf(all).rendering(`${root}/app.yaml`, catalogue);
      return labeledObjectsOf(rendering?.objects[0]?.object ?? assert.fail())[0]?.labels;
    };
    assert.deepEqual(labelsIn(files), { true: 'c' });
    assert.deepEqual(labelsIn({ ...files, 'shop/kustomization.yaml': 'resources: [a.yaml]\n' }), { y: 'b', on: 'c' });
  });

  it('sets the namespace of objects without one, never of the cluster’s own objects', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': [
        configMap('a'),
        configMap('b', ', namespace: own'),
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: c, namespace: wrong}\n',
        'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: d}\n',
      ].join('---\n'),
    };
    assert.equal(objects(files), 'ConfigMap/a in prod\nConfigMap/b in own\nNamespace/c\nThing/d in prod');
    const without = { ...files, 'app.yaml': app('shop', 'path: shop', 'server: x') };
    assert.match(objects(without), /^ConfigMap\/a\n/);
  });

  it('creates its namespace with labels if its options say so', () => {
    const policy = (options: string) =>
      `, syncPolicy: {syncOptions: [${options}], managedNamespaceMetadata: {labels: {team: a}}}`;
    const files = (options: string, more = '') => ({
      'app.yaml': app('shop', 'path: shop', 'namespace: prod', policy(options)),
      'shop/a.yaml': configMap('a') + more,
    });
    assert.equal(
      detailed(files('Validate=false, CreateNamespace=true')),
      'ConfigMap/a in prod\nNamespace/prod\n  metadata.labels: team=a and more',
    );
    assert.equal(detailed(files('CreateNamespace=false')), 'ConfigMap/a in prod');
    const own = '---\napiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n';
    assert.equal(detailed(files('CreateNamespace=true', own)), 'ConfigMap/a in prod\nNamespace/prod');
    const parent = { 'kustomization.yaml': 'namespace: argo\nresources: [app.yaml]\n' };
    assert.match(detailed({ ...files('CreateNamespace=true'), ...parent }), /\nNamespace\/prod\n.*: team=a and more$/);
  });

  it('selects pods in its created namespace by the labels of the namespace', () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {}
  ingress: [{from: [{namespaceSelector: {matchLabels: {team: a}}, podSelector: {matchLabels: {app: web}}}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
`;
    const created = 'syncPolicy: {syncOptions: [CreateNamespace=true], managedNamespaceMetadata: {labels: {team: a}}}';
    const answers = (more: string) => {
      const workspace = workspaceOf({
        'app.yaml': app('shop', 'path: shop', 'namespace: prod', more),
        'shop/a.yaml': policy,
      });
      const [scope] = workspace.scopes().of(`${root}/shop/a.yaml`);
      const view = scope && seenBy(workspace, catalogue, scope);
      const file = view?.files.get(`${root}/shop/a.yaml`);
      const [owner, pod] = file?.manifest.objects ?? [];
      const site = owner?.selectorSites.find(({ path }) => path.endsWith('[0].podSelector'));
      if (view === undefined || file === undefined || owner === undefined || pod === undefined || site === undefined)
        return '';
      return reaches(view, catalogue, { file, object: owner }, site, { file, object: pod }).answer;
    };
    assert.equal(answers(`, ${created}`), 'yes');
    assert.equal(answers(''), 'maybe');
  });

  it('builds a kustomization with its options, and prefers it to a chart (scenario 20)', () => {
    const options = `kustomize: {namePrefix: p-, nameSuffix: -s, namespace: other, commonLabels: {team: $ARGOCD_APP_NAME},
      commonAnnotations: {note: x}, patches: [{target: {kind: Service}, patch: '[{op: add, path: /metadata/labels, value: {patched: "yes"}}]'}]}`;
    const files = {
      'app.yaml': app('shop', `path: shop, ${options}`),
      'shop/Chart.yaml': 'name: shop\n',
      'shop/kustomization.yaml': 'resources: [a.yaml]\nnamespace: mine\nnamePrefix: dev-\n',
      'shop/a.yaml': service,
    };
    assert.equal(
      detailed(files),
      lines(`
        Service/p-web-s in other
          metadata.labels: patched=yes, team=shop
          metadata.annotations: note=x
          spec.selector: app=web,team=shop
      `),
    );
  });

  it('keeps labels out of selectors and templates if its options say so', () => {
    const files = (options: string) => ({
      'app.yaml': app('shop', `path: shop, kustomize: {commonLabels: {team: a}, ${options}}`),
      'shop/kustomization.yaml': 'resources: [a.yaml]\n',
      'shop/a.yaml': service,
    });
    assert.match(detailed(files('labelWithoutSelector: true')), /labels: team=a\n {2}spec.selector: app=web$/);
    assert.match(detailed(files('forceCommonLabels: true')), /selector: app=web,team=a$/);
  });

  it('applies patches of files relative to the kustomization, and components', () => {
    const files = {
      'argocd/app.yaml': app('shop', 'path: shop, kustomize: {patches: [{path: patch.yaml}], components: [../extra]}'),
      'shop/kustomization.yaml': 'resources: [a.yaml]\n',
      'shop/a.yaml': service,
      'shop/patch.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web, labels: {from: patch}}\n',
      'extra/kustomization.yaml': 'kind: Component\nresources: [b.yaml]\n',
      'extra/b.yaml': configMap('b'),
    };
    assert.equal(objects(files, 'argocd/app.yaml'), 'Service/web in prod\nConfigMap/b in prod');
    assert.match(detailed(files, 'argocd/app.yaml'), /labels: from=patch/);
  });

  it('ignores an empty block for another tool (scenario 21)', () => {
    const files = {
      'app.yaml': app('shop', 'path: shop, kustomize: {}'),
      'shop/Chart.yaml': 'name: shop\n',
      'shop/templates/a.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-web\n',
    };
    assert.equal(objects(files), 'Service/shop-web in prod');
  });

  const chart = {
    'shop/Chart.yaml': 'name: shop\n',
    'shop/values.yaml': 'app: web\ntier: front\n',
    'shop/templates/a.yaml': lines(`
      apiVersion: v1
      kind: Service
      metadata:
        name: {{ .Release.Name }}
        namespace: {{ .Release.Namespace }}
      spec:
        selector:
          app: {{ .Values.app }}
          tier: {{ .Values.tier }}
    `),
  };

  it('installs a chart with its release name, its namespace and its values', () => {
    const one = (helm: string) => detailed({ ...chart, 'app.yaml': app('blog', `path: shop, helm: {${helm}}`) });
    assert.equal(one(''), 'Service/blog in prod\n  spec.selector: app=web,tier=front');
    assert.equal(one('releaseName: r, namespace: n'), 'Service/r in n\n  spec.selector: app=web,tier=front');
    assert.match(one('parameters: [{name: app, value: api}]'), /app=api,tier=front/);
    assert.match(one('values: "app: a", valuesObject: {tier: b}'), /app=web,tier=b/);
    assert.match(one('valueFiles: [prod.yaml]'), /app=\*|\{\{/);
    assert.match(one('fileParameters: [{name: app, path: app.txt}]'), /app=\*,tier=front/);
  });

  it('installs the definitions of a chart unless it skips them', () => {
    const definition =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n';
    const files = (helm: string) => ({
      ...chart,
      'shop/crds/thing.yaml': definition,
      'app.yaml': app('blog', `path: shop, helm: {${helm}}`),
    });
    assert.match(objects(files('')), /CustomResourceDefinition/);
    assert.doesNotMatch(objects(files('skipCrds: true')), /CustomResourceDefinition/);
  });

  it('installs the tests of a chart unless it skips them', () => {
    const files = (helm: string) => ({
      ...chart,
      'shop/templates/tests/a.yaml': configMap('test', ', annotations: {helm.sh/hook: "pre-install, test"}'),
      'shop/templates/b.yaml': configMap('hook', ', annotations: {helm.sh/hook: pre-install}'),
      'app.yaml': app('blog', `path: shop, helm: {${helm}}`),
    });
    assert.match(objects(files('')), /ConfigMap\/test/);
    assert.doesNotMatch(objects(files('skipTests: true')), /ConfigMap\/test/);
    assert.match(objects(files('skipTests: true')), /ConfigMap\/hook/);
  });

  it('installs no hook for an event that Helm does not have', () => {
    const files = {
      ...chart,
      'shop/templates/a.yaml': configMap('old', ', annotations: {helm.sh/hook: crd-install}'),
      'shop/templates/b.yaml': configMap('mixed', ', annotations: {helm.sh/hook: "pre-install,test-failure"}'),
      'shop/templates/c.yaml': configMap('known', ', annotations: {helm.sh/hook: "Pre-Install , post-upgrade"}'),
      'shop/crds/d.yaml': configMap('file', ', annotations: {helm.sh/hook: crd-install}'),
      'app.yaml': app('blog', 'path: shop'),
    };
    assert.match(objects(files), /ConfigMap\/known/);
    assert.match(objects(files), /ConfigMap\/file/);
    assert.doesNotMatch(objects(files), /ConfigMap\/(old|mixed)/);
  });

  it('is the same scope in every order of files', () => {
    const files = {
      'argocd/a.yaml': app('a', 'path: shop'),
      'argocd/b.yaml': app('b', 'path: apps, directory: {recurse: true}'),
      'apps/x/web.yaml': service,
      'shop/kustomization.yaml': 'resources: [web.yaml]\n',
      'shop/web.yaml': service,
    };
    const sorted = (text: string) => text.split('\n').toSorted().join('\n');
    const reversed = Object.fromEntries(Object.entries(files).toReversed());
    assert.equal(sorted(scopes(reversed)), sorted(scopes(files)));
    const unrelated = { ...files, 'zoo/map.yaml': configMap('zoo') };
    assert.equal(sorted(scopes(unrelated)), sorted(`${scopes(files)}\nfolder zoo: zoo/map.yaml`));
  });

  it('is open with a chart of a registry, a plugin, an unknown path or a hydrator', () => {
    const open = (source: string) => scopes({ 'app.yaml': app('shop', source), 'shop/a.yaml': service }).split('\n')[0];
    assert.equal(
      open('chart: redis, targetRevision: 1.0.0'),
      "argo-application app.yaml:  (app.yaml installs the chart 'redis', which is not in the workspace.)",
    );
    assert.match(open('path: shop, plugin: {name: x}') ?? '', /with a plugin/);
    assert.match(open('path: nowhere') ?? '', /app.yaml: {2}\(/);
    assert.match(open(`path: '\${FOLDER}'`) ?? '', /app.yaml: {2}\(/);
  });

  it('joins several sources: the last of two equal objects counts', () => {
    const sources = `sources: [{repoURL: https://example.com/shop, path: a}, {repoURL: https://example.com/shop, path: b},
      {repoURL: https://example.com/shop, ref: values}], source: {path: ignored}`;
    const files = {
      'app.yaml': app('shop', 'path: c').replace(/spec: .*/, `spec: {${sources}, destination: {namespace: prod}}`),
      'a/x.yaml': `${configMap('x')}---\n${configMap('y', ', labels: {from: a}')}`,
      'b/x.yaml': configMap('y', ', labels: {from: b}'),
    };
    assert.equal(detailed(files), 'ConfigMap/x in prod\nConfigMap/y in prod\n  metadata.labels: from=b');
    const generated = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: z-}\n';
    const both = detailed({ ...files, 'a/x.yaml': generated, 'b/x.yaml': generated });
    assert.equal(both.split('\n').filter((line) => line.startsWith('ConfigMap/')).length, 2);
  });

  it('builds other Applications, which are scopes of their own', () => {
    const files = {
      'argocd/root.yaml': app('root', 'path: apps', 'namespace: argocd'),
      'apps/shop.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': service,
    };
    assert.equal(
      scopes(files),
      lines(`
        argo-application apps/shop.yaml: shop/a.yaml
        argo-application argocd/root.yaml: apps/shop.yaml
        folder argocd: argocd/root.yaml
      `),
    );
  });

  it('is apart from others over the same files (scenario 25), and in another cluster', () => {
    const relation = (one: string, other: string) => {
      const all = workspaceOf({
        'one.yaml': one,
        'other.yaml': other,
        'shop/a.yaml': service,
        'blog/a.yaml': configMap('blog'),
      }).scopes();
      return [all.relation(`${root}/shop/a.yaml`, `${root}/blog/a.yaml`), all.of(`${root}/shop/a.yaml`).length].join(
        ' ',
      );
    };
    const [here, there] = ['server: https://kubernetes.default.svc', 'server: https://there.example.com'];
    assert.equal(relation(app('a', 'path: shop', here), app('b', 'path: blog', 'name: in-cluster')), 'elsewhere 1');
    assert.equal(relation(app('a', 'path: shop', here), app('b', 'path: blog', there)), 'apart 1');
    assert.equal(relation(app('a', 'path: shop', 'name: far'), app('b', 'path: blog', there)), 'elsewhere 1');
    assert.equal(
      relation(app('a', 'path: shop', 'namespace: x'), app('b', 'path: shop', 'namespace: y')),
      'elsewhere 2',
    );
  });

  it('is read as its parent builds it', () => {
    const files = {
      'root.yaml': app('root', 'path: apps', 'namespace: argocd'),
      'apps/kustomization.yaml':
        'resources: [shop.yaml]\npatches: [{target: {kind: Application}, patch: "[{op: replace, path: /spec/destination/namespace, value: test}]"}]\n',
      'apps/shop.yaml': app('shop', 'path: shop'),
      'shop/a.yaml': service,
    };
    assert.equal(objects(files, 'apps/shop.yaml'), 'Service/web in test');
  });
});

describe('the tracking label of Argo CD', () => {
  const settings = (data: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {${data}}\n`;
  const files = (data: string) => ({
    'app.yaml': app('shop', 'path: shop'),
    'argocd/cm.yaml': settings(data),
    'shop/a.yaml': `${configMap('a', ', labels: {app.kubernetes.io/instance: own}')}---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n`,
  });

  it('is set only if the settings say so', () => {
    assert.match(detailed(files('other: x')), /instance=own/);
    assert.match(detailed(files('application.resourceTrackingMethod: annotation')), /instance=own/);
    assert.match(detailed(files('application.resourceTrackingMethod: label')), /instance=shop/);
    assert.match(
      detailed(files('application.resourceTrackingMethod: label, application.instanceLabelKey: argo/app')),
      /instance=own, argo\/app=shop/,
    );
  });

  it('is set in templates of pods only with the key of old versions', () => {
    const all = (key: string) => ({
      ...files(`application.resourceTrackingMethod: label, application.instanceLabelKey: ${key}`),
      'shop/a.yaml': deployment,
    });
    const inTemplate = /spec\.template\.metadata\.labels: (.*)/;
    const old = 'applications.argoproj.io/app-name';
    assert.equal(inTemplate.exec(detailed(all(old)))?.[1], `app=web, ${old}=shop`);
    assert.equal(inTemplate.exec(detailed(all('argo/app')))?.[1], 'app=web');
  });

  it('is not set on definitions of kinds', () => {
    assert.doesNotMatch(detailed(files('application.resourceTrackingMethod: label')), /CustomResourceDefinition\/x\n/);
  });
});

describe('an ApplicationSet', () => {
  it('is a scope for each Application that it creates', () => {
    const files = {
      'argocd/set.yaml': set(`
        generators:
        - git: {repoURL: https://example.com/shop.git, directories: [{path: apps/*}]}
        template:
          metadata: {name: 'x-{{path.basename}}'}
          spec:
            source: {repoURL: https://example.com/shop.git, path: '{{path}}'}
            destination: {namespace: '{{path.basename}}'}
      `),
      'apps/web/a.yaml': service,
      'apps/api/a.yaml': configMap('api'),
    };
    assert.equal(
      scopes(files),
      lines(`
        argo-application argocd/set.yaml#x-api: apps/api/a.yaml
        argo-application argocd/set.yaml#x-web: apps/web/a.yaml
        folder argocd: argocd/set.yaml
      `),
    );
    assert.equal(objects(files, 'argocd/set.yaml#x-web'), 'Service/web in web');
    assert.equal(objects(files, 'argocd/set.yaml#x-api'), 'ConfigMap/api in api');
  });

  it('is known by path over unknown clusters (scenario 24)', () => {
    const files = {
      'argocd/set.yaml': set(`
        goTemplate: true
        generators:
        - matrix:
            generators:
            - clusters: {}
            - git: {repoURL: https://example.com/shop.git, directories: [{path: apps/*}]}
        template:
          metadata: {name: '{{.name}}-{{.path.basename}}'}
          spec:
            source: {repoURL: https://example.com/shop.git, path: '{{.path.path}}'}
            destination: {namespace: prod, server: '{{.server}}'}
      `),
      'apps/web/a.yaml': service,
    };
    assert.match(scopes(files), /^argo-application argocd\/set.yaml#.*-web: apps\/web\/a.yaml\n/);
    const [scope] = workspaceOf(files).scopes().all();
    assert.equal(objects(files, scope?.path.slice(root.length + 1)), 'Service/web in prod');
  });

  it('is open if files do not decide its generators', () => {
    const files = {
      'argocd/set.yaml': set(`
        generators: [{clusters: {}}]
        template:
          metadata: {name: '{{name}}'}
          spec: {source: {repoURL: https://example.com/shop.git, path: '{{name}}'}, destination: {namespace: x}}
      `),
      'apps/web/a.yaml': service,
    };
    assert.match(
      scopes(files),
      /folder argocd: argocd\/set.yaml \(set.yaml .*contains the kind ApplicationSet, whose objects/,
    );
  });
});
