/** Tests that GitOps objects share the work that they may cause, so that many of them cannot multiply it. */

import assert from 'node:assert/strict';
import { shareOfRelease } from '../../../server/src/workspace/gitops/scope-questions.ts';
import { bench } from '../../harness/bench.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

async function scopesOf(definitions: string) {
  const { session } = await bench(`
    ==> chart/Chart.yaml <==
    apiVersion: v2
    name: chart
    version: 1.0.0
    ==> chart/templates/pod.yaml <==
    {apiVersion: v1, kind: Pod, metadata: {name: p}}
    ==> apps.yaml <==
    ${definitions}
  `);
  return session.snapshot().scopes();
}

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
    assert.deepEqual(shares, ['1000000', '393216', '8000']);
  }).timeout(20_000);
});

describe('the work of ApplicationSets', () => {
  const set = (n: number, path: string) =>
    `{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: s${n}, namespace: argocd}, spec: {generators: [{list: {elements: [${numbers(100).map((x) => `{x: x${x}}`)}]}}], template: {metadata: {name: "s${n}-{{x}}"}, spec: {project: default, destination: ${destination}, source: {repoURL: https://example.com/r, path: "${path}"}}}}}`;
  const applications = async (path: string) => {
    const scopes = await scopesOf(
      numbers(40)
        .map((n) => set(n, path))
        .join('\n    ---\n    '),
    );
    return scopes.all().filter(({ gitops }) => gitops?.kind === 'argo-application').length;
  };

  it('is shared by all sets: sets after the last step create unknown Applications', async () => {
    assert.equal(await applications('chart'), 4_000);
    const some = await applications(`chart/${'{{x}}/..'.repeat(1_000)}`);
    assert.ok(some > 0 && some < 4_000 && some % 100 === 0, `${some}`);
  }).timeout(20_000);
});
