/**
 * An immutable map for small changes to large maps: a few changes are layered over a base that many snapshots share.
 */

/**
 * The maximum number of layered changes; with more changes, a new base is created to keep lookups of unchanged entries
 * fast.
 */
const maximumChanges = 64;

/** An immutable map; `with` returns a new map that shares unchanged entries. */
export class LayeredMap<K, V> implements ReadonlyMap<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  /** The changes to the base; undefined for a removed entry. */
  readonly #changes: ReadonlyMap<K, V | undefined>;
  readonly size: number;
  readonly #onRead: ((key?: K) => void) | undefined;
  /** The last result of `keysChangedSince`, because many results are compared with the same two maps. */
  #compared: { readonly before: WeakRef<ReadonlyMap<K, V>>; readonly changed: readonly K[] } | undefined;

  /** `onRead` is called with each key that is looked up, and without a key if all entries are read. */
  constructor(base: ReadonlyMap<K, V>, changes: ReadonlyMap<K, V | undefined> = new Map(), onRead?: (key?: K) => void) {
    this.#base = base;
    this.#changes = changes;
    this.#onRead = onRead;
    let size = base.size;
    for (const [key, value] of changes) size += Number(value !== undefined) - Number(base.has(key));
    this.size = size;
  }

  /** Returns the map with some values set; entries with undefined values are removed. */
  with(changes: Iterable<readonly [key: K, value: V | undefined]>): LayeredMap<K, V> {
    const all = new Map([...this.#changes, ...changes]);
    const layered = new LayeredMap(this.#base, all);
    return all.size > maximumChanges ? new LayeredMap(new Map(layered)) : layered;
  }

  observed(onRead: (key?: K) => void): LayeredMap<K, V> {
    return new LayeredMap(this.#base, this.#changes, onRead);
  }

  get(key: K): V | undefined {
    this.#onRead?.(key);
    return this.#at(key);
  }

  #at(key: K): V | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#base.get(key);
  }

  has(key: K): boolean {
    this.#onRead?.(key);
    return this.#at(key) !== undefined;
  }

  /** Returns the keys whose values differ from their values in an earlier map, which may be the base; undefined if any value may differ. */
  keysChangedSince(before: ReadonlyMap<K, V>): readonly K[] | undefined {
    const [base, changes] = before instanceof LayeredMap ? [before.#base, before.#changes] : [before, undefined];
    if (base !== this.#base) return undefined;
    if (this.#compared?.before.deref() !== before) {
      const keys = new Set([...(changes?.keys() ?? []), ...this.#changes.keys()]);
      const changed = [...keys].filter((key) => this.get(key) !== before.get(key));
      this.#compared = { before: new WeakRef(before), changed };
    }
    return this.#compared?.changed;
  }

  /** Yields the entries in the order of the base, with new entries at the end. */
  *entries(): MapIterator<[K, V]> {
    this.#onRead?.();
    for (const [key, before] of this.#base) {
      const value = this.#changes.has(key) ? this.#changes.get(key) : before;
      if (value !== undefined) yield [key, value];
    }
    for (const [key, value] of this.#changes) if (value !== undefined && !this.#base.has(key)) yield [key, value];
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  /**
   * Calls `visit` for each entry. Unlike the iterators, `forEach` allocates no memory, which matters for large maps.
   */
  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    this.#onRead?.();
    this.#base.forEach((before, key) => {
      const value = this.#changes.has(key) ? this.#changes.get(key) : before;
      if (value !== undefined) visit(value, key, this);
    });
    this.#changes.forEach((value, key) => {
      if (value !== undefined && !this.#base.has(key)) visit(value, key, this);
    });
  }
}
