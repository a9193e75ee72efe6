/** Lists the kinds of objects that have addresses in a cluster, or determine the addresses of other objects. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../model.ts';

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

/** The fields that contain the addresses of objects. A field may be in each item of a list. */
const fields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '/Service',
    ['spec.clusterIP', 'spec.clusterIPs', 'spec.externalIPs', 'spec.loadBalancerIP', 'status.loadBalancer.ingress.ip'],
  ],
  ['/Pod', ['status.podIP', 'status.podIPs.ip']],
  ['/Node', ['status.addresses.address', 'spec.podCIDR', 'spec.podCIDRs']],
  ['networking.k8s.io/ServiceCIDR', ['spec.cidrs']],
  ...ofCalico,
  ['operator.tigera.io/Installation', ['spec.calicoNetwork.ipPools.cidr']],
  ['cilium.io/CiliumPodIPPool', ['spec.ipv4.cidrs', 'spec.ipv6.cidrs']],
  ['cilium.io/CiliumLoadBalancerIPPool', ['spec.blocks', 'spec.cidrs']],
  ['cilium.io/CiliumNode', ['spec.addresses.ip', 'spec.ipam.podCIDRs', 'spec.ipam.pools.allocated.cidrs']],
  ['cilium.io/CiliumEndpoint', ['status.networking.addressing.ipv4', 'status.networking.addressing.ipv6']],
  ['cilium.io/CiliumEndpointSlice', ['endpoints.networking.addressing.ipv4', 'endpoints.networking.addressing.ipv6']],
  ['cilium.io/CiliumLocalRedirectPolicy', ['spec.redirectFrontend.addressMatcher.ip']],
  ['metallb.io/IPAddressPool', ['spec.addresses']],
]);

/** The fields of objects with a name that contain addresses, as texts with several addresses. */
const ofConfigMaps: ReadonlyMap<string, readonly string[]> = new Map([
  ['cilium-config', ['data.cluster-pool-ipv4-cidr', 'data.cluster-pool-ipv6-cidr']],
]);

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

/** Returns the fields that contain the addresses of an object; undefined for kinds without addresses. */
export function addressFieldsOf({
  group,
  kind,
  name,
}: GroupKind & Pick<ManifestObject, 'name'>): readonly string[] | undefined {
  if (group === '' && kind === 'ConfigMap') return ofConfigMaps.get(name?.text ?? '');
  return fields.get(`${group}/${kind}`);
}

/** Returns the texts of the annotations that contain addresses. */
export function addressAnnotationsOf({ labelSites }: ManifestObject): readonly string[] {
  return labelSites.flatMap(({ place, entries }) =>
    place.holds !== 'annotations'
      ? []
      : entries.flatMap(({ key, value }) =>
          annotations.has(key.text) && typeof value.value === 'string' ? [value.value] : [],
        ),
  );
}

/** Whether an object may have addresses, or determine the addresses of other objects. */
export function hasAddresses(object: ManifestObject): boolean {
  return addressFieldsOf(object) !== undefined || addressAnnotationsOf(object).length > 0;
}
