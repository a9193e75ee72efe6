/**
 * What do the facts mean by their words for an absent, null or empty selector? One row per phrase, reviewed by hand
 * against what the facts say of the fields that use it; then rows for single fields, where the phrase alone does not
 * decide.
 */

import type { Meaning } from '../../../server/src/engine/catalogue/types.ts';
import type { SelectorEntry } from './facts.ts';

/** What an absent or null selector means, by the facts' phrase. */
const ABSENT: Readonly<Record<string, Meaning>> = {
  // Nothing is selected.
  none: 'nothing',
  'none (matches no pod)': 'nothing',
  'none (matches no pod; API server warns)': 'nothing',
  'none (endpoints are managed by hand or by another controller)': 'nothing',
  'none (no node can reach it)': 'nothing',
  'none (queue accepts no namespace)': 'nothing',
  'none; required when from: Selector': 'nothing',
  'no cross-namespace access': 'nothing',
  'no subset': 'nothing',
  'no extra scope': 'notFiltered',
  'endpoints are listed in spec.endpoints': 'nothing',
  'all Triggers in scope only if namespaceSelector is set': 'unknown',

  // Everything is selected.
  all: 'all',
  any: 'all',
  'any source': 'all',
  'all (defaulted to {})': 'all',
  'all (no label restriction)': 'all',
  'all (if namespaces is empty too)': 'all',
  'all pools (if ipAddressPools is empty too)': 'all',
  'all backends': 'all',
  'all clusters': 'all',
  'all clusters including the local one': 'all',
  'all client workloads in exportTo scope': 'all',
  'all descendants': 'all',
  'all devices': 'all',
  'all devices of the class': 'all',
  'all endpoints of the host': 'all',
  'all events': 'all',
  'all in scope': 'all',
  'all namespaces': 'all',
  'all nodes': 'all',
  'all pods': 'all',
  'all pods in the namespace (an absent podSelector decodes to the empty selector)': 'all',
  'all pods of the workflow': 'all',
  'all series': 'all',
  'all series of that name': 'all',
  'all topologies': 'all',
  'all workloads of the namespace': 'all',
  'all workloads of the namespace (mesh-wide in the root namespace)': 'all',
  'applies to all workloads/gateways': 'all',
  'no constraint': 'all',

  // The namespace of the object.
  own: 'ownNamespace',
  'own namespace': 'ownNamespace',
  'own namespace only': 'ownNamespace',
  'own namespace only (if namespaces is empty too)': 'ownNamespace',
  'own namespace (when podSelector is set)': 'ownNamespace',

  // The selector takes no part; something else is asked instead.
  'not filtered': 'notFiltered',
  'not restricted': 'notFiltered',
  'not used': 'notFiltered',
  'not used (all pods if namespaceSelector is set)': 'all',
  'n/a (item)': 'notFiltered',
  'n/a (list item)': 'notFiltered',
  'n/a (one of namespaces/pods)': 'notFiltered',
  'n/a (then name must be set)': 'notFiltered',
  'n/a: exactly one of nodeName, nodeSelector, allNodes, perDeviceNodeSelection': 'notFiltered',
  '<name>Ref or literal value is used': 'notFiltered',
  'cidrGroupRef is used': 'notFiltered',
  'compositionRef/default is used': 'notFiltered',
  'name is used': 'notFiltered',
  'name is used instead': 'notFiltered',
  'node field is used / all nodes': 'notFiltered',
  'only namespaces list is used': 'notFiltered',
  'peerIP is used': 'notFiltered',
  'rayClusterSpec is used': 'notFiltered',
  'resourceRef is used': 'notFiltered',
  'routes are inline': 'notFiltered',
  'secretRef is used': 'notFiltered',
  'server.name is used': 'notFiltered',
  'targetRef is used': 'notFiltered',
  'targetRefs are used': 'notFiltered',
  'this condition does not use labels': 'notFiltered',
  'use allowedNamespaces.list': 'notFiltered',
  'use annotations': 'notFiltered',
  'use externalWorkloadSelector': 'notFiltered',
  'use labels': 'notFiltered',
  'use namespaceSelectors': 'notFiltered',
  'use podSelector': 'notFiltered',
  'volumeGroupSnapshotContentName is used': 'notFiltered',

  // The object is refused.
  invalid: 'invalid',
  'invalid (required)': 'invalid',
  'invalid unless nodeSelector is set': 'notFiltered',
  'invalid unless spec.workloadRef is set': 'notFiltered',
  'n/a (required)': 'invalid',

  // A controller or the server decides; the file does not tell.
  'cluster default applies': 'unknown',
  'default solver with lowest priority': 'all',
  'defaulted (webhook adds cluster.x-k8s.io/deployment-name or set-name)': 'unknown',
  'defaulted to template labels': 'unknown',
  'feature off / default mirror.linkerd.io/exported: "true"': 'unknown',
  'filled by operator': 'unknown',
  'filled by package manager': 'unknown',
  generated: 'unknown',
  'generated (batch.kubernetes.io/controller-uid=<Job UID>)': 'unknown',
  'generated (workflows.argoproj.io/workflow)': 'unknown',
  'generated on each Job': 'unknown',
  'latest revision': 'unknown',
  'latest revision per update policy': 'unknown',
  'operator sets it': 'unknown',
  'see docs': 'unknown',
  'see notes': 'unknown',
  'worker nodes': 'unknown',
  unknown: 'unknown',
};

/** What an empty selector means, by the facts' phrase. */
const EMPTY: Readonly<Record<string, Meaning>> = {
  none: 'nothing',
  'none (differs from policy/v1!)': 'nothing',
  'none (empty selector matches nothing)': 'nothing',
  'none (treated like no selector)': 'nothing',
  'no subset': 'nothing',

  all: 'all',
  any: 'all',
  'any source': 'all',
  'all (empty list)': 'all',
  'all ClusterRoles (dangerous)': 'all',
  'all ClusterTrustBundles of that signerName': 'all',
  'all ConfigMaps of the trust namespace': 'all',
  'all Grafana instances in scope': 'all',
  'all PVCs of the namespace': 'all',
  'all PVs, but dynamic provisioning is still refused': 'all',
  'all PVs, but no dynamic provisioning': 'all',
  'all Secrets': 'all',
  'all Secrets of the trust namespace': 'all',
  'all Servers of the namespace': 'all',
  'all Services in scope': 'all',
  'all backends': 'all',
  'all clusters': 'all',
  'all clusters including the local one': 'all',
  'all compatible Compositions (random pick)': 'all',
  'all descendants': 'all',
  'all devices': 'all',
  'all devices of the class': 'all',
  'all endpoints of the host': 'all',
  'all endpoints of the namespace': 'all',
  'all endpoints, host endpoints included': 'all',
  'all events': 'all',
  'all namespaces': 'all',
  'all namespaces, i.e. all pods': 'all',
  'all nodes': 'all',
  'all nodes (opts out of the default)': 'all',
  'all nodes; first by name wins': 'all',
  'all objects': 'all',
  'all objects of that kind': 'all',
  'all objects of the paramKind': 'all',
  'all of that kind': 'all',
  'all pods': 'all',
  'all pods in scope': 'all',
  'all pods in scope (in a CiliumNetworkPolicy: of the same namespace)': 'all',
  'all pods in the namespace': 'all',
  'all pods in the namespaces in scope': 'all',
  'all pods of the namespace': 'all',
  'all pods of the workflow': 'all',
  'all pools': 'all',
  'all routes': 'all',
  'all series': 'all',
  'all series of that name': 'all',
  'all stores of that kind': 'all',
  'all subjects of that kind': 'all',
  'all topologies (empty list)': 'all',
  'all workloads of the namespace': 'all',
  'all workloads of the namespace (mesh-wide in the root namespace)': 'all',
  'applies to all workloads/gateways': 'all',
  'default solver': 'all',
  'first/any resource of the kind': 'all',
  'matches all if parsed; HPA treats empty as an error': 'all',
  'no constraint': 'all',

  'own namespace': 'ownNamespace',

  'ignored (adds no score)': 'notFiltered',
  'no extra scope': 'notFiltered',
  'not filtered': 'notFiltered',
  'not restricted': 'notFiltered',
  'not used': 'notFiltered',
  'rayClusterSpec is used': 'notFiltered',

  forbidden: 'invalid',
  invalid: 'invalid',
  'invalid (must not be empty)': 'invalid',
  'invalid (rejected by validation)': 'invalid',
  'invalid: nodeSelectorTerms needs at least one term': 'invalid',

  // An empty selector is rejected with `manualSelector: true` and filled in otherwise.
  'invalid when manualSelector=true; otherwise overwritten/rejected': 'unknown',
  'same as null': 'sameAsAbsent',
  'defaulted by the webhook': 'unknown',
  'defaulted to template labels': 'unknown',
  generated: 'unknown',
  'n/a': 'unknown',
  'no default applies': 'unknown',
  'operator sets it': 'unknown',
  unknown: 'unknown',
};

export interface Meanings {
  readonly absent: Meaning;
  readonly null: Meaning;
  readonly empty: Meaning;
}

/** Fields that need a row of their own: `group/Kind path` or `family path`; what is not named here stays as above. */
const FIELDS: Readonly<Record<string, Partial<Meanings>>> = {
  // An empty list aggregates nothing; an item that is null decodes to the empty selector.
  'rbac.authorization.k8s.io/ClusterRole aggregationRule.clusterRoleSelectors[]': { absent: 'nothing', null: 'all' },
  // A node selector needs a term.
  'resource.k8s.io/ResourceClaim status.allocation.nodeSelector': { empty: 'invalid' },
  'resource.k8s.io/ResourceSlice spec.devices[].nodeSelector': { absent: 'notFiltered' },
  // Required by their schema.
  'cilium spec.egress[].toServices[].k8sServiceSelector.selector': { absent: 'invalid' },
  'cilium spec.egressDeny[].toServices[].k8sServiceSelector.selector': { absent: 'invalid' },
  'balancer.x-k8s.io/Balancer spec.selector': { absent: 'invalid' },
  'kubevirt.io/VirtualMachineInstancePreset spec.selector': { absent: 'invalid' },
  'metallb.io/L2Advertisement spec.preferredNodeSelectors[].preference': { absent: 'invalid' },
  'monitoring.grafana.com/PodLogs spec.selector': { absent: 'invalid' },
  'k8s.ovn.org/EgressIP spec.namespaceSelector': { absent: 'invalid' },
  'k8s.ovn.org/AdminPolicyBasedExternalRoute spec.from.namespaceSelector': { absent: 'invalid' },
  // Something beside it is used instead.
  'eventing.knative.dev/EventPolicy spec.to[].selector': { absent: 'notFiltered' },
  'kyverno spec.rules[].validate.cel.paramRef.selector': { absent: 'notFiltered' },
  'policy.networking.k8s.io/ClusterNetworkPolicy spec.egress[].to[].nodes': { absent: 'notFiltered' },
};

/** Puts the facts' words for a selector into closed words; a phrase without a row is told to `unmapped`. */
export function meaningsOf(entry: SelectorEntry, unmapped: (phrase: string) => void): Meanings {
  const look = (table: Readonly<Record<string, Meaning>>, name: string, phrase: string): Meaning => {
    const word = table[phrase];
    if (word === undefined) unmapped(`${name} "${phrase}"`);
    return word ?? 'unknown';
  };
  const own = FIELDS[`${entry.group}/${entry.kind} ${entry.path}`] ?? FIELDS[`${entry.family} ${entry.path}`] ?? {};
  const byPhrase = meaningByKind(entry) ?? look(ABSENT, 'absent', entry.nullMeans);
  const absent = own.absent ?? byPhrase;
  const empty = own.empty ?? look(EMPTY, 'empty', entry.emptyMeans);
  return { absent, null: own.null ?? absent, empty: empty === 'sameAsAbsent' ? absent : empty };
}

/** Decides the phrases that say different things of different kinds. */
function meaningByKind(entry: SelectorEntry): Meaning | undefined {
  switch (entry.nullMeans) {
    // Of an item in a list it says that there is no such selector, so others decide; elsewhere it says nothing.
    case 'n/a':
      return entry.path.endsWith('[]') ? 'notFiltered' : 'unknown';
    case 'all namespaces for cluster kinds, own namespace for namespaced kinds':
      return /^(?:Cluster|Egress|Global)/.test(entry.kind) ? 'all' : 'ownNamespace';
    default:
      return undefined;
  }
}
