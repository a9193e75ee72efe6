/** Keeps the questions of the last checks, and finds those that a change concerns. */

import { type LabelSet, type Selector, SelectorIndex } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { alternativeTerms, hasOneOfEach } from '../kustomize/rendering-terms.ts';
import type { CachedQuestion, MatchesQuestion, Question } from './questions.ts';

/** A question, and the files whose checks depend on it, as long as these change. */
interface Asked {
  readonly question: Question;
  readonly uris: Set<string>;
}

/** The questions of the last checks of all files. They are replaced file by file, because an edit concerns few files. Questions about labels are indexed, because an edit also concerns few of the thousands of selectors. */
export class AskedQuestions {
  readonly #byKey = new Map<string, Asked>();
  readonly #byFile = new Map<string, Asked[]>();
  /** The questions about matches of selectors, by the key of `matchesKey`. */
  readonly #matches = new Map<string, SelectorIndex<Asked>>();
  /** The questions about renderings, by the rarest terms of which a rendering with a match contains one. */
  readonly #built = new Map<string | undefined, Map<Asked, ReturnType<typeof alternativeTerms>>>();
  readonly #answers = new Set<Asked>();
  readonly #others = new Set<Asked>();

  constructor(cached: readonly CachedQuestion[] = []) {
    for (const { question, uris } of cached) {
      const asked = this.#askedFor(question);
      for (const uri of uris) this.#note(uri, asked);
    }
  }

  delete(uri: string): void {
    for (const asked of this.#byFile.get(uri) ?? []) {
      asked.uris.delete(uri);
      if (asked.uris.size === 0) this.#drop(asked);
    }
    this.#byFile.delete(uri);
  }

  add(uri: string, questions: readonly Question[]): void {
    for (const question of questions) this.#note(uri, this.#askedFor(question));
  }

  /** Returns the questions of the last check of a file. */
  of(uri: string): readonly Question[] {
    return this.#byFile.get(uri)?.map(({ question }) => question) ?? [];
  }

  /** Returns the questions about objects of a kind whose selectors may match a label set in a file, with the selectors. */
  matching(uri: string, target: string, labelSet: LabelSet): ReturnType<SelectorIndex<Asked>['find']> {
    return [{ target }, { target, uri }].flatMap((each) => this.#matches.get(matchesKey(each))?.find(labelSet) ?? []);
  }

  /** Yields the questions to which a rendering with some terms may give another answer. */
  *builtWith(terms: ReadonlySet<string>): Iterable<Asked> {
    for (const term of [undefined, ...terms])
      for (const [asked, alternatives] of this.#built.get(term) ?? [])
        if (hasOneOfEach(terms, alternatives)) yield asked;
  }

  get areBuiltAsked(): boolean {
    return this.#built.size > 0;
  }

  asking(question: Question): Iterable<string> {
    return this.#byKey.get(JSON.stringify(question))?.uris ?? [];
  }

  /** Yields the queries about all scopes, with their answers. */
  answers(): Iterable<Asked> {
    return this.#answers;
  }

  /** Yields the other questions that are not about certain labels, names or files. */
  others(): Iterable<Asked> {
    return this.#others;
  }

  #askedFor(question: Question): Asked {
    return getOrAdd(this.#byKey, JSON.stringify(question), () => {
      const asked: Asked = { question, uris: new Set() };
      if (question.about === 'matches')
        getOrAdd(this.#matches, matchesKey(question), () => new SelectorIndex<Asked>()).add(asked, question.selector);
      else if (question.about === 'built') this.#enterBuilt(asked, question.selector);
      else if (question.about === 'answer') this.#answers.add(asked);
      else if (!isAboutOneThing(question)) this.#others.add(asked);
      return asked;
    });
  }

  #enterBuilt(asked: Asked, selector: Selector): void {
    const alternatives = alternativeTerms(selector);
    if (alternatives === undefined) return;
    const shared = (terms: readonly string[]) =>
      terms.reduce((sum, term) => sum + (this.#built.get(term)?.size ?? 0), 0);
    const [rarest = [undefined]] = alternatives.toSorted((a, b) => shared(a) - shared(b));
    for (const term of rarest) getOrAdd(this.#built, term, () => new Map()).set(asked, alternatives);
  }

  #note(uri: string, asked: Asked): void {
    asked.uris.add(uri);
    getOrAdd(this.#byFile, uri, () => []).push(asked);
  }

  #drop(asked: Asked): void {
    const { question } = asked;
    this.#byKey.delete(JSON.stringify(question));
    this.#answers.delete(asked);
    this.#others.delete(asked);
    if (question.about === 'matches') this.#matches.get(matchesKey(question))?.remove(asked);
    if (question.about !== 'built') return;
    const terms = alternativeTerms(question.selector)?.flat() ?? [];
    for (const term of [undefined, ...terms]) this.#built.get(term)?.delete(asked);
  }
}

/** Returns a string that is equal for questions about objects of the same kind, in the same file or in any file. */
function matchesKey({ target, uri = '' }: Pick<MatchesQuestion, 'target' | 'uri'>): string {
  return `${target} ${uri}`;
}

/** Whether `asking` finds a question with what changed. */
function isAboutOneThing({ about }: Question): boolean {
  return about === 'named' || about === 'file' || about === 'place' || about === 'positions';
}
