/** Reports commands that remove all finalizers of an object. */

import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import { patchTree } from '../../manifests/inline/patches.ts';
import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import { childOf, isNull, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';

export const finalizersRemoved = rule<Fact>({
  id: 'finalizers-removed',
  severity: 'information',
  needs: 'words',
  summary: 'A command that removes the finalizers of an object manually.',
  why: 'A finalizer makes the API server wait until its controller has cleaned up. If the finalizer is removed manually, the object is deleted immediately, and resources that the controller manages for the object, such as volumes and load balancers, are left behind. Find out first why the controller does not remove the finalizer.',
  withoutFix: 'Only the author knows whether the cleanup is still needed.',
  bad: [
    {
      title: 'A patch without finalizers.',
      file: 'clean.sh',
      text: `kubectl patch pvc data --type=merge -p '{"metadata":{"finalizers":null}}'
`,
    },
  ],
  good: [
    {
      title: 'A patch that sets a finalizer.',
      file: 'keep.sh',
      text: `kubectl patch pvc data --type=merge -p '{"metadata":{"finalizers":["example.com/backup"]}}'
`,
    },
  ],
  *check({ manifest }) {
    for (const word of manifest.words ?? []) if (removesFinalizers(word)) yield { span: wordSpan(word) };
  },
  message: () =>
    localize`This patch removes finalizers, so the object can be deleted before its controllers have cleaned up.`,
  fixes: () => [],
});

function removesFinalizers(word: CommandWord): boolean {
  if (word.is !== 'patch' || !word.letters.text.includes('finalizers')) return false;
  const root = patchTree(word);
  const finalizers = childOf(childOf(root, 'metadata'), 'finalizers');
  // A strategic merge patch adds the items of a list to the existing items, so an empty list has no effect.
  if (word.type === 'strategic') return isNull(finalizers);
  if (word.type === 'merge') return isRemoval(finalizers);
  const operations = itemsOf(root);
  return operations.some((operation) => {
    if (!textOf(childOf(operation, 'path')).startsWith('/metadata/finalizers')) return false;
    const op = textOf(childOf(operation, 'op'));
    return op === 'remove' || (op === 'replace' && isRemoval(childOf(operation, 'value')));
  });
}

/** Whether a value in a patch removes all finalizers, that is, whether it is null or an empty list. */
function isRemoval(node: Node | undefined): boolean {
  return isNull(node) || (node?.kind === 'list' && node.items.length === 0);
}

function textOf(node: Node | undefined): string {
  return node?.kind === 'scalar' ? node.text : '';
}
