/** Memoization: map entries that are created when they are missing, maps of bounded size, and lazy values. */

/** The methods that `Map` and `WeakMap` share. */
interface Kept<Key, Made> {
  get(key: Key): Made | undefined;
  set(key: Key, made: Made): unknown;
}

/** Returns the value of a key in a map. A missing value is created and added first. */
export function getOrAdd<Key, Made>(map: Kept<Key, Made>, key: Key, make: (key: Key) => Made): Made {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}

/** Returns a function that computes the value of an object once, as long as the object exists. */
export function memoized<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => getOrAdd(known, key, make);
}

/** A map for results that are likely to be needed again soon. It is cleared before it exceeds `maximum` entries. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maximum: number;

  constructor(maximum: number) {
    super();
    this.#maximum = maximum;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#maximum && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}

/** A map whose values are dropped if they are not used between two evictions, which are counted by a function. */
export class RecentMap<Key, Value> {
  readonly #evictions: () => number;
  #evicted = 0;
  #recent = new Map<Key, Value>();
  #before = new Map<Key, Value>();

  constructor(evictions: () => number) {
    this.#evictions = evictions;
  }

  getOrAdd(key: Key, make: (key: Key) => Value): Value {
    const evictions = this.#evictions();
    if (evictions !== this.#evicted) {
      this.#before = this.#recent;
      this.#recent = new Map();
      this.#evicted = evictions;
    }
    return getOrAdd(this.#recent, key, () => this.#before.get(key) ?? make(key));
  }
}

/** Returns a function that creates a value on its first call and returns that value on every call. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
