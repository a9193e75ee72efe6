/** A cache of recently used values, limited by their total size. Values are evicted in two generations. */

/**
 * A cache in two generations: it drops a whole generation at once, since removing entries from a map one by one is
 * slow.
 */
export class LruCache<Value> {
  #cache = new Map<string, Value>();
  #before = new Map<string, Value>();
  /** The total size of the newer generation. */
  #size = 0;
  /** The maximum size of a generation. */
  maximum: number;
  readonly #sizeOf: (value: Value) => number;

  constructor(maximum: number, sizeOf: (value: Value) => number) {
    this.maximum = maximum;
    this.#sizeOf = sizeOf;
  }

  /** Returns the cached value of a key, if it is still valid. */
  get(key: string, isGood: (value: Value) => boolean): Value | undefined {
    const cache = this.#cache.get(key);
    const known = cache ?? this.#before.get(key);
    if (known === undefined || !isGood(known)) return undefined;
    if (cache === undefined) this.keep(key, known);
    return known;
  }

  keep(key: string, value: Value): void {
    this.#cache.set(key, value);
    this.#size += this.#sizeOf(value);
    if (this.#size > this.maximum) this.evictUnused();
  }

  /** Evicts values that were not used since the last call. */
  evictUnused(): void {
    this.#before = this.#cache;
    this.#cache = new Map();
    this.#size = 0;
  }

  *values(): Iterable<Value> {
    yield* this.#before.values();
    yield* this.#cache.values();
  }
}
