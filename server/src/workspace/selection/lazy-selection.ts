/** A selection whose parts are computed lazily, apart from its matches. */

import type { Match, Selection } from './model.ts';

type Lazy = Omit<Selection, 'matches' | 'maybe'>;

/** How each is found. */
type Computed = { readonly [Field in keyof Lazy]: () => Lazy[Field] };

/**
 * A selection most of which is computed lazily. It is a class, since an object literal with getters has a shape of its
 * own each time, which outlives every quick garbage collection, with all that the getters reference.
 */
export class LazySelection implements Selection {
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly #lazy: Computed;
  readonly #found: { -readonly [Field in keyof Lazy]?: Lazy[Field] } = {};

  constructor(matches: readonly Match[], maybe: readonly Match[], lazy: Computed) {
    this.matches = matches;
    this.maybe = maybe;
    this.#lazy = lazy;
  }

  get elsewhere(): readonly Match[] {
    this.#found.elsewhere ??= this.#lazy.elsewhere();
    return this.#found.elsewhere;
  }

  get nearMisses(): readonly Match[] {
    this.#found.nearMisses ??= this.#lazy.nearMisses();
    return this.#found.nearMisses;
  }

  get hasCompany(): boolean {
    this.#found.hasCompany ??= this.#lazy.hasCompany();
    return this.#found.hasCompany;
  }

  get uncertain(): boolean {
    this.#found.uncertain ??= this.#lazy.uncertain();
    return this.#found.uncertain;
  }

  get mayMatchOthers(): boolean {
    this.#found.mayMatchOthers ??= this.#lazy.mayMatchOthers();
    return this.#found.mayMatchOthers;
  }
}

/** The selection of an unknown selector. */
export const nothingKnown: Selection = {
  matches: [],
  maybe: [],
  elsewhere: [],
  nearMisses: [],
  hasCompany: false,
  uncertain: true,
  mayMatchOthers: true,
};
