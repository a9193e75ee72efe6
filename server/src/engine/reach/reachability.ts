/** Network reachability: the ports of a pod or address to which a different pod or address may connect, and the policies that decide this. */

import { getOrAdd, memoized } from '../memoize.ts';
import type { Answer } from '../types.ts';
import type { AddressClass } from './address-classes.ts';
import type { AddressRange } from './addresses.ts';
import { type PeerClass, Peers, type PodClass } from './peers.ts';
import { hasPort, type PortSet, PortSets } from './ports.ts';
import { type Profile, Profiles, policiesIn } from './profiles.ts';
import { prove } from './proof.ts';
import type { ConnectionEnd, PodEnd, Proof } from './proof-types.ts';
import { RuleMatches } from './rule-matches.ts';
import type { MatchedPorts } from './target-ports.ts';
import type { Direction, Peer, Protocol, ReachPolicy, ReachWorld, Rule } from './types.ts';
import { type Verdict, Verdicts } from './verdicts.ts';

/** Ports that are certainly allowed, and ports for which it is unknown whether they are allowed. */
export interface Connections {
  readonly allowed: PortSet;
  readonly unknown: PortSet;
}

/** The connections of a reachability model, as NetworkPolicy (`networking.k8s.io/v1`) and ClusterNetworkPolicy (`policy.networking.k8s.io/v1alpha2`) define them. A *yes* or *no* holds for all values of the unknowns in the model. Pods and addresses are grouped into classes; all members of a class have the same connections, and the connections between two different pods of one class are the connections of the class with itself. Connections of a pod to itself are not defined. */
export class Reachability {
  readonly world: ReachWorld;
  readonly ports = new PortSets();
  readonly #peers: Peers;
  readonly #rules: RuleMatches;
  readonly #profiles: Profiles;
  readonly #verdicts: Verdicts;
  readonly #connections = new Map<number, Connections>();

  constructor(world: ReachWorld) {
    this.world = world;
    this.#peers = new Peers(world);
    this.#rules = new RuleMatches(this.ports, this.#peers);
    this.#profiles = new Profiles(this.#peers, world.policies);
    this.#verdicts = new Verdicts(this.#rules, this.#profiles, world);
  }

  /** The classes of the pods of the model. */
  get podClasses(): readonly PodClass[] {
    return this.#peers.classes;
  }

  /** The classes of all addresses outside the cluster. */
  get addressClasses(): readonly AddressClass[] {
    return this.#peers.addressClasses();
  }

  /** Returns the class of a pod, by its index in the model; undefined if there is none. */
  classOf(pod: number): PodClass | undefined {
    return this.#peers.classOf(pod);
  }

  /** Returns a pod with its class, by its index in the model; undefined if there is none. */
  podEnd(pod: number): PodEnd | undefined {
    const [peer, found] = [this.classOf(pod), this.world.pods[pod]];
    return peer === undefined || found === undefined ? undefined : { peer, pod: found };
  }

  /** Returns the classes that contain addresses of a range; a single address is in one class. */
  classesIn(range: AddressRange): readonly AddressClass[] {
    return this.#peers.classesIn(range);
  }

  /**
   * Returns the ports to which members of one class may connect on members of the other class; between two classes of
   * addresses, everything is unknown.
   */
  connections(from: PeerClass, to: PeerClass): Connections {
    const source = this.#verdictAt(from, 'egress', to);
    const target = this.#verdictAt(to, 'ingress', from);
    return getOrAdd(this.#connections, source.id * maximumVerdicts + target.id, () => {
      const allow = this.ports.intersection(source.allow, target.allow);
      const deny = this.ports.union(source.deny, target.deny);
      return { allowed: this.ports.difference(allow, deny), unknown: this.ports.intersection(allow, deny) };
    });
  }

  /** Returns the ports that the policies at one end of a connection allow, regardless of the other end. */
  connectionsAt(subject: PeerClass, direction: Direction, other: PeerClass): Connections {
    return this.#ofVerdict(this.#verdictAt(subject, direction, other));
  }

  readonly #ofVerdict = memoized(({ allow, deny }: Verdict): Connections => {
    return { allowed: this.ports.difference(allow, deny), unknown: this.ports.intersection(allow, deny) };
  });

  #verdictAt(subject: PeerClass, direction: Direction, other: PeerClass): Verdict {
    if (subject.kind === 'pods') return this.#verdicts.verdict(subject, direction, other);
    return this.#verdicts.verdictAtAddress(subject);
  }

  /** Whether a member of one class may connect to a port of a member of the other class. */
  answer(from: PeerClass, to: PeerClass, protocol: Protocol, port: number): Answer {
    const { allowed, unknown } = this.connections(from, to);
    if (hasPort(allowed, protocol, port)) return 'yes';
    return hasPort(unknown, protocol, port) ? 'maybe' : 'no';
  }

  /** Returns the answer, with the rules that allow the connection, the policies that deny it, and the near misses. */
  prove(from: ConnectionEnd, to: ConnectionEnd, protocol: Protocol, port: number): Proof {
    const parts = { rules: this.#rules, profiles: this.#profiles, verdicts: this.#verdicts };
    const answer = this.answer(from.peer, to.peer, protocol, port);
    return prove(parts, { from, to, protocol, port, answer });
  }

  /** Divides ports of the connections between two classes so that the rules that match are equal for all ports of a part; undefined if there would be too many parts. */
  dividedByRules(ports: PortSet, from: PeerClass, to: PeerClass): readonly PortSet[] | undefined {
    const matched = (['egress', 'ingress'] as const).flatMap((direction) => {
      const [subject, other] = direction === 'egress' ? [from, to] : [to, from];
      return subject.kind === 'pods' ? this.#matchedPorts(subject, direction, other, to) : [];
    });
    return this.ports.divided(
      ports,
      matched.flatMap(({ certain, possible }) => [certain, possible]),
    );
  }

  #matchedPorts(subject: PodClass, direction: Direction, other: PeerClass, target: PeerClass): readonly MatchedPorts[] {
    const profile = this.#profiles.of(subject, direction);
    const at = { subject, direction, other, target };
    const rules = policiesIn(profile).flatMap(({ policy }) => this.#rules.matching(policy, at));
    const mesh = profile.mesh.filter(({ policy }) => policy.mesh !== undefined);
    if (mesh.length === 0 || direction === 'egress') return rules;
    return [...rules, ...this.#verdicts.mesh.effects(mesh, { subject, direction, other }).map(({ ports }) => ports)];
  }

  /** Returns the policies that apply to the pods of a class in a direction. */
  policiesOn(pods: PodClass, direction: Direction): Profile {
    return this.#profiles.of(pods, direction);
  }

  /** Whether a policy selects the pods of a class, regardless of the directions that the policy covers. */
  selects(policy: ReachPolicy, pods: PodClass): Answer {
    return this.#peers.includes(policy, policy.subject, pods);
  }

  /** Whether a peer of a rule of a policy includes the members of a class. */
  includes(policy: ReachPolicy, peer: Peer, other: PeerClass): Answer {
    return this.#peers.includes(policy, peer, other);
  }

  /**
   * Returns the ports that a rule matches for connections between a class of pods, to which its policy applies, and a
   * different class.
   */
  ruleConnections(
    policy: ReachPolicy,
    direction: Direction,
    rule: Rule,
    pods: PodClass,
    other: PeerClass,
  ): Connections {
    const target = direction === 'ingress' ? pods : other;
    const { certain, possible } = this.#rules.matches(policy, rule, other, target);
    return { allowed: certain, unknown: this.ports.difference(possible, certain) };
  }
}

/** The limit on the number of verdicts; two ids below the limit can be combined into one exact number. */
const maximumVerdicts = 2 ** 26;
