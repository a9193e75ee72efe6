/** Which files does a test name as what it tries out? They look like manifests, and are no part of what a cluster holds. */

import { effectiveEntries, type Node } from '../yaml/tree.ts';

/** Where a file is named that is created, changed or compared on the way. */
const operations = ['apply', 'assert', 'create', 'delete', 'error', 'patch', 'update'];

/** By group and kind, the paths to such names; `[]` is every item of a list. The policies themselves are for the cluster. */
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

/** The paths of the files that a document names so, as it writes them; none for what is no test. */
export function filesTriedOut(group: string, kind: string, root: Node): readonly string[] {
  return (places.get(`${group}/${kind}`) ?? []).flatMap((path) => textsAt(root, path.split('.')));
}

function textsAt(node: Node, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return node.kind === 'scalar' && node.type === 'string' ? [node.text] : [];
  if (node.kind === 'list') return step === '[]' ? node.items.flatMap((item) => textsAt(item, rest)) : [];
  if (node.kind === 'scalar') return [];
  return effectiveEntries(node).flatMap(({ key, value }) => (key.text === step ? textsAt(value, rest) : []));
}
