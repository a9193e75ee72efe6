/** Tests that GitOps objects share the work that they may cause, so that many of them cannot multiply it. */

import assert from 'node:assert/strict';
import { shareOfRelease } from '../../../server/src/workspace/gitops/scope-questions.ts';
import { type Bench, bench } from '../../harness/bench.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

const workspace = (definitions: string, pod = '{apiVersion: v1, kind: Pod, metadata: {name: p}}') =>
  bench(`
    ==> chart/Chart.yaml <==
    apiVersion: v2
    name: chart
    version: 1.0.0
    ==> chart/templates/pod.yaml <==
    ${pod}
    ==> apps.yaml <==
    ${definitions}
  `);

const scopesOf = async (definitions: string) => (await workspace(definitions)).session.snapshot().scopes();

const limitsIn = (found: Bench, file = 'apps.yaml') =>
  found
    .findings(file)
    .flatMap(({ rule, message, severity }) => (rule === 'analysis-limit' ? [`${severity}: ${message}`] : []));

const source = '{repoURL: https://example.com/r, path: chart}';
const destination = '{server: https://kubernetes.default.svc, namespace: shop}';

describe('the work of releases of charts', () => {
  const application = (n: number) =>
    `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a${n}, namespace: argocd}, spec: {project: default, destination: ${destination}, source: ${source}}}`;

  it('is shared by all releases, and the share of each is certain and never too small for small charts', async () => {
    const shares: string[] = [];
    for (const count of [1, 100, 8_000]) {
      const scopes = await scopesOf(numbers(count).map(application).join('\n    ---\n    '));
      assert.equal(scopes.all().filter(({ gitops }) => gitops !== undefined).length, count);
      shares.push(...shareOfRelease(scopes));
    }
    assert.deepEqual(shares, ['1200000', '393216', '8000']);
  });

  it('is limited, and each release beyond the limit is reported at its definition', async () => {
    const slow = '{{ range until 2000 }}{{ range until 2000 }}#{{ end }}{{ end }}';
    const pod = '{apiVersion: v1, kind: Pod, metadata: {name: p}}';
    assert.deepEqual(limitsIn(await workspace(application(0), pod)), []);
    assert.deepEqual(limitsIn(await workspace(`${application(0)}\n    ---\n    ${application(1)}`, `${pod} ${slow}`)), [
      ...Array.from(
        { length: 2 },
        () =>
          'warning: Building this release takes too many steps or builds too many objects, so some of its objects are unknown.',
      ),
    ]);
  });

  it('is reported if the output of a template is too long', async () => {
    const long = `{{ range until 100 }}{{ range until 1000 }}#${'-'.repeat(50)}{{ end }}{{ end }}`;
    const pod = '{apiVersion: v1, kind: Pod, metadata: {name: p}}';
    assert.equal(limitsIn(await workspace(application(0), `${pod} ${long}`)).length, 1);
  });

  it('counts the patches of a HelmRelease, without which its objects are unknown', async () => {
    const patch = `{target: {kind: Pod}, patch: '[{op: add, path: /metadata/labels/tier, value: x}]'}`;
    const release = (patches: number) =>
      `{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: r, namespace: shop}, spec: {chart: {spec: {chart: ./chart, sourceRef: {kind: GitRepository, name: g}}}, postRenderers: [{kustomize: {patches: [${numbers(patches).map(() => patch)}]}}]}}`;
    const pods =
      '{{ range until 400 }}\n    {apiVersion: v1, kind: Pod, metadata: {name: "p{{ . }}", labels: {app: a}}}\n    ---\n    {{ end }}';
    assert.deepEqual(limitsIn(await workspace(release(1), pods)), []);
    assert.deepEqual(limitsIn(await workspace(release(400), pods)), [
      'warning: Building this release takes too many steps or builds too many objects, so some of its objects are unknown.',
    ]);
  });

  it('counts each copy of data', async () => {
    const copies = '{{ $d := dict }}{{ range until 14 }}{{ $d = dict "a" (deepCopy $d) "b" (deepCopy $d) }}{{ end }}';
    const pod = '{apiVersion: v1, kind: Pod, metadata: {name: p}}';
    const few = await workspace(application(0), `${pod} ${copies}`);
    assert.deepEqual(limitsIn(few), []);
    const many = await workspace(application(0), `${pod} {{ range until 12 }}${copies}{{ end }}`);
    assert.equal(limitsIn(many).length, 1);
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are variables of Flux.
describe('the work of replacing variables', () => {
  const kustomization = (n: number, value: string) =>
    `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: k${n}, namespace: flux-system}, spec: {path: ./app, postBuild: {substitute: {V: ${value}}}}}`;
  const replacing = (label: string, value: string) =>
    bench(`
    ==> app/pods.yaml <==
    ${numbers(20)
      .map((n) => `{apiVersion: v1, kind: Pod, metadata: {name: p${n}, labels: {app: "p${n}-${label}"}}}`)
      .join('\n    ---\n    ')}
    ==> apps.yaml <==
    ${kustomization(0, value)}
    ---
    ${kustomization(1, value)}
  `);

  it('is shared by all Kustomizations, and each beyond the limit is reported at its definition', async () => {
    assert.deepEqual(limitsIn(await replacing('${V}', 'a')), []);
    const many = await replacing('${V/a/b}${V:0:9}${V%%*b}'.repeat(1_000), 'a'.repeat(5_000));
    assert.deepEqual(
      limitsIn(many),
      Array.from(
        { length: 2 },
        () =>
          'warning: Replacing the variables of this Kustomization takes too many steps, so some of its objects are unknown.',
      ),
    );
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are variables of Flux.

describe('the work of ApplicationSets', () => {
  const set = (n: number, path: string) =>
    `{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: s${n}, namespace: argocd}, spec: {generators: [{list: {elements: [${numbers(100).map((x) => `{x: x${x}}`)}]}}], template: {metadata: {name: "s${n}-{{x}}"}, spec: {project: default, destination: ${destination}, source: {repoURL: https://example.com/r, path: "${path}"}}}}}`;
  const sets = (path: string) =>
    workspace(
      numbers(20)
        .map((n) => set(n, path))
        .join('\n    ---\n    '),
    );
  const applicationsIn = ({ session }: Bench) =>
    session
      .snapshot()
      .scopes()
      .all()
      .filter(({ gitops }) => gitops?.kind === 'argo-application').length;

  it('is shared by all sets: sets after the last step create unknown Applications, which is reported', async () => {
    const few = await sets('chart');
    assert.equal(applicationsIn(few), 2_000);
    assert.deepEqual(limitsIn(few), []);
    const many = await sets(`chart/${'{{x}}/..'.repeat(1_000)}`);
    const some = applicationsIn(many);
    assert.ok(some > 0 && some < 2_000 && some % 100 === 0, `${some}`);
    assert.deepEqual(limitsIn(many), [
      'warning: The ApplicationSets of this workspace create too many Applications, so those of this file are not all known.',
    ]);
  });
});

describe('a kustomization that a GitOps object builds', () => {
  it('is reported if it is too large to be built', async () => {
    const levels = numbers(202).map((n) => {
      const included = n === 201 ? 'a.yaml' : `../${n + 1}`;
      return `==> ${n}/kustomization.yaml <==\n    resources: [${included}]`;
    });
    const found = await bench(`
    ==> apps.yaml <==
    {apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: a, namespace: argocd}, spec: {project: default, destination: ${destination}, source: {repoURL: https://example.com/r, path: '0'}}}
    ==> 201/a.yaml <==
    {apiVersion: v1, kind: Pod, metadata: {name: p}}
    ${levels.join('\n    ')}
    `);
    assert.deepEqual(limitsIn(found, '0/kustomization.yaml'), [
      'warning: This kustomization includes others on more than 200 levels, so its objects are analyzed only as written.',
    ]);
  });
});
