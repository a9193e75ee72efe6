/** Which ports do containers declare by name, and which are asked for by name? */

import type { ContainerPorts, Written } from './manifest.ts';
import { written } from './sites.ts';
import { childOf, type Node, nodeAt } from './tree.ts';

/** The named ports of a pod, or of a pod's template; undefined where no containers are written. */
export function containerPorts(pod: Node): ContainerPorts | undefined {
  const spec = childOf(pod, 'spec');
  const containers = childOf(spec, 'containers');
  if (containers === undefined) return undefined;
  const lists = [containers, childOf(spec, 'initContainers')].filter((list) => list !== undefined);
  const items = lists.flatMap(itemsOf);
  const ports = items.flatMap((item) => childOf(item, 'ports') ?? []);
  const names = ports.flatMap(itemsOf).flatMap((port) => childOf(port, 'name') ?? []);
  const isOpen = [spec, ...lists, ...items, ...ports].some((node) => node !== undefined && mayHoldMore(node));
  return {
    names: names.flatMap((name) => (name.kind === 'scalar' && name.pattern === undefined ? name.text : [])),
    open: isOpen || names.some((name) => name.kind !== 'scalar' || name.pattern !== undefined),
  };
}

/** The ports of `spec.ports` that are asked for by a name: a number needs no declaration. */
export function targetPorts(root: Node): readonly Written[] {
  const ports = nodeAt(root, 'spec', 'ports');
  if (ports?.kind !== 'list') return [];
  return ports.items
    .flatMap((port) => childOf(port, 'targetPort') ?? [])
    .filter((node) => node.kind === 'scalar' && node.type === 'string' && /[A-Za-z]/.test(node.text))
    .map(written);
}

function itemsOf(node: Node): readonly Node[] {
  return node.kind === 'list' ? node.items : [];
}

function mayHoldMore(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}
