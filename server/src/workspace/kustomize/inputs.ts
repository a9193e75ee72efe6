/** Records the files and the answers about scopes that a build depends on, and checks whether they are unchanged. */

import { LayeredMap } from '../index/layered-map.ts';
import type { WorkspaceFile } from '../model.ts';
import type { Scopes } from '../scopes/model.ts';

export interface Files {
  readonly files: { get(uri: string): WorkspaceFile | undefined };
  fileNameOf(uri: string): string;
  scopes(): Scopes;
}

/** A question about scopes with a comparable answer. The function must not reference any scopes itself, because the question is asked again for later scopes. */
export type ScopeQuestion = (scopes: Scopes) => readonly string[];

/** Every file that a build looked up, with the result of the lookup, and every question about scopes, with the answer. */
export class Inputs {
  readonly #found = new Map<string, WorkspaceFile | undefined>();
  readonly #asked: { readonly question: ScopeQuestion; readonly answer: readonly string[] }[] = [];
  /** The inputs of the bases on which the build depends. */
  readonly #below = new Set<Inputs>();
  /** The snapshot with which the inputs were last compared. */
  #checked: Files['files'];
  /** The scopes that give these answers: with and without the execution of charts, for example. */
  readonly #answering = new WeakSet<Scopes>();

  constructor(files: Files['files']) {
    this.#checked = files;
  }

  add(uri: string, file: WorkspaceFile | undefined): void {
    this.#found.set(uri, file);
  }

  addAll(below: Inputs): void {
    this.#below.add(below);
  }

  /**
   * Asks a question, and records its answer. Inputs must contain a question of their own if the inputs of one of their
   * bases contain one.
   */
  ask(question: ScopeQuestion, scopes: Scopes): readonly string[] {
    const answer = question(scopes);
    this.#asked.push({ question, answer });
    this.#answering.add(scopes);
    return answer;
  }

  /**
   * Whether a snapshot has equal files, and scopes that give equal answers; inputs that several builds share are
   * compared once.
   */
  areCurrent(snapshot: Files): boolean {
    const { files } = snapshot;
    // Scopes are computed only if a build depends on them.
    const scopes = this.#asked.length > 0 ? snapshot.scopes() : undefined;
    const isAnswered = scopes === undefined || this.#answering.has(scopes);
    if (this.#checked === files && isAnswered) return true;
    if (!this.#hasFilesOf(files)) return false;
    if (!isAnswered)
      for (const { question, answer } of this.#asked) if (!areEqual(question(scopes), answer)) return false;
    for (const each of this.#below) if (!each.areCurrent(snapshot)) return false;
    this.#checked = files;
    if (scopes !== undefined) this.#answering.add(scopes);
    return true;
  }

  #hasFilesOf(files: Files['files']): boolean {
    const [before, after] = [this.#checked, files];
    const changed =
      before instanceof LayeredMap && after instanceof LayeredMap ? after.keysChangedSince(before) : undefined;
    if (changed !== undefined) return changed.every((uri) => !this.#found.has(uri));
    for (const [uri, file] of this.#found) if (files.get(uri) !== file) return false;
    return true;
  }
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
