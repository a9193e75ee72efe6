/** Reports pods that no declared node can run, if the configuration states that all nodes are declared. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import { objectsOfKind } from '../../workspace/references/names.ts';
import {
  areLabelsComplete,
  clusterFits,
  isOnEachNode,
  podSpecPaths,
  valuesOf,
} from '../../workspace/selection/node-fits.ts';
import { type Fact, maximumRelated, type RuleContext, rule } from '../framework/rule.ts';
import { areNodesComplete } from '../framework/team-settings.ts';
import { objectNameOf } from '../helpers/sentences.ts';

interface Unschedulable extends Fact {
  readonly object: ManifestObject;
  readonly nodes: number;
  /** A node with the fewest reasons, and its first reason. */
  readonly nearest: string;
  readonly reason: string;
}

const gpuNode = `apiVersion: v1
kind: Node
metadata:
  name: gpu-1
  labels: { disk: ssd }
spec:
  taints: [{ key: dedicated, value: gpu, effect: NoSchedule }]
`;

const beside = { '.selector-lens.yaml': 'nodes: complete\n', 'nodes.yaml': gpuNode };

export const unschedulable = rule<Unschedulable>({
  id: 'unschedulable',
  severity: 'off',
  needs: 'stored',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A pod that no declared node can run.',
  why: 'A pod stays pending if its node selector, its required node affinity, or a taint that it does not tolerate excludes every node. The rule is enabled if `nodes: complete` in `.selector-lens.yaml` states that the workspace declares all nodes, as objects of the kinds Node and NodePool (Karpenter); its findings are warnings. Labels of a NodePool that a provider may set count as unknown. Nothing is reported in a workspace with node pools of other kinds, for pods with `nodeName`, another scheduler or a runtime class, or for DaemonSets. Resources, capacity and prices are not considered.',
  withoutFix: 'Only the author knows whether the pod, the node or the list of nodes is wrong.',
  bad: [{ title: 'A taint of the only node is not tolerated.', beside, text: podWith('') }],
  good: [
    {
      title: 'The pod tolerates the taint.',
      beside,
      text: podWith('  tolerations: [{ key: dedicated, operator: Exists }]\n'),
    },
    { title: 'The nodes are not declared completely.', beside: { 'nodes.yaml': gpuNode }, text: podWith('') },
  ],
  isEnabledBy: areNodesComplete,
  *check(context) {
    const { file, workspace, catalogue } = context;
    if (!areNodesComplete(context) || hasOtherPools(context)) return;
    for (const object of context.stored) {
      if (!object.forCluster || !isBuiltIn(object.group) || isOnEachNode(object)) continue;
      for (const spec of podSpecPaths(object)) {
        if (!isForDefaultScheduler(object, spec)) continue;
        const fits = clusterFits(workspace, catalogue, { file, object }, spec, (key) => mayBeResource(context, key));
        const { nodes, fitting, others } = fits;
        const [nearest] = others.toSorted((a, b) => a.reasons.length - b.reasons.length);
        if (nearest === undefined || fitting.length > 0) continue;
        yield {
          span: nameSpan(object),
          severity: 'warning',
          object,
          nodes,
          nearest: objectNameOf(nearest.object),
          reason: nearest.reasons[0] ?? '',
          related: others.slice(0, maximumRelated).map((node) => ({
            file: node.file,
            span: nameSpan(node.object),
            message: localize`${objectNameOf(node.object)}: ${node.reasons.join('; ')}.`,
          })),
        };
      }
    }
  },
  message: ({ object, nodes, nearest, reason }) =>
    nodes === 1
      ? localize`${objectNameOf(object)} does not fit ${nearest}, the only declared node: ${reason}.`
      : localize`${objectNameOf(object)} fits none of the ${nodes} declared nodes. Closest: ${nearest} (${reason}).`,
  fixes: () => [],
});

function podWith(tolerations: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
${tolerations}  containers: [{ name: basket, image: example.com/basket }]
`;
}

/** Kinds of node pools, whose nodes are unknown unless the pool declares all of their labels; some of them are nodes of other clusters. */
const poolKinds: readonly string[] = [
  ...['Machine', 'MachineDeployment', 'MachinePool', 'MachineSet', 'NodePool', 'NodeClaim', 'Provisioner'],
  ...['AWSManagedMachinePool', 'AzureManagedMachinePool', 'GCPManagedMachinePool', 'ROSAMachinePool'],
  ...['NodeGroup', 'Nodegroup', 'ContainerNodePool', 'ManagedClustersAgentPool', 'ClusterConfig', 'ContainerCluster'],
  ...['InstanceGroup', 'KubernetesClusterNodePool', 'Shoot'],
];

/** Whether the files to which the same configuration applies contain a pool whose nodes are unknown. */
function hasOtherPools({ workspace, uri, catalogue }: RuleContext): boolean {
  const configs = workspace.configs();
  const own = configs.of(uri)?.config;
  return poolKinds.some((kind) =>
    objectsOfKind(workspace, kind).some(
      ({ uri: other, group }) =>
        !areLabelsComplete(catalogue, { group, version: 'v1', kind }) && configs.of(other)?.config === own,
    ),
  );
}

/** Whether the default scheduler chooses the node of a pod. */
function isForDefaultScheduler(object: ManifestObject, spec: string): boolean {
  const values = valuesOf(object, spec);
  const scheduler = values?.['spec.schedulerName'] ?? 'default-scheduler';
  return values?.['spec.nodeName'] === undefined && scheduler === 'default-scheduler';
}

/** Whether a taint has the key of an extended resource that the file requests: an admission plugin may add the toleration. */
function mayBeResource({ text }: RuleContext, key: string): boolean {
  if (!key.includes('/')) return false;
  // A resource is the key of a map, unlike the key of a taint or a label of a node pool in the same file.
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length))
    if (/^["']?[ \t]*:/.test(text.slice(at + key.length, at + key.length + 20))) return true;
  return false;
}
