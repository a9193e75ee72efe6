/** Finds the object of a cluster that has an address, which is then no address outside of the cluster. */

import { type AddressRange, parseAddress, parseRange } from '../../engine/index.ts';
import { isWithin } from '../../engine/reach/addresses.ts';
import { addressTextsOf } from '../../manifests/kinds/address-fields.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterObject } from './cluster-object.ts';

/** Returns an object of a cluster to which all addresses of a range belong; undefined if there is none. */
export function ownerOfAddresses({ addressed }: Cluster, range: AddressRange): ClusterObject | undefined {
  return addressed.find(({ object }) => addressTextsOf(object).some((text) => owns(text, range)));
}

/** Whether one of the addresses, blocks and ranges in a text contains a range. */
function owns(text: string, range: AddressRange): boolean {
  return text.split(/[\s,;"'[\]]+/).some((each) => {
    const owned = parseRange(each) ?? rangeBetween(each);
    return owned !== undefined && isWithin(range, owned);
  });
}

/** Parses a range of addresses: `192.0.2.1-192.0.2.9`. */
function rangeBetween(text: string): AddressRange | undefined {
  const [first, last, more] = text.split('-').map(parseAddress);
  if (first === undefined || last === undefined || more !== undefined || first.family !== last.family) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}
