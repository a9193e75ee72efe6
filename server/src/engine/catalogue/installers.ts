/** Kinds that install whole applications, whose pods and labels do not appear in the manifests. */

import type { GroupKind } from './types.ts';

/** The kinds by group; `*` means every kind in the group. */
const byGroup: Readonly<Record<string, readonly string[]>> = {
  'actions.github.com': ['AutoscalingRunnerSet', 'AutoscalingListener'],
  'actions.summerwind.dev': ['RunnerDeployment', 'RunnerReplicaSet', 'RunnerSet'],
  'argoproj.io': ['EventBus'],
  'catalog.cattle.io': ['App'],
  'core.openfeature.dev': ['Flagd'],
  'core.strimzi.io': ['StrimziPodSet'],
  'disaggregatedset.x-k8s.io': ['DisaggregatedSet'],
  'fleet.cattle.io': ['Bundle', 'HelmOp'],
  'fluxcd.controlplane.io': ['FluxInstance', 'ResourceSet'],
  'helm.toolkit.fluxcd.io': ['HelmRelease'],
  'hivemq.com': ['HiveMQPlatform'],
  'job.min.io': ['MinIOJob'],
  'k8s.keycloak.org': ['KeycloakRealmImport'],
  'litmuschaos.io': ['ChaosEngine'],
  'logging.banzaicloud.io': ['NodeAgent'],
  'logging.openshift.io': ['ClusterLogForwarder', 'ClusterLogging'],
  'management.cattle.io': ['ManagedChart'],
  'mongodbcommunity.mongodb.com': ['MongoDBCommunity'],
  'nvidia.com': ['ClusterPolicy', 'GPUCluster', 'NVIDIADriver'],
  'opentelemetry.io': ['ClusterObservability'],
  'operator.open-cluster-management.io': ['ClusterManager', 'Klusterlet'],
  'operator.openshift.io': ['*'],
  'operator.tigera.io': ['*'],
  'operators.coreos.com': ['Subscription'],
  'packageregistry.k8s.elastic.co': ['PackageRegistry'],
  'pingcap.com': ['TidbInitializer', 'TidbMonitor'],
  'piraeus.io': ['LinstorCluster', 'LinstorSatellite'],
  'pkg.crossplane.io': ['Configuration', 'Function', 'Provider'],
  'platform.confluent.io': ['FlinkApplication'],
  'projectcontour.io': ['ContourDeployment'],
  'sources.knative.dev': ['ApiServerSource', 'IntegrationSource'],
  'tempo.grafana.com': ['TempoStack'],
  'temporal.io': ['TemporalCluster', 'TemporalWorkerDeployment', 'WorkerDeployment'],
  'testworkflows.testkube.io': ['TestWorkflow'],
  'upgrade.cattle.io': ['Plan'],
};

/** Kinds that apply the manifests of a repository. */
const appliers: ReadonlySet<string> = new Set([
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'fleet.cattle.io/GitRepo',
  'kustomize.toolkit.fluxcd.io/Kustomization',
]);

/** Returns the content that objects of a kind install: manifests of a repository, or pods with the labels of a chart or an operator; undefined for a kind that installs nothing. */
export function installedBy({ group, kind }: GroupKind): 'manifests' | 'pods' | undefined {
  if (appliers.has(`${group}/${kind}`)) return 'manifests';
  const kinds = Object.hasOwn(byGroup, group) ? (byGroup[group] ?? []) : [];
  return kinds.includes(kind) || kinds.includes('*') ? 'pods' : undefined;
}
