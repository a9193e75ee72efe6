/** Sets of ports over all protocols, as sorted ranges. Sets are interned, so that equal sets are identical objects. */

import { getOrAdd } from '../memoize.ts';
import type { Protocol } from './types.ts';

/** All protocols, in the order in which they are listed. */
export const protocols: readonly Protocol[] = ['TCP', 'UDP', 'SCTP'];

export const maxPort = 65_535;

/** The protocols share one number line, each with this many numbers; port 0 is never in a set. */
const stride = maxPort + 1;

/** Ranges that are sorted, disjoint and not adjacent. The bounds are alternately the start (inclusive) and the end (exclusive) of a range. */
export interface PortSet {
  /** The id of the set, unique among the sets of one `PortSets`. */
  readonly id: number;
  readonly bounds: readonly number[];
}

/** The ports of one protocol in a set. */
export interface ProtocolPorts {
  readonly protocol: Protocol;
  /** The ports: `all`, or ranges such as `80,8080-8090`. */
  readonly ports: string;
}

type Operation = 'union' | 'intersection' | 'difference';

/** Creates and combines port sets. Each result is computed once. */
export class PortSets {
  readonly #byText = new Map<string, PortSet>();
  readonly #byId: PortSet[] = [];
  readonly #results: Readonly<Record<Operation, Map<number, PortSet>>> = {
    union: new Map(),
    intersection: new Map(),
    difference: new Map(),
  };

  readonly none: PortSet = this.#intern([]);
  readonly all: PortSet = this.#intern(protocols.flatMap((_, index) => [index * stride + 1, (index + 1) * stride]));

  /** Returns the set with the given id. */
  at(id: number): PortSet {
    return this.#byId[id] ?? this.none;
  }

  /**
   * Returns the set of the ports from `from` to `to`, both inclusive, of a protocol, or of every protocol if no
   * protocol is given.
   */
  range(protocol: Protocol | undefined, from = 1, to = maxPort): PortSet {
    if (to < from) return this.none;
    const places = protocol === undefined ? protocols : [protocol];
    return this.#intern(places.flatMap((each) => [placeOf(each, from), placeOf(each, to) + 1]));
  }

  /** Returns the set of this object that has the same ports as a set of a different `PortSets`. */
  own({ bounds }: PortSet): PortSet {
    return this.#intern(bounds);
  }

  union(a: PortSet, b: PortSet): PortSet {
    if (a === b || b === this.none || a === this.all) return a;
    if (a === this.none || b === this.all) return b;
    return this.#combined('union', a, b, (inA, inB) => inA || inB);
  }

  intersection(a: PortSet, b: PortSet): PortSet {
    if (a === b || b === this.all || a === this.none) return a;
    if (a === this.all || b === this.none) return b;
    return this.#combined('intersection', a, b, (inA, inB) => inA && inB);
  }

  /** Returns the ports in `a` that are not in `b`. */
  difference(a: PortSet, b: PortSet): PortSet {
    if (a === b || b === this.all) return this.none;
    if (a === this.none || b === this.none) return a;
    return this.#combined('difference', a, b, (inA, inB) => inA && !inB);
  }

  /** Divides a set so that each part is inside or outside of each of the other sets; undefined if there would be too many parts. */
  divided(set: PortSet, others: readonly PortSet[]): readonly PortSet[] | undefined {
    let parts: readonly PortSet[] = set === this.none ? [] : [set];
    for (const other of new Set(others)) {
      parts = parts
        .flatMap((part) => [this.intersection(part, other), this.difference(part, other)])
        .filter((part) => part !== this.none);
      if (parts.length > maximumParts) return undefined;
    }
    return parts;
  }

  #combined(operation: Operation, a: PortSet, b: PortSet, isIn: (inA: boolean, inB: boolean) => boolean): PortSet {
    const known = this.#results[operation];
    return getOrAdd(known, a.id * maximumSets + b.id, () => this.#intern(sweep(a.bounds, b.bounds, isIn)));
  }

  #intern(bounds: readonly number[]): PortSet {
    return getOrAdd(this.#byText, bounds.join(), () => {
      const set = { id: this.#byId.length, bounds };
      this.#byId.push(set);
      return set;
    });
  }
}

/** The maximum number of parts of a divided set. */
const maximumParts = 50;

/** The limit on the number of port sets. Memory is exhausted long before; two ids below the limit can be combined into one exact number. */
const maximumSets = 2 ** 25;

/** Combines two lists of bounds in one sweep; each bound switches its set on or off in turn. */
function sweep(
  a: readonly number[],
  b: readonly number[],
  isIn: (inA: boolean, inB: boolean) => boolean,
): readonly number[] {
  const bounds: number[] = [];
  let atA = 0;
  let atB = 0;
  while (atA < a.length || atB < b.length) {
    const place = Math.min(a[atA] ?? Number.POSITIVE_INFINITY, b[atB] ?? Number.POSITIVE_INFINITY);
    if (a[atA] === place) atA++;
    if (b[atB] === place) atB++;
    const isOpen = bounds.length % 2 === 1;
    if (isIn(atA % 2 === 1, atB % 2 === 1) !== isOpen) bounds.push(place);
  }
  return bounds;
}

function placeOf(protocol: Protocol, port: number): number {
  return protocols.indexOf(protocol) * stride + port;
}

/** Whether a set contains a port of a protocol. */
export function hasPort({ bounds }: PortSet, protocol: Protocol, port: number): boolean {
  const place = placeOf(protocol, port);
  let before = 0;
  while (before < bounds.length && (bounds[before] ?? 0) <= place) before++;
  return before % 2 === 1;
}

/** Returns the first port of a set; undefined for an empty set. */
export function firstPort({
  bounds: [first],
}: PortSet): { readonly protocol: Protocol; readonly port: number } | undefined {
  const protocol = first === undefined ? undefined : protocols[Math.floor(first / stride)];
  return first === undefined || protocol === undefined ? undefined : { protocol, port: first % stride };
}

/** Returns the ports of a set by protocol. Protocols without ports are left out. */
export function portsByProtocol({ bounds }: PortSet): readonly ProtocolPorts[] {
  return protocols.flatMap((protocol, index): readonly ProtocolPorts[] => {
    const ranges: string[] = [];
    for (let at = 0; at < bounds.length; at += 2) {
      const from = Math.max((bounds[at] ?? 0) - index * stride, 1);
      const to = Math.min((bounds[at + 1] ?? 0) - 1 - index * stride, maxPort);
      if (from <= to) ranges.push(from === to ? `${from}` : `${from}-${to}`);
    }
    if (ranges.length === 0) return [];
    const ports = ranges.join();
    return [{ protocol, ports: ports === `1-${maxPort}` ? 'all' : ports }];
  });
}
