/** Finds the files whose findings mention a file, because these findings may change with it. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Diagnostic } from './model.ts';

/** The files that the findings of a report, and their fixes, mention. They are replaced file by file. */
export class Mentions {
  /** The files with findings, by the files that they mention. */
  readonly #mentioning = new Map<string, Set<string>>();
  /** The files that the findings in a file mention. */
  readonly #mentioned = new Map<string, Set<string>>();

  constructor(diagnostics: readonly Diagnostic[]) {
    this.add(diagnostics);
  }

  /** Adds the mentions of findings. */
  add(diagnostics: readonly Diagnostic[]): void {
    for (const { uri, related, fixes } of diagnostics) {
      for (const each of related) this.#add(uri, each.uri);
      for (const { changes } of fixes) for (const each of changes) this.#add(uri, each.uri);
    }
  }

  /** Removes the mentions of the findings in a file. */
  delete(uri: string): void {
    for (const each of this.#mentioned.get(uri) ?? []) {
      const others = this.#mentioning.get(each);
      others?.delete(uri);
      if (others?.size === 0) this.#mentioning.delete(each);
    }
    this.#mentioned.delete(uri);
  }

  /** Returns the other files with findings that mention a file. */
  of(uri: string): Iterable<string> {
    return this.#mentioning.get(uri) ?? [];
  }

  #add(uri: string, mentioned: string): void {
    if (mentioned === uri) return;
    getOrAdd(this.#mentioning, mentioned, () => new Set()).add(uri);
    getOrAdd(this.#mentioned, uri, () => new Set()).add(mentioned);
  }
}
