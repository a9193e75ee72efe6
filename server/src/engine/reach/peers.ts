/** Groups pods and addresses into classes whose members no policy of a model distinguishes, and evaluates peers for them. */

import { and, not, or } from '../answers.ts';
import { nameLabel } from '../catalogue/name-labels.ts';
import { matchesIdentity } from '../cilium/endpoint-selector.ts';
import { evaluate } from '../evaluate.ts';
import { getOrAdd, once } from '../memoize.ts';
import { SelectorIndex } from '../selector-index.ts';
import { type Answer, isUnknown, type LabelSet, type Selector, type Value } from '../types.ts';
import { isSame } from '../unknowns.ts';
import { type AddressClass, addressClasses } from './address-classes.ts';
import { type AddressBlock, type AddressRange, everyAddress, isInBlock, isWithin, mayBeOfPod } from './addresses.ts';
import { CalicoPeers } from './calico-peers.ts';
import {
  endpointIsSelected,
  entityIncludesAddress,
  entityIncludesPod,
  outsideBlocks,
  outsideIncludes,
  selectorIncludesPod,
} from './cilium-peers.ts';
import { hasProxy } from './mesh-proxies.ts';
import { isPartlyKnown, type PodPeer, pluginsOf, type Reading, readingsOf } from './plugin-readings.ts';
import type { Peer, Plugin, PortMatch, ReachPod, ReachPolicy, ReachWorld } from './types.ts';

/** Pods that all policies treat alike. */
export interface PodClass {
  readonly kind: 'pods';
  /** The index of this class among the classes of pods. */
  readonly place: number;
  /** The members of the class, as indexes into the pods of the model. */
  readonly members: readonly number[];
  /** A representative member of the class. Other members may have different labels and be in different namespaces. */
  readonly pod: ReachPod;
  /** A key that is the same for all classes whose pods declare the same ports under the names that policies look up. */
  readonly portsKey: string;
}

export type PeerClass = PodClass | AddressClass;

/** A peer or subject of a network plugin, which is evaluated for each pod. */
type EndpointPeer = Extract<Peer, { kind: 'endpoints' | 'entity' | 'calico' }>;

/** A selection of endpoints by a network plugin. */
interface EndpointTerm {
  readonly id: number;
  readonly peer: EndpointPeer;
  readonly isSubject: boolean;
}

/** A selection of pods: the subject of a policy, or a peer of one of its rules. */
interface Term {
  readonly id: number;
  readonly selector: number;
  readonly namespaces: Selector | undefined;
  /** The namespace of the policy. */
  readonly own: Value | undefined;
  /** Whether the term belongs to a ClusterNetworkPolicy, which never includes pods of the host network. */
  readonly isCluster: boolean;
}

/** A selection of pods that network plugins read differently from Kubernetes. */
interface ReadTerm {
  readonly id: number;
  readonly peer: PodPeer;
  readonly own: Value;
  readonly readings: readonly Reading[];
  readonly isSubject: boolean;
}

const plugins: readonly Plugin[] = ['Cilium', 'Calico'];

/** Sorts the pods and addresses of a model into classes, and evaluates peers for them. */
export class Peers {
  readonly classes: readonly PodClass[];
  readonly #world: ReachWorld;
  readonly #terms = new Map<string, Term>();
  readonly #bySelector: Term[][] = [];
  readonly #selectors = new Map<string, number>();
  readonly #index = new SelectorIndex<number>();
  readonly #namespaceLabels = new Map<string, LabelSet>();
  readonly #namespaceNumbers = new Map<string, number>();
  /** By the id of a term, the answers for the namespaces with each number. */
  readonly #namespaceAnswers = new Map<number, Answer[]>();
  readonly #termOf = new Map<ReachPolicy, Map<Peer, { readonly id: number }>>();
  readonly #endpointTerms = new Map<string, EndpointTerm>();
  readonly #readTerms = new Map<string, ReadTerm>();
  readonly #readTermOf = new Map<number, ReadTerm>();
  readonly #calico: CalicoPeers;
  /** Whether Cilium certainly runs, because some of its policies certainly exist. */
  readonly #isOfCilium: boolean;
  /** The network plugin whose policies the model contains. */
  readonly plugin: Plugin | undefined;
  /** The network plugins that may run. */
  readonly plugins: ReadonlySet<Plugin>;
  /** The policies by the id of the term that is their subject. */
  readonly #bySubject = new Map<number, number[]>();
  /** By class, whether each term includes it, as an index of `answers`: with many terms, a map takes far more memory. */
  readonly #answers: Uint8Array[] = [];
  /** The classes that each term certainly or possibly includes. */
  readonly #byTerm = new Map<number, PodClass[]>();
  readonly #classOf: PodClass[] = [];

  constructor(world: ReachWorld) {
    this.#world = world;
    for (const { name, labels } of world.namespaces) {
      const known = { ...labels.labels, [nameLabel]: name };
      this.#namespaceLabels.set(name, { ...labels, labels: known });
    }
    this.plugin = plugins.find((plugin) => world.policies.some(({ tier }) => tier === plugin));
    this.plugins = pluginsOf(world);
    this.#isOfCilium = world.policies.some(({ tier, isOptional }) => tier === 'Cilium' && !isOptional);
    this.#calico = new CalicoPeers(world, (namespace) => this.namespaceLabels(namespace));
    const blocks = new Set<AddressBlock>();
    const names = new Map<string, PortMatch>();
    for (const [index, policy] of world.policies.entries()) {
      const id = this.#enterAny(policy, policy.subject, true) ?? -1;
      getOrAdd(this.#bySubject, id, (): number[] => []).push(index);
      for (const { peers, ports: matched, own, notPorts = [] } of [...policy.ingress.rules, ...policy.egress.rules]) {
        const ports = notPorts.length === 0 ? matched : [...matched, ...notPorts];
        for (const peer of own === undefined ? peers : [...peers, own]) {
          this.#enterAny(policy, peer, false);
          for (const block of this.#blocksOf(peer)) blocks.add(block);
        }
        for (const port of ports) if (port.kind === 'name') names.set(`${port.protocol ?? ''}/${port.name}`, port);
      }
    }
    this.classes = this.#podClasses([...names.values()]);
    const ofHosts = (world.networkSets ?? []).flatMap((set) => (set.isOfHost ? set.blocks : []));
    this.addressClasses = once(() => addressClasses([...new Set([...blocks, ...ofHosts])], new Set(ofHosts)));
  }

  /** All pods of the model. */
  get pods(): readonly ReachPod[] {
    return this.#world.pods;
  }

  /** The classes of all addresses outside the cluster. */
  readonly addressClasses: () => readonly AddressClass[];

  /** Returns the class of a pod, which is given by its index in the model. */
  classOf(pod: number): PodClass | undefined {
    return this.#classOf[pod];
  }

  /** Returns the classes that contain addresses of a range. */
  classesIn({ family, first, last }: AddressRange): readonly AddressClass[] {
    return this.addressClasses().filter(({ ranges }) =>
      ranges.some((each) => each.family === family && each.first <= last && each.last >= first),
    );
  }

  /** Returns the known labels of a namespace. */
  namespaceLabels(namespace: Value): LabelSet {
    return getOrAdd(this.#namespaceLabels, keyOfValue(namespace), () => ({
      labels: { [nameLabel]: namespace },
      ...((isUnknown(namespace) || this.#world.namespacesOpen === true) && { open: true }),
    }));
  }

  /** Whether the model contains a Namespace object with a name. */
  hasNamespaceObject(name: Value): boolean {
    return this.#world.namespaces.some((each) => each.name === name);
  }

  /** Returns all classes of pods, or of addresses. */
  classesOf(kind: PeerClass['kind']): readonly PeerClass[] {
    return kind === 'pods' ? this.classes : this.addressClasses();
  }

  /** Calls `each` for every class of a kind that a peer certainly or possibly includes. */
  eachIncluded(
    policy: ReachPolicy,
    peer: Peer,
    kind: PeerClass['kind'],
    each: (other: PeerClass, answer: Answer) => void,
  ): void {
    if (peer.kind === 'pods') {
      const term = this.#termOf.get(policy)?.get(peer);
      const isOfAddresses = kind === 'addresses' && term !== undefined && this.#readTermOf.has(term.id);
      if (kind === 'pods' && term !== undefined)
        for (const pods of this.#byTerm.get(term.id) ?? []) each(pods, this.#answerOf(term.id, pods));
      if (!isOfAddresses) return;
    }
    for (const other of this.classesOf(kind)) {
      const answer = this.includes(policy, peer, other);
      if (answer !== 'no') each(other, answer);
    }
  }

  /** Whether a peer certainly or possibly includes any pod. */
  includesPods(policy: ReachPolicy, peer: PodPeer): boolean {
    const term = this.#termOf.get(policy)?.get(peer);
    return term !== undefined && this.#byTerm.has(term.id);
  }

  /** Returns the indexes of the policies that select the pods of a class, or may select them. */
  selectingPolicies({ place }: PodClass): readonly number[] {
    const included = this.#answers[place];
    const found = Array.from(this.#bySubject, ([term, policies]) => (included?.[term] ? policies : []));
    return found.flat().sort((a, b) => a - b);
  }

  #answerOf(term: number, { place }: PodClass): Answer {
    return answers[this.#answers[place]?.[term] ?? 0] ?? 'no';
  }

  /** Whether a peer in a rule of a policy, or the subject of the policy, includes the members of a class. */
  includes(policy: ReachPolicy, peer: Peer, other: PeerClass): Answer {
    if (other.kind === 'addresses' && peer.kind !== 'pods') return this.#includesAddresses(peer, other.ranges);
    if (other.kind === 'pods' && peer.kind !== 'pods' && !isEndpointPeer(peer))
      return this.#includesPod(peer, other.pod);
    const term = this.#termOf.get(policy)?.get(peer);
    if (other.kind === 'addresses') {
      const { readings = [] } = (term && this.#readTermOf.get(term.id)) ?? {};
      return common('no', ...readings.map((each) => this.#includesAddresses(each, other.ranges)));
    }
    return term === undefined ? 'no' : this.#answerOf(term.id, other);
  }

  /**
   * Whether the labels of a namespace satisfy a selector or, without a selector, whether the namespace is the namespace
   * of the policy.
   */
  inNamespaces({ namespaces }: Pick<PodPeer, 'namespaces'>, own: Value | undefined, namespace: Value): Answer {
    if (namespaces !== undefined) return evaluate(namespaces, this.namespaceLabels(namespace));
    return own === undefined ? 'no' : isSame(own, namespace);
  }

  /** Enters a peer or subject that selects pods, and returns the id of its term; undefined for other peers. */
  #enterAny(policy: ReachPolicy, peer: Peer, isSubject: boolean): number | undefined {
    if (peer.kind === 'pods') return (this.#enterRead(policy, peer, isSubject) ?? this.#enter(policy, peer)).id;
    if (!isEndpointPeer(peer)) return undefined;
    const term = getOrAdd(this.#endpointTerms, keyOfPeer(isSubject, peer), () => {
      return { id: this.#nextId(), peer, isSubject };
    });
    getOrAdd(this.#termOf, policy, () => new Map<Peer, { readonly id: number }>()).set(peer, term);
    return term.id;
  }

  #nextId(): number {
    return this.#terms.size + this.#endpointTerms.size + this.#readTerms.size;
  }

  /** Enters a selection of a NetworkPolicy that network plugins read differently; returns undefined for other selections. */
  #enterRead(policy: ReachPolicy, peer: PodPeer, isSubject: boolean): ReadTerm | undefined {
    const { tier, namespace: own } = policy;
    if (this.plugins.size === 0 || tier !== 'NetworkPolicy' || own === undefined) return undefined;
    const readings = readingsOf(peer, own, this.plugins);
    if (readings.length === 0) return undefined;
    const term = getOrAdd(this.#readTerms, JSON.stringify([isSubject, peer, own]), () => {
      return { id: this.#nextId(), peer, own, readings, isSubject };
    });
    this.#readTermOf.set(term.id, term);
    getOrAdd(this.#termOf, policy, () => new Map<Peer, { readonly id: number }>()).set(peer, term);
    return term;
  }

  #enter(policy: ReachPolicy, peer: PodPeer): Term {
    const isCluster = policy.tier !== 'NetworkPolicy';
    const own = peer.namespaces === undefined ? policy.namespace : undefined;
    const selectorKey = keyOfSelector(peer.pods);
    const place = peer.namespaces === undefined ? keyOfValue(own ?? '') : keyOfSelector(peer.namespaces);
    const key = JSON.stringify([isCluster, peer.namespaces === undefined, place, selectorKey]);
    const term = getOrAdd(this.#terms, key, () => {
      const selector = getOrAdd(this.#selectors, selectorKey, () => {
        this.#index.add(this.#bySelector.length, peer.pods);
        return this.#bySelector.push([]) - 1;
      });
      const id = this.#nextId();
      const made: Term = { id, selector, namespaces: peer.namespaces, own, isCluster };
      this.#bySelector[selector]?.push(made);
      return made;
    });
    getOrAdd(this.#termOf, policy, () => new Map<Peer, { readonly id: number }>()).set(peer, term);
    return term;
  }

  #podClasses(names: readonly PortMatch[]): readonly PodClass[] {
    const byKey = new Map<string, PodClass & { readonly members: number[] }>();
    const isInMesh = this.#world.policies.some(({ mesh }) => mesh !== undefined);
    const matched = new Map<string, { readonly included: Uint8Array; readonly key: string }>();
    for (const [index, pod] of this.#world.pods.entries()) {
      const { namespace, labels, hostNetwork = 'no' } = pod;
      const labelsKey = JSON.stringify([
        keyOfValue(namespace),
        hostNetwork,
        labels.open,
        labels.changeable,
        Object.entries(labels.labels),
        ...(this.#endpointTerms.size + this.#readTerms.size > 0
          ? [keyOfValue(pod.serviceAccount ?? ''), pod.isOfController]
          : []),
      ]);
      const { included, key } = getOrAdd(matched, labelsKey, () => {
        const terms = this.#termsOf(pod);
        return { included: terms, key: terms.join('') };
      });
      const portsKey = names.length === 0 ? '' : keyOfPorts(pod, names);
      const identity = isInMesh ? this.#identityOf(pod) : [];
      const found = getOrAdd(byKey, JSON.stringify([key, portsKey, hostNetwork, ...identity]), () => {
        const place = this.#answers.push(included) - 1;
        const made = { kind: 'pods' as const, place, members: [], pod, portsKey };
        for (const [term, answer] of included.entries())
          if (answer > 0) getOrAdd(this.#byTerm, term, () => []).push(made);
        return made;
      });
      found.members.push(index);
      this.#classOf.push(found);
    }
    return [...byKey.values()];
  }

  /** Returns what proxies of a mesh know of a pod. */
  #identityOf(pod: ReachPod): readonly string[] {
    const { namespace, serviceAccount = '' } = pod;
    return [keyOfValue(namespace), keyOfValue(serviceAccount), hasProxy(pod, this.namespaceLabels(namespace))];
  }

  /** Returns whether each term includes a pod, as indexes of `answers`. */
  #termsOf(pod: ReachPod): Uint8Array {
    const { namespace, labels, hostNetwork = 'no' } = pod;
    const terms = new Uint8Array(this.#nextId());
    const set = ({ id }: { readonly id: number }, answer: Answer) => {
      terms[id] = answers.indexOf(answer);
    };
    for (const term of this.#endpointTerms.values()) set(term, this.#endpointAnswer(term, pod));
    for (const term of this.#readTerms.values()) set(term, this.#readAnswer(term, pod));
    for (const { id: selector, answer } of this.#index.find(labels)) {
      for (const term of this.#bySelector[selector] ?? []) {
        const there = and(answer, this.#namespaceAnswer(term, namespace));
        set(term, this.#withHost(there, hostNetwork, term.isCluster));
      }
    }
    return terms;
  }

  /** A pod on the network of its node is no endpoint of Cilium, and no pod for a ClusterNetworkPolicy; its effect is otherwise undefined. */
  #withHost(answer: Answer, hostNetwork: Answer, isCluster: boolean): Answer {
    if (isCluster || this.#isOfCilium) return and(answer, not(hostNetwork));
    return hostNetwork === 'no' ? answer : and(answer, 'maybe');
  }

  /** The answer that all readings have in common. */
  #readAnswer({ peer, own, readings, isSubject }: ReadTerm, pod: ReachPod): Answer {
    const { namespace, labels, hostNetwork = 'no' } = pod;
    const plain = and(evaluate(peer.pods, labels), this.inNamespaces(peer, own, namespace));
    const isOpen = isPartlyKnown(peer);
    const others = readings.map((each) => {
      const answer = this.#endpointAnswer({ peer: each, isSubject }, pod);
      return isOpen ? and(answer, 'maybe') : answer;
    });
    return common(this.#withHost(plain, hostNetwork, false), ...others);
  }

  #endpointAnswer({ peer, isSubject }: Omit<EndpointTerm, 'id'>, pod: ReachPod): Answer {
    if (peer.kind === 'entity') return entityIncludesPod(peer.entity, pod);
    if (peer.kind === 'calico')
      return isSubject ? this.#calico.selects(peer, pod) : this.#calico.includesPod(peer, pod);
    const namespaceLabels = this.namespaceLabels(pod.namespace);
    return isSubject
      ? endpointIsSelected(peer.selector, pod, namespaceLabels)
      : selectorIncludesPod(peer.selector, pod, namespaceLabels);
  }

  /** Manifests do not contain the addresses of pods. Only a network that contains all IPv4 addresses certainly includes pods, as the API documents for `networks` (`ClusterNetworkPolicyEgressPeer`); an `ipBlock` includes pods in some network plugins, but not in Cilium. */
  #includesPod(peer: Exclude<Peer, PodPeer | EndpointPeer>, { hostNetwork = 'no' }: ReachPod): Answer {
    if (peer.kind === 'nodes' || peer.kind === 'outside') return and(hostNetwork, 'maybe');
    if (peer.kind === 'block' && this.#isOfCilium) return and(hostNetwork, 'maybe');
    if (peer.kind === 'block')
      return peer.block === undefined || mayBeOfPod(peer.block.range) ? 'maybe' : and(hostNetwork, 'maybe');
    if (peer.kind !== 'networks') return 'maybe';
    if (!peer.isOpen && !peer.blocks.some(({ range }) => mayBeOfPod(range))) return and(hostNetwork, 'maybe');
    return peer.blocks.some(({ range }) => range.family === 4 && isWithin(allIpv4, range)) ? 'yes' : 'maybe';
  }

  /** Whether a peer includes the addresses of a class. The answer is the same for all ranges of the class, so only the first range is examined. */
  #includesAddresses(peer: Exclude<Peer, PodPeer>, [range]: readonly AddressRange[]): Answer {
    if (range === undefined) return 'no';
    switch (peer.kind) {
      case 'block':
        return peer.block === undefined ? 'maybe' : isInBlock(range, peer.block);
      case 'networks':
        return peer.blocks.map((block) => isInBlock(range, block)).reduce(or, peer.isOpen ? 'maybe' : 'no');
      case 'endpoints':
        return matchesIdentity(peer.selector, 'address');
      case 'entity':
        return entityIncludesAddress(peer.entity, range);
      case 'calico':
        return this.#calico.includesAddress(peer, range);
      case 'outside':
        return outsideIncludes(peer, range, this.#world.addressGroups ?? []);
      default:
        return 'maybe';
    }
  }

  #blocksOf(peer: Peer): readonly AddressBlock[] {
    if (peer.kind === 'networks') return peer.blocks;
    if (peer.kind === 'calico') return this.#calico.blocksOf(peer);
    if (peer.kind === 'entity') return /^world-/.test(peer.entity) ? [{ range: everyAddress(4), except: [] }] : [];
    if (peer.kind === 'outside') return outsideBlocks(peer, this.#world.addressGroups ?? []);
    return peer.kind === 'block' && peer.block !== undefined ? [peer.block] : [];
  }

  #namespaceAnswer(term: Term, namespace: Value): Answer {
    const number = getOrAdd(this.#namespaceNumbers, keyOfValue(namespace), () => this.#namespaceNumbers.size);
    const answers = getOrAdd(this.#namespaceAnswers, term.id, () => []);
    const known = answers[number];
    if (known !== undefined) return known;
    const answer = this.inNamespaces(term, term.own, namespace);
    answers[number] = answer;
    return answer;
  }
}

const answers: readonly Answer[] = ['no', 'maybe', 'yes'];

/** Returns the answer if all are equal. */
function common(first: Answer, ...others: readonly Answer[]): Answer {
  return others.every((each) => each === first) ? first : 'maybe';
}

function keyOfPeer(isSubject: boolean, peer: Peer): string {
  return JSON.stringify([isSubject, peer], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function isEndpointPeer(peer: Peer): peer is EndpointPeer {
  return peer.kind === 'endpoints' || peer.kind === 'entity' || peer.kind === 'calico';
}

const allIpv4: AddressRange = { family: 4, first: 0n, last: 0xffff_ffffn };

function keyOfValue(value: Value): string {
  return isUnknown(value) ? `?${JSON.stringify([value.unknown, value.pattern])}` : value;
}

function keyOfSelector(selector: Selector): string {
  return JSON.stringify(selector);
}

/** Returns a key for the ports that the pod declares under the names that policies look up. */
function keyOfPorts({ ports = [], portsOpen }: ReachPod, names: readonly PortMatch[]): string {
  const evaluated = ports.filter(
    ({ name }) =>
      name !== undefined && (isUnknown(name) || names.some((each) => each.kind === 'name' && each.name === name)),
  );
  return JSON.stringify([portsOpen, evaluated]);
}
