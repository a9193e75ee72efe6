/** Lists the kinds of objects that have addresses in a cluster. */

import type { GroupKind } from '../../engine/catalogue/types.ts';

/** The fields that contain the addresses of objects. A field may be in each item of a list. */
const fields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '/Service',
    ['spec.clusterIP', 'spec.clusterIPs', 'spec.externalIPs', 'spec.loadBalancerIP', 'status.loadBalancer.ingress.ip'],
  ],
  ['/Pod', ['status.podIP', 'status.podIPs.ip']],
  ['/Node', ['status.addresses.address', 'spec.podCIDR', 'spec.podCIDRs']],
  ['crd.projectcalico.org/IPPool', ['spec.cidr']],
  ['projectcalico.org/IPPool', ['spec.cidr']],
]);

/** Returns the fields that contain the addresses of an object; undefined for kinds without addresses. */
export function addressFieldsOf({ group, kind }: GroupKind): readonly string[] | undefined {
  return fields.get(`${group}/${kind}`);
}
