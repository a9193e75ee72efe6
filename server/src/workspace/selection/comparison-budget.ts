/** Limits the number of objects with which the selectors of one file are compared, so that no file makes a check take minutes. */

/** Maximum number of comparisons in one check of one file. It takes less than a second, and exceeds what real files need. */
export const maximumComparisons = 200_000;

/** The number of objects without a match that take as long as one match, for which files are deserialized and reasons are found. */
export const missesPerMatch = 10;

/** Counts comparisons. Mutable: each check of a file creates its own instance. */
export class Comparisons {
  readonly #maximum: number;
  /** Whether the limit for crowded scopes applies. */
  readonly mindsCrowds: boolean;
  #made = 0;
  #isIncomplete = false;
  #isInCrowd = false;

  constructor(maximum = Number.POSITIVE_INFINITY, mindsCrowds = false) {
    this.#maximum = maximum;
    this.mindsCrowds = mindsCrowds;
  }

  add(count: number): void {
    this.#made += count;
  }

  /** Counts the comparisons of a selector that matches nothing with the objects of its scope, in order to find near misses. */
  addMisses(count: number): void {
    this.add(Math.ceil(count / missesPerMatch));
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

  /** Whether a selector of a crowded scope, which would be compared with `count` objects, must be skipped. `share` is the number of comparisons for each file of the scope. */
  leaveOutInCrowd(count: number, share: number): boolean {
    const isTooMuch = this.#made + count > share;
    this.#isIncomplete ||= isTooMuch;
    this.#isInCrowd ||= isTooMuch;
    return isTooMuch;
  }

  /** Whether a selector was skipped because its scope is crowded. */
  get isInCrowd(): boolean {
    return this.#isInCrowd;
  }

  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }
}
