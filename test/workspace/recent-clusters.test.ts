/** Tests how long the network reachability models of scopes are cached. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { clusterOfScope } from '../../server/src/workspace/reach/applied-clusters.ts';
import { deployment, root, workspaceOf } from './kustomizations.ts';

describe('the cluster of a scope', () => {
  const workspace = workspaceOf({
    'a/kustomization.yaml': 'resources: [web.yaml]\n',
    'a/web.yaml': deployment,
    'b/kustomization.yaml': 'resources: [web.yaml]\n',
    'b/web.yaml': deployment,
  });
  const clusterIn = (folder: string) => {
    const scope = workspace
      .scopes()
      .all()
      .find(({ path }) => path === `${root}/${folder}`);
    assert.ok(scope);
    return clusterOfScope(workspace, catalogue, scope);
  };

  it('is cached as long as it is used between evictions', () => {
    const [a, b] = [clusterIn('a'), clusterIn('b')];
    assert.equal(clusterIn('a'), a);
    workspace.evictUnused();
    assert.equal(clusterIn('a'), a);
    workspace.evictUnused();
    assert.equal(clusterIn('a'), a);
    assert.notEqual(clusterIn('b'), b);
  });

  it('is determined again with equal content', () => {
    const before = clusterIn('a');
    workspace.evictUnused();
    clusterIn('b');
    workspace.evictUnused();
    clusterIn('b');
    const again = clusterIn('a');
    assert.notEqual(again, before);
    assert.deepEqual(
      again.workloads.map(({ kind, name, namespace }) => [kind, name, namespace]),
      [['Deployment', 'web', 'default']],
    );
  });
});
