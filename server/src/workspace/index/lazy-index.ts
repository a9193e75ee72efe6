/** An index that is filled at its first lookup, because the indexes of most kinds of objects are never used. */

export interface Fillable<Id, What> {
  add(id: Id, what: What): void;
  remove(id: Id): void;
  readonly size: number;
}

/** Collects the entries of an index compactly, and creates the index at the first lookup. */
export class LazyIndex<Id, What, Index extends Fillable<Id, What>> {
  readonly #make: () => Index;
  #waiting = new Map<Id, What>();
  #index: Index | undefined;

  constructor(make: () => Index) {
    this.#make = make;
  }

  add(id: Id, what: What): void {
    if (this.#index === undefined) this.#waiting.set(id, what);
    else this.#index.add(id, what);
  }

  remove(id: Id): void {
    if (this.#index === undefined) this.#waiting.delete(id);
    else this.#index.remove(id);
  }

  get isEmpty(): boolean {
    return (this.#index ?? this.#waiting).size === 0;
  }

  filled(): Index {
    if (this.#index === undefined) {
      this.#index = this.#make();
      for (const [id, what] of this.#waiting) this.#index.add(id, what);
      this.#waiting = new Map();
    }
    return this.#index;
  }
}
