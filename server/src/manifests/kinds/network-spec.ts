/** Recognizes policies of network plugins and meshes whose rules are evaluated, and the objects that determine what such policies decide. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { knownTextOf, type MapNode, type Node, nodeAt } from '../yaml/tree.ts';
import { addressKinds } from './address-fields.ts';
import { hasPluginSettings } from './plugin-settings.ts';

/** The role of an object in the network of a plugin or mesh. */
export type NetworkRole =
  | 'cilium policy'
  | 'cilium addresses'
  | 'calico policy'
  | 'calico tier'
  | 'calico addresses'
  | 'calico host'
  | 'calico settings'
  | 'cilium settings'
  | 'pool'
  | 'istio authorization'
  | 'istio authentication'
  | 'istio tls';

const roles: ReadonlyMap<string, NetworkRole> = new Map<string, NetworkRole>([
  ['cilium.io/CiliumNetworkPolicy', 'cilium policy'],
  ['cilium.io/CiliumClusterwideNetworkPolicy', 'cilium policy'],
  ['cilium.io/CiliumCIDRGroup', 'cilium addresses'],
  ['cilium.io/CiliumNodeConfig', 'cilium settings'],
  ['/ConfigMap', 'cilium settings'],
  ['security.istio.io/AuthorizationPolicy', 'istio authorization'],
  ['security.istio.io/PeerAuthentication', 'istio authentication'],
  ['networking.istio.io/DestinationRule', 'istio tls'],
  ...addressKinds.map((kind) => [kind, 'pool'] as const),
  ...['crd.projectcalico.org', 'projectcalico.org'].flatMap((group): readonly (readonly [string, NetworkRole])[] => [
    [`${group}/NetworkPolicy`, 'calico policy'],
    [`${group}/GlobalNetworkPolicy`, 'calico policy'],
    [`${group}/Tier`, 'calico tier'],
    [`${group}/NetworkSet`, 'calico addresses'],
    [`${group}/GlobalNetworkSet`, 'calico addresses'],
    [`${group}/HostEndpoint`, 'calico host'],
    [`${group}/FelixConfiguration`, 'calico settings'],
    [`${group}/KubeControllersConfiguration`, 'calico settings'],
  ]),
]);

/** Returns the role of a kind; undefined for other kinds. */
export function networkRoleOf({ group, kind }: GroupKind): NetworkRole | undefined {
  return roles.get(`${group}/${kind}`);
}

/** Whether a part of an object determines which TLS the clients of a service use. */
function hasTls(node: Node): boolean {
  if (node.kind === 'list') return node.items.some(hasTls);
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || node.entries.some(({ key, value }) => key.text === 'tls' || hasTls(value));
}

/** The fields of an object that are not part of its content. */
const others: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Returns the content of an object that affects the network: all its fields, except its type, metadata and status. */
export function networkSpecOf(type: GroupKind, root: Node): MapNode | undefined {
  const role = networkRoleOf(type);
  if (root.kind !== 'map' || role === undefined) return undefined;
  if (role.endsWith(' settings') && !hasPluginSettings(type, knownTextOf(nodeAt(root, 'metadata', 'name'))))
    return undefined;
  if (role === 'istio tls') return hasTls(root) ? { ...root, entries: [] } : undefined;
  return { ...root, entries: root.entries.filter(({ key }) => key.pattern !== undefined || !others.has(key.text)) };
}
