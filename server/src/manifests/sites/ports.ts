/** Which ports do containers declare by name, and which are asked for by name? */

import type { ContainerPorts, Written } from '../model.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { written } from './sites.ts';

/** The named ports of a pod, or of a pod's template; undefined where no containers are written. */
export function containerPorts(pod: Node): ContainerPorts | undefined {
  const spec = childOf(pod, 'spec');
  const containers = childOf(spec, 'containers');
  if (spec === undefined || containers === undefined) return undefined;
  const names: string[] = [];
  let open = mayHoldMore(spec);
  for (const list of [containers, childOf(spec, 'initContainers')]) {
    if (list === undefined) continue;
    open ||= mayHoldMore(list);
    for (const container of itemsOf(list)) {
      const ports = childOf(container, 'ports');
      open ||= mayHoldMore(container) || (ports !== undefined && mayHoldMore(ports));
      for (const port of itemsOf(ports)) {
        const name = childOf(port, 'name');
        if (name === undefined) continue;
        if (name.kind === 'scalar' && name.pattern === undefined) names.push(name.text);
        else open = true;
      }
    }
  }
  return { names, open };
}

/** The ports of `spec.ports` that are asked for by a name: a number needs no declaration. */
export function targetPorts(root: Node): readonly Written[] {
  const asked: Written[] = [];
  for (const port of itemsOf(childOf(childOf(root, 'spec'), 'ports'))) {
    const target = childOf(port, 'targetPort');
    if (target?.kind === 'scalar' && target.type === 'string' && /[A-Za-z]/.test(target.text))
      asked.push(written(target));
  }
  return asked;
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

function mayHoldMore(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open || (node.kind === 'map' && node.entries.some((entry) => entry.conditional));
}
