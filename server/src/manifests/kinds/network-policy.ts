/** Recognizes network policies and the controllers of pods. The reachability model needs these facts in addition to labels and selectors. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { Controller } from '../model.ts';
import { childOf, itemsOf, knownTextOf, type Node } from '../yaml/tree.ts';

export type PolicyKind = 'NetworkPolicy' | 'ClusterNetworkPolicy';

/** Returns the kind of a policy; undefined for any other kind, including policies of network plugins. */
export function policyKindOf({ group, kind }: GroupKind): PolicyKind | undefined {
  if (kind === 'NetworkPolicy' && storedGroup({ group, kind }) === 'networking.k8s.io') return kind;
  return group === 'policy.networking.k8s.io' && kind === 'ClusterNetworkPolicy' ? kind : undefined;
}

/** Returns the controller of an object from its owner references: the owner with `controller: true`. */
export function controllerOf(metadata: Node | undefined): Controller | undefined {
  const owners = childOf(metadata, 'ownerReferences');
  const items = itemsOf(owners);
  const controller = items.find((item) => knownTextOf(childOf(item, 'controller')) === 'true');
  const kind = knownTextOf(childOf(controller, 'kind'));
  const name = knownTextOf(childOf(controller, 'name'));
  return kind === undefined || name === undefined ? undefined : { kind, name };
}
