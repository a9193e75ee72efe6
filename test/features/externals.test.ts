/** Tests that hovers contain the objects of external files, and mark them. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const workspace = lines(`
  ==> .selector-lens.yaml <==
  externals: [{ files: [cluster/] }]
  ==> cluster/dump.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: far, labels: {app: far}, namespace: shop}
  ==> app/service.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: far, namespace: shop}
  spec:
    selector: {app: far}
    #^ here
`);

describe('a hover with external objects', () => {
  it('marks them', async () => {
    const b = await bench(workspace);
    assert.match(b.hover('here'), /\[Pod\/far\]\(.*\) .* — \.\.\/cluster\/dump\.yaml:3, external\n/);
  });
});
