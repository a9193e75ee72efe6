/** Look-ups in the index of a workspace that record what a check reads. */

import type { MatchesQuestion, Question, Questions } from './dependencies/questions.ts';
import { labeledObjectsInFile } from './index/index-entries.ts';
import { labelSetsOf } from './index/iterate.ts';
import type { WorkspaceIndex } from './index/workspace-index.ts';
import type { Candidate, FoundIn, Workspace } from './model.ts';
import { everyCluster } from './scopes/model.ts';

type Observed = <T extends FoundIn<{ readonly uri: string }>>(found: Iterable<T>) => Iterable<T>;

/** Returns a function that records which results of a look-up are used. */
export function observedBy(questions: Questions | undefined): Observed {
  return (found) => (questions === undefined ? found : readingEach(found, questions));
}

/** Yields the results of a look-up, and records that their files were read. */
function* readingEach<T extends FoundIn<{ readonly uri: string }>>(
  found: Iterable<T>,
  questions: Questions,
): Iterable<T> {
  for (const each of found) {
    questions.readAround(each.id.uri);
    yield each;
  }
}

/** Yields the results of a look-up. A caller that needs only one result depends on the matches in its file; a caller that requests all of them depends on the answer to the question. */
export function* untilEnough(
  found: Iterable<Candidate>,
  questions: Questions,
  question: MatchesQuestion,
): Iterable<Candidate> {
  const latest: string[] = [];
  let isEnough = true;
  try {
    for (const each of found) {
      latest.push(each.file.uri);
      // A caller may request one more result before it stops.
      if (latest.length > 2) latest.shift();
      yield each;
    }
    isEnough = false;
  } finally {
    if (isEnough) for (const uri of latest) questions.readMatches(uri, question);
    else questions.note(question);
  }
}

interface Lookups {
  readonly questions: Questions | undefined;
  /** Records a question about all files, and returns the index. */
  readonly ask: (question?: Question) => WorkspaceIndex;
  readonly indexed: () => WorkspaceIndex;
  readonly observed: Observed;
}

export function lookupsIn(
  { ask, indexed, observed, questions }: Lookups,
  holdsObjects: (uri: string) => boolean,
): Pick<
  Workspace,
  'carrying' | 'speaking' | 'targets' | 'hasKey' | 'labelsOf' | 'labelSets' | 'labelCounts' | 'selectingIds'
> {
  return {
    carrying: (key, value) => ask().carrying(key, value),
    speaking: (...evaluated) => ask().speaking(...evaluated),
    targets: () => ask().targets(),
    hasKey: (target, key) => ask({ about: 'key', ...(target && { target }), key }).hasKey(target, key),
    labelsOf: (target) => ask().labelsOf(target),
    labelSets: (target, selector) =>
      labelSetsOf(observed(ask({ about: 'matches', target, selector }).labelSets(target, selector)), holdsObjects),
    labelCounts: (target) => ask().labelCounts(target),
    selectingIds: (target, labels, within) => {
      if (within === undefined) return observed(ask().selectors(target, labels));
      questions?.noteAround({ about: 'selecting' });
      return observed(indexed().selectors(target, labels, within));
    },
  };
}

export function lookupsInFiles(
  indexed: () => WorkspaceIndex,
  files: Workspace['files'],
  questions: Questions | undefined,
): Pick<Workspace, 'labeledObjectsIn' | 'selectorsIn'> {
  return {
    labeledObjectsIn: (uri, targets) => {
      questions?.readAround(uri);
      if (uri === everyCluster) return labeledObjectsInFile(files.get(uri), targets);
      return indexed().labeledObjectsIn(uri, targets);
    },
    selectorsIn: (uri, target) => {
      questions?.readAround(uri);
      return indexed().selectorsIn(uri, target);
    },
  };
}
