/** Identifies files that are not applied to a real cluster, by the conventional names of their folders: inputs and expected results of tests, documentation and archives. */

import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';

/** `testdata` is the convention of Go; the other names are those of JavaScript and of many test frameworks. */
const folderNames = new Set([
  ...['testdata', '_testdata', 'test-data', 'test_data', 'testfiles', 'test-files', 'test_files'],
  ...['fixtures', '__fixtures__', '__snapshot__', '__snapshots__'],
]);

/** The folders in `src` of a Maven or Gradle module that contain only tests. */
const sourceSets = new Set(['test', 'it', 'integrationTest', 'testFixtures']);

/** Names of hidden folders of tests, such as `.kyverno-test` and `.chainsaw-test`. */
const hiddenTests = /^\.[\w-]{1,60}-tests?$/;

/** Names of folders with tests, with presentations, and with manifests that are no longer or not yet applied. */
const unusedNames = new Set([
  ...['archive', 'archived', '.archive', '.archived', '_archive', '_archived'],
  ...['e2e', 'proposal', 'proposals', 'slides'],
]);

/** Names of folders in the root of a repository: elsewhere, an application or an environment may have these names. */
const rootNames = new Set(['tests', 'hack', 'design', 'docs', 'doc', 'documentation', 'vendor']);

/** Names of folders in a root folder named `test`. Otherwise, `test` is probably an environment. */
const namesInTest = new Set([
  ...['acceptance', 'chainsaw', 'conformance', 'data', 'framework', 'functional', 'integration', 'kuttl', 'load'],
  ...['manifests', 'output', 'performance', 'smoke', 'unit'],
]);

/** The names of folders that contain the expected outputs of tests, such as rendered charts, if they are in a folder of tests. */
const outputNames = new Set(['baseline', 'baselines', 'expected', 'golden', 'goldens', 'snapshots']);

/** Matches the names of expected outputs in a folder of tests, such as `defaults.out.yaml` beside `defaults.in.yaml`. */
const outputFile = /\.(?:expected|golden|out)\.ya?ml$/;

const testNames = /^(?:chainsaw|kuttl|kyverno)-test\.ya?ml$/;

/** Whether a file is a state that a step of KUTTL or Chainsaw expects or excludes, such as `00-assert.yaml` and `01-errors.yaml`, which is never applied. Without a number, a name that ends with `errors` is common for alerts. */
export function isExpectedState(uri: string): boolean {
  const [stem = ''] = fileNameOf(uri).split(/\.ya?ml$/);
  const words = stem.split('-');
  const isStep = /^\d+$/.test(words[0] ?? '');
  return words.at(-1) === 'assert' || (isStep && (words.includes('assert') || /^\d+-errors?$/.test(stem)));
}

/** Whether a file is a test or an expected state, or is in a folder of test data inside of its workspace folder. Such files are often incorrect on purpose. */
export function isTestData(uri: string, workspaceFolders: readonly string[]): boolean {
  if (testNames.test(fileNameOf(uri)) || isExpectedState(uri)) return true;
  const names = folderNamesOf(uri, workspaceFolders);
  const ofTests = names.findIndex((name) => name === 'test' || name === 'tests');
  if (ofTests !== -1 && outputFile.test(uri)) return true;
  const isOutput = (name: string, at: number) => at > ofTests && ofTests !== -1 && outputNames.has(name);
  const isSourceSet = (name: string, at: number) => sourceSets.has(name) && names[at - 1] === 'src';
  return names.some(
    (name, at) => folderNames.has(name) || hiddenTests.test(name) || isOutput(name, at) || isSourceSet(name, at),
  );
}

/** Whether a file is in a folder of tests, documentation or archived manifests inside of its workspace folder. Such files are often excerpts, or need a script that completes them. */
export function isUnapplied(uri: string, workspaceFolders: readonly string[]): boolean {
  const names = folderNamesOf(uri, workspaceFolders);
  const [first = '', second = ''] = names;
  const isInRoot = rootNames.has(first) || (first === 'test' && namesInTest.has(second));
  return isInRoot || names.some((name) => unusedNames.has(name));
}

function folderNamesOf(uri: string, workspaceFolders: readonly string[]): readonly string[] {
  const start = Math.max(0, ...workspaceFolders.filter((each) => isWithin(uri, each)).map(({ length }) => length + 1));
  return folderOf(uri).slice(start).split('/');
}
