/** Decides whether the entities of rules of Calico, and the selectors of its policies, include pods and addresses. Source: libcalico-go/lib/backend/syncersv1/updateprocessors of Calico. */

import { and, not, or } from '../answers.ts';
import { evaluateCalico } from '../calico/evaluate.ts';
import { isAddedLater } from '../cilium/label-keys.ts';
import { getOrAdd } from '../memoize.ts';
import { type Answer, isUnknown, type LabelSet, type Value } from '../types.ts';
import { isSame } from '../unknowns.ts';
import { type AddressBlock, type AddressRange, everyAddress, isInBlock, isWithin, mayBeOfPod } from './addresses.ts';
import type { CalicoExpression, CalicoNets, CalicoPeer, NetworkSet, ReachPod, ReachWorld } from './types.ts';

/** An endpoint or a set of addresses, with the labels on which selectors are evaluated. */
interface Member {
  /** Its namespace; undefined if it belongs to none. */
  readonly namespace: Value | undefined;
  readonly account: Value | undefined;
  readonly labels: LabelSet;
  readonly namespaceLabels: LabelSet;
  readonly accountLabels: LabelSet;
  /** Whether the cluster adds labels to the pods of a controller. */
  readonly isOfController?: boolean | undefined;
}

const noLabels: LabelSet = { labels: {} };
const openLabels: LabelSet = { labels: {}, open: true };

/** Evaluates peers of Calico in a model. */
export class CalicoPeers {
  readonly #world: ReachWorld;
  readonly #namespaceLabels: (namespace: Value) => LabelSet;
  readonly #sets = new Map<NetworkSet, Member>();
  readonly #pods = new WeakMap<ReachPod, Member>();

  constructor(world: ReachWorld, namespaceLabels: (namespace: Value) => LabelSet) {
    this.#world = world;
    this.#namespaceLabels = namespaceLabels;
  }

  /** Returns the blocks at whose boundaries a peer distinguishes addresses. */
  blocksOf({ nets, notNets, family }: CalicoPeer): readonly AddressBlock[] {
    const ranges = [...(nets?.ranges ?? []), ...(notNets?.ranges ?? []), ...(family ? [everyAddress(4)] : [])];
    const sets = (this.#world.networkSets ?? []).flatMap(({ blocks }) => blocks);
    return [...ranges.map((range) => ({ range, except: [] })), ...sets];
  }

  /** Whether a policy with the given subject selects a pod. A pod on the network of its node is no endpoint of Calico. */
  selects(subject: CalicoPeer, pod: ReachPod): Answer {
    const { hostNetwork = 'no' } = pod;
    const answer = this.#matches(subject, this.#memberOf(pod));
    return and(answer, not(hostNetwork));
  }

  /** Whether a peer includes a pod. Manifests do not contain the addresses of pods, with which blocks are compared. */
  includesPod(peer: CalicoPeer, pod: ReachPod): Answer {
    if (isEverything(peer)) return 'yes';
    if (excludesEverything(peer)) return 'no';
    const { hostNetwork = 'no' } = pod;
    if (hostNetwork !== 'no') return this.#includesNode(peer);
    const positive = or(this.#matches(peer, this.#memberOf(pod)), this.#inSomeSet(peer) === 'no' ? 'no' : 'maybe');
    const { notSelector } = peer;
    const isOut = notSelector === undefined ? 'no' : this.#isIn(notSelector, this.#memberOf(pod));
    return and(and(positive, not(isOut)), podIsAmong(peer));
  }

  /** Whether a peer includes the addresses of a range, which no boundary of a block divides. */
  includesAddress(peer: CalicoPeer, range: AddressRange): Answer {
    const { notSelector, nets, notNets, family } = peer;
    const isOfFamily: Answer = family === undefined || family === range.family ? 'yes' : 'no';
    const sets = this.#setsWith(range);
    const positive = isPositive(peer)
      ? sets.map(([set, isMember]) => and(isMember, this.#matches(peer, this.#memberOfSet(set)))).reduce(or, 'no')
      : 'yes';
    const isOut =
      notSelector === undefined
        ? 'no'
        : sets.map(([set, isMember]) => and(isMember, evaluated(notSelector, this.#memberOfSet(set)))).reduce(or, 'no');
    const inNets = nets === undefined ? 'yes' : isInNets(nets, range);
    const inOthers = notNets === undefined ? 'no' : isInNets(notNets, range);
    const answers = [
      isOfFamily,
      positive,
      not(isOut),
      inNets,
      not(inOthers),
      peer.isNarrowed ? 'maybe' : 'yes',
    ] as const;
    return answers.reduce(and);
  }

  /** A node has addresses that sets may contain, and host endpoints, which belong to no namespace. */
  #includesNode(peer: CalicoPeer): Answer {
    const isInNamespace = peer.namespace !== undefined && peer.namespace !== 'none';
    return isInNamespace && this.#inSomeSet(peer) === 'no' ? 'no' : 'maybe';
  }

  /** Whether some set of addresses, which may contain the address of any pod, matches a peer that selects its members. */
  #inSomeSet(peer: CalicoPeer): Answer {
    if (!isPositive(peer)) return 'no';
    return this.#filledSets()
      .map((set) => this.#matches(peer, this.#memberOfSet(set)))
      .reduce(or, 'no');
  }

  #isIn(expression: CalicoExpression, member: Member): Answer {
    const answer = evaluated(expression, member);
    if (answer !== 'no') return answer;
    return this.#filledSets().some((set) => evaluated(expression, this.#memberOfSet(set)) !== 'no') ? 'maybe' : 'no';
  }

  /** Returns the sets of addresses that may contain the address of a pod. */
  #filledSets(): readonly NetworkSet[] {
    const sets = this.#world.networkSets ?? [];
    return sets.filter(
      ({ blocks, isOpen, isOfHost }) => !isOfHost && (isOpen || blocks.some(({ range }) => mayBeOfPod(range))),
    );
  }

  #setsWith(range: AddressRange): readonly (readonly [NetworkSet, Answer])[] {
    return (this.#world.networkSets ?? []).flatMap((set): readonly (readonly [NetworkSet, Answer])[] => {
      if (set.blocks.some((block) => isInBlock(range, block) === 'yes')) return [[set, 'yes']];
      return set.isOpen ? [[set, 'maybe']] : [];
    });
  }

  /** Whether a member matches the parts of a peer that select members. */
  #matches({ selector, namespaceSelector, accountSelector, accounts, namespace }: CalicoPeer, member: Member): Answer {
    let answer: Answer = isInNamespace(namespace, member.namespace);
    if (selector !== undefined) answer = and(answer, evaluated(selector, member));
    if (namespaceSelector !== undefined)
      answer = and(answer, evaluateCalico(namespaceSelector, member.namespaceLabels));
    if (accountSelector !== undefined) answer = and(answer, evaluateCalico(accountSelector, member.accountLabels));
    if (accounts !== undefined) answer = and(answer, isAmong(accounts, member.account));
    return answer;
  }

  #memberOf(pod: ReachPod): Member {
    return getOrAdd(this.#pods, pod, () => {
      const { namespace, serviceAccount = 'default', isOfController } = pod;
      const namespaceLabels = withName(this.#namespaceLabels(namespace), namespace);
      const accountLabels = withName(this.#accountLabels(namespace, serviceAccount), serviceAccount);
      const derived = {
        'projectcalico.org/namespace': namespace,
        'projectcalico.org/orchestrator': 'k8s',
        'projectcalico.org/serviceaccount': serviceAccount,
        ...prefixed('pcns.', namespaceLabels),
        ...prefixed('pcsa.', accountLabels),
      };
      const labels = withLabels(pod.labels, derived);
      return { namespace, account: serviceAccount, labels, namespaceLabels, accountLabels, isOfController };
    });
  }

  #memberOfSet(set: NetworkSet): Member {
    return getOrAdd(this.#sets, set, () => {
      const { namespace, labels: own } = set;
      const shared = { namespace, account: undefined, accountLabels: noLabels };
      if (namespace === undefined) return { ...shared, labels: own, namespaceLabels: noLabels };
      const namespaceLabels = withName(this.#namespaceLabels(namespace), namespace);
      const derived = { 'projectcalico.org/namespace': namespace, ...prefixed('pcns.', namespaceLabels) };
      return { ...shared, labels: withLabels(own, derived), namespaceLabels };
    });
  }

  /** Returns the labels of a service account. An account without an object is `default`, which has no labels, or it is unknown. */
  #accountLabels(namespace: Value, name: Value): LabelSet {
    if (isUnknown(name) || isUnknown(namespace)) return openLabels;
    const found = (this.#world.serviceAccounts ?? []).filter(
      (each) => each.name === name && isSame(each.namespace, namespace) !== 'no',
    );
    const [only, ...others] = found;
    if (only === undefined) return name === 'default' ? noLabels : openLabels;
    return others.length === 0 && only.namespace === namespace ? only.labels : openLabels;
  }
}

/** Evaluates a selector on all labels of a member. Labels of its namespace and service account, and labels that the cluster adds, may be unknown. */
function evaluated(expression: CalicoExpression, member: Member): Answer {
  const { labels, namespaceLabels, accountLabels, isOfController } = member;
  const { text } = expression;
  const isOpen =
    labels.open ||
    (namespaceLabels.open && text.includes('pcns.')) ||
    (accountLabels.open && text.includes('pcsa.')) ||
    (isOfController && mentionsAddedLabel(text));
  return evaluateCalico(expression, isOpen ? { ...labels, open: true } : labels);
}

function mentionsAddedLabel(text: string): boolean {
  return (text.match(/[\w./-]{1,512}/g) ?? []).some(isAddedLater);
}

function withLabels(own: LabelSet, derived: Readonly<Record<string, Value>>): LabelSet {
  return { ...own, labels: { ...own.labels, ...derived } };
}

function withName({ labels, open }: LabelSet, name: Value): LabelSet {
  return { labels: { ...labels, 'projectcalico.org/name': name }, ...(open && { open }) };
}

function prefixed(prefix: string, { labels }: LabelSet): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${prefix}${key}`, value]));
}

function isAmong(names: readonly Value[], name: Value | undefined): Answer {
  if (name === undefined) return 'no';
  return names.map((each) => isSame(each, name)).reduce(or, 'no');
}

function isInNamespace(wanted: CalicoPeer['namespace'], namespace: Value | undefined): Answer {
  if (wanted === undefined) return 'yes';
  if (wanted === 'any') return namespace === undefined ? 'no' : 'yes';
  if (wanted === 'none') return namespace === undefined ? 'yes' : 'no';
  return namespace === undefined ? 'no' : isSame(wanted.is, namespace);
}

/** Whether a peer selects members by labels or namespaces, so that only addresses in sets can match. */
function isPositive({ selector, namespaceSelector, accountSelector, accounts, namespace }: CalicoPeer): boolean {
  return [selector, namespaceSelector, accountSelector, accounts, namespace].some((part) => part !== undefined);
}

/** Whether a peer excludes all addresses of the only family that it may include. */
function excludesEverything({ notNets, family }: CalicoPeer): boolean {
  return family !== undefined && notNets !== undefined && isInNets(notNets, everyAddress(family)) === 'yes';
}

function isEverything(peer: CalicoPeer): boolean {
  return Object.keys(peer).length === 1;
}

/** Whether the address of a pod matches the parts of a peer that concern addresses. */
function podIsAmong({ nets, notNets, family, isNarrowed }: CalicoPeer): Answer {
  if (nets !== undefined && !mayContainPods(nets)) return 'no';
  const isOpen = nets !== undefined || (notNets !== undefined && mayContainPods(notNets));
  return isOpen || family !== undefined || isNarrowed ? 'maybe' : 'yes';
}

function mayContainPods({ ranges, isOpen }: CalicoNets): boolean {
  return isOpen || ranges.some(mayBeOfPod);
}

function isInNets({ ranges, isOpen }: CalicoNets, range: AddressRange): Answer {
  if (ranges.some((each) => isWithin(range, each))) return 'yes';
  return isOpen ? 'maybe' : 'no';
}
