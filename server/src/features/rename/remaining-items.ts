/** Lists from which a search removes each item that it has reached, so that searching a dense graph takes linear time. */

import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';

/** The items of each list that a search has not reached. Each search has its own mutable instance; lists are identified by reference. */
export class RemainingItems<T extends object> {
  readonly #lists = new Map<readonly T[], readonly T[]>();
  readonly #comparisons: Comparisons;

  constructor(comparisons: Comparisons) {
    this.#comparisons = comparisons;
  }

  /**
   * Calls `isReached` for each remaining item of a list, counts these calls, and removes the items that are reached.
   */
  visit(list: readonly T[], isReached: (item: T) => boolean): void {
    const remaining = this.#lists.get(list) ?? list;
    this.#comparisons.add(remaining.length);
    this.#lists.set(
      list,
      remaining.filter((item) => !isReached(item)),
    );
  }
}
