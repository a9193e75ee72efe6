/**
 * Records which questions about all files a check depends on, so that a later run knows which changes can matter to the
 * checked file.
 */

import type { Selector } from '../engine/index.ts';

/** A question whose answer may depend on files in any scope. Plain data: it is stored between two runs. */
export type Question =
  /** Which objects of a kind a selector may match, and no more of their labels; `target` is `kindKey`'s. */
  | { readonly about: 'matches'; readonly target: string; readonly selector: Selector }
  /** Whether an object of a kind has a label key. */
  | { readonly about: 'key'; readonly target: string; readonly key: string }
  /** Which selectors match an object in the scope: the object may be in further scopes. */
  | { readonly about: 'selecting' }
  /** Something else about the labels or selectors of all files. */
  | { readonly about: 'anything' };

/** A question, and the URIs of the files whose checks depend on it. */
export interface CachedQuestion {
  readonly question: Question;
  readonly uris: readonly string[];
}

/** The questions of one check at a time. */
export class Questions {
  #noted: Map<string, Question> | undefined;
  /** Differs in each check: what one check found without asking again, another has to ask for itself. */
  turn = 0;

  /** Begins to note questions. */
  start(): void {
    this.#noted = new Map();
    this.turn++;
  }

  note(question: Question): void {
    if (this.#noted !== undefined) this.#noted.set(JSON.stringify(question), question);
  }

  /** Returns the questions since `start`, each once, and notes no more. */
  finish(): readonly Question[] {
    const noted = [...(this.#noted?.values() ?? [])];
    this.#noted = undefined;
    return noted;
  }
}
