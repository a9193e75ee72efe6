/** Identifies the inputs and expected results of tests by the conventional names of their folders and files. */

import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';

/** `testdata` is the convention of Go, and `.kyverno-test` and `.chainsaw-test` are conventions of Kyverno; the other names are those of JavaScript and of many test frameworks. */
const folderNames = new Set([
  ...['testdata', '_testdata', 'fixtures', '__fixtures__', '__snapshot__', '__snapshots__'],
  ...['.kyverno-test', '.chainsaw-test'],
]);

/** The tests of Chainsaw, KUTTL and Kyverno. */
const testNames = /^(?:chainsaw|kuttl|kyverno)-test\.ya?ml$/;

/** Whether a file is a state that a step of KUTTL or Chainsaw expects or excludes, such as `00-assert.yaml` and `01-errors.yaml`, which is never applied. Without a number, a name that ends with `errors` is common for alerts. */
function isExpectedState(uri: string): boolean {
  const [stem = ''] = fileNameOf(uri).split(/\.ya?ml$/);
  const words = stem.split('-');
  const isStep = /^\d+$/.test(words[0] ?? '');
  return words.at(-1) === 'assert' || (isStep && (words.includes('assert') || /^\d+-errors?$/.test(stem)));
}

/** Whether a file is a test or an expected state, or is in a folder of test data inside of its workspace folder. Such files are often incorrect on purpose. */
export function isTestData(uri: string, workspaceFolders: readonly string[]): boolean {
  if (testNames.test(fileNameOf(uri)) || isExpectedState(uri)) return true;
  const start = Math.max(0, ...workspaceFolders.filter((each) => isWithin(uri, each)).map(({ length }) => length));
  return folderOf(uri)
    .slice(start)
    .split('/')
    .some((name) => folderNames.has(name));
}
