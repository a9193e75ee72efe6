/** Finds the addresses that objects have in a cluster, or from which other objects get their addresses. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../model.ts';
import { childOf, itemsOf, type MapEntry, type MapNode, type Node, nodeAt } from '../yaml/tree.ts';

/** The fields that contain the addresses of objects of Kubernetes. A field may be in each item of a list. */
const ofKubernetes: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '/Service',
    ['spec.clusterIP', 'spec.clusterIPs', 'spec.externalIPs', 'spec.loadBalancerIP', 'status.loadBalancer.ingress.ip'],
  ],
  ['/Pod', ['status.podIP', 'status.podIPs.ip']],
  ['/Node', ['status.addresses.address', 'spec.podCIDR', 'spec.podCIDRs']],
]);

const ofCalico = ['crd.projectcalico.org', 'projectcalico.org'].flatMap(
  (group): readonly (readonly [string, readonly string[]])[] => [
    [`${group}/IPPool`, ['spec.cidr']],
    [`${group}/IPAMBlock`, ['spec.cidr']],
    [`${group}/BlockAffinity`, ['spec.cidr']],
    [`${group}/WorkloadEndpoint`, ['spec.ipNetworks', 'spec.ipNATs.externalIP']],
    [
      `${group}/BGPConfiguration`,
      ['spec.serviceClusterIPs.cidr', 'spec.serviceExternalIPs.cidr', 'spec.serviceLoadBalancerIPs.cidr'],
    ],
  ],
);

/** The fields of other kinds, whose whole content is known. */
const others: ReadonlyMap<string, readonly string[]> = new Map([
  ['networking.k8s.io/ServiceCIDR', ['spec.cidrs']],
  ...ofCalico,
  ['operator.tigera.io/Installation', ['spec.calicoNetwork.ipPools.cidr']],
  ['cilium.io/CiliumPodIPPool', ['spec.ipv4.cidrs', 'spec.ipv6.cidrs']],
  ['cilium.io/CiliumLoadBalancerIPPool', ['spec.blocks', 'spec.cidrs']],
  ['cilium.io/CiliumNode', ['spec.addresses.ip', 'spec.ipam.podCIDRs', 'spec.ipam.pools.allocated.cidrs']],
  ['cilium.io/CiliumEndpointSlice', ['endpoints.networking.addressing.ipv4', 'endpoints.networking.addressing.ipv6']],
  ['cilium.io/CiliumLocalRedirectPolicy', ['spec.redirectFrontend.addressMatcher.ip']],
  ['metallb.io/IPAddressPool', ['spec.addresses']],
  // Only the ConfigMap with the settings of Cilium has content.
  ['/ConfigMap', ['data.cluster-pool-ipv4-cidr', 'data.cluster-pool-ipv6-cidr']],
]);

/** The kinds of objects whose content is known, because it contains addresses. */
export const addressKinds: readonly string[] = [...others.keys()].filter((kind) => kind !== '/ConfigMap');

/** The annotations that contain the addresses of the object, of its pods, or of the pods in a Namespace. */
const annotations: ReadonlySet<string> = new Set([
  ...['ipAddrs', 'ipAddrsNoIpam', 'floatingIPs', 'podIP', 'podIPs', 'ipv4pools', 'ipv6pools'].map(
    (name) => `cni.projectcalico.org/${name}`,
  ),
  'projectcalico.org/loadBalancerIPs',
  'lbipam.cilium.io/ips',
  'io.cilium/lb-ipam-ips',
  'metallb.io/loadBalancerIPs',
  'metallb.universe.tf/loadBalancerIPs',
  'kube-vip.io/loadbalancerIPs',
]);

/** Returns the fields of an object of Kubernetes that contain addresses, with their paths; undefined if it has none. */
export function addressesOf({ group, kind }: GroupKind, root: Node): MapNode | undefined {
  const paths = ofKubernetes.get(`${group}/${kind}`);
  if (paths === undefined || root.kind !== 'map') return undefined;
  const parts = ['spec', 'status'].flatMap((part): readonly MapEntry[] => {
    const entry = root.entries.find(({ key }) => key.text === part);
    if (entry?.value.kind !== 'map') return [];
    const fields = paths.flatMap((path) => (path.startsWith(`${part}.`) ? [path.split('.')[1]] : []));
    const entries = entry.value.entries.filter(({ key }) => fields.includes(key.text));
    return entries.length === 0 ? [] : [{ ...entry, value: { ...entry.value, entries, open: false } }];
  });
  return parts.length === 0 ? undefined : { ...root, entries: parts, open: false };
}

/** Returns the texts with addresses in the fields and annotations of an object. A range has the form `192.0.2.1-192.0.2.9`. */
export function addressTextsOf(object: ManifestObject): readonly string[] {
  const type = `${object.group}/${object.kind}`;
  const fields = others.get(type);
  const found =
    fields === undefined
      ? (ofKubernetes.get(type) ?? []).flatMap((path) => textsAt(object.addresses, path.split('.')))
      : fields.flatMap((path) => textsAt(object.networkSpec, path.split('.')));
  return [...found, ...annotationsOf(object)];
}

function annotationsOf({ labelSites }: ManifestObject): readonly string[] {
  return labelSites.flatMap(({ place, entries }) =>
    place.holds !== 'annotations'
      ? []
      : entries.flatMap(({ key, value }) => (annotations.has(key.text) ? [value.text] : [])),
  );
}

/** Returns the texts at a path. A map at the end of the path is a block: its first and last address, or its addresses. */
function textsAt(node: Node | undefined, [step, ...steps]: readonly string[]): readonly string[] {
  if (node?.kind === 'list')
    return itemsOf(node).flatMap((item) => textsAt(item, step === undefined ? [] : [step, ...steps]));
  if (step !== undefined) return textsAt(childOf(node, step), steps);
  if (node?.kind !== 'map') return node === undefined ? [] : [node.text];
  const [start = '', stop = start] = ['start', 'stop'].flatMap((end) => textsAt(nodeAt(node, end), []));
  return [...textsAt(childOf(node, 'cidr'), []), ...(start === '' ? [] : [`${start}-${stop}`])];
}

/** Whether an object may have addresses, or determine the addresses of other objects. */
export function hasAddresses(object: ManifestObject): boolean {
  if (object.addresses !== undefined || annotationsOf(object).length > 0) return true;
  return object.networkSpec !== undefined && others.has(`${object.group}/${object.kind}`);
}
