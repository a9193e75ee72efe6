/** Small random worlds of policies as plain data, with some unknown values, and the possible values of these. */

import fc from 'fast-check';
import {
  markOpen,
  markOptional,
  Reachability,
  type ReachPolicy,
  readClusterNetworkPolicy,
  readNetworkPolicy,
  type Unknown,
  type Value,
} from '../../../server/src/engine/index.ts';
import type { PlainWorld } from './brute-force.ts';

const namespaces = ['ops', 'shop'];
const values = ['a', 'b'];
export const ports = [53, 80, 81];
export const transports = ['TCP', 'UDP'] as const;

const selector = fc.oneof(
  fc.constant({}),
  fc.record({ matchLabels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(...values), { maxKeys: 2 }) }),
  fc.record({
    matchExpressions: fc.tuple(
      fc.oneof(
        fc.record({
          key: fc.constantFrom('x', 'y'),
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.constant(['a']),
        }),
        fc.record({ key: fc.constantFrom('x', 'y'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      ),
    ),
  }),
);
const namespaceSelector = fc.oneof(
  selector,
  fc.constantFrom(...namespaces).map((name) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } })),
);
const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector }),
  fc.record({ namespaceSelector, podSelector: selector }),
);
const port = fc.oneof(
  fc.record({ protocol: fc.constantFrom(...transports) }),
  fc.record({ port: fc.constantFrom<number | string>(...ports, 'web', 'dns') }),
  fc.record({ protocol: fc.constantFrom(...transports), port: fc.constantFrom(...ports) }),
  fc.constant({ port: 53, endPort: 80 }),
);
const lists = { minLength: 0, maxLength: 2 };

function rule(field: 'from' | 'to') {
  return fc.record({ [field]: fc.array(peer, lists), ports: fc.array(port, lists) }, { requiredKeys: [] });
}

const networkPolicy = fc.record({
  namespace: fc.constantFrom(...namespaces),
  spec: fc.record(
    {
      podSelector: selector,
      policyTypes: fc.subarray(['Ingress', 'Egress']),
      ingress: fc.array(rule('from'), lists),
      egress: fc.array(rule('to'), lists),
    },
    { requiredKeys: ['podSelector'] },
  ),
});

const clusterPeer = fc.oneof(
  fc.record({ namespaces: namespaceSelector }),
  fc.record({ pods: fc.record({ namespaceSelector, podSelector: selector }) }),
);
const destinationPort = fc.record({ number: fc.constantFrom(...ports) });
const protocol = fc.oneof(
  fc.record({ tcp: fc.record({ destinationPort }, { requiredKeys: [] }) }),
  fc.record({ udp: fc.record({ destinationPort }, { requiredKeys: [] }) }),
  fc.constant({ destinationNamedPort: 'web' }),
);

function clusterRule(field: 'from' | 'to') {
  return fc.record(
    {
      action: fc.constantFrom('Accept', 'Deny', 'Pass'),
      [field]: fc.array(clusterPeer, { minLength: 1, maxLength: 2 }),
      protocols: fc.array(protocol, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['action', field] },
  );
}

const clusterPolicy = fc.record({
  spec: fc.record(
    {
      tier: fc.constantFrom('Admin', 'Baseline'),
      priority: fc.nat(1000),
      subject: clusterPeer,
      ingress: fc.array(clusterRule('from'), lists),
      egress: fc.array(clusterRule('to'), lists),
    },
    { requiredKeys: ['tier', 'priority', 'subject'] },
  ),
});

const pod = fc.record({
  namespace: fc.constantFrom(...namespaces),
  labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom(...values), { maxKeys: 2 }),
  ports: fc.subarray([
    { name: 'web', number: 80, protocol: 'TCP' as const },
    { name: 'dns', number: 53, protocol: 'UDP' as const },
    { number: 81, protocol: 'TCP' as const },
  ]),
});

/** A world without unknowns, in which no two ClusterNetworkPolicies have the same priority. */
export const plainWorld: fc.Arbitrary<PlainWorld> = fc
  .record({
    pods: fc.array(pod, { minLength: 2, maxLength: 4 }),
    namespaces: fc.record({
      ops: fc.dictionary(fc.constant('x'), fc.constantFrom(...values)),
      shop: fc.constant({ y: 'a' }),
    }),
    network: fc.array(networkPolicy, { maxLength: 3 }),
    cluster: fc.uniqueArray(clusterPolicy, { maxLength: 2, selector: ({ spec }) => spec.priority }),
  })
  // The arbitraries create only worlds that the types allow.
  .map(
    ({ pods, namespaces: labels, network, cluster }) =>
      ({ pods, namespaces: labels, policies: [...network, ...cluster] }) as PlainWorld,
  );

/**
 * The world as the engine parses it; a value that may be replaced by `unknown` is unknown if `isUnknown` returns true.
 */
export function reachabilityOf(
  { pods, namespaces: labels, policies }: PlainWorld,
  isUnknown: (path: string) => boolean = () => false,
): Reachability {
  const read = policies.map(({ namespace, spec }, index): ReachPolicy => {
    const data = obscured(spec, `policy ${index}`, isUnknown);
    const result = namespace === undefined ? readClusterNetworkPolicy(data) : readNetworkPolicy(namespace, data);
    if (!result.ok)
      throw new Error(result.problems.map(({ message, path }) => `${path?.join('.')} ${message}`).join('; '));
    return result.value;
  });
  return new Reachability({
    pods: pods.map((each, index) => ({
      ...each,
      labels: obscuredLabels(each.labels, `pod ${index}`, isUnknown),
      ports: each.ports.map((one, at) => (isUnknown(`pod ${index} port ${at}`) ? { ...one, number: undefined } : one)),
      portsOpen: isUnknown(`pod ${index} ports`),
      hostNetwork: 'no',
    })),
    namespaces: Object.entries(labels).map(([name, each]) => ({
      name,
      labels: obscuredLabels(each, `namespace ${name}`, isUnknown),
    })),
    policies: read,
    policiesOpen: isUnknown('policies'),
  });
}

function obscuredLabels(labels: Readonly<Record<string, string>>, path: string, isUnknown: (path: string) => boolean) {
  const entries = Object.entries(labels).map(([key, value]): readonly [string, Value] => [
    key,
    isUnknown(`${path} ${key}`) ? { unknown: `${path} ${key}` } : value,
  ]);
  const isOpen = isUnknown(path);
  // In an open set, any label may be an unknown one.
  return { labels: Object.fromEntries(isOpen ? entries.slice(1) : entries), open: isOpen };
}

/** A copy with unknown values, and with lists and maps that lack possible entries. */
function obscured(value: unknown, path: string, isUnknown: (path: string) => boolean): unknown {
  if (isUnknown(path)) {
    if (Array.isArray(value))
      return markOpen(value.slice(1).map((item, index) => obscured(item, `${path}.${index + 1}`, isUnknown)));
    if (typeof value === 'object' && value !== null) {
      const [, ...kept] = Object.entries(value);
      return markOpen(
        Object.fromEntries(kept.map(([key, item]) => [key, obscured(item, `${path}.${key}`, isUnknown)])),
      );
    }
    return { unknown: path } satisfies Unknown;
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map((item, index) => obscured(item, `${path}.${index}`, isUnknown))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, obscured(item, `${path}.${key}`, isUnknown)]),
      );
  return isUnknown(`${path}?`) ? markOptional(copy) : copy;
}

const droppable = [
  'podSelector',
  'ingress',
  'egress',
  'policyTypes',
  'from',
  'to',
  'ports',
  'protocols',
  'matchLabels',
];

/** The world without some of the maps and lists that `reachabilityOf` marks as optional. */
export function withoutOptional(
  world: PlainWorld,
  isUnknown: (path: string) => boolean,
  isDropped: (path: string) => boolean,
): PlainWorld {
  const policies = world.policies.map((policy, index) => {
    const isCluster = policy.spec.tier !== undefined;
    const visit = (value: unknown, path: string): unknown => {
      if (typeof value !== 'object' || value === null || isUnknown(path)) return value;
      const isGone = (item: unknown, at: string) =>
        typeof item === 'object' && !isUnknown(at) && isUnknown(`${at}?`) && isDropped(at);
      if (Array.isArray(value)) {
        // A rule of a ClusterNetworkPolicy needs a peer, and a list of protocols needs one.
        const isNeeded = (at: number) => isCluster && at === 0 && !/gress$/.test(path);
        return value.flatMap((item, at) =>
          isGone(item, `${path}.${at}`) && !isNeeded(at) ? [] : [visit(item, `${path}.${at}`)],
        );
      }
      const entries = Object.entries(value).filter(([key, item]) => {
        const isRequired =
          (key === 'podSelector' && path !== `policy ${index}`) || (isCluster && /^(?:from|to)$/.test(key));
        return isRequired || !droppable.includes(key) || !isGone(item, `${path}.${key}`);
      });
      return Object.fromEntries(entries.map(([key, item]) => [key, visit(item, `${path}.${key}`)]));
    };
    return { ...policy, spec: visit(policy.spec, `policy ${index}`) };
  });
  // Only optional properties were dropped.
  return { ...world, policies } as PlainWorld;
}
