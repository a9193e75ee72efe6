/** Represents policies of network plugins and service meshes whose rules are not evaluated: connections of the pods that they may select are unknown. Sources: the API types of each project. */

import type { Direction, LabelSet, ReachPolicy, RulesOfDirection, Selector, Value } from '../../engine/index.ts';
import { isDenying } from '../../manifests/kinds/created-policies.ts';
import { anyRoot } from '../../manifests/kinds/mesh-roots.ts';
import type { ManifestObject } from '../../manifests/model.ts';

interface OtherPolicyKind {
  /** The policy selects pods of all namespaces; otherwise, only those of its own namespace. */
  readonly isClusterwide?: true;
  /** In the root namespace of Istio, the policy selects pods of all namespaces. */
  readonly isOfIstio?: true;
  /** The path of the only label selector that selects the pods of the policy. */
  readonly subject?: string;
  /** The paths of label selectors of namespaces, of which one limits the pods of the policy. */
  readonly namespaces?: readonly string[];
  /** The policy can only deny what others allow; otherwise, it may also allow what a NetworkPolicy denies. */
  readonly onlyDenies?: true;
  /** The only direction of connections that the policy concerns; absent if it concerns both. */
  readonly direction?: Direction;
}

const mesh: OtherPolicyKind = { onlyDenies: true };
const istio: OtherPolicyKind = { ...mesh, isOfIstio: true, subject: 'spec.selector' };

const admin: OtherPolicyKind = {
  isClusterwide: true,
  subject: 'spec.subject.pods.podSelector',
  namespaces: ['spec.subject.namespaces', 'spec.subject.pods.namespaceSelector'],
};

const kinds: ReadonlyMap<string, OtherPolicyKind> = new Map([
  ['policy.networking.k8s.io/AdminNetworkPolicy', admin],
  ['policy.networking.k8s.io/BaselineAdminNetworkPolicy', admin],
  ['k8s.cni.cncf.io/MultiNetworkPolicy', { ...mesh, subject: 'spec.podSelector' }],
  ['crd.antrea.io/NetworkPolicy', {}],
  ['crd.antrea.io/ClusterNetworkPolicy', { isClusterwide: true }],
  ['networking.k8s.aws/ApplicationNetworkPolicy', { subject: 'spec.podSelector' }],
  ['networking.k8s.aws/ClusterNetworkPolicy', { isClusterwide: true }],
  ['networking.gke.io/FQDNNetworkPolicy', { subject: 'spec.podSelector', direction: 'egress' }],
  ['vpcresources.k8s.aws/SecurityGroupPolicy', { ...mesh, subject: 'spec.podSelector' }],
  ['k8s.ovn.org/EgressFirewall', { ...mesh, direction: 'egress' }],
  ['network.openshift.io/EgressNetworkPolicy', { ...mesh, direction: 'egress' }],
  ['networking.istio.io/Sidecar', { ...istio, subject: 'spec.workloadSelector.labels' }],
  ['policy.linkerd.io/AuthorizationPolicy', { ...mesh, direction: 'ingress' }],
  ['policy.linkerd.io/Server', { ...mesh, subject: 'spec.podSelector', direction: 'ingress' }],
  // These select services of a mesh, which may be in other namespaces than the policy.
  ['access.smi-spec.io/TrafficTarget', { ...mesh, isClusterwide: true }],
  ['consul.hashicorp.com/ServiceIntentions', { ...mesh, isClusterwide: true }],
  ['kuma.io/MeshTrafficPermission', { ...mesh, isClusterwide: true }],
  ['kuma.io/TrafficPermission', { ...mesh, isClusterwide: true }],
]);

/** Whether an object is a policy that may allow or deny connections and whose rules are not evaluated, or creates network policies. */
export function isOtherPolicy({ group, kind, createdPolicies }: ManifestObject): boolean {
  return createdPolicies !== undefined || kinds.has(`${group}/${kind}`);
}

const everything: Selector = { kind: 'everything' };

/** A policy whose rules are not evaluated. */
export interface OtherPolicy {
  readonly policy: ReachPolicy;
  readonly isNamespaced: boolean;
  /** Why the policy may select pods of all namespaces, although the object belongs to one. */
  readonly because?:
    | 'possible root namespace'
    | 'default policy'
    | 'several plugins'
    | 'host endpoints'
    | 'syntax error';
}

/** Returns the policy in an object as far as it is known: the pods that it may select, with rules that may match every connection. Undefined if the object is no such policy. Without a configuration of the mesh, each namespace may be the root namespace of Istio. */
export function otherPolicyIn(
  object: ManifestObject,
  namespace: Value,
  meshRoots: ReadonlySet<string> | undefined,
): OtherPolicy | undefined {
  const created = object.createdPolicies;
  if (created !== undefined) {
    const isNamespaced = created.areInOwnNamespace === true;
    const kind = created.isMeshDefault ? mesh : {};
    const policy = policyOf(kind, object, isNamespaced ? namespace : created.namespace);
    return { policy, isNamespaced, ...(created.isMeshDefault && { because: 'default policy' as const }) };
  }
  const kind = kinds.get(`${object.group}/${object.kind}`);
  if (kind === undefined) return undefined;
  const isNamespaced = !kind.isClusterwide;
  const mayBeRoot = (each: string) => meshRoots === undefined || meshRoots.has(each) || meshRoots.has(anyRoot);
  const isRoot = kind.isOfIstio && (typeof namespace !== 'string' || mayBeRoot(namespace));
  const policy = policyOf(kind, object, isNamespaced && !isRoot ? namespace : undefined);
  return isRoot ? { policy, isNamespaced, because: 'possible root namespace' } : { policy, isNamespaced };
}

/** Returns the policy that a GlobalNetworkPolicy of Calico is for connections which hosts forward to and from pods. */
export function forwardingPolicy(object: ManifestObject): OtherPolicy {
  return { policy: policyOf(mesh, object, undefined), isNamespaced: false, because: 'host endpoints' };
}

/** Returns the policy that an object is if its file has a syntax error, so that its content is uncertain. */
export function brokenPolicy(object: ManifestObject, namespace: Value | undefined): OtherPolicy {
  const isNamespaced = namespace !== undefined;
  return { policy: policyOf({}, object, namespace), isNamespaced, because: 'syntax error' };
}

/** The annotation of Linkerd that determines which connections are allowed to pods without a policy. */
const inboundKey = 'config.linkerd.io/default-inbound-policy';

/** Returns the policy that an annotation of a Namespace or of the pods of a workload determines. */
export function defaultPolicyOf(
  object: ManifestObject,
  {
    path,
    namespace,
    labels,
  }: { readonly path: string; readonly namespace: Value; readonly labels: LabelSet['labels'] },
): OtherPolicy | undefined {
  const annotations = object.labelSites.find((site) => site.place.holds === 'annotations' && site.path === path);
  const entry = annotations?.entries.findLast(({ key }) => key.text === inboundKey);
  if (!isDenying(entry?.value.text)) return undefined;
  const requirements = Object.entries(labels).flatMap(([key, value]) =>
    typeof value === 'string' ? [{ key, operator: '=' as const, values: [value] }] : [],
  );
  const policy = policyOf(mesh, object, namespace);
  const pods = requirements.length === 0 ? everything : { kind: 'all' as const, requirements };
  return {
    policy: { ...policy, subject: { kind: 'pods', pods, namespaces: undefined }, egress: { covers: 'no', rules: [] } },
    isNamespaced: path !== 'metadata.annotations',
    because: 'default policy',
  };
}

/** Returns a policy of the pods in a namespace, or in all namespaces if the namespace is unknown. */
function policyOf(kind: OtherPolicyKind, object: ManifestObject, namespace: Value | undefined): ReachPolicy {
  const isEverywhere = typeof namespace !== 'string';
  const action = kind.onlyDenies ? ('Deny' as const) : undefined;
  const rule = { index: 0, action, peers: [], anyPeer: 'yes', ports: [], anyPort: 'yes', isOptional: true } as const;
  const rules = { covers: 'maybe', rules: [rule] } as const;
  const none = { covers: 'no', rules: [] } as const;
  return {
    tier: kind.onlyDenies ? 'Mesh' : undefined,
    priority: undefined,
    namespace: isEverywhere ? undefined : namespace,
    subject: {
      kind: 'pods',
      namespaces: isEverywhere ? selectorAt(object, kind.namespaces) : undefined,
      pods: selectorAt(object, kind.subject === undefined ? [] : [kind.subject]),
    },
    ingress: kind.direction === 'egress' ? none : rules,
    egress: kind.direction === 'ingress' ? none : rules,
    isOptional: true,
  };
}

/** Returns a policy of a network plugin with the same pods, whose rules may match every connection. */
export function unevaluated({ place: _, ingress, egress, ...policy }: ReachPolicy): ReachPolicy {
  const rule = {
    index: -1,
    action: undefined,
    peers: [],
    anyPeer: 'yes',
    ports: [],
    anyPort: 'yes',
    isOptional: true,
  } as const;
  const unknown = ({ covers }: RulesOfDirection): RulesOfDirection =>
    covers === 'no' ? { covers, rules: [] } : { covers: 'maybe', rules: [rule] };
  return { ...policy, tier: undefined, ingress: unknown(ingress), egress: unknown(egress), isOptional: true };
}

/** Returns a selector of everything that the only selector at some paths may select. */
function selectorAt({ selectorSites }: ManifestObject, paths: readonly string[] = []): Selector {
  const sites = selectorSites.filter(({ path }) => paths.includes(path));
  const [site] = sites;
  if (site === undefined || sites.length > 1 || site.state !== 'present' || site.open) return everything;
  return site.selector?.ok === true && site.selector.value.kind === 'all' ? site.selector.value : everything;
}
