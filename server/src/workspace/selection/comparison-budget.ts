/** Limits the number of objects with which the selectors of one file are compared, so that no file makes a check take minutes. */

/** Maximum number of comparisons in one check of a file of a crowded scope, which may have thousands of such files. */
export const maximumInCrowd = 250;

/** Maximum number of comparisons in one check of one file. It takes less than a second, and exceeds what real files need. */
export const maximumComparisons = 200_000;

/** Counts comparisons. Mutable: each check of a file creates its own instance. */
export class Comparisons {
  readonly #maximum: number;
  readonly #inCrowd: number;
  #made = 0;
  #isIncomplete = false;
  #isInCrowd = false;

  /** `inCrowd` is the maximum in a crowded scope. */
  constructor(maximum = Number.POSITIVE_INFINITY, inCrowd = maximum) {
    this.#maximum = maximum;
    this.#inCrowd = inCrowd;
  }

  /** Whether the limit for crowded scopes applies. */
  get mindsCrowds(): boolean {
    return this.#inCrowd < this.#maximum;
  }

  add(count: number): void {
    this.#made += count;
  }

  /** The number of comparisons so far, which is the same for equal files on every machine. */
  get made(): number {
    return this.#made;
  }

  /** Whether the next selector must be skipped because too many comparisons were made before it. */
  leaveOut(): boolean {
    this.#isIncomplete ||= this.#made >= this.#maximum;
    return this.#isIncomplete;
  }

  /** Whether a selector of a crowded scope, which would be compared with `count` objects, must be skipped. */
  leaveOutInCrowd(count: number): boolean {
    const isTooMuch = this.#made + count > this.#inCrowd;
    this.#isIncomplete ||= isTooMuch;
    this.#isInCrowd ||= isTooMuch;
    return isTooMuch;
  }

  /** Whether a selector was skipped because its scope is crowded. */
  get isInCrowd(): boolean {
    return this.#isInCrowd;
  }

  /** Whether any selector was skipped. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }
}
