/** A cache of recent results by text: neighboring text is often the same. */

const most = 200;

/** Caches the results for a few hundred texts. */
export class LruCache<T> {
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
