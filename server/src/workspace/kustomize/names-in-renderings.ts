/** An index of the names of the objects that scopes build. It is updated when it is used, for the scopes whose renderings changed since its last use. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { RenderingTerms } from '../model.ts';
import { nameTermsIn, renderedNameTerm } from './rendering-terms.ts';

export class NamesInRenderings {
  readonly #known = new Map<string, RenderingTerms>();
  readonly #paths = new Map<string, Set<string>>();

  /** Replaces the terms of all scopes, which are given by their paths. */
  update(current: ReadonlyMap<string, RenderingTerms>): void {
    for (const [path, terms] of this.#known) if (current.get(path) !== terms) this.#remove(path, terms);
    for (const [path, terms] of current) {
      if (this.#known.get(path) === terms) continue;
      this.#known.set(path, terms);
      for (const term of nameTermsIn(terms.terms)) getOrAdd(this.#paths, term, () => new Set()).add(path);
    }
  }

  /** Returns the paths of the scopes that build an object with a name. */
  pathsWith(name: string): ReadonlySet<string> {
    return this.#paths.get(renderedNameTerm(name)) ?? none;
  }

  #remove(path: string, { terms }: RenderingTerms): void {
    this.#known.delete(path);
    for (const term of nameTermsIn(terms)) {
      const paths = this.#paths.get(term);
      paths?.delete(path);
      if (paths?.size === 0) this.#paths.delete(term);
    }
  }
}

const none: ReadonlySet<string> = new Set();
