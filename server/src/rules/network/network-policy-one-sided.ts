/** Reports peers of network policies that allow connections that policies at the other end deny. */

import type { Direction, Peer, PortSet, PortSets, Rule } from '../../engine/index.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { peerField, rulesOf } from '../../workspace/reach/policy-parts.ts';
import { type PolicyInCluster, policyInCompleteClusters } from '../../workspace/reach/rule-clusters.ts';
import { policyName, portsText } from '../../workspace/reach/sentences.ts';
import { podClasses } from '../../workspace/reach/summaries.ts';
import type { Comparisons } from '../../workspace/selection/comparison-budget.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { keysInSelectors } from '../helpers/selector-keys.ts';
import { shorten } from '../helpers/sentences.ts';

interface Denied extends Fact {
  readonly denial: Denial;
}

interface Denial {
  readonly direction: Direction;
  readonly workload: string;
  /** The ports of the rule; undefined for all ports. */
  readonly ports: string | undefined;
  readonly policies: readonly string[];
}

const pods = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: example.com/web}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec: {containers: [{name: db, image: example.com/db, ports: [{containerPort: 5432}]}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
`;

const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Egress]
  egress:
    - ports: [{port: 53, protocol: UDP}]
    - to: [{podSelector: {matchLabels: {app: db}}}]
      ports: [{port: 5432}]
`;

export const networkPolicyOneSided = rule<Denied>({
  id: 'network-policy-one-sided',
  severity: 'information',
  needs: 'policies',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A peer of a NetworkPolicy that allows connections that policies for the other end deny.',
  why: 'A connection works only if both the egress policies of its source and the ingress policies of its target allow it. If one policy explicitly allows pods, but the policies for the other end deny the connection, it is blocked although the rule looks correct. A selector is reported only if all pods that it selects are denied on all ports of the rule, and only if all manifests that are applied together are known.',
  withoutFix: 'Only the author knows whether the connection is intended, and which end is wrong.',
  bad: [
    {
      title: 'The policy of the client allows connections to the database, but the policy of the database denies them.',
      text: policy,
      beside: { 'pods.yaml': `${pods}  ingress: []\n` },
    },
  ],
  good: [
    {
      title: 'Both ends allow the connection.',
      text: policy,
      beside: {
        'pods.yaml': `${pods}  ingress:
    - from: [{podSelector: {matchLabels: {app: web}}}]
      ports: [{port: 5432}]
`,
      },
    },
  ],
  *check({ stored, workspace, catalogue, file, comparisons }) {
    for (const object of stored) {
      if (policyKindOf(object) !== 'NetworkPolicy') continue;
      const placed = policyInCompleteClusters(workspace, catalogue, { file, object }) ?? [];
      const [first] = placed;
      for (const direction of ['ingress', 'egress'] as const)
        for (const each of first?.policy.policy[direction].rules ?? [])
          for (const [index] of each.peers.entries()) {
            const denials = placed.map((one) => denialOf(comparisons, one, direction, each.index, index));
            const [denial] = denials;
            const span = denial && peerSpan(object, direction, each.index, index);
            if (denial !== undefined && span !== undefined && denials.every((other) => other !== undefined))
              yield { span, denial, keys: keysInSelectors(object) };
          }
    }
  },
  message({ denial: { direction, workload, ports, policies } }) {
    const [policy = '', ...others] = policies;
    const by = others.length === 0 ? shorten(policy) : localize`${shorten(policy)} and ${others.length} more`;
    const on = ports === undefined ? localize`any port` : shorten(ports);
    return direction === 'ingress'
      ? localize`This peer has no effect: no egress policy of ${shorten(workload)} (${by}) allows this connection on ${on}.`
      : localize`This peer has no effect: no ingress policy of ${shorten(workload)} (${by}) allows this connection on ${on}.`;
  },
  fixes: () => [],
});

/** Returns the span of the pod selector of a peer, if it is in the file of the policy. */
function peerSpan(object: ManifestObject, direction: Direction, rule: number, index: number): Span | undefined {
  const list = childOf(rulesOf(object, direction)[rule], peerField(direction));
  const peer = list?.kind === 'list' ? list.items[index] : undefined;
  const entry = peer?.kind === 'map' ? peer.entries.find(({ key }) => key.text === 'podSelector') : undefined;
  return entry?.key.origin === undefined ? entry?.key.span : undefined;
}

/** The number of classes of pods that can be examined in about the time of one comparison of a selector with an object. The pods of a class have the same connections. */
const classesOfComparison = 10;

/** Returns the reason why a peer certainly has no effect; undefined if it may have an effect. */
function denialOf(
  comparisons: Comparisons,
  placed: PolicyInCluster,
  direction: Direction,
  ruleIndex: number,
  index: number,
): Denial | undefined {
  const { cluster, policy } = placed;
  const rule = policy.policy[direction].rules.find((each) => each.index === ruleIndex);
  const peer = rule?.peers[index];
  if (rule === undefined || peer === undefined || !isSpecific(rule, peer) || policy.policy.isOptional) return undefined;
  if (policy.policy[direction].covers !== 'yes') return undefined;
  const opposite = direction === 'ingress' ? 'egress' : 'ingress';
  if (!cluster.policies.some(({ policy }) => policy[opposite].covers === 'yes')) return undefined;
  const { reachability } = cluster;
  const asked = portsOf(reachability.ports, rule);
  if (asked === undefined) return undefined;
  const classes = podClasses(cluster);
  comparisons.add(classes.count / classesOfComparison);
  if (comparisons.leaveOut()) return undefined;
  const subjects = classes.filter((each) => reachability.selects(policy.policy, each) === 'yes');
  if (subjects.length === 0) return undefined;
  const others = classes.filter((each) => reachability.includes(policy.policy, peer, each) !== 'no');
  let denial: Denial | undefined;
  for (const subject of subjects)
    for (const other of others) {
      if (subject.workload === other.workload) continue;
      if (subject.workload.hostNetwork || other.workload.hostNetwork) return undefined;
      const [from, to] = direction === 'ingress' ? [other.peer, subject.peer] : [subject.peer, other.peer];
      const { allowed, unknown } = reachability.connections(from, to);
      const possible = reachability.ports.union(allowed, unknown);
      if (reachability.ports.intersection(possible, asked) !== reachability.ports.none) return undefined;
      const { network } = reachability.policiesOn(other.peer, opposite);
      const isolating = network.filter(({ answer }) => answer === 'yes');
      // If no NetworkPolicy isolates the other end, a cluster policy denies the connection, possibly at the end to
      // which this policy applies.
      if (isolating.length === 0) return undefined;
      denial ??= {
        direction,
        workload: `${other.workload.kind}/${other.workload.name}`,
        ports: asked === reachability.ports.all ? undefined : portsText(asked),
        policies: isolating.flatMap((each) => {
          const found = cluster.policies[each.index];
          return found === undefined ? [] : [policyName(found)];
        }),
      };
    }
  return denial;
}

/** Whether a rule certainly exists, and a peer selects pods by their labels. */
function isSpecific(rule: Rule, peer: Peer): boolean {
  return (
    !rule.isOptional && rule.anyPeer === 'no' && peer.kind === 'pods' && peer.pods.kind === 'all' && !peer.pods.open
  );
}

/** Returns the ports of a rule if all of them are numbers; undefined if there are named ports, which depend on the pods. */
function portsOf(sets: PortSets, { ports, anyPort }: Rule): PortSet | undefined {
  if (anyPort !== 'no') return anyPort === 'yes' ? sets.all : undefined;
  let all = sets.none;
  for (const port of ports) {
    if (port.kind !== 'range') return undefined;
    all = sets.union(all, sets.range(port.protocol, port.from, port.to));
  }
  return all;
}
