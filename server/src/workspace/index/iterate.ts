/**
 * Generators that yield index results one at a time. They are outside of snapshots and views on purpose: a generator
 * that is created inside of one would outlive every quick garbage collection, with all that it references.
 */

import type { FoundLabeledObject, LabelSetInFile } from '../model.ts';

/** Concatenates two iterables. The second one is created lazily, when the first one ends. */
export function* oneAfterTheOther<T>(first: Iterable<T>, second: () => Iterable<T>): Iterable<T> {
  yield* first;
  yield* second();
}

/** The label sets that an index found, in the wanted files. */
export function* labelSetsOf(
  found: Iterable<FoundLabeledObject>,
  isWanted: (uri: string) => boolean,
): Iterable<LabelSetInFile> {
  for (const { id, labelSet, answer } of found) if (isWanted(id.uri)) yield { uri: id.uri, labelSet, answer };
}

/** The label sets that are in none of some files. */
export function* allBut(files: ReadonlySet<string>, found: Iterable<LabelSetInFile>): Iterable<LabelSetInFile> {
  for (const each of found) if (!files.has(each.uri)) yield each;
}
