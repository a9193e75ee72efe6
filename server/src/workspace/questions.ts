/**
 * Records which questions about all files a check depends on, so that a later run knows which changes can matter to the
 * checked file.
 */

import type { Selector } from '../engine/index.ts';

/** A question whose answer may depend on files in any scope. Plain data: it is stored between two runs. */
export type Question =
  /** The objects of a kind that a selector may match, without their other labels; `target` is a `kindKey`. */
  | { readonly about: 'matches'; readonly target: string; readonly selector: Selector }
  /** Whether an object of a kind has a label key. */
  | { readonly about: 'key'; readonly target: string; readonly key: string }
  /** Which selectors match an object in the scope: the object may be in further scopes. */
  | { readonly about: 'selecting' }
  /** Any other facts about the labels or selectors of all files. */
  | { readonly about: 'anything' };

/** A question, and the URIs of the files whose checks depend on it. */
export interface CachedQuestion {
  readonly question: Question;
  readonly uris: readonly string[];
}

/** The questions of one check at a time. */
export class Questions {
  #noted: Map<string, Question> | undefined;
  /**
   * Changes with each check, so that results that are cached by one check are not used by another, which must record
   * its own questions.
   */
  turn = 0;

  /** Begins to record questions. */
  start(): void {
    this.#noted = new Map();
    this.turn++;
  }

  note(question: Question): void {
    if (this.#noted !== undefined) this.#noted.set(JSON.stringify(question), question);
  }

  /** Returns the questions since `start`, each once, and stops recording. */
  finish(): readonly Question[] {
    const noted = [...(this.#noted?.values() ?? [])];
    this.#noted = undefined;
    return noted;
  }
}
