/** Bounds the work that the templates of one release may cause. */

/** The work that the templates of one release may cause, which all of them share. A step is an expression, a node, or 200 characters. */
export class ExecutionBudget {
  #left = maximumSteps;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Counts a step; throws `BudgetSpent` if it was the last one. */
  spend(characters: number): void {
    this.#left -= 1 + characters / 200;
    if (this.#left <= 0) throw new BudgetSpent();
  }
}

const maximumSteps = 400_000;

/** Ends the execution of a template if the budget of its chart is spent; the executor catches it. */
export class BudgetSpent extends Error {}
