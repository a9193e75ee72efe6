/** Tests what a review says about several applications, overlays, pods of one workload, owners and files of other tools. */
import assert from 'node:assert/strict';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { type Files, review } from './review-world.ts';

const workload = (name: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  ${more}
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: a, image: a, ports: [{containerPort: 80}]}]}}
`;
const service = (app: string) =>
  `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop}, spec: {selector: {app: ${app}}}}\n`;
const policy = (name: string, spec: string) =>
  `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: ${name}}, spec: {${spec}}}\n`;
const denying = policy('deny', 'podSelector: {}, policyTypes: [Ingress]');
const allowing = (app: string) =>
  policy(
    'allow',
    `podSelector: {matchLabels: {app: web}}, ingress: [{from: [{podSelector: {matchLabels: {app: ${app}}}}]}]`,
  ).replace('name: allow', 'name: allow, namespace: shop');

const application = (name: string, server = 'https://kubernetes.default.svc') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: 'https://github.com/acme/shop', path: apps/${name}}
  destination: {server: '${server}', namespace: shop}
`;

/** Two Applications, of which it is not certain that they apply to one cluster. */
const applications = (more: Files): Files => ({
  'argocd/a.yaml': application('a'),
  'argocd/b.yaml': application('b'),
  'apps/a/web.yaml': workload('web'),
  'apps/b/api.yaml': workload('api'),
  ...more,
});

const overlays = (base: Files, namespaced: boolean): Files => ({
  ...Object.fromEntries(Object.entries(base).map(([path, text]) => [`base/${path}`, text])),
  ...Object.fromEntries(
    ['dev', 'prod', 'test'].map((name) => [
      `overlays/${name}/kustomization.yaml`,
      `resources: [../../base]\n${namespaced ? `namespace: ${name}\n` : ''}`,
    ]),
  ),
});

describe('a review of several applications', () => {
  it('gives no all-clear if a match changes in case they apply to one cluster', async () => {
    const { out, code } = await review(
      applications({ 'apps/b/s.yaml': service('web') }),
      applications({ 'apps/b/s.yaml': service('wob') }),
      '--fail-on',
      'incomplete',
    );
    assert.equal(code, 1);
    assert.equal(out[0], 'Nothing found, but not everything was evaluated. Selectors of 1 object change.');
    assert.match(
      out.join('\n'),
      /Service\/s in shop .* may select Deployment\/web in shop .*, if both GitOps objects apply/,
    );
  });

  it('names a new Service without pods, and recognizes an application beside which another one is added', async () => {
    const one = { 'argocd/apps.yaml': application('a'), 'apps/a/web.yaml': workload('web') };
    const { out } = await review(one, {
      ...one,
      'argocd/apps.yaml': `${application('a')}---\n${application('b')}`,
      'apps/b/api.yaml': workload('api'),
      'apps/b/s.yaml': service('apo'),
    });
    assert.equal(out[0], '3 added objects (1 Service without endpoints).');
    assert.match(
      out.join('\n'),
      / {2}Adds .*\n {2}Service\/s in shop \(Application\/b\) selects no pods of these manifests \(apps\/b\/s\.yaml:1\)\. It requires `app=apo`, and Deployment\/api has `app=api`\.\n/,
    );
  });

  it('does not say that objects are removed that a removed Application may have built with a plugin', async () => {
    const withPlugin = (name: string) =>
      application(name).replace(`path: apps/${name}`, 'path: apps, plugin: {name: include}');
    const files = (...names: readonly string[]): Files => ({
      ...Object.fromEntries(names.map((name) => [`argocd/${name}.yaml`, withPlugin(name)])),
      'apps/web.yaml': workload('web'),
    });
    const { out } = await review({ ...files('a', 'b'), 'apps/api.yaml': workload('api') }, files('a'));
    const text = out.join('\n');
    assert.match(text, /Removes Application\/b and Deployment\/api/);
    assert.doesNotMatch(text, /Deployment\/web/);
    assert.match(text, /Not evaluated: /);
  });

  it('knows that applications with the same objects apply to several clusters', async () => {
    const twice = (app: string): Files => ({
      'argocd/a.yaml': application('a', '{{one}}'),
      'argocd/b.yaml': application('b', '{{other}}'),
      ...Object.fromEntries(
        ['a', 'b'].flatMap((name) => [
          [`apps/${name}/web.yaml`, workload('web')],
          [`apps/${name}/s.yaml`, service(name === 'a' ? app : 'web')],
        ]),
      ),
    });
    const { out } = await review(twice('web'), twice('wob'));
    assert.doesNotMatch(out.join('\n'), /may select/);
    assert.match(out[0] ?? '', /^1 lost match/);
  });
});

describe('a review of overlays', () => {
  const base = { 'web.yaml': workload('web').replace(', namespace: shop', ''), 'deny.yaml': denying };
  const kustomization = (files: string): Files => ({ 'kustomization.yaml': `resources: [${files}]\n` });

  it('names an object once that several overlays add in their namespaces', async () => {
    const { out } = await review(
      overlays({ ...base, ...kustomization('web.yaml') }, true),
      overlays({ ...base, ...kustomization('web.yaml, deny.yaml') }, true),
    );
    assert.match(out.join('\n'), /\n {2}Adds NetworkPolicy\/deny in 3 namespaces\.\n/);
  });

  it('does not list a file as added that overlays no longer build', async () => {
    const { out } = await review(
      overlays({ ...base, ...kustomization('web.yaml, deny.yaml') }, false),
      overlays({ ...base, ...kustomization('web.yaml') }, false),
    );
    assert.doesNotMatch(out.join('\n'), /Adds/);
    assert.match(
      out.join('\n'),
      /In the same 3 overlays: NetworkPolicy\/deny is removed from these manifests: once it is pruned or deleted from the cluster, it no longer applies to Deployment\/web/,
    );
  });
});

describe('a review of connections between the pods of a workload', () => {
  for (const [replicas, says] of [
    [
      'replicas: 3',
      /The pods of Deployment\/web in shop can no longer connect to each other on all ports \(p\.yaml:1\)\./,
    ],
    ['replicas: 1', /^1 network policy without matching sources\.\n(?!.*connect to each other)/],
  ] as const)
    it(`states them with ${replicas}`, async () => {
      const files = { 'web.yaml': workload('web', replicas) };
      const { out } = await review({ ...files, 'p.yaml': allowing('web') }, { ...files, 'p.yaml': allowing('other') });
      assert.match(out.join('\n'), says);
    });
});

describe('a review', () => {
  it('names the owners of a file with literals of a generator, without markup', async () => {
    const generator = (value: string) => ({
      'web.yaml': workload('web'),
      'kustomization.yaml': `resources: [web.yaml]\nconfigMapGenerator: [{name: c, literals: [a=${value}]}]\n`,
      CODEOWNERS: 'kustomization.yaml @acme/`shop\nweb.yaml @acme/`web\n',
    });
    const { out } = await review(generator('1'), generator('2'), '--format', 'markdown');
    assert.match(out.join('\n'), /Owners to ask: `@acme\/'shop`\./);
    for (const { by, links } of renderMarkdown(out.join('\n'))) assert.deepEqual(links, [], by);
  });

  it('fails for a broken reference because of which an update is refused', async () => {
    const mounting = (volumes: string) => ({
      'web.yaml': workload('web')
        .replace('image: a', 'image: a, volumeMounts: [{name: d, mountPath: /d}]')
        .replace('spec: {containers', `spec: {${volumes}containers`),
    });
    const { out, code } = await review(mounting('volumes: [{name: d}], '), mounting(''), '--fail-on', 'broken');
    assert.deepEqual([out[0], code], ['1 refused update.', 1]);
  });

  it('names a part without a name', async () => {
    const release = (replicas: number) => ({
      'web.yaml': workload('web', `replicas: ${replicas}`),
      'r.yaml':
        'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r, namespace: shop}\nspec: {chart: {spec: {chart: "", version: "*", sourceRef: {kind: HelmRepository, name: x}}}}\n',
    });
    const { out } = await review(release(1), release(2));
    assert.doesNotMatch(out.join('\n'), /chart {2}/);
  });

  it('is complete if only times of a release and files of other tools change', async () => {
    const release = (interval: string, tool: string) => ({
      'web.yaml': workload('web'),
      'Taskfile.yaml': `version: ${tool}\n`,
      'r.yaml': `# ${tool}\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r, namespace: shop}\nspec: {interval: ${interval}, chart: {spec: {chart: redis, version: 1.2.3, sourceRef: {kind: HelmRepository, name: x}}}}\n`,
    });
    const { out } = await review(release('1m', '2'), release('2m', '3'));
    assert.match(out[0] ?? '', /^No selector, reference, connection or immutable field changes\./);
    const otherChart = (version: string) => release(`1m, chartRef: {kind: OCIRepository, name: ${version}}`, '2');
    assert.match((await review(otherChart('a'), otherChart('b'))).out[0] ?? '', /^Nothing found, but not/);
  });

  it('states what Services of several overlays with different names lose if their workloads are recreated', async () => {
    const base = (app: string) => ({
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'base/a.yaml':
        `${workload('web').replaceAll('app: web', `app: ${app}`)}---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n`.replaceAll(
          ', namespace: shop',
          '',
        ),
      ...Object.fromEntries(
        ['a', 'b'].map((each) => [
          `${each}/kustomization.yaml`,
          `namespace: ${each}\nnamePrefix: ${each}-\nresources: [../base]\n`,
        ]),
      ),
    });
    const text = (await review(base('web'), base('website'))).out.join('\n');
    assert.match(
      text,
      /\nAfter the refused objects are recreated\n {2}Service\/a-web no longer selects Deployment\/a-web in a\. .*\n {2}Service\/b-web no longer selects/,
    );
  });

  it('treats the number of a container with a label in an environment variable as no change', async () => {
    const field =
      '{name: own, image: b, env: [{name: V, valueFrom: {fieldRef: {fieldPath: "metadata.labels[\'app\']"}}}]}';
    const pod = (containers: string) => ({
      'web.yaml': workload('web').replace(/containers: \[.*\]/, `containers: [${containers}]`),
    });
    const { out } = await review(pod(`{name: other, image: a}, ${field}`), pod(field));
    assert.match(out[0] ?? '', /^No selector, reference, connection or immutable field changes\./);
  });
});
