/** Records on what the check of a file depends, and finds the checks that changes of files may affect. */

import { addsOrDeletes } from '../absent-file.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { FileChange, Workspace } from '../model.ts';
import { areSameToOthers } from '../store/serialized-file.ts';
import type { AskedQuestions } from './asked-questions.ts';
import { Neighbors } from './neighbors.ts';
import type { Question, Questions } from './questions.ts';
import { filesToRecheck } from './recheck.ts';

/** Returns the files whose checks may have other results after the files in `changed` changed; some may no longer exist. Only the changes in `visible` affect other files by more than their positions. `asked` contains the questions of the checks before the changes, and `before` is the workspace before them. Returns undefined if the changes may affect every file. */
export function affectedFiles(
  asked: AskedQuestions,
  workspace: Pick<LiveWorkspace, 'catalogueOf' | 'snapshot'>,
  before: Workspace,
  visible: readonly FileChange[],
  changed: readonly string[],
): ReadonlySet<string> | undefined {
  const catalogueOf = (uri: string) => workspace.catalogueOf(uri);
  const concerned = filesToRecheck(workspace.snapshot(), visible, asked, catalogueOf, before, true);
  if (concerned === 'all') return undefined;
  const mentioning = changed.flatMap((uri) => [...asked.asking({ about: 'positions', uri })]);
  return new Set([...changed, ...concerned, ...mentioning]);
}

/** Returns the changes that may affect other files by more than positions: changes of comments, for example, are left out. */
export function visibleIn(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.filter((each) => addsOrDeletes(each) || !areSameToOthers(each.before, each.after));
}

/** Returns the result of the check of a file, with the questions that it asked; `mentionedIn` returns the files of which the result contains positions. Questions about its own scopes and their files are left out, because changes of these files concern the check in any case. */
export function recorded<T>(
  { questions, snapshot }: { readonly questions: Questions | undefined; readonly snapshot: Workspace },
  uri: string,
  check: () => T,
  mentionedIn: (result: T) => Iterable<string>,
): { readonly result: T; readonly questions: readonly Question[] } {
  if (questions === undefined) return { result: check(), questions: [{ about: 'anything' }] };
  const neighbors = new Neighbors(snapshot);
  const around = snapshot.files.has(uri) ? neighbors.around(uri) : new Set<string>();
  const isPlain = around.has(uri) && neighbors.isPlain(uri);
  const paths = neighbors.pathsOf(uri);
  questions.start(around, isPlain);
  if (!isPlain) questions.note({ about: 'around' });
  const result = check();
  for (const each of mentionedIn(result)) if (each !== uri) questions.note({ about: 'positions', uri: each });
  const isOwn = (other: string) =>
    uri === other || (!(isPlain && around.has(other)) && neighbors.takesPartIn(other, paths));
  const isWanted = (question: Question) =>
    !(
      (question.about === 'file' || question.about === 'matches') &&
      question.uri !== undefined &&
      isOwn(question.uri)
    ) && !(question.about === 'scope' && paths.has(question.path));
  return { result, questions: questions.finish().filter(isWanted) };
}
