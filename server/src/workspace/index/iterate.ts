/**
 * How is told what was found, each as it is reached? Generators stand here, and none within a picture or a view: each that
 * is made there would outlive every quick collection of garbage, and all that it sees with it.
 */

import type { FoundCarrier, LabelSetInFile } from '../model.ts';

/** What stands second is looked for when the first comes to its end. */
export function* oneAfterTheOther<T>(first: Iterable<T>, second: () => Iterable<T>): Iterable<T> {
  yield* first;
  yield* second();
}

/** The label sets that an index found, in the files that are wanted. */
export function* labelSetsOf(
  found: Iterable<FoundCarrier>,
  isWanted: (uri: string) => boolean,
): Iterable<LabelSetInFile> {
  for (const { id, labelSet, answer } of found) if (isWanted(id.uri)) yield { uri: id.uri, labelSet, answer };
}

/** Those that are not in some files. */
export function* allBut(files: ReadonlySet<string>, found: Iterable<LabelSetInFile>): Iterable<LabelSetInFile> {
  for (const each of found) if (!files.has(each.uri)) yield each;
}
