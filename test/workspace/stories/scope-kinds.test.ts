/** Tests selections in scopes that a tool or a team defines. */

import assert from 'node:assert/strict';
import { lines } from '../../harness/margin.ts';
import { app, deployment, files, relationsOf, selectionsOf, service, story } from './story.ts';

describe('a workspace', () => {
  it('with a base and five overlays shows an object of the base once', () => {
    const overlays = ['a', 'b', 'c', 'd', 'e'].flatMap((name): [string, string][] => [
      [`overlays/${name}/kustomization.yaml`, 'resources: [../../base, extra.yaml]\n'],
      [`overlays/${name}/extra.yaml`, `${service(`extra-${name}`, undefined, 'app: web')}---\n${deployment('web')}`],
    ]);
    const workspace = story(
      files({
        'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
        'base/web.yaml': deployment('web'),
        'base/service.yaml': service('web'),
        ...Object.fromEntries(overlays.slice(0, 8)),
        'overlays/e/kustomization.yaml': 'resources: [../../base, extra.yaml]\n',
        'overlays/e/extra.yaml': service('extra-e', undefined, 'app: web'),
      }),
    );
    assert.equal(selectionsOf(workspace, 'Service/extra-e'), 'spec.selector\n  here Deployment/web base/web.yaml');
    assert.equal(
      selectionsOf(workspace, 'Service/extra-a'),
      lines(`
        spec.selector
          here Deployment/web overlays/a/extra.yaml
          here Deployment/web base/web.yaml
      `),
    );
  });

  it('with a chart next to plain manifests applies them separately', () => {
    const workspace = story(
      files({
        'Chart.yaml': 'name: shop\n',
        'templates/web.yaml': app('web'),
        'manifests/web.yaml': app('plain').replaceAll('app: plain', 'app: web'),
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/web'),
      lines(`
        spec.selector
          here Deployment/web templates/web.yaml
          elsewhere Deployment/plain manifests/web.yaml
      `),
    );
  });

  it('with OpenShift Templates separates the objects of each', () => {
    const template = (name: string) =>
      lines(`
        apiVersion: template.openshift.io/v1
        kind: Template
        metadata: { name: ${name} }
        objects:
        - { apiVersion: v1, kind: Service, metadata: { name: ${name}-web }, spec: { selector: { app: web } } }
        - { apiVersion: v1, kind: Pod, metadata: { name: ${name}-pod, labels: { app: web } } }
        - { apiVersion: v1, kind: Pod, metadata: { name: "\${NAME}", labels: { app: web } } }
      `).concat('\n');
    const workspace = story(files({ 'all.yaml': `${template('one')}---\n${template('two')}` }));
    assert.equal(
      selectionsOf(workspace, 'Service/two-web'),
      lines(`
        spec.selector
          here Pod/two-pod all.yaml
          here Pod/\${NAME} all.yaml
          elsewhere Pod/one-pod all.yaml
      `),
    );
  });

  it('uses its declared scopes, with their namespaces and clusters', () => {
    const workspace = story(
      files({
        '.selector-lens.yaml': lines(`
          scopes:
            - { name: shop, paths: [shop/**, more/*.yaml], namespace: shop, cluster: eu, with: [platform] }
            - { name: platform, paths: [platform/], namespace: platform, cluster: eu }
            - { name: blog, paths: [blog/], namespace: shop, cluster: eu }
            - { name: us, paths: [us/], namespace: shop, cluster: us }
        `).concat('\n'),
        'shop/service.yaml': service('web'),
        'more/web.yaml': deployment('web'),
        'platform/proxy.yaml': `${deployment('proxy', 'shop', 'app: web')}---\n${deployment('own', undefined, 'app: web')}`,
        'blog/web.yaml': deployment('blog', undefined, 'app: web'),
        'us/web.yaml': deployment('us', undefined, 'app: web'),
        'other/web.yaml': deployment('other', undefined, 'app: web'),
      }),
    );
    assert.equal(
      relationsOf(workspace, 'shop/service.yaml', 'platform/proxy.yaml', 'blog/web.yaml', 'us/web.yaml'),
      lines(`
        shop/service.yaml: platform/proxy.yaml here, blog/web.yaml elsewhere, us/web.yaml apart
        platform/proxy.yaml: shop/service.yaml here, blog/web.yaml elsewhere, us/web.yaml apart
        blog/web.yaml: shop/service.yaml elsewhere, platform/proxy.yaml elsewhere, us/web.yaml apart
        us/web.yaml: shop/service.yaml apart, platform/proxy.yaml apart, blog/web.yaml apart
      `),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/web'),
      lines(`
        spec.selector
          here Deployment/web more/web.yaml
          here shop/Deployment/proxy platform/proxy.yaml
          elsewhere Deployment/blog blog/web.yaml
          elsewhere Deployment/other other/web.yaml: its namespace is not set, and the selector is in \`shop\`
      `),
    );
  });

  it('uses its declared externals, only where they are declared', () => {
    const workspace = story(
      files({
        'team/.selector-lens.yaml': lines(`
          externals:
            - { kind: Pod, namespace: kube-system, name: dns, labels: { k8s-app: my-dns } }
            - { kind: Deployment, group: apps, name: far, spec: { template: { metadata: { labels: { app: far } } } } }
        `).concat('\n'),
        'team/a/dns.yaml': service('dns', 'kube-system', 'k8s-app: my-dns'),
        'team/a/far.yaml': service('far'),
        'others/dns.yaml': service('lost', 'kube-system', 'k8s-app: my-dns'),
      }),
    );
    assert.equal(
      selectionsOf(workspace, 'Service/dns'),
      'spec.selector\n  here kube-system/Pod/dns team/.selector-lens.yaml',
    );
    assert.equal(
      selectionsOf(workspace, 'Service/far'),
      'spec.selector\n  maybe Deployment/far team/.selector-lens.yaml: neither namespace is set, and they are not applied together',
    );
    assert.equal(selectionsOf(workspace, 'Service/lost'), 'spec.selector');
  });

  it('treats files that are declared external or generated as such', () => {
    const workspace = story(
      files({
        '.selector-lens.yaml': 'externals: [{ files: [shared/] }]\ngenerated: [rendered/]\n',
        'shared/kustomization.yaml': 'resources: [../base, pods.yaml]\n',
        'shared/pods.yaml': deployment('pods', 'a', 'app: web'),
        'base/kustomization.yaml': 'resources: [service.yaml]\n',
        'base/service.yaml': service('web', 'a'),
        'prod/kustomization.yaml': 'resources: [../base, extra.yaml]\n',
        'prod/extra.yaml': service('extra', 'a', 'app: web'),
        'rendered/all.yaml': `${deployment('pods', 'a', 'app: web')}---\n${deployment('more', 'a', 'app: web')}`,
      }),
    );
    assert.equal(
      relationsOf(workspace, 'prod/extra.yaml', 'shared/pods.yaml', 'rendered/all.yaml'),
      lines(`
        prod/extra.yaml: shared/pods.yaml here, rendered/all.yaml apart
        shared/pods.yaml: prod/extra.yaml here, rendered/all.yaml apart
        rendered/all.yaml: prod/extra.yaml apart, shared/pods.yaml apart
      `),
    );
  });
});
