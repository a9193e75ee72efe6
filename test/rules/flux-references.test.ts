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
});
