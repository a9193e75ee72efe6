/** Orders that depend on nothing but what is ordered, so that answers do not tell how a workspace came to be as it is. */

/** By UTF-16 units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts, and gives back the same list if it is in order, as most lists are whose files were read one after the other. */
export function inOrder<T>(list: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  for (let at = 1; at < list.length; at++) {
    // The indexes are inside of the list.
    if (compare(list[at - 1] as T, list[at] as T) > 0) return list.toSorted(compare);
  }
  return list;
}
