/** Reports ports of network policies that no pod has: a name that no pod declares, or the port of a Service. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  type ContainerPort,
  type Direction,
  evaluate,
  type Protocol,
  type Rule,
  type Selector,
} from '../../engine/index.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, itemsOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { mayMutatePods } from '../../workspace/mutations.ts';
import type { Cluster, PolicyObject, Workload } from '../../workspace/reach/cluster.ts';
import { isPluginPolicy } from '../../workspace/reach/plugin-policies.ts';
import { portsOf, rulesOf } from '../../workspace/reach/policy-parts.ts';
import { type PolicyInCluster, policyInScopes } from '../../workspace/reach/rule-clusters.ts';
import { podEnds } from '../../workspace/reach/summaries.ts';
import { mayGetContainers } from '../../workspace/references/changed-later.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { patchedObjects, placeInPatch, relatedTo } from '../helpers/patched-objects.ts';
import { keysInSelectors } from '../helpers/selector-keys.ts';
import { shorten } from '../helpers/sentences.ts';

interface WrongPort extends Fact {
  readonly port: ReturnType<typeof written>;
  readonly missing: Missing;
}

type Missing =
  /** No pod declares the name; `names` contains the declared names. A rule that denies then denies nothing. */
  | { readonly kind: 'name'; readonly protocol: string; readonly names: readonly string[]; readonly denies?: boolean }
  /** The port belongs to a Service whose pods listen on a different port. */
  | { readonly kind: 'service'; readonly service: string; readonly target: number };

/** The declared ports of one pod to which a rule allows connections. */
interface Target {
  readonly workload: Workload;
  readonly index: number;
  readonly ports: readonly (ContainerPort & { readonly number: number; readonly protocol: Protocol })[];
}

const beside = {
  'web.yaml': `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: example.com/web, ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
`,
};

const policy = (port: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress:
    - ports: [{port: ${port}}]
`;

/** The maximum number of names of ports in a message. */
const maximumListed = 5;

export const networkPolicyPort = rule<WrongPort>({
  id: 'network-policy-port',
  severity: 'warning',
  needs: 'policies',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A port in a network policy that does not exist in the pods.',
  why: 'NetworkPolicies apply to the port of the pod, after the Service has translated its own port to `targetPort`. A rule with the port of the Service therefore does not allow a port on which the pods listen. A named port refers to the ports that the containers of the target pods declare. A name that no container declares allows nothing, and Kubernetes does not report an error. In policies of Cilium and Calico, names are reported if exactly one declared name is similar. A port that a patch writes is reported in the patch.',
  bad: [
    { title: 'The port of the Service instead of the port of its pods.', text: policy('80'), beside },
    { title: 'A port name that the pods do not declare.', text: policy('web'), beside },
  ],
  good: [
    { title: 'The port on which the pods listen.', text: policy('8080'), beside },
    { title: 'A port name that the pods declare.', text: policy('http'), beside },
  ],
  *check(context) {
    const { stored, workspace, catalogue, file } = context;
    for (const object of stored) {
      if (isPluginPolicy(object)) yield* misspelledNames(workspace, catalogue, { file, object });
      yield* wrongPorts(context, { file, object });
    }
    const seen = new Set<number>();
    for (const patched of patchedObjects(context)) {
      for (const wrong of wrongPorts(context, patched)) {
        const port = placeInPatch(context, wrong.port);
        if (port === undefined || seen.has(port.span.start)) continue;
        seen.add(port.span.start);
        yield { ...wrong, span: port.span, port, related: [relatedTo(patched)] };
      }
    }
  },
  message({ port, missing }) {
    const text = shorten(port.text);
    if (missing.kind === 'service')
      return localize`${text} is the port of ${shorten(missing.service)}; its pods listen on ${missing.target}, so this rule does not allow the traffic.`;
    const names = missing.names.slice(0, maximumListed).map((name) => `'${shorten(name)}'`);
    const more = missing.names.length - names.length;
    const listed = more > 0 ? localize`${names.join(', ')} and ${more} more` : names.join(', ');
    const have = listed === '' ? localize`the pods have no named ports` : localize`the pods declare ${listed}`;
    return missing.denies
      ? localize`No selected pod has a ${missing.protocol} port named '${text}', so this port denies nothing; ${have}.`
      : localize`No selected pod has a ${missing.protocol} port named '${text}', so this port allows nothing; ${have}.`;
  },
  fixes({ port, missing }): readonly Fix[] {
    if (port.origin !== undefined) return [];
    if (missing.kind === 'service')
      return [
        {
          title: localize`Change the port to ${missing.target}`,
          edits: [{ span: port.span, text: `${missing.target}` }],
          preferred: true,
        },
      ];
    const [name, ...others] = missing.names.filter((each) => misspelling(port.text, each) !== undefined);
    if (name === undefined || others.length > 0) return [];
    const edits = [replaceScalar(port, name)];
    return [{ title: localize`Change the port to '${shorten(name)}'`, edits, preferred: true }];
  },
});

/** Yields the wrong ports of a NetworkPolicy that the checked file writes. */
function* wrongPorts({ workspace, catalogue, uri }: RuleContext, where: ObjectInFile): Iterable<WrongPort> {
  const { object } = where;
  if (policyKindOf(object) !== 'NetworkPolicy') return;
  const placed = policyInScopes(workspace, catalogue, where);
  const [first, ...others] = placed ?? [];
  if (first === undefined || mayMutatePods(workspace, where, 'ports')) return;
  for (const direction of ['ingress', 'egress'] as const) {
    for (const each of first.policy.policy[direction].rules) {
      for (const [index] of each.ports.entries()) {
        const missing = missingIn(first, direction, each, index);
        const isElsewhere = others.some((other) => {
          const same = other.policy.policy[direction].rules.find((rule) => rule.index === each.index);
          return same === undefined || missingIn(other, direction, same, index) === undefined;
        });
        const port = missing && portAt(object, direction, each.index, index);
        const writer = where.file.uri === uri ? undefined : uri;
        if (missing !== undefined && port !== undefined && !isElsewhere && port.origin?.uri === writer)
          yield { span: port.span, port, missing, keys: keysInSelectors(object) };
      }
    }
  }
}

/** Yields the names of ports in a policy of Cilium or Calico that no selected pod declares, beside one similar name. */
function* misspelledNames(workspace: Workspace, catalogue: Catalogue, where: ObjectInFile): Iterable<WrongPort> {
  const placed = policyInScopes(workspace, catalogue, where);
  if (placed === undefined || mayMutatePods(workspace, where, 'ports')) return;
  const [first = [], ...others] = placed.map(({ cluster }) =>
    cluster.policies
      .filter((policy) => isSameObject(policy.where, where))
      .flatMap((policy) => policy.policy.ingress.rules.flatMap((each) => misspelledIn(cluster, policy, each))),
  );
  const seen = new Set<number>();
  for (const { policy, rule: each, name, missing } of first) {
    const isSame = (other: NameInRule) =>
      other.name === name &&
      other.rule.index === each.index &&
      other.rule.list === each.list &&
      other.policy.policy.inSpecs === policy.policy.inSpecs;
    if (!others.every((found) => found.some(isSame))) continue;
    for (const port of namesAt(where.object, policy, each, name)) {
      if (seen.has(port.span.start)) continue;
      seen.add(port.span.start);
      yield { span: port.span, port, missing, keys: keysInSelectors(where.object) };
    }
  }
}

/** A misspelled name of a port in a rule of a policy of Cilium or Calico. */
interface NameInRule {
  readonly policy: PolicyObject;
  readonly rule: Rule;
  readonly name: string;
  readonly missing: Missing;
}

function misspelledIn(cluster: Cluster, policy: PolicyObject, each: Rule): readonly NameInRule[] {
  const names = new Set(each.ports.flatMap((port) => (port.kind === 'name' ? [port.name] : [])));
  if (names.size === 0 || each.isOptional || policy.policy.isOptional) return [];
  const targets = targetsOf({ cluster, policy }, 'ingress', each);
  if (targets === undefined) return [];
  // Cilium compares names of ports without regard to case.
  const folded = (name: string) => (policy.policy.tier === 'Cilium' ? name.toLowerCase() : name);
  return [...names].flatMap((name): readonly NameInRule[] => {
    const matched = each.ports.flatMap((port) => (port.kind === 'name' && port.name === name ? [port.protocol] : []));
    const declared = targets
      .flatMap(({ ports }) => ports)
      .filter(({ protocol }) => matched.includes(undefined) || matched.includes(protocol))
      .flatMap((port) => (typeof port.name === 'string' ? [port.name] : []));
    if (declared.some((other) => folded(other) === name)) return [];
    const near = [...new Set(declared)].filter((other) => misspelling(name, other) !== undefined);
    if (near.length !== 1) return [];
    const [protocol = 'TCP'] = matched;
    const denies = each.action === 'Deny';
    return [{ policy, rule: each, name, missing: { kind: 'name', protocol, names: [...new Set(declared)], denies } }];
  });
}

/** Returns the ports with a name in a rule of a policy of Cilium or Calico, if they are in its file. */
function namesAt(object: ManifestObject, policy: PolicyObject, each: Rule, name: string): readonly WrongPort['port'][] {
  const { list } = each;
  const isCilium = policy.policy.tier === 'Cilium';
  const node = rulesOf(object, 'ingress', { ...(list && { list }), inSpecs: policy.policy.inSpecs })[each.index];
  const ports = isCilium
    ? itemsOf(childOf(node, 'toPorts')).flatMap((entry) => portsOf(entry).map((port) => childOf(port, 'port')))
    : itemsOf(childOf(childOf(node, 'destination'), 'ports'));
  return ports.flatMap((port) =>
    port?.kind === 'scalar' && port.origin === undefined && (isCilium ? port.text.toLowerCase() : port.text) === name
      ? [written(port)]
      : [],
  );
}

/** Returns the value of `port`. */
function portAt(
  object: ManifestObject,
  direction: Direction,
  rule: number,
  index: number,
): WrongPort['port'] | undefined {
  const node = rulesOf(object, direction)[rule];
  const value = childOf(node && portsOf(node)[index], 'port');
  return value?.kind === 'scalar' ? written(value) : undefined;
}

/** Returns the problem of a port of a rule, if it is certain. */
function missingIn(placed: PolicyInCluster, direction: Direction, rule: Rule, index: number): Missing | undefined {
  const port = rule.ports[index];
  if (port === undefined || rule.isOptional || placed.policy.policy.isOptional) return undefined;
  if (port.kind === 'unknown' || (port.kind === 'range' && port.from !== port.to)) return undefined;
  // Tested first, because the pods of most ports need not be determined.
  if (port.kind === 'range' && !isTranslated(placed.cluster, port.protocol, port.from)) return undefined;
  const targets = targetsOf(placed, direction, rule);
  if (targets === undefined || targets.length === 0) return undefined;
  // A policy for all pods of a namespace also selects the pods that charts and operators create.
  const ends = direction === 'ingress' ? [placed.policy.policy.subject] : rule.peers;
  const areNamed =
    ends.every((end) => end.kind === 'pods' && namesPods(end.pods)) &&
    !targets.some(({ workload }) => mayGetContainers(workload.where.object));
  if (port.kind === 'name') {
    const named = targets.flatMap(({ ports }) => ports.filter(({ name }) => name !== undefined));
    if (named.some(({ name, protocol }) => name === port.name && (port.protocol ?? protocol) === protocol))
      return undefined;
    const declared = named.filter(({ protocol }) => (port.protocol ?? protocol) === protocol).map(({ name }) => name);
    const names = [...new Set(declared)].filter((name) => typeof name === 'string');
    const isCertain = areNamed || names.some((name) => misspelling(port.name, name) !== undefined);
    return isCertain ? { kind: 'name', protocol: port.protocol ?? 'TCP', names } : undefined;
  }
  if (!areNamed && !placed.isComplete) return undefined;
  const found = targets.map((target) => translated(placed.cluster, target, port.protocol, port.from));
  const [one] = found;
  return one !== undefined && found.every((each) => each !== undefined) ? one : undefined;
}

/** Returns the pods to which a rule allows connections; undefined if some of these pods, or some of their ports, are unknown. */
function targetsOf(
  { cluster, policy }: Pick<PolicyInCluster, 'cluster' | 'policy'>,
  direction: Direction,
  rule: Rule,
): readonly Target[] | undefined {
  const targets: Target[] = [];
  const { pods } = cluster.reachability.world;
  for (const [index, { workload, peer }] of podEnds(cluster).entries()) {
    const answers =
      direction === 'ingress'
        ? [cluster.reachability.selects(policy.policy, peer)]
        : rule.peers.map((each) => cluster.reachability.includes(policy.policy, each, peer));
    // A rule of Calico may concern only some pods of its policy.
    const own = rule.own === undefined ? 'yes' : cluster.reachability.includes(policy.policy, rule.own, peer);
    if (own === 'no') continue;
    if (answers.includes('maybe') || (own === 'maybe' && answers.includes('yes'))) return undefined;
    if (!answers.includes('yes')) continue;
    const { ports = [], portsOpen, hostNetwork } = pods[index] ?? {};
    const known = ports.filter((port) => port.number !== undefined && port.protocol !== undefined && !port.isInit);
    if (portsOpen || (hostNetwork ?? 'no') !== 'no' || known.length < ports.length) return undefined;
    if (ports.some(({ name }) => name !== undefined && typeof name !== 'string')) return undefined;
    targets.push({ workload, index, ports: known as Target['ports'] });
  }
  // Pods of other namespaces may be in other files.
  const isOwn =
    direction === 'ingress' ||
    (rule.anyPeer === 'no' && rule.peers.every((peer) => peer.kind === 'pods' && peer.namespaces === undefined));
  return isOwn ? targets : undefined;
}

/** Whether a Service has the port, with a different target port. */
function isTranslated({ services }: Cluster, protocol: Protocol, number: number): boolean {
  return services.some(({ where }) =>
    where.object.servicePorts?.some(
      (each) => each.port === number && each.protocol === protocol && each.target !== number,
    ),
  );
}

/** Returns the Service that has the port, if its pods have a different target port. */
function translated(cluster: Cluster, target: Target, protocol: Protocol, number: number): Missing | undefined {
  const { ports, index } = target;
  if (ports.some((port) => port.protocol === protocol && port.number === number)) return undefined;
  const pod = cluster.reachability.world.pods[index];
  if (pod === undefined) return undefined;
  for (const { where, namespace, selector } of cluster.services) {
    if (namespace !== pod.namespace || evaluate(selector, pod.labels) !== 'yes') continue;
    const offered = where.object.servicePorts?.find((each) => each.port === number && each.protocol === protocol);
    const behind = ports.find(
      (port) => port.protocol === protocol && (port.name === offered?.target || port.number === offered?.target),
    );
    if (behind !== undefined)
      return { kind: 'service', service: `Service/${where.object.name?.text ?? ''}`, target: behind.number };
  }
  return undefined;
}

/** Whether a selector requires the value of a label, so that it selects the pods of certain workloads. */
function namesPods(selector: Selector): boolean {
  return selector.kind === 'all' && selector.requirements.some(({ operator }) => ['=', '==', 'in'].includes(operator));
}
