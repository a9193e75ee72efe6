/** Generators that yield index results one at a time. They are functions outside of snapshots and views on purpose: a generator that is created inside one of these would survive quick garbage collections, together with everything that it references. */

import type { FoundLabeledObject, FoundSelector, LabelSetInFile } from '../model.ts';

/** Concatenates two iterables. The second iterable is created lazily, when the first ends. */
export function* oneAfterTheOther<T>(first: Iterable<T>, second: () => Iterable<T>): Iterable<T> {
  yield* first;
  yield* second();
}

/** Yields the label sets that an index found in the requested files. */
export function* labelSetsOf(
  found: Iterable<FoundLabeledObject>,
  isWanted: (uri: string) => boolean,
): Iterable<LabelSetInFile> {
  for (const { id, labelSet, answer } of found) if (isWanted(id.uri)) yield { uri: id.uri, labelSet, answer };
}

export function* allBut(files: ReadonlySet<string>, found: Iterable<LabelSetInFile>): Iterable<LabelSetInFile> {
  for (const each of found) if (!files.has(each.uri)) yield each;
}

export function* selectorsBeside(files: ReadonlySet<string>, found: Iterable<FoundSelector>): Iterable<FoundSelector> {
  for (const each of found) if (!files.has(each.id.uri)) yield each;
}

export function sumOf<T>(all: Iterable<T>, numberOf: (each: T) => number): number {
  let sum = 0;
  for (const each of all) sum += numberOf(each);
  return sum;
}
