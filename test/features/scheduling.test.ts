/** The nodes that fit a pod, and the fields that decide on them (requirements D5, D6, D7). */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const cluster = `
  ==> nodes.yaml <==
  apiVersion: v1
  kind: Node
  metadata: {name: n1, labels: {disk: ssd, zone: a}}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: n2, labels: {disk: hdd, zone: a}}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: n3, labels: {disk: ssd, zone: b}}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: n4, labels: {disk: ssd, zone: c, gpu: "yes"}}
`;

const pods = `
  ==> pods.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web}
  #          ^ web
  spec:
    nodeSelector: {disk: ssd}
    # ^ selector
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
        # ^ required
          nodeSelectorTerms:
            - matchExpressions: [{key: zone, operator: In, values: [a, c]}]
        preferredDuringSchedulingIgnoredDuringExecution:
        # ^ preferred
          - weight: 10
          #  ^ weight
            preference: {matchExpressions: [{key: gpu, operator: Exists}]}
            #                                     ^ preference
          - weight: 5
            #       ^ number
            preference: {matchExpressions: [{key: zone, operator: In, values: [c]}]}
          - weight: 12
            preference: {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}
      podAntiAffinity:
        preferredDuringSchedulingIgnoredDuringExecution:
        # ^ anti
          - weight: 1
          #  ^ antiWeight
            podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
`;

/** The part of a hover on scheduling. */
function scheduling(text: string): string {
  const at = text.search(/(?:Required|Preferred|The weight)[:,]? /);
  return at === -1 ? '' : (text.slice(at).split('\n\n`')[0] ?? '');
}

const fits = `
  **Scheduling**: 2 of 4 Nodes here fit, best n4 (15). Resources are not considered.

  **Nodes that fit** (2)
  - [Node/n4](<nodes.yaml#L14,7>) — nodes.yaml:14: weight 15
  - [Node/n1](<nodes.yaml#L2,7>) — nodes.yaml:2: weight 12

  **Nodes that do not fit** (2)
  - [Node/n2](<nodes.yaml#L6,7>) — nodes.yaml:6: \`disk\` is 'hdd', but the selector wants 'ssd'
  - [Node/n3](<nodes.yaml#L10,7>) — nodes.yaml:10: \`zone\` is 'b', but the selector wants 'a' or 'c'`;

const required =
  'Required: a pod is scheduled only onto a node that matches. A pod that runs already stays if labels change.';
const preferred =
  'Preferred: of the nodes that fit, the scheduler favors those with the highest sum of weights. A pod is scheduled even if none matches.';
const weight = 'The weight, from 1 to 100, that each node adds to its sum if it matches this preference.';

describe('the nodes for a pod', () => {
  for (const [place, effect] of Object.entries({
    selector: required,
    required,
    preferred,
    preference: preferred,
    weight,
    number: weight,
  })) {
    it(`are in the hover of the field: ${place}`, async () => {
      const b = await bench(cluster + pods);
      assert.equal(scheduling(b.hover(place)), `${effect}\n\n${lines(fits)}`);
    });
  }

  it('are on the page of the object', async () => {
    const b = await bench(cluster + pods);
    assert.match(
      b.explain('web'),
      /## Nodes for `spec`\n\n\*\*Scheduling\*\*: 2 of 4 Nodes here fit, best n4 \(15\)\. Resources are not considered\.\n\nNodes that fit\n\n- Node\/n4 \(\[nodes\.yaml:14\]\(<\/nodes\.yaml#L14>\)\): weight 15\n/,
    );
  });

  it('are unknown without Node objects', async () => {
    const b = await bench(pods);
    const unknown = '**Scheduling**: this workspace contains no Node objects, so the matching nodes are unknown.';
    assert.equal(scheduling(b.hover('selector')), `${required}\n\n${unknown}`);
  });

  it('are irrelevant for a pod that names its node', async () => {
    const b = await bench(cluster + pods.replace('spec:\n', 'spec:\n    nodeName: n2\n'));
    assert.match(b.hover('selector'), /\*\*Scheduling\*\*: `nodeName` assigns the pod to `n2` without the scheduler/);
  });

  it('are those of a template as a kustomization applies it, and may be uncertain', async () => {
    const b = await bench(
      `${cluster}
      ==> app/kustomization.yaml <==
      resources: [../nodes.yaml, web.yaml]
      patches:
        - patch: |
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec: {template: {spec: {nodeSelector: {disk: ssd}}}}
      ==> app/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            nodeSelector: {zone: "\${ZONE}"}
            # ^ here
            affinity:
              nodeAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 7
                    preference: {matchExpressions: [{key: gpu, operator: Exists}]}
    `.replaceAll('\n    ', '\n'),
    );
    assert.match(
      b.hover('here'),
      /\*\*Scheduling\*\*: 0 of 4 Nodes here fit, 3 may fit, best n4 \(7\)\. Resources are not considered\.\n\n\*\*Nodes that fit\*\* \(3\)\n- .*: weight 7; may match\n/,
    );
  });

  it('are irrelevant for pod affinity, whose fields are explained', async () => {
    const b = await bench(cluster + pods);
    assert.match(
      b.hover('anti'),
      /^preferred.*\n---\nPreferred: the scheduler avoids nodes whose domain of `topologyKey`[^\n]*$/,
    );
    assert.match(b.hover('antiWeight'), /^weight\n---\nThe weight, from 1 to 100, that a node loses [^\n]*$/);
  });
});

const tainted = `
  ==> nodes.yaml <==
  apiVersion: v1
  kind: Node
  metadata: {name: gpu, labels: {disk: ssd}}
  spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}, {key: spot, effect: PreferNoSchedule}]}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: drained, labels: {disk: ssd}}
  spec: {unschedulable: true}
  ---
  apiVersion: v1
  kind: Node
  metadata: {name: free, labels: {disk: ssd}}
`;

const podOn = (tolerations: string) => `
  ==> pods.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec:
    nodeSelector: {disk: ssd}
    # ^ selector
    tolerations: ${tolerations}
`;

describe('the nodes that fit a pod', () => {
  it('exclude those with a taint that the pod does not tolerate, and unschedulable nodes', async () => {
    const b = await bench(`${tainted}${podOn('[]')}`);
    assert.equal(
      scheduling(b.hover('selector')),
      lines(`
        Required: a pod is scheduled only onto a node that matches. A pod that runs already stays if labels change.

        **Scheduling**: 1 of 3 Nodes here fits. Resources are not considered.

        **Nodes that fit** (1)
        - [Node/free](<nodes.yaml#L12,7>) — nodes.yaml:12

        **Nodes that do not fit** (2)
        - [Node/gpu](<nodes.yaml#L2,7>) — nodes.yaml:2: toleration for \`dedicated=gpu:NoSchedule\` is missing
        - [Node/drained](<nodes.yaml#L7,7>) — nodes.yaml:7: the node is unschedulable
      `),
    );
  });

  it('include those whose taints the pod tolerates', async () => {
    const b = await bench(`${tainted}${podOn('[{key: dedicated, operator: Exists}]')}`);
    assert.equal(
      scheduling(b.hover('selector')),
      lines(`
        Required: a pod is scheduled only onto a node that matches. A pod that runs already stays if labels change.

        **Scheduling**: 2 of 3 Nodes here fit. Resources are not considered.

        **Nodes that fit** (2)
        - [Node/gpu](<nodes.yaml#L2,7>) — nodes.yaml:2
        - [Node/free](<nodes.yaml#L12,7>) — nodes.yaml:12

        **Nodes that do not fit** (1)
        - [Node/drained](<nodes.yaml#L7,7>) — nodes.yaml:7: the node is unschedulable
      `),
    );
  });
});
