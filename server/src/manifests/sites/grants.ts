/** Parses the references that a ReferenceGrant of the Gateway API allows. */

import type { Grant, GrantPart, ManifestObject } from '../model.ts';
import { childOf, itemsOf, mayHoldMore, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** Returns the references that a ReferenceGrant allows; undefined for an object of a different kind. */
export function grantOf({ group, kind }: Pick<ManifestObject, 'group' | 'kind'>, root: Node): Grant | undefined {
  if (group !== 'gateway.networking.k8s.io' || kind !== 'ReferenceGrant') return undefined;
  const spec = childOf(root, 'spec');
  const lists = [childOf(spec, 'from'), childOf(spec, 'to')] as const;
  const [from, to] = [itemsOf(lists[0]), itemsOf(lists[1])];
  const isOpen = [spec, ...lists, ...from, ...to].some((node) => node !== undefined && mayHoldMore(node));
  return { from: from.map(partOf), to: to.map(partOf), open: isOpen || (root.kind === 'map' && root.open) };
}

function partOf(item: Node): GrantPart {
  const valueAt = (field: string) => {
    const node = childOf(item, field);
    const isAbsent = node === undefined || (node.kind === 'scalar' && (node.type === 'null' || node.text === ''));
    return isAbsent ? undefined : written(node).value;
  };
  const [kind, namespace, name] = [valueAt('kind'), valueAt('namespace'), valueAt('name')];
  return {
    group: valueAt('group') ?? '',
    ...(kind !== undefined && { kind }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}
