/** Evaluates the tier of NetworkPolicies at one end of a connection, for all classes of pods at once. */

import { getOrAdd } from '../memoize.ts';
import type { Answer } from '../types.ts';
import type { PeerClass, PodClass } from './peers.ts';
import type { PortSet } from './ports.ts';
import type { Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import type { MatchedPorts } from './target-ports.ts';
import type { Direction, Rule } from './types.ts';

/** The ports that the tier may allow, the ports that it may deny, and the ports that it may leave to the next tier because no policy isolates the end. */
export interface NetworkOutcome {
  /** The index of the outcome among all outcomes of the tier. */
  readonly index: number;
  readonly accept: PortSet;
  readonly deny: PortSet;
  readonly pass: PortSet;
  /** Ports that may be allowed if no other tier decides. */
  readonly allow: PortSet;
}

/** The decision of some policies: ids of port sets, indexed by the class of the other end. */
interface Row {
  /** Ports that some rule may allow. */
  readonly accept: Int32Array;
  /**
   * Ports that are certainly allowed; if policies isolate the end, these are the ports that some rule certainly allows.
   */
  readonly certain: Int32Array;
}

/**
 * Policies in the order of a profile, as a chain in which each list is one policy longer than the previous one. Most
 * pods of a namespace share the policies that select all of them, so the decision of these policies is computed once
 * for all pods.
 */
interface Step {
  readonly before: Step | undefined;
  readonly last: Selecting | undefined;
  readonly isIsolated: boolean;
  /** The number of policies in the list. */
  readonly length: number;
  readonly next: Map<string, Step>;
  readonly rows: Partial<Record<PeerClass['kind'], Row>>;
  /** Indexes of outcomes by the class of the other end, for steps that end a profile. */
  readonly outcomes: Partial<Record<PeerClass['kind'], Int32Array>>;
}

export class NetworkTier {
  readonly #rules: RuleMatches;
  readonly #policiesOpen: boolean;
  readonly #roots = new Map<string, Step>();
  /** The last steps of the profiles, by the class of the subject. */
  readonly #steps: Readonly<Record<Direction, (Step | undefined)[]>> = { ingress: [], egress: [] };
  readonly #policyRows = new Map<string, Row>();
  readonly #outcomes: NetworkOutcome[] = [];
  readonly #outcomeOf = new Map<number, NetworkOutcome>();

  constructor(rules: RuleMatches, policiesOpen: boolean) {
    this.#rules = rules;
    this.#policiesOpen = policiesOpen;
  }

  /** Returns the decision of the NetworkPolicies in the profile of a class about connections with a different class. */
  decide(network: readonly Selecting[], subject: PodClass, direction: Direction, other: PeerClass): NetworkOutcome {
    const step = this.#steps[direction][subject.place] ?? this.#lastStep(network, subject, direction);
    const outcomes = step.outcomes[other.kind] ?? this.#outcomesOf(step, subject, direction, other.kind);
    const { none } = this.#rules.sets;
    return this.#outcomes[outcomes[other.place] ?? -1] ?? this.#outcome(step.isIsolated, none.id, none.id);
  }

  #lastStep(network: readonly Selecting[], subject: PodClass, direction: Direction): Step {
    const step = this.#stepOf(network, subject, direction);
    this.#steps[direction][subject.place] = step;
    return step;
  }

  #outcomesOf(step: Step, subject: PodClass, direction: Direction, kind: PeerClass['kind']): Int32Array {
    const { accept, certain } = step.rows[kind] ?? this.#rowOf(step, subject, direction, kind);
    const outcomes = combined(accept, certain, (a, b) => this.#outcome(step.isIsolated, a, b).index);
    step.outcomes[kind] = outcomes;
    return outcomes;
  }

  #outcome(isIsolated: boolean, acceptId: number, certainId: number): NetworkOutcome {
    const key = (acceptId * maximumSets + certainId) * 2 + (isIsolated ? 1 : 0);
    return getOrAdd(this.#outcomeOf, key, () => {
      const { sets } = this.#rules;
      const { all, none } = sets;
      const isCertain = isIsolated || !this.#policiesOpen;
      const accept = this.#policiesOpen ? all : sets.at(acceptId);
      const deny = isCertain ? sets.difference(all, sets.at(certainId)) : all;
      const pass = isIsolated ? none : all;
      const outcome = { index: this.#outcomes.length, accept, deny, pass, allow: sets.union(accept, pass) };
      this.#outcomes.push(outcome);
      return outcome;
    });
  }

  #stepOf(network: readonly Selecting[], { portsKey }: PodClass, direction: Direction): Step {
    // The target decides the meaning of named ports: in one direction, the target is the pod that the policies select.
    const rootKey = direction === 'ingress' ? `ingress ${portsKey}` : 'egress';
    let step = getOrAdd(this.#roots, rootKey, () => newStep(undefined, undefined));
    for (const each of network) {
      const before = step;
      step = getOrAdd(step.next, `${each.index} ${each.answer}`, () => newStep(before, each));
    }
    return step;
  }

  /** Returns the row of a step, computed from the nearest earlier step whose row is cached. */
  #rowOf(step: Step, subject: PodClass, direction: Direction, kind: PeerClass['kind']): Row {
    const { sets, peers } = this.#rules;
    const open: Step[] = [];
    let known: Row | undefined;
    for (let at: Step | undefined = step; at !== undefined && known === undefined; at = at.before) {
      known = at.rows[kind];
      if (known === undefined) open.push(at);
    }
    let row = known ?? newRow(peers.classesOf(kind).length, sets.none, sets.all);
    for (const at of open.reverse()) {
      if (at.last !== undefined) row = this.#withPolicy(row, at, this.#policyRow(at.last, subject, direction, kind));
      if (at === step || isShared(at)) at.rows[kind] = row;
    }
    return row;
  }

  /**
   * Adds the decision of one policy to a row. An isolated end allows every port that some rule of some policy allows.
   * An end that one of several policies may isolate certainly allows the ports that each of them allows.
   */
  #withPolicy(earlier: Row, { before, last, isIsolated }: Step, own: Row): Row {
    const { sets } = this.#rules;
    const accept = combined(earlier.accept, own.accept, (a, b) => sets.union(sets.at(a), sets.at(b)).id);
    if (!isIsolated) {
      const both = combined(earlier.certain, own.certain, (a, b) => sets.intersection(sets.at(a), sets.at(b)).id);
      return { accept, certain: both };
    }
    if (last?.answer !== 'yes') return { accept, certain: earlier.certain };
    if (before?.isIsolated !== true) return { accept, certain: own.certain };
    return { accept, certain: combined(earlier.certain, own.certain, (a, b) => sets.union(sets.at(a), sets.at(b)).id) };
  }

  /** Returns the ports that the rules of one policy match, by class of the other end. */
  #policyRow({ policy, index }: Selecting, subject: PodClass, direction: Direction, kind: PeerClass['kind']): Row {
    const key = `${kind} ${index} ${direction === 'ingress' ? subject.portsKey : 'egress'}`;
    return getOrAdd(this.#policyRows, key, () => {
      const { peers, sets } = this.#rules;
      const row = newRow(peers.classesOf(kind).length, sets.none, sets.none);
      for (const rule of policy[direction].rules) {
        const add = (other: PeerClass, answer: Answer) =>
          this.#add(
            row,
            other.place,
            rule,
            answer,
            this.#rules.portsOf(rule, direction === 'ingress' ? subject : other),
          );
        if (rule.anyPeer !== 'no') for (const other of peers.classesOf(kind)) add(other, rule.anyPeer);
        if (rule.anyPeer === 'yes') continue;
        for (const peer of rule.peers) peers.eachIncluded(policy, peer, kind, add);
      }
      return row;
    });
  }

  #add({ accept, certain }: Row, at: number, rule: Rule, answer: Answer, ports: MatchedPorts): void {
    const { sets } = this.#rules;
    accept[at] = sets.union(sets.at(accept[at] ?? 0), ports.possible).id;
    if (answer === 'yes' && !rule.isOptional) certain[at] = sets.union(sets.at(certain[at] ?? 0), ports.certain).id;
  }
}

/** The limit on the number of port sets. Memory is exhausted long before; two ids below the limit, together with one bit, can be combined into one exact number. */
const maximumSets = 2 ** 25;

function newStep(before: Step | undefined, last: Selecting | undefined): Step {
  const isIsolated = before?.isIsolated === true || last?.answer === 'yes';
  const length = before === undefined ? 0 : before.length + 1;
  return { before, last, isIsolated, length, next: new Map(), rows: {}, outcomes: {} };
}

/** Whether the row of a step is cached for other lists of policies. Of long lists, only some rows are cached, because each has an entry for every class. */
function isShared({ length, next }: Step): boolean {
  return length <= 32 || length % 32 === 0 || next.size > 1;
}

function newRow(length: number, accept: PortSet, certain: PortSet): Row {
  return { accept: new Int32Array(length).fill(accept.id), certain: new Int32Array(length).fill(certain.id) };
}

/** Most adjacent values in a row are equal, so a sequence of equal pairs needs only one lookup. */
function combined(a: Int32Array, b: Int32Array, combine: (a: number, b: number) => number): Int32Array {
  const result = new Int32Array(a.length);
  let [lastA, lastB, last] = [-1, -1, -1];
  for (let at = 0; at < a.length; at++) {
    const inA = a[at] ?? 0;
    const inB = b[at] ?? 0;
    if (inA !== lastA || inB !== lastB) {
      last = combine(inA, inB);
      lastA = inA;
      lastB = inB;
    }
    result[at] = last;
  }
  return result;
}
