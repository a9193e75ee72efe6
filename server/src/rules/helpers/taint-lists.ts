/** Finds the lists of taints and tolerations in an object. */

import type { ManifestObject } from '../../manifests/model.ts';
import { taintFields } from '../../manifests/taint-fields.ts';
import type { ListNode, Node } from '../../manifests/yaml/tree.ts';

export interface TaintList {
  readonly are: 'taints' | 'tolerations';
  readonly node: ListNode;
}

/** Yields the lists of taints and tolerations in a syntax tree. Nodes that aliases repeat are visited once. */
export function* taintListsIn(root: Node, seen: Set<Node>): Iterable<TaintList> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node) || node.kind === 'scalar') continue;
    seen.add(node);
    if (node.kind === 'list') for (const each of node.items) waiting.push(each);
    else
      for (const { key, value } of node.entries) {
        const isTaints = taintFields.has(key.text);
        if (value.kind === 'list' && (isTaints || key.text === 'tolerations'))
          yield { are: isTaints ? 'taints' : 'tolerations', node: value };
        else waiting.push(value);
      }
  }
}

/** Returns the lists of an object with a syntax tree; a value of a chart may itself be a list. */
export function taintListsOf(object: ManifestObject, root: Node, seen: Set<Node>): Iterable<TaintList> {
  return isListOfTolerations(object, root) ? [{ are: 'tolerations', node: root }] : taintListsIn(root, seen);
}

/** Whether a value of a chart is a list that a template writes as tolerations. */
function isListOfTolerations({ inValues, fieldValues, templates }: ManifestObject, root: Node): root is ListNode {
  const parts = [{ fieldValues }, ...templates];
  return inValues === true && root.kind === 'list' && parts.some((each) => each.fieldValues?.['spec.tolerations']);
}
