/** Finds the input files of tests for Kubernetes tools. These files look like manifests but are not part of the state of a cluster. */

import { effectiveEntries, type Node } from '../yaml/tree.ts';

/** The operations of a test step that refer to a file to create, change or compare. */
const operations = ['apply', 'assert', 'create', 'delete', 'error', 'patch', 'update'];

/** The paths of input file names in tests, by group and kind; `[]` matches every item of a list. Policies under test are not included, because they are also applied to the cluster. */
const places: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'cli.kyverno.io/Test',
    [
      'resources.[]',
      'targetResources.[]',
      ...['patchedResource', 'patchedResources', 'generatedResource', 'cloneSourceResource'].map(
        (field) => `results.[].${field}`,
      ),
    ],
  ],
  [
    'chainsaw.kyverno.io/Test',
    ['try', 'catch', 'finally', 'cleanup'].flatMap((phase) =>
      operations.map((operation) => `spec.steps.[].${phase}.[].${operation}.file`),
    ),
  ],
  ['test.gatekeeper.sh/Suite', ['tests.[].cases.[].object', 'tests.[].cases.[].inventory.[]']],
]);

/** Returns the paths of the files that a test uses, in the form in which the test contains them; empty if the document is not a test. */
export function filesTriedOut(group: string, kind: string, root: Node): readonly string[] {
  return (places.get(`${group}/${kind}`) ?? []).flatMap((path) => textsAt(root, path.split('.')));
}

function textsAt(node: Node, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return node.kind === 'scalar' && node.type === 'string' ? [node.text] : [];
  if (node.kind === 'list') return step === '[]' ? node.items.flatMap((item) => textsAt(item, rest)) : [];
  if (node.kind === 'scalar') return [];
  return effectiveEntries(node).flatMap(({ key, value }) => (key.text === step ? textsAt(value, rest) : []));
}
