/** Divides addresses into classes that policies treat alike. */

import { getOrAdd } from '../memoize.ts';
import { type AddressBlock, type AddressRange, cutBy, isInBlock, isWithin } from './addresses.ts';

/** Addresses outside the cluster, or of hosts, that all policies treat alike. */
export interface AddressClass {
  readonly kind: 'addresses';
  /** The index of this class among the classes of addresses. */
  readonly place: number;
  readonly ranges: readonly AddressRange[];
  /** Set for addresses of host endpoints of Calico, to which policies also apply. */
  readonly isOfHost?: true;
  /** Set for addresses of pods, services or nodes, for which policies do not decide by the address. */
  readonly isInCluster?: true;
}

const ofHost = { isOfHost: true } as const;

/** Returns the classes of all addresses, of which some blocks belong to hosts of the cluster. */
export function addressClasses(
  blocks: readonly AddressBlock[],
  ofHosts: ReadonlySet<AddressBlock>,
): readonly AddressClass[] {
  const ranges = cutBy(blocks);
  const inBlocks = ranges.map((): number[] => []);
  const hosts = blocks.flatMap((block, number) => (ofHosts.has(block) ? [number] : []));
  for (const [number, block] of blocks.entries()) {
    for (let at = firstWithin(ranges, block.range); at < ranges.length; at++) {
      const range = ranges[at];
      if (range === undefined || !isWithin(range, block.range)) break;
      if (isInBlock(range, block) !== 'no') inBlocks[at]?.push(number);
    }
  }
  const byKey = new Map<string, AddressClass & { readonly ranges: AddressRange[] }>();
  for (const [at, range] of ranges.entries()) {
    const key = inBlocks[at]?.join() ?? '';
    const found = getOrAdd(byKey, key, () => {
      const isOfHost = hosts.some((number) => inBlocks[at]?.includes(number)) && ofHost;
      return { kind: 'addresses' as const, place: byKey.size, ranges: [], ...isOfHost };
    });
    found.ranges.push(range);
  }
  return [...byKey.values()];
}

/** Returns the index of the first of the sorted ranges that does not begin before the given range. */
function firstWithin(ranges: readonly AddressRange[], { family, first }: AddressRange): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    const isBefore = range !== undefined && (range.family < family || (range.family === family && range.first < first));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
