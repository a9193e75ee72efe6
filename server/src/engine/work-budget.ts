/** Bounds the work that an input may cause. Work is counted where it happens, for the evaluation that is running, so that no caller has to pass its budget on. */

/** Ends an evaluation whose budget is spent; the evaluation catches it. */
export class BudgetSpent extends Error {}

let running: WorkBudget | undefined;

/** The work that an evaluation may cause. A step is about a microsecond. */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Counts work; throws `BudgetSpent` if no work is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left <= 0) throw new BudgetSpent();
  }

  /** Runs a function whose work, wherever it happens, belongs to this budget. */
  during<Result>(run: () => Result): Result {
    const outer = running;
    running = this;
    try {
      return run();
    } finally {
      running = outer;
    }
  }

  /** Runs a function whose work belongs to this budget; returns undefined if no work is left for it. */
  run<Result>(run: () => Result): Result | undefined {
    try {
      return this.during(() => {
        this.spend(1);
        return run();
      });
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      return undefined;
    }
  }
}

/** Counts work for the evaluation that is running; throws `BudgetSpent` if no work is left for it. */
export function spend(steps: number): void {
  running?.spend(steps);
}
