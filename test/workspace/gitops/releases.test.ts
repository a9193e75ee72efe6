/** Tests which selectors may match objects of charts that are in no file. */

import assert from 'node:assert/strict';
import { parseSelector } from '../../../server/src/engine/index.ts';
import { matchesRelease } from '../../../server/src/workspace/gitops/releases.ts';
import { root, service, workspaceOf } from '../kustomizations.ts';
import { type Files, flux } from './flux-files.ts';

/** A HelmRelease with a chart of a registry. */
function release(name: string, more = ''): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ${name}, namespace: shop}
spec:
  chart: {spec: {chart: redis-ha, sourceRef: {kind: HelmRepository, name: charts}}}
  ${more}
`;
}

/** Whether a selector of `web.yaml` may match objects of the releases. */
function answer(selector: string, files: Files, namespace?: string): string {
  const parsed = parseSelector(selector);
  assert.ok(parsed.ok);
  const workspace = workspaceOf({ 'web.yaml': service, ...files });
  return matchesRelease(workspace, parsed.value, { place: `${root}/web.yaml`, namespace });
}

describe('a selector, beside a HelmRelease with a chart that is in no file,', () => {
  const files = { 'release.yaml': release('cache') };

  it('may match if it requires the name of the release', () => {
    for (const selector of [
      'app.kubernetes.io/instance=cache',
      'release=cache',
      'app.kubernetes.io/instance in (cache, other)',
      'app.kubernetes.io/instance=cache,app.kubernetes.io/managed-by=Helm,tier=x',
    ])
      assert.equal(answer(selector, files), 'yes', selector);
    assert.equal(
      answer('app.kubernetes.io/instance=shop-cache', { 'a.yaml': release('cache', 'targetNamespace: shop') }),
      'yes',
    );
    assert.equal(answer('app.kubernetes.io/instance=x', { 'a.yaml': release('cache', 'releaseName: x') }), 'yes');
    assert.equal(
      answer('app.kubernetes.io/instance=x', { 'a.yaml': release('cache', `releaseName: \${NAME}`) }),
      'yes',
    );
  });

  it('may match labels that contain the name of the chart, or that charts usually set', () => {
    for (const selector of ['app=redis', 'app=cache-master', 'app.kubernetes.io/instance=redis'])
      assert.equal(answer(selector, files), 'likely', selector);
    assert.equal(answer('app.kubernetes.io/name=web', files), 'possible');
  });

  it('may match labels in its values', () => {
    const values = (more: string) => ({ 'a.yaml': release('cache', more) });
    assert.equal(answer('vpn=on', values('values: {master: {podLabels: {vpn: "on"}}}')), 'likely');
    assert.equal(answer('vpn=on', values('values: {master: {podLabels: {other: "on"}}}')), 'no');
    assert.equal(answer('vpn=on', values('valuesFrom: [{kind: Secret, name: x}]')), 'possible');
  });

  it('matches nothing of it otherwise', () => {
    for (const selector of [
      'app=web',
      'app.kubernetes.io/instance=web',
      'app=web,app.kubernetes.io/managed-by=Kustomize',
    ])
      assert.equal(answer(selector, files), 'no', selector);
    assert.equal(answer('app=web', {}), 'no');
  });

  it('matches nothing of it in another namespace', () => {
    assert.equal(answer('release=cache', files, 'shop'), 'yes');
    assert.equal(answer('release=cache', files, 'other'), 'no');
  });

  it('leaves the scope closed to other selectors, through all Kustomizations around it', () => {
    const around = (more: Files) => {
      const files = { 'ks.yaml': flux('a', 'path: a'), 'a/ks.yaml': flux('b', 'path: b'), ...more };
      const all = workspaceOf(files).scopes().all();
      return all.flatMap(({ kind, closed }) => {
        return kind === 'helm-release' ? [] : [closed === true ? 'closed' : closed.areReleases ? 'released' : 'open'];
      });
    };
    assert.deepEqual(around({ 'b/release.yaml': release('cache') }), ['released', 'released', 'released']);
    const others = `${release('cache')}---\napiVersion: example.com/v1\nkind: Unknown\nmetadata: {name: x}\n`;
    assert.deepEqual(around({ 'b/release.yaml': others }), ['open', 'open', 'open']);
    const beside = (remote: string) =>
      around({
        'b/release.yaml': release('cache'),
        'b/kustomization.yaml': `resources: [release.yaml, '${remote}']\n`,
      });
    for (const remote of ['github.com/example/x//config/crd?ref=v1', 'https://example.com/v1/x.crds.yaml'])
      assert.deepEqual(beside(remote), ['released', 'released', 'released'], remote);
    for (const remote of ['github.com/example/x//config/default?ref=crds', 'https://example.com/crds/x.yaml'])
      assert.deepEqual(beside(remote), ['open', 'open', 'open'], remote);
  });
});
