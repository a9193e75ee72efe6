/** Identifies the inputs and expected results of tests by the conventional names of their folders. */

import { folderOf, isWithin } from '../../workspace/uri.ts';

/** `testdata` is the convention of Go, and `.kyverno-test` and `.chainsaw-test` are conventions of Kyverno; the other names are those of JavaScript and of many test frameworks. */
const folderNames = new Set([
  ...['testdata', '_testdata', 'fixtures', '__fixtures__', '__snapshot__', '__snapshots__'],
  ...['.kyverno-test', '.chainsaw-test'],
]);

/** Whether a file is in a folder of test data inside of its workspace folder. Such files are often incorrect on purpose. */
export function isTestData(uri: string, workspaceFolders: readonly string[]): boolean {
  const start = Math.max(0, ...workspaceFolders.filter((each) => isWithin(uri, each)).map(({ length }) => length));
  return folderOf(uri)
    .slice(start)
    .split('/')
    .some((name) => folderNames.has(name));
}
