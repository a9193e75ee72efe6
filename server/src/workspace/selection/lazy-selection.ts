/** A selection in which everything except the matches is computed lazily. */

import type { Match, Selection } from './model.ts';

type Lazy = Omit<Selection, 'matches' | 'maybe'>;

type Computed = { readonly [Field in keyof Lazy]: () => Lazy[Field] };

/** A selection whose parts are mostly lazy. It is a class because each object literal with getters has a new shape, which survives quick garbage collections together with everything that the getters reference. */
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

  get uncertainHere(): boolean {
    this.#found.uncertainHere ??= this.#lazy.uncertainHere();
    return this.#found.uncertainHere;
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
  uncertainHere: true,
  mayMatchOthers: true,
};
