/** Tests selections in typical workspaces. */

import assert from 'node:assert/strict';
import { lines } from '../../harness/margin.ts';
import { app, deployment, files, relationsOf, selectionsOf, service, story } from './story.ts';

const namespace = (name: string, labels = '') =>
  `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, labels: { ${labels} } }\n`;

const peer = (from: string) =>
  lines(`
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: { name: guard, namespace: shop }
    spec:
      podSelector: { matchLabels: { app: web } }
      ingress:
      - from:
        - ${from}
  `).concat('\n');

describe('a workspace', () => {
  it('of many services separates them, and shows the others as elsewhere', () => {
    const workspace = story(
      files({
        'services/cart/k8s/app.yaml': app('web'),
        'services/cart/k8s/extra.yaml': deployment('web-canary', undefined, 'app: web'),
        'services/login/k8s/app.yaml': `${service('login', undefined, 'app: login')}---\n${deployment('login')}`,
        'services/pages/k8s/pages.yaml': deployment('pages', undefined, 'app: web'),
        'services/cart/charts/readme.md.yaml': 'text: 1\n',
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/web'),
      lines(`
        spec.selector
          here Deployment/web services/cart/k8s/app.yaml
          here Deployment/web-canary services/cart/k8s/extra.yaml
          elsewhere Deployment/pages services/pages/k8s/pages.yaml
      `),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/login'),
      'spec.selector\n  here Deployment/login services/login/k8s/app.yaml',
    );
  });

  it('with copies for prod and staging matches each copy with itself and with shared objects', () => {
    const workspace = story(
      files({
        'deploy/shared.yaml': deployment('shared', undefined, 'app: web'),
        'deploy/prod/web.yaml': deployment('web'),
        'deploy/prod/service.yaml': service('web'),
        'deploy/staging/web.yaml': deployment('web'),
        'deploy/staging/service.yaml': service('web'),
        'deploy/staging/debug.yaml': deployment('debug', undefined, 'app: web'),
        'deploy/check.yaml': service('check', undefined, 'app: web'),
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/web', 'deploy/prod/service.yaml'),
      lines(`
        spec.selector
          here Deployment/web deploy/prod/web.yaml
          here Deployment/shared deploy/shared.yaml
      `),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/check'),
      lines(`
        spec.selector
          here Deployment/shared deploy/shared.yaml
          here Deployment/web deploy/prod/web.yaml
          here Deployment/debug deploy/staging/debug.yaml
          here Deployment/web deploy/staging/web.yaml
      `),
    );
    assert.equal(
      relationsOf(workspace, 'deploy/prod/service.yaml', 'deploy/staging/debug.yaml', 'deploy/shared.yaml'),
      lines(`
        deploy/prod/service.yaml: deploy/staging/debug.yaml apart, deploy/shared.yaml here
        deploy/staging/debug.yaml: deploy/prod/service.yaml apart, deploy/shared.yaml here
        deploy/shared.yaml: deploy/prod/service.yaml here, deploy/staging/debug.yaml here
      `),
    );
  });

  it('with alternatives in one folder matches each file with itself and with the rest', () => {
    const workspace = story(
      files({
        'nginx/plain.yaml': app('nginx'),
        'nginx/tls.yaml': app('nginx'),
        'nginx/probe.yaml': deployment('probe', undefined, 'app: nginx'),
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/nginx', 'nginx/tls.yaml'),
      lines(`
        spec.selector
          here Deployment/nginx nginx/tls.yaml
          here Deployment/probe nginx/probe.yaml
      `),
    );
  });

  it('with a rendered copy next to its source counts every object once', () => {
    const workspace = story(
      files({
        'all.yaml': `${app('web')}---\n${app('cache')}`,
        'parts/web.yaml': deployment('web'),
        'parts/service.yaml': service('web'),
        'far/away/release.yaml': app('web'),
      }),
    );
    const one = (file: string, pods: string) =>
      assert.equal(selectionsOf(workspace, 'Service/web', file), `spec.selector\n  here Deployment/web ${pods}`);
    one('all.yaml', 'all.yaml');
    one('parts/service.yaml', 'parts/web.yaml');
    one('far/away/release.yaml', 'far/away/release.yaml');
  });

  it('with a single manifest at its root does not become one scope', () => {
    const workspace = story(
      files({
        'debug.yaml': deployment('debug', undefined, 'app: web'),
        'apps/shop/web.yaml': app('web'),
        'apps/blog/blog.yaml': app('blog'),
      }),
    );
    assert.equal(
      relationsOf(workspace, 'debug.yaml', 'apps/shop/web.yaml', 'apps/blog/blog.yaml'),
      lines(`
        debug.yaml: apps/shop/web.yaml elsewhere, apps/blog/blog.yaml elsewhere
        apps/shop/web.yaml: debug.yaml elsewhere, apps/blog/blog.yaml elsewhere
        apps/blog/blog.yaml: debug.yaml elsewhere, apps/shop/web.yaml elsewhere
      `),
    );
  });

  it('with a folder for each component matches across folders in one namespace that all name', () => {
    const workspace = story(
      files({
        'shop/namespace.yaml': namespace('shop'),
        'shop/web/namespace.yaml': namespace('shop'),
        'shop/web/deployment.yaml': deployment('web', 'shop'),
        'shop/web/service.yaml': service('web', 'shop'),
        'shop/proxy/namespace.yaml': namespace('shop'),
        'shop/proxy/service.yaml': service('to-web', 'shop', 'app: web'),
      }),
    );
    for (const name of ['Service/web', 'Service/to-web']) {
      assert.equal(selectionsOf(workspace, name), 'spec.selector\n  here shop/Deployment/web shop/web/deployment.yaml');
    }
  });

  it('with partly missing namespaces has possible matches, and none for two different ones', () => {
    const workspace = story(
      files({
        'a/service.yaml': service('web', 'shop', 'tier: front'),
        'a/same.yaml': deployment('same', 'shop', 'tier: front'),
        'a/absent.yaml': deployment('absent', undefined, 'tier: front'),
        'a/other.yaml': deployment('other', 'blog', 'tier: front'),
        'a/both-absent.yaml': service('plain', undefined, 'tier: front'),
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/web'),
      lines(`
        spec.selector
          here shop/Deployment/same a/same.yaml
          maybe Deployment/absent a/absent.yaml: its namespace is not set, and the selector is in \`shop\`
      `),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/plain'),
      lines(`
        spec.selector
          here Deployment/absent a/absent.yaml
          maybe blog/Deployment/other a/other.yaml: it is in \`blog\`, and the namespace of the selector is not set
          maybe shop/Deployment/same a/same.yaml: it is in \`shop\`, and the namespace of the selector is not set
      `),
    );
  });

  it('with NetworkPolicies across namespaces evaluates the labels of the namespaces, including their names', () => {
    const base = {
      'a/namespaces.yaml': `${namespace('shop', 'team: red')}---\n${namespace('blog', 'team: blue')}`,
      'a/web.yaml': deployment('web', 'shop'),
      'a/blog.yaml': deployment('blog', 'blog', 'role: client'),
      'a/own.yaml': deployment('own', 'shop', 'role: client'),
    };
    const selected = (from: string) =>
      selectionsOf(story(files({ ...base, 'a/policy.yaml': peer(from) })), 'NetworkPolicy/guard')
        .split('\n')
        .slice(2)
        .join('\n');
    assert.equal(
      selected('{ podSelector: { matchLabels: { role: client } } }'),
      lines(`
        spec.ingress[0].from[0].podSelector
          here shop/Deployment/own a/own.yaml
      `),
    );
    assert.equal(
      selected('{ podSelector: { matchLabels: { role: client } }, namespaceSelector: {} }'),
      lines(`
        spec.ingress[0].from[0].podSelector
          here blog/Deployment/blog a/blog.yaml
          here shop/Deployment/own a/own.yaml
        spec.ingress[0].from[0].namespaceSelector
          here Namespace/shop a/namespaces.yaml
          here Namespace/blog a/namespaces.yaml
      `),
    );
    const byName = '{ matchLabels: { kubernetes.io/metadata.name: blog } }';
    const byTeam = '{ matchLabels: { team: blue } }';
    for (const selector of [byName, byTeam]) {
      assert.equal(
        selected(`{ podSelector: { matchLabels: { role: client } }, namespaceSelector: ${selector} }`),
        lines(`
          spec.ingress[0].from[0].podSelector
            here blog/Deployment/blog a/blog.yaml
          spec.ingress[0].from[0].namespaceSelector
            here Namespace/blog a/namespaces.yaml
        `),
      );
    }
    assert.equal(
      selected(
        '{ podSelector: { matchLabels: { k8s-app: kube-dns } }, namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } } }',
      ),
      lines(`
        spec.ingress[0].from[0].podSelector
          elsewhere kube-system/Pod/coredns-* (every cluster)
        spec.ingress[0].from[0].namespaceSelector
          elsewhere Namespace/kube-system (every cluster)
      `),
    );
  });

  it('that contains kube-system has it once', () => {
    const policy = peer('{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } } }');
    const workspace = story(files({ 'a/policy.yaml': policy, 'b/system.yaml': namespace('kube-system', 'a: b') }));
    assert.equal(
      selectionsOf(workspace, 'NetworkPolicy/guard').split('\n').at(-1),
      '  elsewhere Namespace/kube-system b/system.yaml',
    );
  });

  it('that lists namespaces next to a selector uses these', () => {
    const pods = {
      'a/shop.yaml': service('one', 'shop', 'x: y').replace('one,', 'one, labels: { metrics: on },'),
      'a/blog.yaml': service('two', 'blog', 'x: y').replace('two,', 'two, labels: { metrics: on },'),
      'a/any.yaml': service('three', undefined, 'x: y').replace('three }', 'three, labels: { metrics: on } }'),
    };
    const monitor = (namespaces: string) =>
      lines(`
        apiVersion: monitoring.coreos.com/v1
        kind: ServiceMonitor
        metadata: { name: all, namespace: monitoring }
        spec:
          selector: { matchLabels: { metrics: "on" } }
          namespaceSelector: ${namespaces}
      `).concat('\n');
    const selected = (namespaces: string) =>
      selectionsOf(story(files({ ...pods, 'a/monitor.yaml': monitor(namespaces) })), 'ServiceMonitor/all');
    assert.equal(
      selected('{ matchNames: [shop] }'),
      lines(`
        spec.selector
          here shop/Service/one a/shop.yaml
          maybe Service/three a/any.yaml: its namespace is not set
      `),
    );
    assert.equal(
      selected('{ any: true }'),
      lines(`
        spec.selector
          here Service/three a/any.yaml
          here blog/Service/two a/blog.yaml
          here shop/Service/one a/shop.yaml
      `),
    );
    const own =
      'spec.selector\n  maybe Service/three a/any.yaml: its namespace is not set, and the selector is in `monitoring`';
    for (const namespaces of ['{}', '{ matchNames: [] }', '{ any: false }']) assert.equal(selected(namespaces), own);
  });
});

describe('a base of several overlays', () => {
  const twoOverlays = {
    'base/kustomization.yaml': 'resources: [service.yaml]\n',
    'base/service.yaml': service('web'),
    'extra/kustomization.yaml': 'resources: [web.yaml]\n',
    'extra/web.yaml': deployment('web'),
    'dev/kustomization.yaml': 'resources: [../base, ../extra]\n',
    'test/kustomization.yaml': 'resources: [../base]\n',
  };

  it('may match objects that only some of them contain, which are then not elsewhere', () => {
    const another = { 'other/kustomization.yaml': 'resources: [../extra]\n' };
    assert.equal(
      selectionsOf(story(files({ ...twoOverlays, ...another })), 'Service/web'),
      'spec.selector\n  maybe Deployment/web extra/web.yaml: only in dev',
    );
  });

  it('matches objects that all of them contain', () => {
    const both = { ...twoOverlays, 'test/kustomization.yaml': 'resources: [../base, ../extra]\n' };
    assert.equal(
      selectionsOf(story(files(both)), 'Service/web'),
      'spec.selector\n  here Deployment/web extra/web.yaml',
    );
  });
});
