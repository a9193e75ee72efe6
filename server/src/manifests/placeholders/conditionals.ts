/** Finds the conditional regions of a template that contain a position. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Span } from '../../text/span.ts';

/** The content between `if`, `range` or `with` and the matching `end`, which may not exist in the output. */
export interface Conditional extends Span {
  /** The code of the condition. Regions with the same condition always exist together. */
  readonly condition: string;
  /** Identifies the block. The branches of one block never exist together. */
  readonly block: number;
}

/** Regions that contain a position, from the innermost one. */
interface Around {
  readonly region: Conditional;
  readonly outer: Around | undefined;
}

/** The offset from which other regions than before it contain a position. */
interface Change {
  readonly at: number;
  readonly around: Around | undefined;
}

const known = new WeakMap<readonly Conditional[], readonly Change[]>();

/** The maximum number of regions around each entry of a map that are considered; in charts, fewer than twenty are nested. */
export const maximumNested = 100;

/** Returns the regions that contain a position, from the outermost one; only the innermost `most` if there are more. */
export function regionsAround(
  regions: readonly Conditional[],
  position: number,
  most = Number.POSITIVE_INFINITY,
): readonly Conditional[] {
  if (regions.length === 0) return [];
  const changes = getOrAdd(known, regions, changesOf);
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const found: Conditional[] = [];
  let around = changes[low - 1]?.around;
  for (; around !== undefined && found.length < most; around = around.outer) found.push(around.region);
  return found.reverse();
}

function changesOf(regions: readonly Conditional[]): readonly Change[] {
  const borders = regions.flatMap((region) => [
    { at: region.start, region, begins: true },
    { at: region.end, region, begins: false },
  ]);
  // A region that ends where another one begins does not contain it.
  borders.sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
  let around: Around | undefined;
  return borders.map(({ at, region, begins }) => {
    around = begins ? { region, outer: around } : without(around, region);
    return { at, around };
  });
}

/** Removes a region, which is the innermost one unless blocks of different template languages overlap. */
function without(around: Around | undefined, region: Conditional): Around | undefined {
  const inner: Conditional[] = [];
  let at = around;
  while (at !== undefined && at.region !== region) {
    inner.push(at.region);
    at = at.outer;
  }
  return inner.reduceRight<Around | undefined>((outer, each) => ({ region: each, outer }), at?.outer);
}

const byBlock = new WeakMap<readonly Conditional[], ReadonlyMap<number, readonly Conditional[]>>();

export function branchesOf(regions: readonly Conditional[], block: number): readonly Conditional[] {
  return getOrAdd(byBlock, regions, branchesByBlock).get(block) ?? [];
}

function branchesByBlock(regions: readonly Conditional[]): ReadonlyMap<number, readonly Conditional[]> {
  const branches = new Map<number, Conditional[]>();
  for (const each of regions) getOrAdd(branches, each.block, () => []).push(each);
  return branches;
}
