/** Completion and hovers of taints and tolerations (requirement Z1). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const cluster = `
  ==> nodes.yaml <==
  apiVersion: v1
  kind: Node
  metadata: {name: gpu}
  spec:
    taints: [{key: dedicated, value: gpu, effect: NoSchedule}]
    #              ^ taint
`;

const pod = (tolerations: string) => `${cluster}
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec:
    nodeSelector: {}
    # ^ selector
    tolerations:
${tolerations}
`;

describe('taints and tolerations', () => {
  it('complete the keys of declared and well-known taints', async () => {
    const b = await bench(pod('      - key: \n  #          ^ here'));
    const items = b.completion('here');
    assert.ok(items.includes('- key: dedicated'));
    assert.ok(items.includes('- key: node.kubernetes.io/disk-pressure'));
  });

  it('complete effects, and operators of tolerations', async () => {
    const b = await bench(
      pod(
        '      - {key: dedicated, effect: No}\n  #                                ^ effect\n      - key: spot\n        operator: \n  #               ^ operator',
      ),
    );
    assert.deepEqual(
      b.completion('effect').map((line) => /effect: (\w+)/.exec(line)?.[1]),
      ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
    );
    assert.deepEqual(b.completion('operator'), ['operator: Equal', 'operator: Exists']);
  });

  it('name the declared taint of which a key is a misspelling', async () => {
    const b = await bench(pod('      - {key: dedicatd, operator: Exists}\n  #              ^ key'));
    assert.equal(
      b.hover('key'),
      'dedicatd\n---\nNo declared node has a taint with this key. Did you mean `dedicated`?',
    );
  });

  it('complete nothing in other lists', async () => {
    const b = await bench(`
  ==> pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec:
    volumes:
      - name: a
        configMap:
          name: b
          items:
            - key: 
  #              ^ here
`);
    assert.ok(!b.completion('here').some((each) => each.includes('node.kubernetes.io/')));
  });

  it('show the nodes with a taint, and the meaning of a well-known key', async () => {
    const b = await bench(
      pod(
        '      - {key: dedicated, operator: Exists}\n  #             ^ own\n      - {key: node.kubernetes.io/disk-pressure, operator: Exists}\n  #             ^ known',
      ),
    );
    assert.match(b.hover('own'), /\*\*Nodes with this taint\*\* \(1\)\n- \[Node\/gpu\].*: dedicated=gpu:NoSchedule/);
    assert.match(b.hover('taint'), /\[Node\/gpu\]/);
    assert.match(b.hover('known'), /Node is short of disk\./);
  });

  it('show a toleration that almost tolerates the taint of a node', async () => {
    const b = await bench(pod('      - {key: dedciated, operator: Exists}'));
    assert.match(b.hover('selector'), /toleration for `dedicated=gpu:NoSchedule` is missing \(closest: `dedciated`\)/);
  });
});
