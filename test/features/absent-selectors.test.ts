/** Tests the hovers of policies that apply to all pods because they have no selector. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const workspace = lines(`
  ==> policy.yaml <==
  apiVersion: security.istio.io/v1
  kind: AuthorizationPolicy
  #     ^ policy
  metadata: {name: all, namespace: shop}
  spec: {}
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  #     ^ pod
  metadata: {name: web, namespace: shop, labels: {app: web}}
  spec: {}
`);

describe('a policy without a selector', () => {
  it('shows the pods to which it applies', async () => {
    const b = await bench(workspace);
    assert.match(
      b.hover('policy'),
      /An absent `selector` selects all Pods .*\n\n\*\*Matches\*\* \(1\)\n- \[Pod\/web\]/,
    );
    assert.equal(b.lenses('policy.yaml').trim(), '2 spec.selector: selects Pod/web');
  });

  it('is shown at the pods to which it applies', async () => {
    const b = await bench(workspace);
    assert.match(b.hover('pod'), /\*\*Selected by\*\* \(1\)\n- \[AuthorizationPolicy\/all\]/);
  });
});
