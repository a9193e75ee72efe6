/** Tests what `match --object` states about the nodes of a pod. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

describe('the nodes of a pod', () => {
  it('states why a pod does not fit a Node, and shows terms with fields (requirement D6)', async () => {
    const node = (name: string, spec: string) =>
      `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {disk: ssd}}\nspec: ${spec}\n`;
    const terms =
      '[{matchExpressions: [{key: disk, operator: Exists}]}, {matchFields: [{key: metadata.name, operator: In, values: [n3]}]}]';
    const affinity = `{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ${terms}}}}`;
    const pod = (name: string, fields: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {affinity: ${affinity}, containers: []${fields}}\n`;
    const taint = '{taints: [{key: spot, effect: NoSchedule}]}';
    const all = [
      node('n1', taint),
      node('n2', '{}'),
      pod('x', ''),
      pod('y', ', nodeName: n1, tolerations: [{operator: Exists}]'),
    ];
    const files = { 'all.yaml': all.join('---\n') };
    const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';
    const first = await runInMemory(['match', '--object', 'Pod/x'], { files });
    assert.deepEqual(first.out, [
      `all.yaml:14: Pod/x: ${path} (disk or metadata.name=n3)`,
      '  matches Node/n1  all.yaml:2: the pod does not fit (toleration for `spot:NoSchedule` is missing)',
      '  matches Node/n2  all.yaml:7',
      '  Not considered: resources.',
    ]);
    const second = await runInMemory(['match', '--object', 'Pod/y'], { files });
    assert.match(
      second.out.join('\n'),
      /Node\/n1 {2}all.yaml:2\n.*Node\/n2 .*: the pod does not fit \(`nodeName` is n1\)/,
    );
  });
});
