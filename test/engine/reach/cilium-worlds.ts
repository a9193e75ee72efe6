/** Small random worlds with policies of Cilium and NetworkPolicies, and their evaluation by the rules that Cilium documents. */

import fc from 'fast-check';
import {
  parseAddress,
  parseCidr,
  Reachability,
  type ReachPolicy,
  readCiliumPolicy,
  readNetworkPolicy,
} from '../../../server/src/engine/index.ts';

type Labels = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: generated manifests of several kinds
type Plain = any;

export interface PluginPod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly account: string;
  readonly ports: readonly { readonly name: string; readonly number: number }[];
}

export interface CiliumWorld {
  readonly pods: readonly PluginPod[];
  readonly policies: readonly {
    readonly kind: 'CiliumNetworkPolicy' | 'CiliumClusterwideNetworkPolicy' | 'NetworkPolicy';
    readonly namespace: string;
    readonly content: Plain;
  }[];
}

/** An end of a connection: a pod, or an address outside the cluster. */
type End = PluginPod | string;

export const pluginNamespaces: Readonly<Record<string, Labels>> = { ops: { team: 'a' }, shop: { team: 'b' } };
export const pluginPorts = [53, 80, 81, 90];
export const pluginAddresses = ['192.0.2.10', '198.51.100.1'];

const names = fc.constantFrom('ops', 'shop');
export const pluginPods = fc.array(
  fc.record({
    namespace: names,
    labels: fc.dictionary(fc.constantFrom('x', 'y', 'k8s.io/x'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
    account: fc.constantFrom('default', 'robot'),
    ports: fc.constantFrom([], [{ name: 'web', number: 80 }]),
  }),
  { minLength: 2, maxLength: 4 },
);

const namespaceKey = 'io.kubernetes.pod.namespace';
const entry = fc.oneof(
  fc.tuple(fc.constantFrom('x', 'k8s:x', 'any:y', 'y', 'container:x'), fc.constantFrom('a', 'b')),
  fc.tuple(fc.constantFrom(namespaceKey, `k8s:${namespaceKey}`), names),
  fc.tuple(fc.constantFrom('io.cilium.k8s.namespace.labels.team'), fc.constantFrom('a', 'b')),
  fc.tuple(fc.constantFrom('io.cilium.k8s.policy.serviceaccount'), fc.constantFrom('default', 'robot')),
);
const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom('x', 'k8s:y', namespaceKey, 'reserved:host'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.constantFrom(['a'], ['shop'], ['b', 'ops']),
  }),
  fc.record({
    key: fc.constantFrom('any:x', 'y', namespaceKey, 'reserved:world', 'io.cilium.k8s.namespace.labels.team'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
);
const selector = fc.record(
  {
    matchLabels: fc.array(entry, { maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
    matchExpressions: fc.array(expression, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
const port = fc.record(
  {
    port: fc.constantFrom('0', '53', '80', 'web', 'WEB'),
    protocol: fc.constantFrom('TCP', 'UDP', 'ANY'),
    endPort: fc.constantFrom(81, 90),
  },
  { requiredKeys: ['port'] },
);
const ports = fc.array(fc.record({ ports: fc.array(port, { minLength: 1, maxLength: 2 }) }), {
  minLength: 0,
  maxLength: 2,
});
const lists = { minLength: 0, maxLength: 2 };

function rule(prefix: 'from' | 'to') {
  const peers = fc.oneof(
    fc.constant({}),
    fc.record({ [`${prefix}Endpoints`]: fc.array(selector, lists) }),
    fc.record({
      [`${prefix}Entities`]: fc.array(fc.constantFrom('all', 'world', 'cluster', 'host', 'none'), lists),
    }),
    fc.record({ [`${prefix}CIDR`]: fc.array(fc.constantFrom('192.0.2.0/24', '0.0.0.0/0', '198.51.100.1'), lists) }),
    fc.record({
      [`${prefix}CIDRSet`]: fc.constantFrom(
        [{ cidr: '192.0.2.0/24', except: ['192.0.2.8/29'] }],
        [{ cidr: '198.0.0.0/8' }],
      ),
    }),
  );
  const matched = fc.oneof(
    fc.constant({}),
    fc.record({ toPorts: ports }),
    fc.constant({ icmps: [{ fields: [{ type: 8 }] }] }),
  );
  return fc.tuple(peers, matched).map(([a, b]) => ({ ...a, ...b }));
}

const spec = fc
  .record(
    {
      endpointSelector: selector,
      ingress: fc.array(rule('from'), lists),
      egress: fc.array(rule('to'), lists),
      ingressDeny: fc.array(rule('from'), lists),
      egressDeny: fc.array(rule('to'), lists),
      enableDefaultDeny: fc.record({ ingress: fc.boolean(), egress: fc.boolean() }, { requiredKeys: [] }),
    },
    { requiredKeys: ['endpointSelector'] },
  )
  .map((each: Plain) => {
    // Without rules, the effect of `enableDefaultDeny` depends on the version of Cilium.
    const isEmpty = (field: string) => (each[field] ?? []).length === 0;
    const flags = Object.entries(each.enableDefaultDeny ?? {}).filter(
      ([direction]) => !isEmpty(direction) || !isEmpty(`${direction}Deny`),
    );
    return { ...each, enableDefaultDeny: Object.fromEntries(flags) };
  });
const accountKey = 'io.cilium.k8s.policy.serviceaccount';

function isNot(key: string, value: string) {
  return { matchExpressions: [{ key, operator: 'NotIn', values: [value] }] };
}

const networkPolicy = fc.record({
  kind: fc.constant('NetworkPolicy' as const),
  namespace: names,
  content: fc.constantFrom(
    { podSelector: {} },
    { podSelector: { matchLabels: { x: 'a' } }, ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] },
    { podSelector: {}, ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }] },
    { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '192.0.2.0/24' } }] }] },
    { podSelector: {}, policyTypes: ['Egress'], egress: [{ ports: [{ port: 'web' }] }] },
    { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { 'k8s.io/x': 'a' } } }] }] },
    { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { [accountKey]: 'robot' } } }] }] },
    { podSelector: {}, ingress: [{ from: [{ namespaceSelector: isNot('team', 'b') }] }] },
    {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [{ namespaceSelector: isNot('team', 'a'), podSelector: isNot('k8s.io/x', 'b') }] }],
    },
  ),
});
const ciliumPolicy = fc.record({
  kind: fc.constantFrom('CiliumNetworkPolicy' as const, 'CiliumClusterwideNetworkPolicy' as const),
  namespace: names,
  content: fc.oneof(fc.record({ spec }), fc.record({ specs: fc.array(spec, { minLength: 1, maxLength: 2 }) })),
});

export const ciliumWorld: fc.Arbitrary<CiliumWorld> = fc.record({
  pods: pluginPods,
  policies: fc.array(fc.oneof(ciliumPolicy, ciliumPolicy, networkPolicy), { minLength: 1, maxLength: 3 }),
});

/** Returns the model of a world. Policies that Cilium rejects have no effect. */
export function ciliumReachability({ pods, policies }: CiliumWorld): Reachability {
  // A policy without pods tells that Cilium runs.
  const spec = { endpointSelector: { matchLabels: { x: 'none' } }, ingress: [{}] };
  const silent = { kind: 'CiliumNetworkPolicy', namespace: 'ops', content: { spec } } as const;
  const read = [...policies, silent].flatMap(({ kind, namespace, content }): readonly ReachPolicy[] => {
    if (kind === 'NetworkPolicy') {
      const policy = readNetworkPolicy(namespace, content);
      return policy.ok ? [policy.value] : [];
    }
    const all = readCiliumPolicy(kind === 'CiliumNetworkPolicy' ? namespace : undefined, content);
    return all.ok ? all.value : [];
  });
  return new Reachability({ pods: podsOf(pods), namespaces: namespacesOf(), policies: read });
}

export function podsOf(pods: readonly PluginPod[]) {
  return pods.map(({ namespace, labels, account, ports: declared }) => ({
    namespace,
    labels: { labels },
    serviceAccount: account,
    ports: declared.map((each) => ({ ...each, protocol: 'TCP' as const })),
  }));
}

export function namespacesOf() {
  return Object.entries(pluginNamespaces).map(([name, labels]) => ({ name, labels: { labels } }));
}

export function inBlock(text: string, address: string): boolean {
  const range = parseCidr(text.includes('/') ? text : `${text}/32`);
  const value = parseAddress(address)?.value;
  return range !== undefined && value !== undefined && range.first <= value && value <= range.last;
}

function labelsOf(end: End): ReadonlyMap<string, string> {
  if (typeof end === 'string') return new Map([['reserved:world', '']]);
  // By default, Cilium ignores keys with this prefix.
  const kept = Object.entries(end.labels).filter(([key]) => !key.startsWith('k8s.io/'));
  const own = kept.map(([key, value]) => [`k8s:${key}`, value] as const);
  const ofNamespace = { ...pluginNamespaces[end.namespace], 'kubernetes.io/metadata.name': end.namespace };
  return new Map([
    ...own,
    [`k8s:${namespaceKey}`, end.namespace],
    ['k8s:io.cilium.k8s.policy.serviceaccount', end.account],
    ...Object.entries(ofNamespace).map(([key, value]) => [`k8s:io.cilium.k8s.namespace.labels.${key}`, value] as const),
  ]);
}

interface Requirement {
  readonly source: string;
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: Plain): Requirement[] {
  const split = (text: string) => {
    const at = text.indexOf(':');
    return at === -1 ? { source: 'any', key: text } : { source: text.slice(0, at), key: text.slice(at + 1) };
  };
  return [
    ...Object.entries(matchLabels).map(([key, value]) => ({ ...split(key), operator: 'In', values: [String(value)] })),
    ...matchExpressions.map(({ key, operator, values = [] }: Plain) => ({ ...split(key), operator, values })),
  ];
}

function satisfies(requirements: readonly Requirement[], end: End): boolean {
  const labels = labelsOf(end);
  return requirements.every(({ source, key, operator, values }) => {
    const found = [...labels].filter(
      ([name]) => name.endsWith(`:${key}`) && (source === 'any' || name === `${source}:${key}`),
    );
    if (operator === 'Exists') return found.length > 0;
    if (operator === 'DoesNotExist') return found.length === 0;
    const isIn = found.some(([, value]) => values.includes(value));
    return operator === 'In' ? isIn : !isIn;
  });
}

/** Whether a rule of a policy selects a pod. */
function isSubject(chosen: Plain, namespace: string | undefined, pod: PluginPod): boolean {
  if (namespace === undefined) return satisfies(requirementsOf(chosen), pod);
  const { [`k8s:${namespaceKey}`]: _, ...matchLabels } = chosen.matchLabels ?? {};
  return pod.namespace === namespace && satisfies(requirementsOf({ ...chosen, matchLabels }), pod);
}

/** With `isOwnCluster`, as since Cilium 1.19 by default, the selector also requires the label of the own cluster. */
function isPeer(chosen: Plain, namespace: string | undefined, end: End, isOwnCluster: boolean): boolean {
  const own = requirementsOf(chosen);
  if (!satisfies(own, end)) return false;
  if (own.some(({ source }) => source === 'reserved')) return true;
  if (isOwnCluster && typeof end === 'string') return false;
  const isOfPods = ({ source }: Requirement) => source === 'any' || source === 'k8s';
  if (own.some((each) => isOfPods(each) && each.key === namespaceKey)) return true;
  if (namespace === undefined) return typeof end !== 'string';
  if (own.some((each) => isOfPods(each) && each.key.startsWith('io.cilium.k8s.namespace.labels.'))) return true;
  return typeof end !== 'string' && end.namespace === namespace;
}

function isInEntity(entity: string, end: End): boolean {
  if (entity === 'all') return true;
  return entity === (typeof end === 'string' ? 'world' : 'cluster');
}

/** Whether the peers of a rule include an end; undefined if the rule has no field for peers. */
function matchesPeers(
  written: Plain,
  namespace: string | undefined,
  end: End,
  isOwnCluster: boolean,
): boolean | undefined {
  const field = Object.keys(written).find((each) => /^(?:from|to)(?:Endpoints|Entities|CIDR|CIDRSet)$/.test(each));
  if (field === undefined) return undefined;
  const isAddress = typeof end === 'string';
  return written[field].some((item: Plain) => {
    if (field.endsWith('Endpoints')) return isPeer(item, namespace, end, isOwnCluster);
    if (field.endsWith('Entities')) return isInEntity(item, end);
    if (!isAddress) return false;
    if (field.endsWith('CIDR')) return inBlock(item, end);
    return inBlock(item.cidr, end) && !(item.except ?? []).some((each: string) => inBlock(each, end));
  });
}

interface Question {
  readonly world: CiliumWorld;
  readonly protocol: string;
  readonly port: number;
  readonly direction: 'ingress' | 'egress';
  readonly subject: PluginPod;
  /** Whether the version of Cilium, which is unknown, is assumed for each rule so that it allows most. */
  readonly allowsMost: boolean;
}

/** Versions look up the name of a port for egress among all pods or on the target; `isWide` assumes the version with more ports. */
function hasName(text: string, { world, direction, subject }: Question, end: End, isWide: boolean): boolean {
  const isIn = ({ ports: own }: PluginPod) => own.some(({ name }) => name === text.toLowerCase());
  if (direction === 'ingress') return isIn(subject);
  const [onTarget, onAny] = [typeof end !== 'string' && isIn(end), world.pods.some(isIn)];
  return isWide ? onTarget || onAny : onTarget && onAny;
}

function matchesPorts(written: Plain, question: Question, end: End, isWide: boolean): boolean {
  const { protocol, port: asked } = question;
  if (written.icmps !== undefined) return false;
  if ((written.toPorts ?? []).length === 0) return true;
  return written.toPorts.some(({ ports: list }: Plain) =>
    list.some(({ port: text, protocol: given = 'ANY', endPort }: Plain) => {
      if (given !== 'ANY' && given !== protocol) return false;
      if (/^[a-z]/i.test(text)) {
        return hasName(text, question, end, isWide) && protocol === 'TCP' && asked === 80;
      }
      const from = Number(text);
      return from === 0 || (from <= asked && asked <= Math.max(endPort ?? from, from));
    }),
  );
}

function ruleMatches(
  written: Plain,
  namespace: string | undefined,
  end: End,
  question: Question,
  isOwnCluster: boolean,
): boolean {
  const peers = matchesPeers(written, namespace, end, isOwnCluster);
  const hasPorts = written.icmps !== undefined || (written.toPorts ?? []).length > 0;
  return (peers ?? hasPorts) && matchesPorts(written, question, end, !isOwnCluster);
}

/** Whether a peer of a NetworkPolicy includes an end by the labels of Kubernetes. */
function isPlainPeer({ namespaceSelector, podSelector = {} }: Plain, namespace: string, end: End): boolean {
  if (typeof end === 'string') return false;
  const isOf = (chosen: Plain, labels: Labels) =>
    requirementsOf(chosen).every(({ key, operator, values }) => {
      const value = labels[key];
      return (value !== undefined && values.includes(value)) === (operator === 'In');
    });
  const isThere =
    namespaceSelector === undefined
      ? end.namespace === namespace
      : isOf(namespaceSelector, pluginNamespaces[end.namespace] ?? {});
  return isThere && isOf(podSelector, end.labels);
}

/** Whether a peer of a NetworkPolicy includes an end as Cilium reads it. */
function isReadPeer({ namespaceSelector, podSelector = {} }: Plain, namespace: string, end: End): boolean {
  const place =
    namespaceSelector === undefined
      ? [{ source: 'k8s', key: namespaceKey, operator: 'In', values: [namespace] }]
      : requirementsOf(namespaceSelector).map((each) => ({
          ...each,
          key: `io.cilium.k8s.namespace.labels.${each.key}`,
        }));
  return satisfies([...requirementsOf(podSelector), ...place], end);
}

function networkPolicyMatches(content: Plain, namespace: string, end: End, question: Question): boolean {
  const { direction, protocol, port: asked, allowsMost } = question;
  return (content[direction] ?? []).some((written: Plain) => {
    const peers = written.from ?? written.to;
    const isThere =
      peers === undefined ||
      peers.some(({ ipBlock, ...peer }: Plain) => {
        if (ipBlock !== undefined) return typeof end === 'string' && inBlock(ipBlock.cidr, end);
        const [plain, read] = [isPlainPeer(peer, namespace, end), isReadPeer(peer, namespace, end)];
        return allowsMost ? plain || read : plain && read;
      });
    return (
      isThere &&
      (written.ports ?? [{}]).some(
        (each: Plain) =>
          each.port === undefined ||
          (protocol === 'TCP' &&
            (each.port === 'web' ? asked === 80 && hasName('web', question, end, allowsMost) : each.port === asked)),
      )
    );
  });
}

function endAllows(other: End, question: Question): boolean {
  const { world, direction, subject } = question;
  let [isIsolated, isAllowed, isDenied] = [false, false, false];
  for (const { kind, namespace: of, content } of world.policies) {
    if (kind === 'NetworkPolicy') {
      const { podSelector, policyTypes = ['Ingress'] } = content;
      const isSelected = Object.entries(podSelector.matchLabels ?? {}).every(
        ([key, value]) => subject.labels[key] === value,
      );
      if (
        of !== subject.namespace ||
        !isSelected ||
        !policyTypes.some((type: string) => type.toLowerCase() === direction)
      )
        continue;
      isIsolated = true;
      isAllowed ||= networkPolicyMatches(content, of, other, question);
      continue;
    }
    const namespace = kind === 'CiliumNetworkPolicy' ? of : undefined;
    const specs: readonly Plain[] = content.specs ?? [content.spec];
    const rulesOf = (each: Plain, field: string): readonly Plain[] => each[field] ?? [];
    const fields = ['ingress', 'egress', 'ingressDeny', 'egressDeny'];
    if (specs.some((each) => fields.every((field) => rulesOf(each, field).length === 0))) continue;
    for (const each of specs) {
      if (!isSubject(each.endpointSelector, namespace, subject)) continue;
      const [allows, denies] = [rulesOf(each, direction), rulesOf(each, `${direction}Deny`)];
      isIsolated ||= each.enableDefaultDeny?.[direction] ?? allows.length + denies.length > 0;
      const { allowsMost } = question;
      isAllowed ||= allows.some((written) => ruleMatches(written, namespace, other, question, !allowsMost));
      isDenied ||= denies.some((written) => ruleMatches(written, namespace, other, question, allowsMost));
    }
  }
  return !isDenied && (!isIsolated || isAllowed);
}

/** Whether Cilium allows a connection; undefined if this depends on its version. */
export function ciliumAllows(
  world: CiliumWorld,
  from: End,
  to: End,
  protocol: string,
  asked: number,
): boolean | undefined {
  const [most, least] = [true, false].map((allowsMost) => {
    const question = { world, protocol, port: asked, allowsMost };
    return (
      (typeof from === 'string' || endAllows(to, { ...question, direction: 'egress', subject: from })) &&
      (typeof to === 'string' || endAllows(from, { ...question, direction: 'ingress', subject: to }))
    );
  });
  return most === least ? most : undefined;
}
