/** Decides whether peers of Cilium include pods, nodes and addresses. */

import { and, or } from '../answers.ts';
import { type EndpointSelector, matchesEndpoint, matchesIdentity } from '../cilium/endpoint-selector.ts';
import { evaluate } from '../evaluate.ts';
import type { Answer, LabelSet } from '../types.ts';
import { type AddressBlock, type AddressRange, isInBlock } from './addresses.ts';
import type { AddressGroup, AddressGroupReference, Entity, OutsidePeer, ReachPod } from './types.ts';

/** Whether an entity includes pods, nodes and addresses outside the cluster. */
interface Members {
  readonly pod: Answer;
  readonly node: Answer;
  readonly address: Answer;
}

const noMember: Members = { pod: 'no', node: 'no', address: 'no' };
const someNode: Members = { ...noMember, node: 'maybe' };

const entities: Readonly<Record<Entity, Members>> = {
  all: { pod: 'yes', node: 'yes', address: 'yes' },
  world: { ...noMember, address: 'yes' },
  // Whether a cluster has separate labels for the two families is a setting.
  'world-ipv4': { ...noMember, address: 'maybe' },
  'world-ipv6': { ...noMember, address: 'maybe' },
  cluster: { pod: 'yes', node: 'yes', address: 'no' },
  host: someNode,
  'remote-node': someNode,
  node: someNode,
  'every node': { ...noMember, node: 'yes' },
  'kube-apiserver': { ...someNode, address: 'maybe' },
  name: { ...someNode, address: 'maybe' },
  health: noMember,
  init: noMember,
  ingress: noMember,
  unmanaged: noMember,
  none: noMember,
};

/** Whether a text is the name of an entity in a policy. */
export function isEntity(text: string): text is Entity {
  return entityNames.includes(text);
}

/** The names of entities in policies. */
export const entityNames: readonly string[] = Object.keys(entities).filter(
  (each) => each !== 'node' && each !== 'every node' && each !== 'name',
);

/** Whether an entity includes a pod. A pod on the network of its node is a node. */
export function entityIncludesPod(entity: Entity, { hostNetwork = 'no' }: ReachPod): Answer {
  const { pod, node } = entities[entity];
  return ofPodOrNode(hostNetwork, () => pod, node);
}

/** Whether an entity includes the addresses of a range. */
export function entityIncludesAddress(entity: Entity, { family }: AddressRange): Answer {
  if ((entity === 'world-ipv4' && family === 6) || (entity === 'world-ipv6' && family === 4)) return 'no';
  return entities[entity].address;
}

/** Whether a selector of endpoints, in a peer or in the subject of a policy, includes a pod. */
export function selectorIncludesPod(selector: EndpointSelector, pod: ReachPod, namespaceLabels: LabelSet): Answer {
  const { namespace, labels, serviceAccount, isOfController, hostNetwork = 'no' } = pod;
  const endpoint = { namespace, labels, namespaceLabels, serviceAccount, isOfController };
  return ofPodOrNode(hostNetwork, () => matchesEndpoint(selector, endpoint), matchesIdentity(selector, 'node'));
}

function ofPodOrNode(hostNetwork: Answer, pod: () => Answer, node: Answer): Answer {
  if (hostNetwork === 'yes') return node;
  const answer = pod();
  if (hostNetwork === 'no' || answer === node) return answer;
  return 'maybe';
}

/** Returns the blocks at whose boundaries a peer distinguishes addresses. */
export function outsideBlocks(
  { blocks, groups }: OutsidePeer,
  known: readonly AddressGroup[],
): readonly AddressBlock[] {
  const excepted = groups.flatMap(({ except }) => except.map((range) => ({ range, except: [] })));
  return [...blocks, ...excepted, ...groups.flatMap((each) => groupBlocks(each, known).blocks)];
}

/** Whether blocks and groups of addresses include the addresses of a range, which no boundary divides. */
export function outsideIncludes(peer: OutsidePeer, range: AddressRange, known: readonly AddressGroup[]): Answer {
  let answer: Answer = peer.isOpen ? 'maybe' : 'no';
  for (const block of peer.blocks) answer = or(answer, isInBlock(range, block));
  for (const group of peer.groups) {
    const { blocks, isOpen } = groupBlocks(group, known);
    const isExcepted = group.except.some((each) => isInBlock(range, { range: each, except: [] }) === 'yes');
    for (const block of blocks) answer = or(answer, isInBlock(range, block));
    if (isOpen && !isExcepted) answer = or(answer, 'maybe');
  }
  return answer;
}

/** Returns the blocks of the groups to which a reference refers. A group that is not known may contain any address. */
function groupBlocks(
  { of, except }: AddressGroupReference,
  known: readonly AddressGroup[],
): { readonly blocks: readonly AddressBlock[]; readonly isOpen: boolean } {
  const found = known.flatMap((group) => {
    const answer = typeof of === 'string' ? (group.name === of ? 'yes' : 'no') : evaluate(of, group.labels);
    return answer === 'no' ? [] : [{ group, answer }];
  });
  const blocks = found.flatMap(({ group, answer }) =>
    answer === 'yes' ? group.blocks.map((block) => ({ ...block, except: [...block.except, ...except] })) : [],
  );
  const isOpen = found.length === 0 || found.some(({ group, answer }) => group.isOpen || answer === 'maybe');
  return { blocks, isOpen };
}

/** Whether a subject of a policy of Cilium selects a pod. A pod on the network of its node is no endpoint. */
export function endpointIsSelected(selector: EndpointSelector, pod: ReachPod, namespaceLabels: LabelSet): Answer {
  const { hostNetwork = 'no' } = pod;
  if (hostNetwork === 'yes') return 'no';
  const answer = selectorIncludesPod(selector, { ...pod, hostNetwork: 'no' }, namespaceLabels);
  return hostNetwork === 'no' ? answer : and(answer, 'maybe');
}
