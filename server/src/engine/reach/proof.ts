/** Explains why a connection is allowed, denied or unknown: the rules and policies that decide, and near misses. */

import type { Answer, LabelSet } from '../types.ts';
import { endpointLacks, failing, type Lack } from './lacks.ts';
import type { MeshEffect } from './mesh-tier.ts';
import type { PeerClass, PodClass } from './peers.ts';
import { hasPort, type PortSet } from './ports.ts';
import { type Profile, type Profiles, policiesIn, type Selecting } from './profiles.ts';
import type {
  ConnectionEnd,
  DecidingRule,
  NearMiss,
  Proof,
  ProofAtEnd,
  RuleAtEnd,
  Uncertainty,
  UnmatchedPeer,
} from './proof-types.ts';
import type { RuleMatches } from './rule-matches.ts';
import { isOnNode } from './settings.ts';
import type { Action, Direction, Peer, Protocol, ReachPod, ReachPolicy, Rule } from './types.ts';
import { isInCluster, type Verdicts } from './verdicts.ts';

/** The question: one port of a connection between two ends. */
interface Question {
  readonly from: ConnectionEnd;
  readonly to: ConnectionEnd;
  readonly protocol: Protocol;
  readonly port: number;
  readonly answer: Answer;
}

interface End {
  readonly direction: Direction;
  readonly subject: PodClass;
  readonly other: PeerClass;
  /** The pod at the other end; undefined for addresses. */
  readonly otherPod: ReachPod | undefined;
  readonly target: PeerClass;
  readonly profile: Profile;
}

/** The parts of a model that determine the answer. */
interface Parts {
  readonly rules: RuleMatches;
  readonly profiles: Profiles;
  readonly verdicts: Verdicts;
}

const directions = ['egress', 'ingress'] as const;

/** Returns the proof of an answer. It considers all ends that do not certainly allow the connection. */
export function prove(parts: Parts, question: Question): Proof {
  const { from, to, protocol, port, answer } = question;
  const prover = new Prover(parts, protocol, port);
  const ends = directions.map((direction): End | Direction => {
    const [{ peer: subject }, other] = direction === 'egress' ? [from, to] : [to, from];
    if (subject.kind === 'addresses') return direction;
    const profile = parts.profiles.of(subject, direction);
    if (profile.key === '' || parts.verdicts.isOfHost(subject) || isInCluster(other.peer)) return direction;
    const otherPod = 'pod' in other ? other.pod : undefined;
    return { direction, subject, other: other.peer, otherPod, target: to.peer, profile };
  });
  const policed = ends.filter((end) => typeof end !== 'string');
  const open = (direction: Direction) => {
    const { peer } = direction === 'egress' ? from : to;
    return parts.verdicts.isOfHost(peer) || isInCluster(peer) ? [] : [direction];
  };
  const undecided = policed.filter((end) => !prover.certainlyAllows(end));
  const atEnds = ends.map((end): ProofAtEnd => {
    const direction = typeof end === 'string' ? end : end.direction;
    const atEnd = answerAt(parts, question, direction);
    const by = typeof end === 'string' ? [] : atEnd === 'yes' ? prover.allowing(end) : prover.denying(end);
    return { direction, answer: atEnd, by };
  });
  // The ends of an allowed connection both allow it.
  const deciding = atEnds.flatMap(({ answer: atEnd, by }) => (answer === 'yes' || atEnd !== 'yes' ? by : []));
  return {
    answer,
    ends: atEnds,
    allowedBy: answer === 'yes' ? deciding : [],
    deniedBy: answer === 'yes' ? [] : deciding,
    notIsolated: ends.flatMap((end) =>
      typeof end === 'string' ? open(end) : prover.isIsolated(end) ? [] : [end.direction],
    ),
    doubts:
      answer === 'maybe'
        ? [
            ...undecided.flatMap((end) => prover.doubts(end)),
            ...protocolDoubts(parts, question),
            ...hostDoubts(parts, question),
            ...settingDoubts(parts, question),
          ]
        : [],
    nearMisses:
      answer === 'yes'
        ? []
        : undecided.flatMap((end) => prover.nearMisses(end)).toSorted((a, b) => a.lacks.length - b.lacks.length),
    unmatched: answer === 'no' ? undecided.flatMap((end) => prover.unmatched(end)) : [],
  };
}

/** Returns the doubt whether the network plugin supports the protocol. */
function protocolDoubts({ verdicts }: Parts, { protocol }: Question): readonly Uncertainty[] {
  const isOpen = protocol === 'SCTP' && verdicts.isSctpOpen;
  return isOpen ? [{ policy: -1, direction: 'ingress', about: 'protocol' }] : [];
}

/** Returns the doubt whether host endpoints allow the connection, for each end that may be one. */
function hostDoubts({ verdicts }: Parts, { from, to }: Question): readonly Uncertainty[] {
  return directions.flatMap((direction): readonly Uncertainty[] => {
    const { peer } = direction === 'egress' ? from : to;
    if (isInCluster(peer)) return [{ policy: -1, direction, about: 'address in the cluster' }];
    return verdicts.isOfHost(peer) ? [{ policy: -1, direction, about: 'host' }] : [];
  });
}

/** Returns the settings that may change the decision at an end. */
function settingDoubts({ verdicts }: Parts, { from, to, protocol, port }: Question): readonly Uncertainty[] {
  return directions.flatMap((direction): readonly Uncertainty[] => {
    const [{ peer: subject }, { peer: other }] = direction === 'egress' ? [from, to] : [to, from];
    if (subject.kind === 'addresses') return [];
    const settings = verdicts.settingsAt({ subject, direction, other }, protocol, port);
    return settings.map((setting) => ({ policy: -1, direction, about: 'setting', setting }));
  });
}

/** Returns the decision in one direction, regardless of the other direction. */
function answerAt({ verdicts }: Parts, { from, to, protocol, port }: Question, direction: Direction): Answer {
  const [{ peer: subject }, { peer: other }] = direction === 'egress' ? [from, to] : [to, from];
  const { allow, deny } =
    subject.kind === 'addresses' ? verdicts.verdictAtAddress(subject) : verdicts.verdict(subject, direction, other);
  if (!hasPort(deny, protocol, port)) return 'yes';
  return hasPort(allow, protocol, port) ? 'maybe' : 'no';
}

class Prover {
  readonly #parts: Parts;
  readonly #protocol: Protocol;
  readonly #port: number;

  constructor(parts: Parts, protocol: Protocol, port: number) {
    this.#parts = parts;
    this.#protocol = protocol;
    this.#port = port;
  }

  certainlyAllows({ subject, direction, other }: End): boolean {
    return !this.#has(this.#parts.verdicts.verdict(subject, direction, other).deny);
  }

  /** Whether some policy decides: a policy that denies everything else, or another policy with a matching rule. */
  isIsolated(end: End): boolean {
    const { network, cilium, calico } = end.profile;
    if (network.length > 0 || calico.length > 0) return true;
    if (this.#meshEffects(end).length > 0) return true;
    if (cilium.some(({ policy }) => (policy[end.direction].isolates ?? 'no') !== 'no')) return true;
    return policiesIn(end.profile).some((each) => this.#matching(each, end).length > 0);
  }

  /**
   * Returns the rules that allow the connection, from the tier that decides; empty if this tier does not allow the
   * connection.
   */
  allowing(end: End): readonly DecidingRule[] {
    const inMesh = this.#meshRules(end, 'allows', 'yes');
    return inMesh.length === 0 ? this.#allowingInNetwork(end) : [...this.#allowingInNetwork(end), ...inMesh];
  }

  #allowingInNetwork(end: End): readonly DecidingRule[] {
    const { direction, profile } = end;
    const network = this.#certain([...profile.network, ...profile.cilium], end, 'Accept');
    if (profile.cilium.length > 0) return network;
    if (profile.calico.length > 0) return this.#inTiers(end, 'Accept');
    const admin = this.#deciding(profile.admin, end);
    if (admin?.action === 'Accept') return admin.rules.map((rule) => ({ ...rule, direction }));
    if (profile.network.some(({ answer }) => answer === 'yes')) return network;
    const baseline = this.#deciding(profile.baseline, end);
    return baseline?.action === 'Accept' ? baseline.rules.map((rule) => ({ ...rule, direction })) : [];
  }

  /**
   * Returns the rules of ClusterNetworkPolicies that deny the connection, or the NetworkPolicies that isolate the end.
   */
  denying(end: End): readonly DecidingRule[] {
    const { direction, profile } = end;
    const denied = this.#certain([...profile.cilium, ...profile.mesh], end, 'Deny');
    if (denied.length > 0) return denied;
    const inMesh = [...this.#meshRules(end, 'denies', 'yes'), ...this.#meshIsolation(end)];
    if (inMesh.length > 0) return inMesh;
    if (profile.calico.length > 0) return this.#inTiers(end, 'Deny');
    const admin = this.#deciding(profile.admin, end);
    if (admin?.action === 'Deny') return admin.rules.map((rule) => ({ ...rule, direction }));
    const isolating = [
      ...profile.network,
      ...profile.cilium.filter(({ policy }) => policy[direction].isolates === 'yes'),
    ].filter(({ answer }) => answer === 'yes');
    if (isolating.length > 0) return isolating.map(({ index }) => ({ policy: index, direction }));
    const baseline = this.#deciding(profile.baseline, end);
    return baseline?.action === 'Deny' ? baseline.rules.map((rule) => ({ ...rule, direction })) : [];
  }

  /** Returns the reasons for which the answer at an end is uncertain. The node of a pod may always connect to it, whatever the policies decide. */
  doubts(end: End): readonly Uncertainty[] {
    const { direction, other } = end;
    const found = this.#doubtsOfPolicies(end);
    if (found.length > 0) return found;
    const isFromNode = direction === 'ingress' && isOnNode(other);
    return isFromNode ? [{ policy: -1, direction, about: 'node' }] : this.#doubtsOfOrder(end);
  }

  /** Returns the policies of Calico whose order among others with matching rules is unknown. */
  #doubtsOfOrder(end: End): readonly Uncertainty[] {
    const { direction, profile } = end;
    if (profile.calico.length === 0) return [];
    const groups = this.#parts.verdicts.calico.tiersOf(profile).flatMap((tier) => tier.groups);
    const unsorted = groups.filter((group) => group.length > 1).flat();
    const matching = unsorted.filter((each) => this.#matching(each, end).length > 0);
    return matching.map(({ index }) => ({ policy: index, direction, about: 'order' }));
  }

  #doubtsOfPolicies(end: End): readonly Uncertainty[] {
    const { direction, profile } = end;
    const others = policiesIn(profile).flatMap((each): readonly Uncertainty[] => {
      const at = { policy: each.index, direction };
      if (each.policy.mesh !== undefined) return [];
      if (each.answer === 'maybe') return [{ ...at, about: each.policy.mayBeRejected ? 'acceptance' : 'subject' }];
      if (each.policy.tier === 'Calico' && !this.#parts.verdicts.calico.isPlaced(each))
        return [{ ...at, about: 'order' }];
      return this.#matching(each, end)
        .filter(({ rule, answer }) => answer === 'maybe' || rule.isPartial)
        .map(({ rule }) => ({ ...at, ...ruleOf(rule), about: this.#doubtOf(each.policy, rule, end) }));
    });
    return [...others, ...this.#meshDoubts(end)];
  }

  #meshDoubts(end: End): readonly Uncertainty[] {
    const isolating = this.#meshEffects(end).filter(({ effect }) => effect === 'isolates');
    const found: readonly DecidingRule[] = [
      ...this.#meshRules(end, 'denies', 'maybe'),
      ...this.#meshRules(end, 'allows', 'maybe'),
      ...isolating
        .filter(({ ports }) => !this.#has(ports.certain))
        .map(({ policy }) => ({ policy, direction: end.direction })),
    ];
    return found.map((each) => ({ ...each, about: 'mesh' }));
  }

  /** Returns what the policies of Istio decide about the port, certainly or possibly. */
  #meshEffects({ profile, direction, subject, other }: End): readonly MeshEffect[] {
    const policies = profile.mesh.filter(({ policy }) => policy.mesh !== undefined);
    if (policies.length === 0 || direction === 'egress') return [];
    const effects = this.#parts.verdicts.mesh.effects(policies, { subject, direction, other });
    return effects.filter(({ ports }) => this.#has(ports.possible));
  }

  #meshRules(end: End, effect: MeshEffect['effect'], answer: 'yes' | 'maybe'): readonly DecidingRule[] {
    return this.#meshEffects(end)
      .filter((each) => each.effect === effect && this.#has(each.ports.certain) === (answer === 'yes'))
      .map(({ policy, rule }) => ({
        policy,
        direction: end.direction,
        ...(rule !== undefined && { rule, list: 'rules' as const }),
      }));
  }

  /** Returns the policies of Istio that deny what no rule allows, if no rule possibly allows the connection. */
  #meshIsolation(end: End): readonly DecidingRule[] {
    const effects = this.#meshEffects(end);
    if (effects.some(({ effect }) => effect === 'allows')) return [];
    return effects
      .filter(({ effect, ports }) => effect === 'isolates' && this.#has(ports.certain))
      .map(({ policy }) => ({ policy, direction: end.direction }));
  }

  /** Returns the rule in the tiers of Calico that certainly decides, if it has the given action, or the policies of the tier that denies what no rule matches. */
  #inTiers(end: End, action: 'Accept' | 'Deny'): readonly DecidingRule[] {
    const { direction, profile } = end;
    let passing: readonly DecidingRule[] = [];
    for (const { tier, groups } of this.#parts.verdicts.calico.tiersOf(profile)) {
      const policies = groups.flat().filter(({ answer }) => answer === 'yes');
      const first = policies
        .flatMap((each) =>
          this.#matching(each, end)
            .filter(({ answer }) => answer === 'yes')
            .map(({ rule }) => ({ each, rule })),
        )
        .at(0);
      const pass = (each: Selecting, rule: Partial<RuleAtEnd>) =>
        ({ policy: each.index, direction, ...rule, passes: true }) as const;
      if (first?.rule.action === 'Pass') {
        passing = [pass(first.each, { rule: first.rule.index })];
        continue;
      }
      if (first !== undefined)
        return first.rule.action === action ? [{ policy: first.each.index, direction, rule: first.rule.index }] : [];
      if (policies.length > 0 && tier.defaultAction === 'Deny')
        return action === 'Deny' ? policies.map(({ index }) => ({ policy: index, direction })) : [];
      if (policies.length > 0) passing = policies.map((each) => pass(each, {}));
    }
    return action === 'Accept' ? passing : [];
  }

  /** Returns the rules with an action of policies that certainly select the pod, which certainly match. */
  #certain(policies: readonly Selecting[], end: End, action: Action): readonly RuleAtEnd[] {
    return policies.flatMap((each) =>
      this.#matching(each, end)
        .filter(({ rule, answer }) => answer === 'yes' && each.answer === 'yes' && rule.action === action)
        .map(({ rule }) => ({ policy: each.index, direction: end.direction, ...ruleOf(rule) })),
    );
  }

  nearMisses(end: End): readonly NearMiss[] {
    const { direction, profile } = end;
    return [...profile.network, ...profile.cilium].flatMap(({ policy, index }) =>
      policy[direction].rules.flatMap((rule): readonly NearMiss[] => {
        if (rule.action !== 'Accept') return [];
        const at = { policy: index, direction, rule: rule.index };
        const { possible } = this.#parts.rules.portsOf(rule, end.target);
        const port: readonly Lack[] = this.#has(possible) ? [] : [{ what: 'port', ports: possible }];
        if (rule.anyPeer !== 'no' || this.#includesPeer(policy, rule, end)) {
          return port.length === 0 ? [] : [{ ...at, lacks: port }];
        }
        return rule.peers.flatMap((peer, number): readonly NearMiss[] => {
          const lacks = this.#lacksOf(policy, peer, end.otherPod);
          if (lacks === undefined) return [];
          return [{ ...at, peer: number, lacks: [...lacks.map((each) => this.#withObject(each, end)), ...port] }];
        });
      }),
    );
  }

  unmatched(end: End): readonly UnmatchedPeer[] {
    const { direction, profile } = end;
    const { rules } = this.#parts;
    return profile.network.flatMap(({ policy, index }) =>
      policy[direction].rules
        .filter((rule) => this.#has(rules.portsOf(rule, end.target).possible))
        .flatMap((rule) =>
          rule.peers
            .filter((peer) => peer.kind === 'pods')
            .filter((peer) => !rules.peers.includesPods(policy, peer))
            .map((peer) => ({ policy: index, direction, rule: rule.index, peer })),
        ),
    );
  }

  /** Returns the rules of a policy that match the port of the connection, or may match it. */
  #matching({ policy }: Selecting, end: End): readonly { readonly rule: Rule; readonly answer: Answer }[] {
    const found: { readonly rule: Rule; readonly answer: Answer }[] = [];
    for (const { rule, certain, possible } of this.#parts.rules.matching(policy, end)) {
      if (this.#has(certain)) found.push({ rule, answer: 'yes' });
      else if (this.#has(possible)) found.push({ rule, answer: 'maybe' });
    }
    return found;
  }

  /**
   * Returns the action of a tier of ClusterNetworkPolicies, and the first matching rule of each policy whose first
   * matching rule has this action.
   */
  #deciding(
    groups: Profile['admin'],
    end: End,
  ): { readonly action: Action; readonly rules: readonly Omit<RuleAtEnd, 'direction'>[] } | undefined {
    for (const group of groups) {
      const first = group.flatMap((each) => {
        const [found] = each.answer === 'yes' ? this.#matching(each, end).filter(({ answer }) => answer === 'yes') : [];
        return found?.rule.action === undefined
          ? []
          : [{ action: found.rule.action, policy: each.index, rule: found.rule.index }];
      });
      const action = first[0]?.action;
      if (action !== undefined) {
        const rules = first.filter((each) => each.action === action).map(({ policy, rule }) => ({ policy, rule }));
        return { action, rules };
      }
    }
    return undefined;
  }

  #doubtOf(policy: ReachPolicy, rule: Rule, { other, target }: End): Uncertainty['about'] {
    if (rule.isPartial) return 'requests';
    if (rule.isOptional) return rule.hasConditions ? 'conditions' : 'rule';
    if (!this.#has(this.#parts.rules.portsOf(rule, target).certain)) return 'port';
    const answers = rule.peers.map((peer) => [peer, this.#parts.rules.peers.includes(policy, peer, other)] as const);
    const isAddress = answers.some(
      ([{ kind }, answer]) => answer === 'maybe' && (kind === 'block' || kind === 'networks'),
    );
    return isAddress && other.kind === 'pods' ? 'address of a pod' : 'peer';
  }

  #includesPeer(policy: ReachPolicy, { peers }: Rule, { other }: End): boolean {
    return peers.some((peer) => this.#parts.rules.peers.includes(policy, peer, other) !== 'no');
  }

  /** Returns the conditions that the other end does not meet; undefined if the peer can never include the other end. */
  #lacksOf(policy: ReachPolicy, peer: Peer, other: ReachPod | undefined): readonly Lack[] | undefined {
    if (other !== undefined && peer.kind === 'endpoints')
      return endpointLacks(peer.selector, other, this.#namespace(other));
    if (peer.kind !== 'pods' || other === undefined) return undefined;
    const { namespace, labels } = other;
    const onPod = failing(peer.pods, labels);
    if (peer.namespaces === undefined) {
      const own = policy.namespace;
      const isThere = this.#parts.rules.peers.inNamespaces(peer, own, namespace) !== 'no';
      const away: readonly Lack[] =
        isThere || own === undefined ? [] : [{ what: 'namespace', wanted: own, value: namespace }];
      return onPod && [...away, ...onPod.map((each) => ({ what: 'pod label', ...each }) as const)];
    }
    const onNamespace = failing(peer.namespaces, this.#parts.rules.peers.namespaceLabels(namespace));
    if (onPod === undefined || onNamespace === undefined) return undefined;
    return [
      ...onNamespace.map((each) => ({ what: 'namespace label', ...each }) as const),
      ...onPod.map((each) => ({ what: 'pod label', ...each }) as const),
    ];
  }

  #withObject(lack: Lack, { otherPod }: End): Lack {
    const isKnown = otherPod === undefined || this.#parts.rules.peers.hasNamespaceObject(otherPod.namespace);
    return lack.what === 'namespace label' && lack.value === undefined && !isKnown
      ? { ...lack, isWithoutObject: true }
      : lack;
  }

  #namespace({ namespace }: ReachPod): LabelSet {
    return this.#parts.rules.peers.namespaceLabels(namespace);
  }

  #has(set: PortSet): boolean {
    return hasPort(set, this.#protocol, this.#port);
  }
}

/** Returns the position of a rule in its policy. */
function ruleOf({ index, list }: Rule): Pick<RuleAtEnd, 'rule' | 'list'> {
  return list === undefined ? { rule: index } : { rule: index, list };
}
