/** Tests which names in objects of Flux are reported as missing, next to objects that are in no file. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

/** The findings about a Kustomization with a source and dependencies, next to a HelmRelease that makes the scope open. */
async function findings(source: string, dependency: string): Promise<string> {
  const b = await bench(`
    ==> cluster/apps.yaml <==
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: apps, namespace: flux-system}
    spec:
      interval: 10m
      prune: true
      path: ./apps
      sourceRef: {kind: GitRepository, ${source}}
      dependsOn: [{${dependency}}]
    ==> cluster/others.yaml <==
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: GitRepository
    metadata: {name: platform, namespace: flux-system}
    spec: {interval: 1m, url: https://git.example.com/platform.git}
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: infrastructure, namespace: flux-system}
    spec: {interval: 10m, prune: true, path: ./infra, sourceRef: {kind: GitRepository, name: platform}}
    ---
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: redis, namespace: flux-system}
    spec: {interval: 10m, chartRef: {kind: OCIRepository, name: redis}}
  `);
  const found = b.findings('cluster/apps.yaml').map(({ rule, message }) => `${rule}: ${message}`);
  return found.join('\n');
}

describe('a name in an object of Flux', () => {
  it('is reported if exactly one object of its kind has a similar name', async () => {
    const missing = 'reference-missing: No';
    assert.equal(
      await findings('name: platfrom', 'name: infrastructure'),
      `${missing} GitRepository 'platfrom' in this scope. Closest: GitRepository/platform.`,
    );
    assert.equal(
      await findings('name: platform', 'name: infrastucture'),
      `${missing} Kustomization 'infrastucture' in this scope. Closest: Kustomization/infrastructure.`,
    );
  });

  it('is not reported without a similar name, in another namespace, and with a placeholder', async () => {
    assert.equal(await findings('name: flux-system', 'name: elsewhere'), '');
    assert.equal(await findings('name: platfrom, namespace: other', 'name: infrastucture, namespace: other'), '');
    assert.equal(await findings(`name: "\${SOURCE}"`, 'name: infrastructure'), '');
  });

  it('is reported if only another namespace of the cluster contains an object with this name', async () => {
    const found = async (dependency: string, more = '', kustomization = '') => {
      const ks = (name: string, namespace: string, options = '') => `
        ---
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: ${name}, namespace: ${namespace}}
        spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}${options}}`;
      const b = await bench(`
        ==> clusters/dev/sync.yaml <==
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: flux-system, namespace: flux-system}
        spec: {interval: 1m, url: https://git.example.com/fleet.git}
        ---
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: flux-system, namespace: flux-system}
        spec: {interval: 10m, prune: true, path: ./clusters/dev, sourceRef: {kind: GitRepository, name: flux-system}}
        ==> clusters/dev/media.yaml <==${ks('plex', 'media')}${more && ks('plex', more)}
        ==> clusters/dev/gatus.yaml <==${ks('gatus', 'observability', `, dependsOn: [${dependency}]`)}
        ==> clusters/dev/${kustomization === '' ? 'none.txt' : 'kustomization.yaml'} <==
        ${kustomization}
        ==> plex/map.yaml <==
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: plex, namespace: media}
        ==> gatus/map.yaml <==
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: gatus, namespace: observability}
      `);
      return b.findings('clusters/dev/gatus.yaml').map(({ rule, message }) => `${rule}: ${message}`);
    };
    const missing = (namespace: string) => [
      `reference-missing: No Kustomization 'plex' in namespace '${namespace}'. It is in namespace 'media'.`,
    ];
    assert.deepEqual(await found('{name: plex}'), missing('observability'));
    assert.deepEqual(await found('{name: plex, namespace: downloads}'), missing('downloads'));
    assert.deepEqual(await found('{name: plex, namespace: media}'), []);
    assert.deepEqual(await found('{name: plex}', 'observability'), []);
    assert.deepEqual(await found('{name: plex}', 'elsewhere'), []);
    const moved =
      'apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization, resources: [media.yaml, gatus.yaml, sync.yaml]';
    assert.deepEqual(await found('{name: plex}', '', `{${moved}}`), missing('observability'));
    assert.deepEqual(await found('{name: plex}', '', `{${moved}, namespace: all}`), []);
  });

  it('may be that of an artifact that an ArtifactGenerator creates', async () => {
    const b = (name: string) =>
      bench(`
        ==> cluster/apps.yaml <==
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: apps, namespace: flux-system}
        spec: {interval: 10m, prune: true, path: ./, sourceRef: {kind: ExternalArtifact, name: ${name}}}
        ---
        apiVersion: source.extensions.fluxcd.io/v1beta1
        kind: ArtifactGenerator
        metadata: {name: fleet, namespace: flux-system}
        spec:
          sources: [{alias: repo, kind: GitRepository, name: flux-system}]
          artifacts: [{name: platform, copy: [{from: "@repo/apps/**", to: "@artifact/"}]}]
      `);
    const found = async (name: string) => (await b(name)).findings('cluster/apps.yaml').map(({ message }) => message);
    assert.deepEqual(await found('platfrom'), [
      "No ExternalArtifact 'platfrom' in this scope. Closest: ExternalArtifact/platform.",
    ]);
    assert.deepEqual(await found('platform'), []);
  });

  describe('for variables', () => {
    /** The findings about two Kustomizations in one file that use variables, next to one in another file. */
    const found = async (name: string, usual = 'cluster-vars', kind = 'ConfigMap', more = '') => {
      const user = (own: string, from: string) => `
        ---
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: ${own}, namespace: flux-system}
        spec:
          interval: 10m
          prune: true
          path: ./apps/${own}
          sourceRef: {kind: GitRepository, name: flux-system}
          postBuild: {substituteFrom: [{kind: ${kind}, name: ${from}${more}}]}`;
      const b = await bench(`
        ==> cluster/apps.yaml <==${user('web', name)}${user('blog', name)}
        ==> cluster/configs.yaml <==${user('configs', usual)}
        ==> cluster/vars.yaml <==
        apiVersion: v1
        kind: ${kind}
        metadata: {name: cluster-vars, namespace: flux-system}
        ==> cluster/sync.yaml <==
        apiVersion: source.toolkit.fluxcd.io/v1
        kind: GitRepository
        metadata: {name: flux-system, namespace: flux-system}
        spec: {interval: 1m, url: https://git.example.com/fleet.git}
        ---
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: flux-system, namespace: flux-system}
        spec: {interval: 10m, prune: true, path: ./cluster, sourceRef: {kind: GitRepository, name: flux-system}}
        ==> apps/web/map.yaml <==
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: web, namespace: web}
        ==> apps/blog/map.yaml <==
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: blog, namespace: blog}
        ==> apps/configs/map.yaml <==
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: configs, namespace: configs}
      `);
      const all = ['cluster/apps.yaml', 'cluster/configs.yaml'].flatMap((path) => b.findings(path));
      return all.filter(({ rule, severity }) => rule === 'reference-missing' && severity !== 'hint').length;
    };

    it('is reported although one file repeats it, if other files name the existing object', async () => {
      assert.equal(await found('cluster-var'), 2);
      assert.equal(await found('clustr-vars'), 2);
      assert.equal(await found('cluster-varz'), 2);
    });

    it('is not reported if other files repeat it, for optional and different names, and for short names of Secrets', async () => {
      assert.equal(await found('cluster-vars'), 0);
      assert.equal(await found('cluster-varz', 'cluster-varz'), 0);
      assert.equal(await found('cluster-var', 'other'), 0);
      assert.equal(await found('cluster-vars-eu'), 0);
      assert.equal(await found('tenant-vars'), 0);
      assert.equal(await found('cluster-var', 'cluster-vars', 'ConfigMap', ', optional: true'), 0);
      assert.equal(await found('cluster-var', 'cluster-vars', 'Secret'), 0);
    });
  });
});

describe('a short name with an additional letter', () => {
  const found = async (own: string, target: string, more = '', isClosed = true) => {
    const b = await bench(`
      ==> app/kustomization.yaml <==
      apiVersion: kustomize.config.k8s.io/v1beta1
      kind: Kustomization
      resources: [app.yaml${isClosed ? '' : ', https://git.example.com/other//app'}]
      ==> app/app.yaml <==
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: ${own}, namespace: shop}
      spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${target}}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      ${more}
    `);
    const missing = b.findings('app/app.yaml').filter(({ rule }) => rule === 'reference-missing');
    return missing.flatMap(({ severity, message }) => (severity === 'hint' ? [] : [message]));
  };
  const other = (namespace: string) => `
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: proxy, namespace: ${namespace}}`;

  it('is reported if the object is the only one of its kind, and all others are known', async () => {
    const message = "No Deployment 'webs' in this scope: nothing is scaled. Closest: Deployment/web.";
    assert.deepEqual(await found('web', 'webs'), [message]);
    assert.deepEqual(await found('web-scaler', 'webs', other('proxy')), [message]);
  });

  it('is reported for the source of an ImageUpdateAutomation, and for the project of an Application', async () => {
    const b = await bench(`
      ==> cluster/all.yaml <==
      apiVersion: source.toolkit.fluxcd.io/v1
      kind: GitRepository
      metadata: {name: platform, namespace: flux-system}
      spec: {interval: 1m, url: https://git.example.com/platform.git}
      ---
      apiVersion: image.toolkit.fluxcd.io/v1
      kind: ImageUpdateAutomation
      metadata: {name: all, namespace: flux-system}
      spec: {interval: 30m, sourceRef: {kind: GitRepository, name: platfrom}, git: {commit: {author: {email: a@example.com}}}}
      ==> argocd/projects/all.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: AppProject
      metadata: {name: platform, namespace: argocd}
      spec: {}
      ==> argocd/apps/all.yaml <==
      apiVersion: argoproj.io/v1alpha1
      kind: Application
      metadata: {name: shop, namespace: argocd}
      spec: {project: platfrom, source: {repoURL: https://git.example.com/a.git, path: x}, destination: {name: a}}
      ---
      apiVersion: argoproj.io/v1alpha1
      kind: ApplicationSet
      metadata: {name: all, namespace: argocd}
      spec:
        generators: [{list: {elements: [{name: a}]}}]
        template:
          metadata: {name: '{{name}}'}
          spec: {project: platforn, source: {repoURL: https://git.example.com/a.git, path: x}, destination: {name: a}}
    `);
    const found = (file: string) =>
      b.findings(file).flatMap(({ rule, message }) => (rule === 'reference-missing' ? [message] : []));
    assert.deepEqual(found('cluster/all.yaml'), [
      "No GitRepository 'platfrom' in this scope. Closest: GitRepository/platform.",
    ]);
    assert.deepEqual(found('argocd/apps/all.yaml'), [
      "No AppProject 'platfrom' in this cluster. Closest: AppProject/platform.",
      "No AppProject 'platforn' in this cluster. Closest: AppProject/platform.",
    ]);
  });

  it('is reported for the ImageRepository of an ImagePolicy', async () => {
    const found = async (name: string, more = '') => {
      const b = await bench(`
        ==> cluster/image.yaml <==
        apiVersion: image.toolkit.fluxcd.io/v1
        kind: ImageRepository
        metadata: {name: api, namespace: flux-system}
        spec: {image: ghcr.io/example/api, interval: 5m}
        ---
        apiVersion: image.toolkit.fluxcd.io/v1
        kind: ImagePolicy
        metadata: {name: api, namespace: flux-system}
        spec: {imageRepositoryRef: {name: ${name}}, policy: {numerical: {order: asc}}}${more}
        ==> cluster/kustomization.yaml <==
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources: [image.yaml]
      `);
      return b.findings('cluster/image.yaml').map(({ message }) => message);
    };
    assert.deepEqual(await found('apis'), ["No ImageRepository 'apis' in this scope. Closest: ImageRepository/api."]);
    assert.deepEqual(await found('api'), []);
    const other = `
        ---
        apiVersion: image.toolkit.fluxcd.io/v1
        kind: ImageRepository
        metadata: {name: web, namespace: flux-system}
        spec: {image: ghcr.io/example/web, interval: 5m}`;
    assert.deepEqual(await found('apis', other), []);
  });

  it('is not reported next to other objects, in an open scope, and if the referring object has the name', async () => {
    assert.deepEqual(await found('web', 'webs', other('shop')), []);
    assert.deepEqual(await found('web', 'webs', '', false), []);
    assert.deepEqual(await found('webs', 'webs'), []);
    assert.deepEqual(await found('scaler', 'webs'), []);
  });
});
