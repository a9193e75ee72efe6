/**
 * Tests which nodes and pools fit a pod: the cases that the documentation of the scheduler's plugins NodeAffinity, NodeName,
 * NodeUnschedulable, TaintToleration and PodTopologySpread describes, and those of Karpenter's node pools (requirements D6, D7).
 */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { nodeFits } from '../../server/src/workspace/selection/node-fits.ts';
import { workspaceOf } from './kustomizations.ts';

const node = '{disk: ssd, zone: a, cores: "8", kubernetes.io/hostname: n1}';
const required = (terms: string) =>
  `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${terms}]}}}`;
const labels = (requirements: string) => required(`{matchExpressions: [${requirements}]}`);
const spread = (key: string, when: string) =>
  `topologySpreadConstraints: [{topologyKey: ${key}, maxSkew: 1, whenUnsatisfiable: ${when}, labelSelector: {}}]`;

type Case = readonly [name: string, pod: string, expected: string, taints?: string];

const onNode: readonly Case[] = [
  ['no constraints', '', 'yes'],
  ['a label of nodeSelector', 'nodeSelector: {disk: ssd}', 'yes'],
  ['another value of nodeSelector', 'nodeSelector: {disk: hdd}', "no: `disk` is 'ssd', but the selector wants 'hdd'"],
  ['an absent label of nodeSelector', 'nodeSelector: {rack: r1}', "no: `rack` is absent, but the selector wants 'r1'"],
  ['all labels of nodeSelector', 'nodeSelector: {disk: ssd, zone: b}', "no: `zone` is 'a', but the selector wants 'b'"],
  ['In', labels('{key: zone, operator: In, values: [a, b]}'), 'yes'],
  [
    'In with other values',
    labels('{key: zone, operator: In, values: [b]}'),
    "no: `zone` is 'a', but the selector wants 'b'",
  ],
  ['NotIn with other values', labels('{key: zone, operator: NotIn, values: [b]}'), 'yes'],
  ['NotIn without the key', labels('{key: rack, operator: NotIn, values: [b]}'), 'yes'],
  ['Exists', labels('{key: zone, operator: Exists}'), 'yes'],
  ['DoesNotExist without the key', labels('{key: rack, operator: DoesNotExist}'), 'yes'],
  ['Gt', labels('{key: cores, operator: Gt, values: ["7"]}'), 'yes'],
  ['Gt with an equal value', labels('{key: cores, operator: Gt, values: ["8"]}'), 'no'],
  ['Lt', labels('{key: cores, operator: Lt, values: ["9"]}'), 'yes'],
  ['Gt without the key', labels('{key: rack, operator: Gt, values: ["1"]}'), 'no'],
  ['Gt for a value that is no integer', labels('{key: zone, operator: Gt, values: ["1"]}'), 'no'],
  [
    'one of two terms',
    required(
      '{matchExpressions: [{key: zone, operator: In, values: [b]}]}, {matchExpressions: [{key: disk, operator: Exists}]}',
    ),
    'yes',
  ],
  [
    'two requirements of a term',
    labels('{key: zone, operator: In, values: [a]}, {key: disk, operator: In, values: [hdd]}'),
    "no: `disk` is 'ssd', but the selector wants 'hdd'",
  ],
  ['no term', required(''), 'no: the node affinity has no terms'],
  ['an empty term', required('{}'), 'no'],
  ['the name of the node', required('{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}'), 'yes'],
  ['the name of another node', required('{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}'), 'no'],
  [
    'nodeSelector and affinity',
    `nodeSelector: {disk: hdd}, ${labels('{key: zone, operator: In, values: [b]}')}`,
    "no: `disk` is 'ssd', but the selector wants 'hdd'; `zone` is 'a', but the selector wants 'b'",
  ],
  [
    'a preference',
    'affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: rack, operator: Exists}]}}]}}',
    'yes',
  ],
  ['a topology key of the node', spread('zone', 'DoNotSchedule'), 'yes'],
  [
    'a topology key that the node lacks',
    spread('rack', 'DoNotSchedule'),
    'no: label `rack` is missing, which topology spread requires',
  ],
  ['a topology key that the node lacks, as a preference', spread('rack', 'ScheduleAnyway'), 'yes'],
  ['a template value', 'nodeSelector: {disk: "$DISK"}', 'maybe'],
  [
    'a taint',
    '',
    'no: toleration for `dedicated=gpu:NoSchedule` is missing',
    '{key: dedicated, value: gpu, effect: NoSchedule}',
  ],
  [
    'a tolerated taint',
    'tolerations: [{key: dedicated, operator: Equal, value: gpu, effect: NoSchedule}]',
    'yes',
    '{key: dedicated, value: gpu, effect: NoSchedule}',
  ],
  [
    'a toleration for another effect',
    'tolerations: [{key: dedicated, operator: Exists, effect: NoExecute}]',
    'no: toleration for `dedicated:NoSchedule` is missing (closest: `dedicated:NoExecute`)',
    '{key: dedicated, effect: NoSchedule}',
  ],
  [
    'a toleration of all taints',
    'tolerations: [{operator: Exists}]',
    'yes',
    '{key: a, effect: NoSchedule}, {key: b, effect: NoExecute}',
  ],
  ['an evicting taint', '', 'no: toleration for `b:NoExecute` is missing', '{key: b, effect: NoExecute}'],
  ['a taint that is a preference', '', 'yes', '{key: b, effect: PreferNoSchedule}'],
  ['a taint and a runtime class', 'runtimeClassName: sandbox', 'maybe', '{key: b, effect: NoSchedule}'],
];

const onPool: readonly Case[] = [
  ['no constraints', '', 'yes'],
  ['a label of the pool', 'nodeSelector: {team: blue}', 'yes'],
  ['another value of a label', 'nodeSelector: {team: red}', "no: `team` is 'blue', but the selector wants 'red'"],
  ['a label that the provider may set', 'nodeSelector: {provider.example/rack: r1}', 'maybe'],
  ['a custom label that the pool lacks', 'nodeSelector: {rack: r1}', 'no: the pool does not set the label `rack`'],
  ['a custom label that a pod excludes', labels('{key: rack, operator: NotIn, values: [r1]}'), 'maybe'],
  ['a value that a requirement allows', 'nodeSelector: {topology.kubernetes.io/zone: a}', 'maybe'],
  [
    'a value that a requirement excludes',
    'nodeSelector: {topology.kubernetes.io/zone: c}',
    'no: the requirements of the pool exclude `topology.kubernetes.io/zone`',
  ],
  [
    'values of which one is allowed',
    labels('{key: topology.kubernetes.io/zone, operator: In, values: [b, c]}'),
    'maybe',
  ],
  [
    'values that are all excluded',
    labels('{key: topology.kubernetes.io/zone, operator: NotIn, values: [a, b]}'),
    'no: the requirements of the pool exclude `topology.kubernetes.io/zone`',
  ],
  [
    'a number that a requirement excludes',
    labels('{key: example.com/cores, operator: Lt, values: ["4"]}'),
    'no: the requirements of the pool exclude `example.com/cores`',
  ],
  ['the name of the pool', 'nodeSelector: {karpenter.sh/nodepool: main}', 'yes'],
  ['the name of a node', required('{matchFields: [{key: metadata.name, operator: In, values: [main]}]}'), 'maybe'],
  ['a well-known topology key', spread('kubernetes.io/hostname', 'DoNotSchedule'), 'maybe'],
  [
    'a topology key that the pool lacks',
    spread('rack', 'DoNotSchedule'),
    'no: label `rack` is missing, which topology spread requires',
  ],
  [
    'a taint',
    '',
    'no: toleration for `dedicated=gpu:NoSchedule` is missing',
    '{key: dedicated, value: gpu, effect: NoSchedule}',
  ],
  [
    'a tolerated taint',
    'tolerations: [{key: dedicated, operator: Exists}]',
    'yes',
    '{key: dedicated, value: gpu, effect: NoSchedule}',
  ],
];

const requirements =
  '[{key: topology.kubernetes.io/zone, operator: In, values: [a, b]}, {key: example.com/cores, operator: Gt, values: ["7"]}]';

const objects = {
  Node: (taints: string) =>
    `apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: ${node}}\nspec: {taints: [${taints}]}\n`,
  NodePool: (taints: string) =>
    `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: main}\nspec:\n  template:\n    metadata: {labels: {team: blue}}\n    spec: {taints: [${taints}], startupTaints: [{key: starting, effect: NoSchedule}], requirements: ${requirements}}\n`,
};

function fit(kind: keyof typeof objects, pod: string, taints: string): string {
  const workspace = workspaceOf({
    '.selector-lens.yaml': 'nodes: complete\n',
    'kustomization.yaml': 'resources: [node.yaml, pod.yaml]\n',
    'node.yaml': objects[kind](taints),
    'pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {${pod}}\n`,
  });
  const file = [...workspace.files.values()].find(({ uri }) => uri.endsWith('pod.yaml'));
  const object = file?.manifest.objects[0];
  assert.ok(file !== undefined && object !== undefined);
  const { fitting, others } = nodeFits(workspace, catalogue, { file, object }, 'spec');
  const [found] = fitting;
  if (found !== undefined) return found.certain ? 'yes' : 'maybe';
  return `no: ${others.flatMap(({ reasons }) => reasons).join('; ')}`;
}

for (const [kind, cases] of [
  ['Node', onNode],
  ['NodePool', onPool],
] as const) {
  describe(`a ${kind} and a pod with`, () => {
    for (const [name, pod, expected, taints = ''] of cases) {
      it(`${name}: ${expected}`, () => {
        const found = fit(kind, pod, taints);
        assert.equal(expected === 'no' ? found.split(':')[0] : found, expected);
      });
    }
  });
}
