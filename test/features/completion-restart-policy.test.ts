/** Tests the completion of restart policies. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const manifests = `
apiVersion: v1
kind: Pod
metadata: {name: bread}
spec:
  containers:
    - name: bread
      restartPolicy: x
      #              ^ container
  # The policy of the pod.
  restartPolicy: A
  #              ^ pod
---
apiVersion: batch/v1
kind: Job
metadata: {name: bake}
spec:
  template:
    spec: {restartPolicy: x}
    #                     ^ job
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: oven}
spec:
  template:
    spec:
      restartPolicy: x
      #              ^ workload
`;

describe('completion of restartPolicy', () => {
  it('offers the policies that the pods of the object may have', async () => {
    const b = await bench(manifests);
    const labelsAt = (place: string) => b.completions(place).items.map(({ label }) => label);
    assert.deepEqual(labelsAt('pod'), ['Always', 'OnFailure', 'Never']);
    assert.deepEqual(labelsAt('job'), ['OnFailure', 'Never']);
    assert.deepEqual(labelsAt('workload'), ['Always']);
    assert.deepEqual(labelsAt('container'), []);
  });
});
