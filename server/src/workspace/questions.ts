/** Records the questions about all files on which a check depends, so that a later run can determine which changes may affect the checked file. */

import type { Selector } from '../engine/index.ts';

/** A question whose answer may depend on files in any scope. Plain data: it is stored between two runs. */
export type Question =
  /**
   * Requests the objects of a kind that a selector may match. Labels that the selector does not mention do not affect
   * the answer. `target` is a `kindKey`.
   */
  | { readonly about: 'matches'; readonly target: string; readonly selector: Selector }
  /** Asks whether any object of a kind has a label key. */
  | { readonly about: 'key'; readonly target: string; readonly key: string }
  /** Requests the selectors that match an object of the scope; the object may also be in other scopes. */
  | { readonly about: 'selecting' }
  /** Asks which scopes that may share the cluster build an object that a selector matches; the caller also asks about the content of each of them. */
  | { readonly about: 'built'; readonly selector: Selector }
  /**
   * Requests the GitOps objects that own an object. There was at most one; several are recorded as `anything`. `term`
   * is an `ownedTerm`.
   */
  | { readonly about: 'owned'; readonly term: string }
  /** Requests facts about the names of objects in all files; `term` is a `nameTerm`. */
  | { readonly about: 'named'; readonly term: string }
  /** Asks which scopes apply objects to a namespace; the caller also asks about the content of each of them. */
  | { readonly about: 'namespace'; readonly namespace: string }
  /** Asks which scopes apply objects that a selector matches except for a misspelling; the caller also asks about the content of each of them. */
  | { readonly about: 'similar'; readonly selector: Selector }
  /** Requests the objects that a scope applies; `path` is the path of the scope. */
  | { readonly about: 'scope'; readonly path: string }
  /** Requests the pods, Services, Namespaces, network policies and disruption budgets of the cluster of a GitOps object. */
  | { readonly about: 'cluster' }
  /** Requests facts about what other GitOps objects apply to the cluster of an object. */
  | { readonly about: 'gitops' }
  /** Asks which files and folders exist. */
  | { readonly about: 'paths' }
  /** Requests any other facts about the labels or selectors of all files. */
  | { readonly about: 'anything' };

/** A question, and the URIs of the files whose checks depend on it. */
export interface CachedQuestion {
  readonly question: Question;
  readonly uris: readonly string[];
}

/** Records the questions of one check at a time. */
export class Questions {
  #noted: Map<string, Question> | undefined;
  /**
   * Changes with each check, so that a check does not use results that were cached during another check, and records
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

  /** Returns the questions recorded since `start`, without duplicates, and stops recording. */
  finish(): readonly Question[] {
    const noted = [...(this.#noted?.values() ?? [])];
    this.#noted = undefined;
    return noted;
  }
}
