/** Tests which objects in different files are reported because two GitOps objects apply them to one cluster. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const local = 'server: https://kubernetes.default.svc, namespace: shop';
const remote = 'server: https://prod.example.com, namespace: shop';

const repository = 'repoURL: https://git.example.com/shop.git';

function app(name: string, source: string, destination = local, more = ''): string {
  return `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: ${name}, namespace: argocd${more}}
    spec: {source: {${repository}, path: ${source}}, destination: {${destination}}}`;
}

/** A Kustomization or a HelmRelease with a spec. */
function flux(name: string, spec: string, kind = 'kustomize.toolkit.fluxcd.io/v1 Kustomization', more = ''): string {
  const [apiVersion, kindName] = kind.split(' ');
  return `
    ---
    apiVersion: ${apiVersion}
    kind: ${kindName}
    metadata: {name: ${name}, namespace: flux-system${more}}
    spec: {interval: 10m, ${spec}}`;
}

const from = 'prune: true, sourceRef: {kind: GitRepository, name: flux-system}';
const release = 'helm.toolkit.fluxcd.io/v2 HelmRelease';

const map = (name = 'web', more = '') => `
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: ${name}${more}}`;

const rootApp = `
    ==> root.yaml <==${app('root', 'apps', 'server: https://kubernetes.default.svc, namespace: argocd')}`;

const rootFlux = `
    ==> clusters/dev/flux-system/sync.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: flux-system, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/shop.git}${flux('flux-system', `path: ./clusters/dev, ${from}`)}`;

/** The owners that findings about the files in the folders `one` and `two` name. */
async function owners(files: string): Promise<readonly string[]> {
  const b = await bench(files);
  const found = ['one/a.yaml', 'two/b.yaml'].flatMap((path) => b.findings(path));
  return found
    .filter(({ rule }) => rule === 'gitops-double-owner')
    .map(({ message, severity, related }) => {
      const [what] = message.split(/: |, which/);
      return `${severity}: ${what} (${related.map(({ message: about }) => about).join(' ')})`;
    });
}

/** The owners of two files in an app of apps. */
const inApps = (apps: string, one = map(), two = map(), more = '') =>
  owners(`${rootApp}
    ==> apps/all.yaml <==${apps}
    ==> one/a.yaml <==${one}
    ==> two/b.yaml <==${two}${more}`);

/** The owners of two files in a cluster with Flux. */
const inFlux = (kustomizations: string, one = map(), two = map(), more = '') =>
  owners(`${rootFlux}
    ==> clusters/dev/all.yaml <==${kustomizations}
    ==> one/a.yaml <==${one}
    ==> two/b.yaml <==${two}${more}`);

const shop = ', targetNamespace: shop';
const both = flux('a', `path: ./one${shop}, ${from}`) + flux('b', `path: ./two${shop}, ${from}`);

describe('an object in two files', () => {
  it('are not found for the files that the Applications of two clusters share', async () => {
    const one = (name: string, include: string) =>
      app(name, 'one').replace('path: one', `path: one, directory: {include: '{**all.yaml,**${include}.yaml}'}`);
    const shared = `==> one/all.yaml <==${map()}`;
    const found = async (a: string, b: string) => {
      const files = `\n    ==> apps/blue.yaml <==${one('blue', a)}\n    ==> apps/green.yaml <==${one('green', b)}\n    ${shared}`;
      return (await bench(files)).findings('one/all.yaml').length;
    };
    assert.equal(await found('blue', 'green'), 0);
    assert.equal(await found('blue', 'blue'), 1);
  });

  it('has two owners in the cluster of an app of apps', async () => {
    assert.deepEqual(await inApps(app('a', 'one') + app('b', 'two')), [
      "warning: ConfigMap 'web' in namespace 'shop' is applied by Applications 'a' and 'b' (Application 'b' applies this ConfigMap. Application 'a' is defined here. Application 'b' is defined here.)",
      "warning: ConfigMap 'web' in namespace 'shop' is applied by Applications 'b' and 'a' (Application 'a' applies this ConfigMap. Application 'b' is defined here. Application 'a' is defined here.)",
    ]);
    assert.equal((await inApps(app('a', 'one', remote) + app('b', 'two', remote))).length, 2);
    assert.equal(
      (await inApps(app('a', 'one', 'name: x, namespace: shop') + app('b', 'two', 'name: x, namespace: shop'))).length,
      2,
    );
  });

  it('has two owners in the cluster of a Flux Kustomization', async () => {
    assert.equal((await inFlux(both)).length, 2);
    const config = ', kubeConfig: {secretRef: {name: prod}}';
    assert.equal((await inFlux(both.replaceAll(shop, shop + config))).length, 2);
  });

  it('has one owner in each cluster', async () => {
    assert.deepEqual(await inApps(app('a', 'one') + app('b', 'two', remote)), []);
    assert.deepEqual(await inApps(app('a', 'one', 'namespace: shop') + app('b', 'two', 'namespace: shop')), []);
    assert.deepEqual(await inFlux(both.replace(shop, `${shop}, kubeConfig: {secretRef: {name: prod}}`)), []);
    const tenants = both.replaceAll(shop, `${shop}, kubeConfig: {secretRef: {name: prod}}`);
    assert.deepEqual(await inFlux(tenants.replace('name: b, namespace: flux-system', 'name: b, namespace: b')), []);
  });

  it('has no certain owners in plain folders, in other clusters, and below Applications of other clusters', async () => {
    const files = `\n    ==> one/a.yaml <==${map()}\n    ==> two/b.yaml <==${map()}`;
    assert.deepEqual(
      await owners(`
    ==> argocd/a.yaml <==${app('a', 'one')}
    ==> argocd/b.yaml <==${app('b', 'two')}${files}`),
      [],
    );
    const [one, two] = both.split(/(?=\n {4}---)/);
    const prod = rootFlux.replaceAll('clusters/dev', 'clusters/prod');
    assert.deepEqual(
      await owners(`${rootFlux}${prod}
    ==> clusters/dev/a.yaml <==${one}
    ==> clusters/prod/b.yaml <==${two}${files}`),
      [],
    );
    const below = app('prod', 'prod', 'server: https://prod.example.com, namespace: argocd');
    const b = `\n    ==> prod/b.yaml <==${app('b', 'two')}`;
    assert.deepEqual(await inApps(app('a', 'one') + below, map(), map(), b), []);
    assert.equal((await inApps(app('a', 'one', remote) + below, map(), map(), b)).length, 2);
  });

  it('has other owners in other namespaces, with other names, or with unknown names', async () => {
    assert.deepEqual(await inApps(app('a', 'one') + app('b', 'two', local.replace('shop', 'other'))), []);
    assert.deepEqual(
      await inApps(
        app('a', 'one') + app('b', 'two, kustomize: {namePrefix: b-}'),
        map(),
        map(),
        '\n    ==> two/kustomization.yaml <==\n    resources: [b.yaml]',
      ),
      [],
    );
    assert.deepEqual(await inFlux(both, map(`\${NAME}`), map(`\${NAME}`)), []);
    assert.deepEqual(await inFlux(both.replaceAll(shop, '')), []);
  });

  it('has two owners with the names that they give it', async () => {
    const prefixed = both.replace('./two', './two, namePrefix: b-');
    assert.equal((await inFlux(prefixed, map('b-web'))).length, 2);
    const variables = both.replace(from, `${from}, postBuild: {substitute: {NAME: web}}`);
    assert.equal((await inFlux(variables, map(`\${NAME}`))).length, 2);
  });

  it('has a Kustomization and an Application as owners', async () => {
    const argocd = flux('argocd', `path: ./apps, ${from}`) + flux('a', `path: ./one${shop}, ${from}`);
    const mixed = (destination: string) =>
      inFlux(argocd, map(), map(), `\n    ==> apps/b.yaml <==${app('b', 'two', destination)}`);
    const [first] = await mixed(local);
    assert.match(first ?? '', /is applied by Kustomization 'a' and Application 'b' \(/);
    assert.deepEqual(await mixed(remote), []);
  });

  it('has two HelmReleases as owners', async () => {
    const chart = (path: string) =>
      `releaseName: web, chart: {spec: {chart: ./${path}, sourceRef: {kind: GitRepository, name: flux-system}}}, targetNamespace: shop`;
    const text = `
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: '{{ .Release.Name }}'}`;
    const conditional = (name: string, condition: string) => `
    {{- if ${condition} }}
    ---${map(name)}
    {{- end }}`;
    const more =
      conditional('met', '.Values.shown') +
      conditional('unknown', '.Capabilities.x') +
      conditional('off', '.Values.off');
    const b = await bench(`${rootFlux}
    ==> clusters/dev/all.yaml <==${flux('a', chart('one'), release)}${flux('b', chart('two'), release)}
    ==> one/Chart.yaml <==
    {apiVersion: v2, name: one, version: 0.1.0}
    ==> one/values.yaml <==
    shown: true
    ==> two/values.yaml <==
    shown: true
    ==> one/templates/a.yaml <==${text}${more}
    ==> two/Chart.yaml <==
    {apiVersion: v2, name: two, version: 0.1.0}
    ==> two/templates/b.yaml <==${text}${more}`);
    assert.deepEqual(
      b.findings('one/templates/a.yaml').map(({ message }) => message),
      [
        "ConfigMap 'web' in namespace 'shop' is applied by HelmRelease 'a' and HelmRelease 'b', which overwrite each other's version.",
        "ConfigMap 'met' in namespace 'shop' is applied by HelmRelease 'a' and HelmRelease 'b', which overwrite each other's version.",
      ],
    );
  });

  it('may be a HelmRelease or, as information, its source, but not a Kustomization or the source of the cluster', async () => {
    const source = (kind: string, name: string) => `
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: ${kind}
    metadata: {name: ${name}, namespace: shop}`;
    const spec = 'chartRef: {kind: OCIRepository, name: web}';
    const object = flux('web', spec, release).replaceAll('namespace: flux-system', 'namespace: shop');
    const found = async (text: string) =>
      (await inFlux(both, text, text)).map((each) => each.replace(/ is applied.*/, ''));
    assert.deepEqual(await found(object), Array(2).fill("warning: HelmRelease 'web' in namespace 'shop'"));
    for (const kind of ['OCIRepository', 'HelmRepository', 'GitRepository'])
      assert.deepEqual(
        await found(source(kind, 'web')),
        Array(2).fill(`information: ${kind} 'web' in namespace 'shop'`),
      );
    assert.deepEqual(await found(source('GitRepository', 'flux-system')), []);
    assert.deepEqual(await found(flux('web', `path: ./three, ${from}`)), []);
  });

  it('has one owner if the other one is suspended, skipped or an alternative, or does not overwrite it', async () => {
    assert.deepEqual(await inFlux(both.replace('./two', './two, suspend: true')), []);
    assert.deepEqual(await inFlux(both.replace('./two', `./two, suspend: \${OFF}`)), []);
    assert.equal((await inFlux(both.replace('./two', './two, suspend: false'))).length, 2);
    const skipped = ", annotations: {argocd.argoproj.io/skip-reconcile: 'true'}";
    assert.deepEqual(await inApps(app('a', 'one') + app('b', 'two', local, skipped)), []);
    assert.deepEqual(await inApps(app('a', 'one') + app('a', 'two')), []);
    for (const annotation of ['kustomize.toolkit.fluxcd.io/ssa: IfNotPresent', 'argocd.argoproj.io/hook: PreSync']) {
      const excluded = map('web', `, annotations: {${annotation}}`);
      assert.deepEqual(await inFlux(both, map(), excluded), []);
    }
  });

  it('is information for a Namespace, and includes cluster-scoped objects', async () => {
    const plain = both.replaceAll(shop, '');
    const namespace = '\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: shop}';
    const [found] = await inFlux(plain, namespace, namespace);
    assert.match(found ?? '', /^information: Namespace 'shop' is applied by Kustomizations 'a' and 'b' /);
    const role =
      '\n    apiVersion: rbac.authorization.k8s.io/v1\n    kind: ClusterRole\n    metadata: {name: view-all}\n    rules: []';
    assert.equal((await inFlux(plain, role, role)).length, 2);
    const definition =
      '\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: webs.example.com}\n    spec: {group: example.com, names: {kind: Web, plural: webs}, scope: Cluster, versions: []}';
    assert.deepEqual(await inFlux(plain, definition, definition), []);
    const options = ', syncPolicy: {syncOptions: [CreateNamespace=true], managedNamespaceMetadata: {labels: {a: b}}}}';
    const created = app('b', 'two').replace(/\}$/, options);
    assert.deepEqual(await inApps(app('a', 'one') + created, namespace), []);
  });

  it('has two owners of one ApplicationSet, unless its clusters are unknown', async () => {
    const set = (generator: string, server: string) => `
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: ApplicationSet
    metadata: {name: all, namespace: argocd}
    spec:
      generators: [${generator}]
      template:
        metadata: {name: 'web-{{part}}'}
        spec: {source: {${repository}, path: '{{part}}'}, destination: {server: '${server}', namespace: shop}}`;
    const list =
      '{list: {elements: [{part: one, server: https://a.example.com}, {part: two, server: https://b.example.com}]}}';
    const [found] = await inApps(set(list, 'https://kubernetes.default.svc'));
    assert.match(
      found ?? '',
      /'web-one' and 'web-two' \(.* Application 'web-one' and Application 'web-two' are defined here\.\)/,
    );
    assert.deepEqual(await inApps(set(list, '{{server}}')), []);
    const server = 'https://kubernetes.default.svc';
    const skipped = "{name: 'web-{{part}}', annotations: {argocd.argoproj.io/skip-reconcile: 'true'}}";
    assert.deepEqual(await inApps(set(list, server).replace("{name: 'web-{{part}}'}", skipped)), []);
    const patch = "\n      templatePatch: '{spec: {destination: {server: {{.server}}}}}'";
    assert.deepEqual(await inApps(set(list, server) + patch), []);
    const matrix = `{matrix: {generators: [{clusters: {}}, ${list.replaceAll('server', 'other')}]}}`;
    assert.deepEqual(await inApps(set(matrix, '{{server}}')), []);
  });

  it('has the owners that a chart of Applications defines', async () => {
    const chart = `
    ==> apps/Chart.yaml <==
    {apiVersion: v2, name: apps, version: 0.1.0}
    ==> apps/values.yaml <==
    apps: [{name: one}, {name: two}]
    ==> apps/templates/apps.yaml <==
    {{- range .Values.apps }}
    ---
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: {{ .name }}, namespace: argocd}
    spec: {source: {${repository}, path: {{ .name }}}, destination: {${local}}}
    {{- end }}
    ==> one/a.yaml <==${map()}
    ==> two/b.yaml <==${map()}`;
    assert.equal((await owners(rootApp + chart)).length, 2);
    // Each of two roots installs one of the Applications, in a cluster of its own.
    const roots = ['one', 'two'].map(
      (name) => `
    ==> roots/${name}.yaml <==${app(name, `apps, helm: {values: "apps: [{name: ${name}}]"}`, 'server: https://kubernetes.default.svc, namespace: argocd')}`,
    );
    assert.deepEqual(await owners(roots.join('') + chart), []);
  });

  it('has one owner if a template of a chart defines it, which is read as written and as rendered', async () => {
    const cluster = 'server: https://kubernetes.default.svc, namespace: argocd';
    const chart = `
    ==> root.yaml <==${app('root', 'apps, helm: {values: "environment: prod"}', cluster)}
    ==> apps/Chart.yaml <==
    {apiVersion: v2, name: apps, version: 0.1.0}
    ==> apps/values.yaml <==
    environment: dev
    ==> apps/templates/one.yaml <==
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: "one-{{ .Values.environment }}", namespace: argocd}
    spec: {source: {${repository}, path: one}, destination: {${local}}}
    ==> one/a.yaml <==${map()}
    ==> two/b.yaml <==${map('other')}`;
    assert.deepEqual(await owners(chart), []);
  });
});
