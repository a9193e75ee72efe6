/** Determines the API group that identifies objects of kinds that the API server provides in several groups. */

import type { GroupKind } from './types.ts';

/** The other group of each kind that is provided in two groups: the same objects are read and written through both. See `DefaultAPIResourceConfigSource` and the storage of each group in k8s.io/kubernetes. */
const storedGroups: ReadonlyMap<string, string> = new Map([
  ['extensions/DaemonSet', 'apps'],
  ['extensions/Deployment', 'apps'],
  ['extensions/ReplicaSet', 'apps'],
  ['extensions/Ingress', 'networking.k8s.io'],
  ['extensions/NetworkPolicy', 'networking.k8s.io'],
  ['extensions/PodSecurityPolicy', 'policy'],
  ['events.k8s.io/Event', ''],
]);

/** Returns the API group that identifies the objects of a kind: an object of two groups is one object in the cluster. */
export function storedGroup({ group, kind }: GroupKind): string {
  return storedGroups.get(`${group}/${kind}`) ?? group;
}
