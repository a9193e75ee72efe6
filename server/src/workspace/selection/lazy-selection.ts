/** A selection whose parts are computed lazily, apart from its matches. */

import type { Match, Selection } from './model.ts';

type Late = Omit<Selection, 'matches' | 'maybe'>;

/** How each is found. */
type Found = { readonly [Field in keyof Late]: () => Late[Field] };

/**
 * A selection most of which is computed lazily. It is a class, since an object literal with getters has a shape of its
 * own each time, which outlives every quick garbage collection, with all that the getters reference.
 */
export class LateSelection implements Selection {
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly #late: Found;
  readonly #found: { -readonly [Field in keyof Late]?: Late[Field] } = {};

  constructor(matches: readonly Match[], maybe: readonly Match[], late: Found) {
    this.matches = matches;
    this.maybe = maybe;
    this.#late = late;
  }

  get elsewhere(): readonly Match[] {
    this.#found.elsewhere ??= this.#late.elsewhere();
    return this.#found.elsewhere;
  }

  get nearMisses(): readonly Match[] {
    this.#found.nearMisses ??= this.#late.nearMisses();
    return this.#found.nearMisses;
  }

  get hasCompany(): boolean {
    this.#found.hasCompany ??= this.#late.hasCompany();
    return this.#found.hasCompany;
  }

  get doubtful(): boolean {
    this.#found.doubtful ??= this.#late.doubtful();
    return this.#found.doubtful;
  }

  get mayTakeOthers(): boolean {
    this.#found.mayTakeOthers ??= this.#late.mayTakeOthers();
    return this.#found.mayTakeOthers;
  }
}

/** The selection of an unknown selector. */
export const nothingKnown: Selection = {
  matches: [],
  maybe: [],
  elsewhere: [],
  nearMisses: [],
  hasCompany: false,
  doubtful: true,
  mayTakeOthers: true,
};
