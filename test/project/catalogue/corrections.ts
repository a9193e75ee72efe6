/** Where do we know more about a field than its entry among the facts says? One row per field, each with its reason. */

import type { GroupKind } from '../../../server/src/engine/catalogue/types.ts';
import type { SelectorRow } from './records.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };
const runner: GroupKind = { group: 'actions.summerwind.dev', kind: 'Runner' };
const one = (group: string, kind: string): Partial<SelectorRow> => ({ targets: [{ group, kind }] });

/** A selector that its controller makes so that it matches what the object itself makes. */
const generated: Partial<SelectorRow> = { absent: 'unknown', null: 'unknown', filledFrom: 'generated' };

/**
 * The longest name with which the names and labels of what an object makes stay valid; 0 where every legal name will do.
 * Names of pods are cut to what fits, which leaves them valid.
 */
export const CHILD_SAFE: Readonly<Record<string, number>> = {
  // The ReplicaSet, or ControllerRevision, has ten letters and a dash more.
  'apps/Deployment': 242,
  'apps/DaemonSet': 242,
  'apps/ReplicaSet': 0,
};

/** Whether objects of a kind have a namespace, where the facts are of a version that was never in use, or of several that differ. */
export const SCOPES: Readonly<Record<string, 'namespaced' | 'unknown'>> = {
  'velero.io/*': 'namespaced',
  // Became cluster-scoped on their way.
  'security-profiles-operator.x-k8s.io/AppArmorProfile': 'unknown',
  'security-profiles-operator.x-k8s.io/RawSelinuxProfile': 'unknown',
  'security-profiles-operator.x-k8s.io/SecurityProfileNodeStatus': 'unknown',
  'topology.node.k8s.io/NodeResourceTopology': 'unknown',
};

/** Kinds of a fork that are the same as those that it was forked from: each by `group/Kind` of the fork. */
export const FORKS: Readonly<Record<string, string>> = {
  // The managed Prometheus of Azure.
  'azmonitoring.coreos.com/PodMonitor': 'monitoring.coreos.com/PodMonitor',
  'azmonitoring.coreos.com/ServiceMonitor': 'monitoring.coreos.com/ServiceMonitor',
};

/** By `group/Kind path`, or `group/* path` for all kinds of a group; `templateLabelsAt: ''` says that there are none. */
export const CORRECTIONS: Readonly<Record<string, Partial<SelectorRow>>> = {
  // Such a Service is a name for a host outside, and has no endpoints.
  '/Service spec.selector': { ignored: 'spec.type=ExternalName' },
  // It asks for labels that only the server knows.
  'batch/Job spec.selector': { ignored: 'spec.manualSelector!=true', refused: true },
  // The same of each Job, and never by hand: `manualSelector` may not be true here.
  'batch/CronJob spec.jobTemplate.spec.selector': {
    ignored: 'kind=CronJob',
    refused: true,
    templateLabelsAt: 'spec.jobTemplate.spec.template.metadata.labels',
  },
  // Filled in from the template, like the first Deployments.
  'actions.summerwind.dev/RunnerDeployment spec.selector': {
    targets: [runner],
    reach: 'own',
    filledFrom: 'templateLabels',
    templateLabelsAt: 'spec.template.metadata.labels',
  },
  'actions.summerwind.dev/RunnerReplicaSet spec.selector': {
    targets: [runner],
    reach: 'own',
    filledFrom: 'templateLabels',
    templateLabelsAt: 'spec.template.metadata.labels',
  },
  'actions.summerwind.dev/RunnerSet spec.selector': { targets: [pod], reach: 'own' },
  // The webhook adds labels to the selector and to the template.
  'cluster.x-k8s.io/MachineDeployment spec.selector': generated,
  'cluster.x-k8s.io/MachineSet spec.selector': generated,
  // The controller adds a label with the name of the experiment or workflow.
  'argoproj.io/Rollout spec.strategy.canary.steps[].experiment.templates[].selector': generated,
  'argoproj.io/* spec.podDisruptionBudget.selector': generated,
  'argoproj.io/* spec.workflowSpec.podDisruptionBudget.selector': generated,
  // A StatefulSet of Strimzi's own.
  'kafka.strimzi.io/StrimziPodSet spec.selector': {
    targets: [pod],
    reach: 'own',
    absent: 'invalid',
    null: 'invalid',
  },
  // Capsule lets a tenant use those classes that match.
  'capsule.clastix.io/Tenant spec.deviceClasses': one('resource.k8s.io', 'DeviceClass'),
  'capsule.clastix.io/Tenant spec.gatewayOptions.allowedClasses': one('gateway.networking.k8s.io', 'GatewayClass'),
  'capsule.clastix.io/Tenant spec.ingressOptions.allowedClasses': one('networking.k8s.io', 'IngressClass'),
  'capsule.clastix.io/Tenant spec.priorityClasses': one('scheduling.k8s.io', 'PriorityClass'),
  'capsule.clastix.io/Tenant spec.runtimeClasses': one('node.k8s.io', 'RuntimeClass'),
  'capsule.clastix.io/Tenant spec.storageClasses': one('storage.k8s.io', 'StorageClass'),
  // Forced onto every pod of the tenant.
  'capsule.clastix.io/Tenant spec.nodeSelector': {
    form: 'nodeSelectorMap',
    targets: [{ group: '', kind: 'Node' }],
    reach: 'cluster',
    absent: 'all',
    null: 'all',
    empty: 'all',
  },
  'operator.tigera.io/Installation spec.controlPlaneNodeSelector': {
    form: 'nodeSelectorMap',
    targets: [{ group: '', kind: 'Node' }],
    reach: 'cluster',
    absent: 'all',
    null: 'all',
    empty: 'all',
  },
  // The path of the template is another in this kind.
  'pool.kubevirt.io/VirtualMachinePool spec.selector': {
    templateLabelsAt: 'spec.virtualMachineTemplate.metadata.labels',
  },
  'machine.openshift.io/ControlPlaneMachineSet spec.selector': {
    templateLabelsAt: 'spec.template.machines_v1beta1_machine_openshift_io.metadata.labels',
  },
  'pkg.crossplane.io/DeploymentRuntimeConfig spec.deploymentTemplate.spec.selector': {
    templateLabelsAt: 'spec.deploymentTemplate.spec.template.metadata.labels',
  },
  // A health check has no template; it selects the machines of others.
  'machine.openshift.io/MachineHealthCheck spec.selector': { templateLabelsAt: '', mustMatchTemplate: false },
  // Objects with `matchExpressions` in them.
  'argoproj.io/ApplicationSet spec.strategy.rollingSync.steps[]': {
    path: 'spec.strategy.rollingSync.steps[]',
    form: 'matchExpressionsOnly',
  },
  'cluster.open-cluster-management.io/Placement spec.decisionStrategy.groupStrategy.decisionGroups[].groupClusterSelector.claimSelector':
    { form: 'matchExpressionsOnly' },
  'cluster.open-cluster-management.io/Placement spec.predicates[].requiredClusterSelector.claimSelector': {
    form: 'matchExpressionsOnly',
  },
  // Items are `{ key, operation, value }`.
  'argoproj.io/EventSource spec.resource.*.filter.labels[]': {
    path: 'spec.resource.*.filter.labels[]',
    form: 'other',
    plain: false,
  },
  // A webhook gives what it holds to the pods that match.
  'kubeflow.org/PodDefault spec.selector': {
    form: 'labelSelector',
    targets: [pod],
    reach: 'own',
    absent: 'invalid',
    null: 'invalid',
    empty: 'all',
  },
  // Copied into an IPPool, in the language of Calico: `all()`.
  'operator.tigera.io/Installation spec.calicoNetwork.ipPools[].nodeSelector': { form: 'other', plain: false },
  // With wildcards, as in every policy of Kyverno.
  'policies.kyverno.io/PolicyException spec.match.all[].resources.selector': { plain: false },
  'policies.kyverno.io/PolicyException spec.match.any[].resources.selector': { plain: false },
  'build.openshift.io/BuildConfig spec.nodeSelector': { targets: [{ group: '', kind: 'Node' }], reach: 'cluster' },
};

/** Facts of single versions that the entries only mention in their notes: `group/Kind version path`. */
export const OLD_VERSIONS: readonly {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly row: Partial<SelectorRow> & { readonly path: string };
}[] = [
  // The first Deployments and StatefulSets filled a missing selector from the template, and let it change.
  ...['Deployment', 'StatefulSet'].map((kind) => ({
    group: 'apps',
    kind,
    version: 'v1beta1',
    row: {
      path: 'spec.selector',
      absent: 'unknown' as const,
      null: 'unknown' as const,
      empty: 'unknown' as const,
      filledFrom: 'templateLabels' as const,
      immutable: kind === 'StatefulSet',
    },
  })),
];
