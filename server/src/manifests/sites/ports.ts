/** Finds the ports that containers declare, and the ports to which a Service refers by name. */

import type { ContainerPorts, ServicePort, Written } from '../model.ts';
import {
  childOf,
  isOpen,
  itemsOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  mayHoldMore,
  type Node,
} from '../yaml/tree.ts';
import { written } from './sites.ts';

/** Returns the named ports of a pod or a pod template; undefined if it has no containers. */
export function containerPorts(pod: Node): ContainerPorts | undefined {
  const spec = childOf(pod, 'spec');
  const containers = childOf(spec, 'containers');
  if (spec === undefined || containers === undefined) return undefined;
  const names: string[] = [];
  let open = mayHaveMore(spec, ['containers', 'initContainers']);
  for (const list of [containers, childOf(spec, 'initContainers')]) {
    if (list === undefined) continue;
    open ||= mayHoldMore(list);
    for (const container of itemsOf(list)) {
      const ports = childOf(container, 'ports');
      open ||= mayHaveMore(container, ['ports']) || (ports !== undefined && mayHoldMore(ports));
      for (const port of itemsOf(ports)) {
        const name = childOf(port, 'name');
        if (name === undefined) continue;
        if (name.kind === 'scalar' && name.pattern === undefined) names.push(name.text);
        else open = true;
      }
    }
  }
  const network = networkOf(spec);
  return network === undefined ? { names, open } : { names, open, network };
}

/** Whether a template may write one of some fields of a map. */
function mayHaveMore(map: Node, fields: readonly string[]): boolean {
  const mayBe = ({ key, conditional }: MapEntry) =>
    key.pattern !== undefined || (conditional && fields.includes(key.text));
  return isOpen(map) || (map.kind === 'map' && map.entries.some(mayBe));
}

/** Returns the parts of a pod's `spec` that affect its network; undefined if it has none and no template may add them. */
function networkOf(spec: Node): Node | undefined {
  if (spec.kind !== 'map') return spec.kind === 'scalar' && spec.pattern !== undefined ? spec : undefined;
  const pruned = withFields(spec, ['hostNetwork', 'containers', 'initContainers'], ({ key, value }) =>
    value.kind !== 'list'
      ? value
      : withItems(value, (item) => {
          const fields = key.text === 'containers' ? ['ports'] : ['ports', 'restartPolicy'];
          return withFields(item, fields, (entry) =>
            entry.value.kind === 'list'
              ? withItems(entry.value, (port) => withFields(port, portFields, (each) => each.value))
              : entry.value,
          );
        }),
  );
  return hasContent(pruned) ? pruned : undefined;
}

const portFields = ['name', 'containerPort', 'protocol'];

function withFields(node: MapNode, fields: readonly string[], make: (entry: MapEntry) => Node): MapNode;
function withFields(node: Node, fields: readonly string[], make: (entry: MapEntry) => Node): Node;
function withFields(node: Node, fields: readonly string[], make: (entry: MapEntry) => Node): Node {
  if (node.kind !== 'map') return node;
  const entries = node.entries.filter(({ key }) => key.pattern !== undefined || fields.includes(key.text));
  return { ...node, entries: entries.map((entry) => ({ ...entry, value: make(entry) })) };
}

function withItems(list: ListNode, make: (item: Node) => Node): ListNode {
  return { ...list, items: list.items.map(make) };
}

/** Whether a node contains `ports` or `hostNetwork`, or a template may add one of them. */
function hasContent(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  if (node.open) return true;
  if (node.kind === 'list') return node.items.some(hasContent);
  return node.entries.some(
    ({ key, value, conditional }) =>
      conditional || key.text === 'ports' || key.text === 'hostNetwork' || hasContent(value),
  );
}

/** Returns the target ports in `spec.ports` of a Service that are names. Target ports that are numbers need not be declared by containers. */
export function targetPorts(root: Node): readonly Written[] {
  const asked: Written[] = [];
  for (const port of itemsOf(childOf(childOf(root, 'spec'), 'ports'))) {
    const target = childOf(port, 'targetPort');
    if (target?.kind === 'scalar' && target.type === 'string' && /[A-Za-z]/.test(target.text))
      asked.push(written(target));
  }
  return asked;
}

/** Returns the ports of a Service, as far as they are known. */
export function servicePorts(root: Node): readonly ServicePort[] {
  return itemsOf(childOf(childOf(root, 'spec'), 'ports')).flatMap((item): readonly ServicePort[] => {
    const [port, target, protocol] = ['port', 'targetPort', 'protocol'].map((field) => childOf(item, field));
    if (item.kind !== 'map' || item.open || item.entries.some(({ conditional }) => conditional)) return [];
    if ([port, target, protocol].some((each) => each?.kind === 'scalar' && each.pattern !== undefined)) return [];
    const number = port?.kind === 'scalar' ? Number(port.text) : Number.NaN;
    if (!Number.isInteger(number)) return [];
    const text = target?.kind === 'scalar' && target.type !== 'null' ? target.text : '';
    const sent = text === '' || text === '0' ? number : /^\d+$/.test(text) ? Number(text) : text;
    const name = childOf(item, 'name');
    const named = name?.kind === 'scalar' && name.pattern === undefined ? { name: name.text } : {};
    return [{ ...named, protocol: protocol?.kind === 'scalar' ? protocol.text : 'TCP', port: number, target: sent }];
  });
}

/** Whether a template may add ports to a Service, or determines a part of a port. */
export function mayHaveMorePorts(root: Node): boolean {
  const spec = childOf(root, 'spec');
  const ports = childOf(spec, 'ports');
  const isUnknown = (node: Node) => mayHoldMore(node) || (node.kind === 'map' && node.entries.some(isOpenEntry));
  return [root, spec, ports].some((node) => node !== undefined && mayHoldMore(node)) || itemsOf(ports).some(isUnknown);
}

function isOpenEntry({ key, value }: MapEntry): boolean {
  return key.pattern !== undefined || mayHoldMore(value);
}
