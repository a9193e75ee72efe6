/** Bounds how many objects the selectors of one file are compared with, so that no file makes a check take minutes. */

/** Maximum number of comparisons in one check of one file: less than a second, and more than real files need. */
export const maximumComparisons = 200_000;

/** Mutable: one for each check of a file. */
export class Comparisons {
  readonly #maximum: number;
  #made = 0;
  #isIncomplete = false;

  constructor(maximum = Number.POSITIVE_INFINITY) {
    this.#maximum = maximum;
  }

  add(count: number): void {
    this.#made += count;
  }

  /** The number of comparisons: the same for the same files, on every machine. */
  get made(): number {
    return this.#made;
  }

  /** Whether another selector is left out because too much was compared before it. */
  leaveOut(): boolean {
    this.#isIncomplete ||= this.#made >= this.#maximum;
    return this.#isIncomplete;
  }

  /** Whether a selector was left out. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }
}
