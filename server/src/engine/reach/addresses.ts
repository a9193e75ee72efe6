/** Parses and compares IP addresses and CIDR blocks, and formats ranges as the fewest blocks. */

/** An address, as a number within its family. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A range of addresses of one family, both ends inclusive. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** The addresses of a CIDR block, without the addresses of its exceptions. */
export interface AddressBlock {
  readonly range: AddressRange;
  readonly except: readonly AddressRange[];
  /** Set if there may be unknown exceptions. */
  readonly exceptOpen?: true;
}

const bits = { 4: 32, 6: 128 } as const;

/** Returns all addresses of a family. */
export function everyAddress(family: 4 | 6): AddressRange {
  return { family, first: 0n, last: (1n << BigInt(bits[family])) - 1n };
}

/** Parses an IPv4 or IPv6 address as Go's `net.ParseIP` does, except that an IPv4-mapped IPv6 address remains an IPv6 address; undefined for any other text. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseAddress6(text) : parseAddress4(text);
}

/** Parses a CIDR block (`10.0.0.0/8`) as Go's `net.ParseCIDR` does: bits after the prefix are ignored. Returns undefined for any other text. */
export function parseCidr(text: string): AddressRange | undefined {
  const [, host = '', length = ''] = /^([^/]{1,45})\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(host);
  if (address === undefined || (length.length > 1 && length.startsWith('0'))) return undefined;
  const free = bits[address.family] - Number(length);
  if (free < 0) return undefined;
  const first = (address.value >> BigInt(free)) << BigInt(free);
  return { family: address.family, first, last: first + (1n << BigInt(free)) - 1n };
}

/** Parses an address or a CIDR block as a range of addresses; undefined for any other text. */
export function parseRange(text: string): AddressRange | undefined {
  const address = parseAddress(text);
  if (address === undefined) return parseCidr(text);
  return { ...everyAddress(address.family), first: address.value, last: address.value };
}

function parseAddress4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { family: 4, value };
}

function parseAddress6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map(groupsOf);
  const given = head.length + tail.length;
  if (halves.length === 2 ? given > 7 : given !== 8) return undefined;
  const zeros: readonly string[] = new Array(8 - given).fill('0');
  let value = 0n;
  for (const group of [...head, ...zeros, ...tail]) {
    if (!/^[\da-fA-F]{1,4}$/.test(group)) return undefined;
    value = (value << 16n) | BigInt(`0x${group}`);
  }
  return { family: 6, value };
}

/** Returns the groups on one side of `::`; an IPv4 address at the end is converted to two groups. */
function groupsOf(half: string): readonly string[] {
  if (half === '') return [];
  const groups = half.split(':');
  const last = groups.at(-1) ?? '';
  const embedded = last.includes('.') ? parseAddress4(last)?.value : undefined;
  if (embedded === undefined) return groups;
  return [...groups.slice(0, -1), (embedded >> 16n).toString(16), (embedded & 0xffffn).toString(16)];
}

/** Whether all addresses of `inner` are in `outer`. */
export function isWithin(inner: AddressRange, outer: AddressRange): boolean {
  return inner.family === outer.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** The addresses that no pod has: loopback, link-local, multicast and broadcast addresses, which neither the API of Kubernetes accepts for endpoints nor Calico for pods. */
const neverOfPods = [
  ...['127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32'],
  ...['::1/128', 'fe80::/10', 'ff00::/8'],
].flatMap((text) => parseCidr(text) ?? []);

/** Whether a pod with a network of its own may have an address of a range. */
export function mayBeOfPod(range: AddressRange): boolean {
  return !neverOfPods.some((each) => isWithin(range, each));
}

/**
 * Whether the addresses of `range`, which no boundary of the block divides, are in the block; *maybe* if the exceptions
 * are open.
 */
export function isInBlock(
  range: AddressRange,
  { range: whole, except, exceptOpen }: AddressBlock,
): 'yes' | 'no' | 'maybe' {
  if (!isWithin(range, whole) || except.some((each) => isWithin(range, each))) return 'no';
  return exceptOpen ? 'maybe' : 'yes';
}

/** Returns the addresses of both families, divided at every boundary of a block or an exception. */
export function cutBy(blocks: Iterable<AddressBlock>): readonly AddressRange[] {
  const starts = { 4: new Set([0n]), 6: new Set([0n]) };
  for (const { range, except } of blocks)
    for (const { family, first, last } of [range, ...except]) starts[family].add(first).add(last + 1n);
  return ([4, 6] as const).flatMap((family) => {
    const { last: end } = everyAddress(family);
    const sorted = [...starts[family]].filter((start) => start <= end).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return sorted.map((first, index) => ({ family, first, last: (sorted[index + 1] ?? end + 1n) - 1n }));
  });
}

/** Returns the fewest CIDR blocks that contain exactly the addresses of the given disjoint ranges, in ascending order, IPv4 first. */
export function cidrsOf(ranges: readonly AddressRange[]): readonly string[] {
  return joined(ranges).flatMap(({ family, first, last }) => {
    const cidrs: string[] = [];
    for (let start = first; start <= last; ) {
      let free = 0n;
      while (free < BigInt(bits[family]) && isAligned(start, free + 1n) && start + (1n << (free + 1n)) - 1n <= last)
        free++;
      cidrs.push(`${addressText({ family, value: start })}/${bits[family] - Number(free)}`);
      start += 1n << free;
    }
    return cidrs;
  });
}

function isAligned(value: bigint, free: bigint): boolean {
  return (value & ((1n << free) - 1n)) === 0n;
}

/** Sorts ranges and merges adjacent ones. */
function joined(ranges: readonly AddressRange[]): readonly AddressRange[] {
  const sorted = ranges.toSorted((a, b) => a.family - b.family || (a.first < b.first ? -1 : 1));
  const result: AddressRange[] = [];
  for (const range of sorted) {
    const before = result.at(-1);
    if (before?.family === range.family && before.last + 1n >= range.first) {
      result[result.length - 1] = { ...before, last: range.last };
    } else result.push(range);
  }
  return result;
}

/** Formats an address; IPv6 addresses have the form that RFC 5952 defines. */
export function addressText({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** Returns the first of the longest runs of zero groups in an IPv6 address. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    const end = groups.findIndex((group, index) => index >= start && group !== '0');
    const length = (end === -1 ? groups.length : end) - start;
    if (length > longest.length) longest = { start, length };
  }
  return longest;
}
