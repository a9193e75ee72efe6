/** Small random worlds with policies of Calico and NetworkPolicies, and their evaluation by the rules that Calico documents. */

import fc from 'fast-check';
import {
  parseCidr,
  Reachability,
  type ReachPolicy,
  readCalicoPolicy,
  readNetworkPolicy,
} from '../../../server/src/engine/index.ts';
import { inBlock, namespacesOf, type PluginPod, pluginNamespaces, pluginPods, podsOf } from './cilium-worlds.ts';

// biome-ignore lint/suspicious/noExplicitAny: generated manifests of several kinds
type Plain = any;
type Labels = Readonly<Record<string, string>>;
type End = PluginPod | string;

interface CalicoWorld {
  readonly pods: readonly PluginPod[];
  readonly tiers: readonly { readonly name: string; readonly order: number; readonly defaultAction: 'Deny' | 'Pass' }[];
  readonly policies: readonly {
    readonly kind: 'NetworkPolicy' | 'GlobalNetworkPolicy' | 'of Kubernetes';
    readonly name: string;
    readonly namespace: string;
    readonly spec: Plain;
  }[];
}

/** A set of addresses that no pod has, and its labels. */
const networkSet = { name: 'outside', labels: { kind: 'ext' }, cidr: '192.0.2.0/24' };

const names = fc.constantFrom('ops', 'shop');
/** A condition on labels, as text and as the test that it represents. */
interface Condition {
  readonly text: string;
  readonly holds: (labels: Labels) => boolean;
}

const conditions: readonly Condition[] = [
  { text: "x == 'a'", holds: ({ x }) => x === 'a' },
  { text: "x != 'a'", holds: ({ x }) => x !== 'a' },
  { text: 'has(y)', holds: ({ y }) => y !== undefined },
  { text: '!has(y)', holds: ({ y }) => y === undefined },
  { text: "y in {'a', 'b'}", holds: ({ y }) => y === 'a' || y === 'b' },
  { text: "x not in {'b'}", holds: ({ x }) => x !== 'b' },
  { text: "x == 'a' || has(y)", holds: ({ x, y }) => x === 'a' || y !== undefined },
  { text: 'all()', holds: () => true },
  { text: '', holds: () => true },
  {
    text: "projectcalico.org/namespace == 'shop'",
    holds: (labels) => labels['projectcalico.org/namespace'] === 'shop',
  },
  { text: "pcns.team starts with 'a'", holds: (labels) => labels['pcns.team']?.startsWith('a') === true },
  {
    text: "projectcalico.org/serviceaccount == 'robot'",
    holds: (labels) => labels['projectcalico.org/serviceaccount'] === 'robot',
  },
];
const ofNamespaces: readonly Condition[] = [
  { text: "team == 'a'", holds: (labels) => labels['pcns.team'] === 'a' },
  { text: "team != 'a'", holds: (labels) => labels['pcns.team'] !== 'a' },
  { text: "projectcalico.org/name == 'shop'", holds: (labels) => labels['pcns.projectcalico.org/name'] === 'shop' },
  { text: 'all()', holds: (labels) => labels['projectcalico.org/namespace'] !== undefined },
  { text: 'global()', holds: (labels) => labels['projectcalico.org/namespace'] === undefined },
];
/** Conditions that certainly do not match the set of addresses, whose members pods may be. */
const condition = fc.constantFrom(...conditions.slice(0, 12));
const byText = new Map(conditions.map((each) => [each.text, each]));
const namespacesByText = new Map(ofNamespaces.map((each) => [each.text, each]));

const entity = fc.oneof(
  fc.constant({}),
  fc.record({ selector: condition.map(({ text }) => text) }),
  fc.record({ notSelector: condition.map(({ text }) => text) }),
  fc.record({ namespaceSelector: fc.constantFrom(...ofNamespaces).map(({ text }) => text) }),
  fc.record({
    selector: condition.map(({ text }) => text),
    namespaceSelector: fc.constantFrom(...ofNamespaces).map(({ text }) => text),
  }),
  fc.record({ serviceAccounts: fc.constant({ names: ['robot'] }) }),
);
const matched = fc.oneof(
  fc.constant({}),
  fc.record({ protocol: fc.constantFrom('TCP', 'udp', 17, 'ICMP') }),
  fc.constantFrom({ notProtocol: 'UDP' }),
);
const ports = fc.constantFrom([80], ['80:90'], ['web'], [53, '81:81']);
const action = fc.constantFrom('Allow', 'Allow', 'Deny', 'Pass', 'Log');

const rule = fc.oneof(
  fc.tuple(fc.record({ action, source: entity, destination: entity }), matched).map(([a, b]) => ({ ...a, ...b })),
  fc
    .tuple(
      fc.record({ action, source: entity }),
      fc.oneof(
        ports.map((list) => ({ ports: list })),
        ports.map((list) => ({ notPorts: list })),
      ),
    )
    .map(([a, destination]) => ({ ...a, protocol: 'TCP', destination })),
);
const lists = { minLength: 0, maxLength: 3 };
const spec = fc.record(
  {
    tier: fc.constantFrom('default', 'first', 'last'),
    order: fc.constantFrom(1, 2, 999, 1001),
    selector: condition.map(({ text }) => text),
    types: fc.constantFrom(['Ingress'], ['Egress'], ['Ingress', 'Egress']),
    ingress: fc.array(rule, lists),
    egress: fc.array(rule, lists),
  },
  { requiredKeys: [] },
);
const calicoPolicy = fc
  .record({
    kind: fc.constantFrom('NetworkPolicy' as const, 'GlobalNetworkPolicy' as const),
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: names,
    spec,
  })
  // Some versions of Calico reject names without the tier.
  .map((policy) => {
    const { tier = 'default' } = policy.spec;
    return tier === 'default' ? policy : { ...policy, name: `${tier}.${policy.name}` };
  });
const networkPolicy = fc.record({
  kind: fc.constant('of Kubernetes' as const),
  name: fc.constant('k'),
  namespace: names,
  spec: fc.constantFrom(
    { podSelector: {} },
    { podSelector: { matchLabels: { x: 'a' } }, ingress: [{ from: [{ podSelector: {} }] }] },
    { podSelector: {}, policyTypes: ['Egress'], egress: [{ ports: [{ port: 80 }] }] },
  ),
});

export const calicoWorld: fc.Arbitrary<CalicoWorld> = fc.record({
  pods: pluginPods,
  tiers: fc
    .tuple(fc.constantFrom('Deny' as const, 'Pass' as const), fc.constantFrom('Deny' as const, 'Pass' as const))
    .map(([first, last]) => [
      { name: 'first', order: 10, defaultAction: first },
      { name: 'last', order: 2_000_000, defaultAction: last },
    ]),
  // Policies of equal order are sorted by their names, which are different.
  policies: fc.uniqueArray(fc.oneof(calicoPolicy, calicoPolicy, networkPolicy), {
    minLength: 1,
    maxLength: 4,
    selector: ({ kind, name, namespace }) => `${name}/${kind === 'GlobalNetworkPolicy' ? '' : namespace}/${kind}`,
  }),
});

function isGlobal({ kind }: CalicoWorld['policies'][number]): boolean {
  return kind === 'GlobalNetworkPolicy';
}

/** Returns the model of a world. */
export function calicoReachability({ pods, policies, tiers }: CalicoWorld): Reachability {
  const silent = { kind: 'NetworkPolicy', name: 'z', namespace: 'ops', spec: { selector: "x == 'none'" } } as const;
  const read = [...policies, silent].flatMap((each): readonly ReachPolicy[] => {
    const { kind, name, namespace, spec: content } = each;
    if (kind === 'of Kubernetes') {
      const policy = readNetworkPolicy(namespace, content);
      return policy.ok ? [policy.value] : [];
    }
    const source = { name, kind, namespace: isGlobal(each) ? undefined : namespace, isStoredDirectly: false };
    const all = readCalicoPolicy(source, content);
    return all.ok ? all.value : [];
  });
  const range = parseCidr(networkSet.cidr);
  const blocks = range === undefined ? [] : [{ range, except: [] }];
  const { name, labels } = networkSet;
  return new Reachability({
    pods: podsOf(pods),
    namespaces: namespacesOf(),
    policies: read,
    tiers,
    networkSets: [{ name, namespace: undefined, labels: { labels }, blocks, isOpen: false }],
    serviceAccounts: Object.keys(pluginNamespaces).map((namespace) => ({
      namespace,
      name: 'robot',
      labels: { labels: {} },
    })),
  });
}

function labelsOf({ namespace, labels, account }: PluginPod): Labels {
  return {
    ...labels,
    'projectcalico.org/namespace': namespace,
    'projectcalico.org/orchestrator': 'k8s',
    'projectcalico.org/serviceaccount': account,
    'pcns.team': pluginNamespaces[namespace]?.['team'] ?? '',
    'pcns.projectcalico.org/name': namespace,
  };
}

/** The answer of a part of a rule; undefined if it depends on the addresses of pods. */
type Truth = boolean | undefined;

function both(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

/** Whether labels satisfy the parts of an entity that select members. */
function isMember(written: Plain, own: string | undefined, labels: Labels): boolean {
  const { selector, notSelector, namespaceSelector, serviceAccounts } = written;
  const isSelecting = [selector, notSelector, serviceAccounts].some((part) => part !== undefined && part !== '');
  const namespace = labels['projectcalico.org/namespace'];
  const holds = (text: string | undefined) => text === undefined || byText.get(text)?.holds(labels) === true;
  return (
    holds(selector) &&
    (namespaceSelector === undefined || namespacesByText.get(namespaceSelector)?.holds(labels) === true) &&
    (serviceAccounts === undefined || serviceAccounts.names.includes(labels['projectcalico.org/serviceaccount'])) &&
    (namespaceSelector !== undefined || !isSelecting || own === undefined || namespace === own)
  );
}

/** Whether an entity of a rule includes an end. A pod may have an address in the set of addresses. */
function includes(written: Plain = {}, own: string | undefined, end: End): Truth {
  const { selector, notSelector, namespaceSelector, serviceAccounts } = written;
  const isEmptyText = (text: string | undefined) => text === undefined || text === '';
  const isPositive =
    !isEmptyText(selector) ||
    namespaceSelector !== undefined ||
    serviceAccounts !== undefined ||
    (!isEmptyText(notSelector) && own !== undefined);
  const inSet = isMember(written, own, networkSet.labels);
  const isExcluded = (labels: Labels) => !isEmptyText(notSelector) && byText.get(notSelector)?.holds(labels) === true;
  if (typeof end === 'string') {
    const isIn = inBlock(networkSet.cidr, end);
    return (!isPositive || (isIn && inSet)) && !(isIn && isExcluded(networkSet.labels));
  }
  const labels = labelsOf(end);
  const positive: Truth = !isPositive || isMember(written, own, labels) ? true : inSet ? undefined : false;
  const negative: Truth = isExcluded(labels) ? false : isExcluded(networkSet.labels) ? undefined : true;
  return both(positive, negative);
}

interface Question {
  readonly from: End;
  readonly to: End;
  readonly protocol: string;
  readonly port: number;
}

function matchesPorts(written: Plain, { to, protocol, port }: Question): boolean {
  const nameOf = (given: unknown) => ({ TCP: 'TCP', UDP: 'UDP', '17': 'UDP' })[String(given).toUpperCase()];
  if (written.protocol !== undefined && nameOf(written.protocol) !== protocol) return false;
  if (written.notProtocol !== undefined && nameOf(written.notProtocol) === protocol) return false;
  const isIn = (list: readonly (string | number)[]) =>
    list.some((item) => {
      if (item === 'web') return typeof to !== 'string' && to.ports.some(({ number }) => number === port);
      const [first = 0, last = first] = String(item).split(':').map(Number);
      return first <= port && port <= last;
    });
  const { ports: list, notPorts } = written.destination ?? {};
  return (list === undefined || isIn(list)) && (notPorts === undefined || !isIn(notPorts));
}

function ruleMatches(written: Plain, own: string | undefined, question: Question): Truth {
  if (!matchesPorts(written, question)) return false;
  return both(includes(written.source, own, question.from), includes(written.destination, own, question.to));
}

type Outcome = 'Allow' | 'Deny' | 'Pass' | undefined | 'unknown';

/** Returns the action of the first rule of a policy that matches; undefined if there is none. */
function outcomeOf(
  policy: CalicoWorld['policies'][number],
  direction: string,
  question: Question,
): ReadonlySet<Outcome> {
  const found = new Set<Outcome>();
  const own = isGlobal(policy) ? undefined : policy.namespace;
  for (const written of policy.spec[direction] ?? []) {
    if (policy.kind === 'of Kubernetes') {
      const { from, ports: list } = written;
      const isThere =
        from === undefined || (typeof question.from !== 'string' && question.from.namespace === policy.namespace);
      if (isThere && (list === undefined || (question.port === 80 && question.protocol === 'TCP')))
        return found.add('Allow');
      continue;
    }
    if (written.action === 'Log') continue;
    const matches = ruleMatches(written, own, question);
    if (matches === false) continue;
    found.add(written.action);
    if (matches) return found;
  }
  return found.add(undefined);
}

function covers({ kind, spec: content }: CalicoWorld['policies'][number], direction: string): boolean {
  const isEgress = direction === 'egress';
  if (kind === 'of Kubernetes') return (content.policyTypes?.[0] ?? 'Ingress').toLowerCase() === direction;
  if (content.types !== undefined) return content.types.includes(isEgress ? 'Egress' : 'Ingress');
  const has = (field: string) => (content[field] ?? []).length > 0;
  return isEgress ? has('egress') : has('ingress') || !has('egress');
}

function selects(policy: CalicoWorld['policies'][number], pod: PluginPod): boolean {
  const { kind, namespace, spec: content } = policy;
  if (kind === 'of Kubernetes')
    return (
      namespace === pod.namespace &&
      Object.entries(content.podSelector.matchLabels ?? {}).every(([key, value]) => pod.labels[key] === value)
    );
  if (!isGlobal(policy) && namespace !== pod.namespace) return false;
  return byText.get(content.selector ?? '')?.holds(labelsOf(pod)) === true;
}

/** Returns the possible decisions at one end. */
function decisionsAt(
  world: CalicoWorld,
  subject: PluginPod,
  direction: string,
  question: Question,
): ReadonlySet<boolean> {
  const decisions = new Set<boolean>();
  const ordered = [world.tiers[0], { name: 'default', order: 1_000_000, defaultAction: 'Deny' }, world.tiers[1]];
  for (const tier of ordered) {
    const own = world.policies
      .filter(
        (each) => (each.spec.tier ?? 'default') === tier?.name && covers(each, direction) && selects(each, subject),
      )
      .map((policy) => {
        const isOfKubernetes = policy.kind === 'of Kubernetes';
        const order = isOfKubernetes ? 1000 : (policy.spec.order ?? Number.POSITIVE_INFINITY);
        const key = `${policy.name}/${isGlobal(policy) ? '' : policy.namespace}/${policy.kind}`;
        return { policy, order, key };
      })
      .toSorted((a, b) => (a.order === b.order ? (a.key < b.key ? -1 : 1) : a.order < b.order ? -1 : 1));
    if (own.length === 0) continue;
    let [isOpen, isPassed] = [true, false];
    for (const { policy } of own) {
      if (!isOpen) break;
      const outcomes = outcomeOf(policy, direction, question);
      if (outcomes.has('Allow')) decisions.add(true);
      if (outcomes.has('Deny')) decisions.add(false);
      isPassed ||= outcomes.has('Pass');
      isOpen = outcomes.has(undefined);
    }
    if (isOpen && tier?.defaultAction === 'Deny') decisions.add(false);
    if (!isPassed && !(isOpen && tier?.defaultAction === 'Pass')) return decisions;
  }
  return decisions.add(true);
}

/** Whether Calico allows a connection; undefined if it depends on the addresses of pods. */
export function calicoAllows(
  world: CalicoWorld,
  from: End,
  to: End,
  protocol: string,
  port: number,
): boolean | undefined {
  const question = { from, to, protocol, port };
  const none: ReadonlySet<boolean> = new Set([true]);
  const ends = [
    typeof from === 'string' ? none : decisionsAt(world, from, 'egress', question),
    typeof to === 'string' ? none : decisionsAt(world, to, 'ingress', question),
  ];
  if (ends.some((each) => !each.has(true))) return false;
  return ends.every((each) => !each.has(false)) ? true : undefined;
}
