/** Recognizes objects that a controller creates and updates. */

import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, itemsOf, textOf } from '../../manifests/yaml/tree.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import type { RuleContext } from '../framework/rule.ts';

/** Whether another object is the controller of an object, such as the Deployment of a ReplicaSet in the output of `kubectl get`. */
export function hasControllerOwner(context: RuleContext, object: ManifestObject): boolean {
  if (!context.mentions('owners')) return false;
  const owners = itemsOf(childOf(childOf(treeOf(context, object), 'metadata'), 'ownerReferences'));
  return owners.some((owner) => textOf(childOf(owner, 'controller')) === 'true');
}
