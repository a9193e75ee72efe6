/** Keeps on what the last check of each file depended, and finds the checks that changes of files may affect. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { FileChange, Workspace } from '../model.ts';
import { areSameToOthers } from '../store/serialized-file.ts';
import { AskedQuestions } from './asked-questions.ts';
import { Neighbors } from './neighbors.ts';
import type { CachedQuestion, Question, Questions } from './questions.ts';
import { filesToRecheck } from './recheck.ts';

/** The dependencies of the last checks. They are replaced file by file. */
export class Dependencies {
  readonly #asked: AskedQuestions;
  /** The files with findings, by the other files that these findings and their fixes mention. */
  readonly #mentioning = new Map<string, Set<string>>();
  /** The other files that the findings in a file mention. */
  readonly #mentioned = new Map<string, Set<string>>();

  constructor(cached?: readonly CachedQuestion[]) {
    this.#asked = new AskedQuestions(cached);
  }

  addQuestions(uri: string, questions: readonly Question[]): void {
    this.#asked.add(uri, questions);
  }

  questionsOf(uri: string): readonly Question[] {
    return this.#asked.of(uri);
  }

  /** Adds files that the findings in a file mention, because the positions in these findings may change with them. */
  addMentions(uri: string, mentioned: Iterable<string>): void {
    for (const each of mentioned) {
      if (each === uri) continue;
      getOrAdd(this.#mentioning, each, () => new Set()).add(uri);
      getOrAdd(this.#mentioned, uri, () => new Set()).add(each);
    }
  }

  /** Removes the dependencies of the check of a file. */
  delete(uri: string): void {
    this.#asked.delete(uri);
    for (const each of this.#mentioned.get(uri) ?? []) {
      const others = this.#mentioning.get(each);
      others?.delete(uri);
      if (others?.size === 0) this.#mentioning.delete(each);
    }
    this.#mentioned.delete(uri);
  }

  /** Returns the files whose checks may have other results after the files in `changed` changed; some may no longer exist. Only the changes in `visible` affect other files by more than their positions. `before` is the workspace before the changes. Returns undefined if the changes may affect every file. */
  affected(
    workspace: Pick<LiveWorkspace, 'catalogueOf' | 'snapshot'>,
    before: Workspace,
    visible: readonly FileChange[],
    changed: readonly string[],
  ): ReadonlySet<string> | undefined {
    const catalogueOf = (uri: string) => workspace.catalogueOf(uri);
    const concerned = filesToRecheck(workspace.snapshot(), visible, this.#asked, catalogueOf, before, true);
    if (concerned === 'all') return undefined;
    return new Set([...changed, ...concerned, ...changed.flatMap((uri) => [...(this.#mentioning.get(uri) ?? [])])]);
  }
}

/** Returns the changes that may affect other files by more than positions: changes of comments, for example, are left out. */
export function visibleIn(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.filter(({ before, after }) => !areSameToOthers(before, after));
}

/** Returns the result of the check of a file, with the questions that it asked. Questions about its own scopes and their files are left out, because changes of these files concern the check in any case. */
export function recorded<T>(
  { questions, snapshot }: { readonly questions: Questions; readonly snapshot: Workspace },
  uri: string,
  check: () => T,
): { readonly result: T; readonly questions: readonly Question[] } {
  const neighbors = new Neighbors(snapshot);
  const around = snapshot.files.has(uri) ? neighbors.around(uri) : new Set<string>();
  const isPlain = around.has(uri) && neighbors.isPlain(uri);
  questions.start(around, isPlain);
  if (!isPlain) questions.note({ about: 'around' });
  const result = check();
  const paths = neighbors.pathsOf(uri);
  const isOwn = (other: string) =>
    uri === other || (!(isPlain && around.has(other)) && neighbors.takesPartIn(other, paths));
  const isWanted = (question: Question) =>
    !(question.about === 'file' && isOwn(question.uri)) && !(question.about === 'scope' && paths.has(question.path));
  return { result, questions: questions.finish().filter(isWanted) };
}
