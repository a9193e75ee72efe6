/** What was made last of which text? What stands near to each other often says the same. */

const most = 200;

/** Remembers what was made of a few hundred texts. */
export class Recent<T> {
  readonly #made = new Map<string, T>();

  getOrAdd(text: string, make: () => T): T {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    if (this.#made.size === most) this.#made.clear();
    const made = make();
    this.#made.set(text, made);
    return made;
  }
}
