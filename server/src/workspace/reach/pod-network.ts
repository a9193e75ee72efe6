/** Converts the network declarations of a pod to the model of the engine. */

import type { Answer, ContainerPort, Protocol } from '../../engine/index.ts';
import { protocols } from '../../engine/index.ts';
import type { ContainerPorts } from '../../manifests/model.ts';
import { scalarValue } from '../../manifests/yaml/plain-data.ts';
import { childOf, entryOf, isOpen, itemsOf, type Node } from '../../manifests/yaml/tree.ts';

export interface PodNetwork {
  readonly ports: readonly ContainerPort[];
  /** Whether the pod may have ports that are unknown. */
  readonly portsOpen: boolean;
  readonly hostNetwork: Answer;
}

/** Returns the network of a pod. If `ports` is undefined, the containers of the pod are unknown. */
export function podNetworkOf(ports: ContainerPorts | undefined): PodNetwork {
  if (ports === undefined) return { ports: [], portsOpen: true, hostNetwork: 'no' };
  const { network } = ports;
  if (network === undefined) return { ports: [], portsOpen: false, hostNetwork: 'no' };
  if (network.kind !== 'map') return { ports: [], portsOpen: true, hostNetwork: 'maybe' };
  const found: ContainerPort[] = [];
  const containers = entryOf(network, 'containers');
  let portsOpen = containers === undefined ? network.open : containers.conditional || isOpen(containers.value);
  for (const container of itemsOf(containers?.value)) portsOpen = addPorts(container, found, false) || portsOpen;
  for (const container of itemsOf(childOf(network, 'initContainers'))) {
    // An init container runs at the same time as other containers only if it restarts.
    const policy = childOf(container, 'restartPolicy');
    if (policy?.kind === 'scalar' && (policy.pattern !== undefined || policy.text === 'Always'))
      addPorts(container, found, true);
  }
  return { ports: found, portsOpen, hostNetwork: hostNetworkOf(network) };
}

function hostNetworkOf(network: Node): Answer {
  const entry = entryOf(network, 'hostNetwork');
  if (entry === undefined) return network.kind === 'map' && network.open ? 'maybe' : 'no';
  if (entry.value.kind !== 'scalar' || entry.value.pattern !== undefined) return 'maybe';
  if (!/^(?:y|yes|true|on)$/i.test(entry.value.text)) return 'no';
  return entry.conditional ? 'maybe' : 'yes';
}

/** Adds the ports of a container. Returns whether the container may have further ports. */
function addPorts(container: Node, found: ContainerPort[], isInit: boolean): boolean {
  const entry = entryOf(container, 'ports');
  if (entry === undefined) return isOpen(container);
  let mayHaveMore = entry.conditional || isOpen(entry.value);
  for (const port of itemsOf(entry.value)) {
    if (port.kind !== 'map' || port.entries.some(({ conditional }) => conditional)) {
      mayHaveMore = true;
      continue;
    }
    found.push({
      ...nameIn(port),
      number: numberIn(port),
      protocol: protocolIn(port),
      ...(isInit && { isInit }),
    });
  }
  return mayHaveMore;
}

function nameIn(port: Node): Pick<ContainerPort, 'name'> {
  const name = childOf(port, 'name');
  if (name?.kind === 'scalar') return { name: scalarValue(name) };
  return isOpen(port) ? { name: { unknown: `name at ${port.span.start}` } } : {};
}

function numberIn(port: Node): number | undefined {
  const number = childOf(port, 'containerPort');
  if (number?.kind !== 'scalar' || number.pattern !== undefined) return undefined;
  const value = Number(number.text);
  return Number.isInteger(value) ? value : undefined;
}

function protocolIn(port: Node): Protocol | undefined {
  const protocol = childOf(port, 'protocol');
  if (protocol === undefined) return isOpen(port) ? undefined : 'TCP';
  if (protocol.kind !== 'scalar' || protocol.pattern !== undefined) return undefined;
  return protocol.type === 'null' || protocol.text === '' ? 'TCP' : protocols.find((each) => each === protocol.text);
}
