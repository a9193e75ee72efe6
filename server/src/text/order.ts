/** Orders that depend only on the sorted items, so that results do not depend on how a workspace reached its state. */

/** Compares texts by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a sorted list. A list that is already sorted, as files that are read in sequence usually are, is returned unchanged. */
export function inOrder<T>(list: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  for (let at = 1; at < list.length; at++) {
    // The casts are safe, because both indexes are within the list.
    if (compare(list[at - 1] as T, list[at] as T) > 0) return list.toSorted(compare);
  }
  return list;
}

/** Returns a sorted list of the items of a sorted list and of some others, which should be few. */
export function merged<T>(sorted: readonly T[], others: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  const all: T[] = [];
  let start = 0;
  for (const each of others.toSorted(compare)) {
    const end = countBefore(sorted, (item) => compare(item, each) <= 0);
    while (start < end) all.push(sorted[start++] as T); // The cast is safe, because the index is within the list.
    all.push(each);
  }
  return [...all, ...sorted.slice(start)];
}

/** Returns the number of items at the start of a sorted list for which `isBefore` holds, found by binary search. `isBefore` must be false for every item after one for which it is false. */
export function countBefore<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    // The cast is safe, because the index is within the list.
    if (isBefore(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
