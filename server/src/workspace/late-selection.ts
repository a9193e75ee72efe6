/** What of a selection is found only where somebody asks for it? */

import type { Match, Selection } from './selection.ts';

type Late = Omit<Selection, 'matches' | 'maybe'>;

/** How each is found. */
type Found = { readonly [Field in keyof Late]: () => Late[Field] };

/**
 * A selection of which most is found when it is asked for. A class, since an object that is written with getters has a
 * shape of its own each time, which outlives every quick collection of garbage, and all that the getters see with it.
 */
export class LateSelection implements Selection {
  readonly matches: readonly Match[];
  readonly maybe: readonly Match[];
  readonly #late: Found;

  constructor(matches: readonly Match[], maybe: readonly Match[], late: Found) {
    this.matches = matches;
    this.maybe = maybe;
    this.#late = late;
  }

  get elsewhere(): readonly Match[] {
    return this.#late.elsewhere();
  }

  get nearMisses(): readonly Match[] {
    return this.#late.nearMisses();
  }

  get hasCompany(): boolean {
    return this.#late.hasCompany();
  }

  get doubtful(): boolean {
    return this.#late.doubtful();
  }

  get mayTakeOthers(): boolean {
    return this.#late.mayTakeOthers();
  }
}
