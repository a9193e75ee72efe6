/** Formats the proof of an answer about a connection as text and as JSON. */

import {
  type Direction,
  hasPort,
  type PodClass,
  type PolicyAtEnd,
  type Proof,
  type Protocol,
  policiesIn,
  portsByProtocol,
  protocols,
  type RuleAtEnd,
} from '../../engine/index.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { Cluster, PolicyObject } from '../../workspace/reach/cluster.ts';
import { type Endpoint, endpointName, type WorkloadEnd } from '../../workspace/reach/endpoints.ts';
import { podNetworkOf } from '../../workspace/reach/pod-network.ts';
import { type RuleList, ruleAt } from '../../workspace/reach/policy-parts.ts';
import {
  closest,
  connectionsText,
  lacksText,
  peerText,
  policyName,
  ruleText,
  uncertaintyText,
} from '../../workspace/reach/sentences.ts';

/** The connection that a proof explains, and the cluster in which it exists. */
export interface ProofContext {
  /** The path of a file as the user sees it. */
  readonly shownPath: (uri: string) => string;
  readonly cluster: Cluster;
  readonly from: Endpoint;
  readonly to: Endpoint;
}

export interface RequestedPort {
  readonly protocol: Protocol;
  readonly port: number;
}

/** Returns the JSON of `reach FROM TO --port`, which docs/command-line.md documents. */
export function proofJson(context: ProofContext, protocol: Protocol, port: number) {
  const { cluster } = context;
  const proof = proofOf(context, { protocol, port });
  const at = ({ policy, direction }: PolicyAtEnd) => {
    const found = cluster.policies[policy];
    return { policy: found === undefined ? '' : policyName(found), direction };
  };
  return {
    allowed: proof.answer === 'yes',
    ...(proof.answer === 'maybe' && { unknown: true }),
    allowedBy: proof.allowedBy.map((each) => ({ ...at(each), rule: each.rule, ...locationOf(context, each) })),
    deniedBy: proof.deniedBy.map((each) => ({
      ...at(each),
      ...(each.rule !== undefined && { rule: each.rule }),
      ...locationOf(context, each),
    })),
    notIsolated: proof.notIsolated,
    ...Object.fromEntries(
      proof.ends.map(({ direction, answer, by }) => [
        direction,
        {
          allowed: answer === 'yes',
          ...(answer === 'maybe' && { unknown: true }),
          by: by.map((each) => ({
            policy: at(each).policy,
            ...(each.rule !== undefined && { rule: each.rule }),
            ...locationOf(context, each),
          })),
        },
      ]),
    ),
    reasons: reasons(context, proof),
  };
}

/** Returns the JSON of the ports that each end of a connection allows, with the policies that apply to the pods there. */
export function endsJson({ cluster, from, to }: ProofContext) {
  const sides = [
    ['egress', from, to],
    ['ingress', to, from],
  ] as const;
  return Object.fromEntries(
    sides.map(([direction, { peer }, other]) => {
      const { allowed, unknown } = cluster.reachability.connectionsAt(peer, direction, other.peer);
      const uncertain = portsByProtocol(unknown);
      const policies = peer.kind === 'pods' ? policiesAt(cluster, peer, direction) : [];
      return [
        direction,
        { allow: portsByProtocol(allowed), ...(uncertain.length > 0 && { unknown: uncertain }), policies },
      ];
    }),
  );
}

/** Returns the names of the policies that apply to pods in a direction, or may apply to them. */
function policiesAt({ reachability, policies }: Cluster, pods: PodClass, direction: Direction): readonly string[] {
  const found = policiesIn(reachability.policiesOn(pods, direction));
  return [...new Set(found.flatMap(({ index }) => policies[index] ?? []).map(policyName))];
}

/** Formats the connection as a whole, and a proof for each port; if no ports are given, for the most informative ports. */
export function proofLines(context: ProofContext, ports: readonly RequestedPort[] | undefined): readonly string[] {
  const { cluster, from, to } = context;
  const title = `${endpointName(from)} -> ${endpointName(to)}`;
  const connections = cluster.reachability.connections(from.peer, to.peer);
  const shown = ports ?? tellingPorts(context);
  return [
    ...(ports === undefined ? [`${title}: ${connectionsText(connections)}`] : []),
    ...shown.flatMap((requested) => {
      const proof = proofOf(context, requested);
      const port = `${requested.protocol} ${requested.port}`;
      const what = `${ports === undefined ? port : `${title}, ${port}`}: ${answers[proof.answer]}`;
      return [what, ...proofDetails(context, proof).map((line) => `  ${line}`)];
    }),
  ];
}

const answers = { yes: 'allowed', no: 'denied', maybe: 'unknown' } as const;

/** Returns the ports that the target declares. If it declares none, returns one allowed port, one unknown port and one denied port. */
function tellingPorts({ cluster, from, to }: ProofContext): readonly RequestedPort[] {
  const declared = to.kind === 'workload' ? declaredPorts(to) : [];
  if (declared.length > 0) return declared.slice(0, 10);
  const { allowed, unknown } = cluster.reachability.connections(from.peer, to.peer);
  const all = [80, 443, 53].flatMap((port) => protocols.map((protocol) => ({ protocol, port })));
  const kindOf = ({ protocol, port }: RequestedPort) =>
    hasPort(allowed, protocol, port) ? 'allowed' : hasPort(unknown, protocol, port) ? 'unknown' : 'denied';
  return all.filter((each, index) => all.findIndex((other) => kindOf(other) === kindOf(each)) === index);
}

function declaredPorts({ workload }: WorkloadEnd): readonly RequestedPort[] {
  const { object } = workload.where;
  const template = object.templates.find(({ path }) => path === workload.via);
  const { ports } = podNetworkOf(workload.via === undefined ? object.ports : template?.ports);
  return ports.flatMap(({ protocol, number }) =>
    protocol === undefined || number === undefined ? [] : [{ protocol, port: number }],
  );
}

function proofOf({ cluster, from, to }: ProofContext, { protocol, port }: RequestedPort): Proof {
  return cluster.reachability.prove(from, to, protocol, port);
}

function proofDetails(context: ProofContext, proof: Proof): readonly string[] {
  const { cluster, from, to } = context;
  const shown = (each: PolicyAtEnd & Partial<RuleAtEnd>) => {
    const { file, line } = locationOf(context, each);
    return `${ruleText(cluster, each)} (${file}:${line})`;
  };
  const open = proof.notIsolated.map((direction) => {
    const end = direction === 'egress' ? from : to;
    return end.kind === 'address'
      ? `${direction}: ${endpointName(end)} is outside the cluster`
      : `${direction}: no policy isolates ${endpointName(end)}`;
  });
  const allowed = proof.ends
    .filter(({ answer }) => answer === 'yes')
    .flatMap(({ by }) =>
      by.map((each) =>
        each.passes
          ? `${each.direction}: passed by ${shown(each)}; without a further rule, the profile of the namespace allows it`
          : `${each.direction}: allowed by ${shown(each)}`,
      ),
    );
  const denied = proof.deniedBy.map((each) =>
    each.rule === undefined
      ? `${each.direction}: isolated by ${shown(each)}`
      : `${each.direction}: denied by ${shown(each)}`,
  );
  return [...open, ...allowed, ...denied, ...reasons(context, proof)];
}

/** Returns sentences about the unknown conditions, about peers that match no workload, and about near misses. */
function reasons(context: ProofContext, proof: Proof): readonly string[] {
  const { cluster } = context;
  const doubts = [...new Set(proof.doubts.map((uncertainty) => uncertaintyText(cluster, uncertainty)))].slice(0, 10);
  const misses = closest(proof.nearMisses).map((miss) => {
    const { file, line } = locationOf(context, miss);
    return `near miss: ${ruleText(cluster, miss)} (${file}:${line}): ${lacksText(miss.lacks)}`;
  });
  const unmatched = proof.unmatched.slice(0, 10).map((each) => {
    const { file, line } = locationOf(context, each);
    const peer = peerText(each.peer, cluster.policies[each.policy]?.namespace);
    return `unmatched peer: ${ruleText(cluster, each)} (${file}:${line}) allows ${peer}, which no workload in these files creates`;
  });
  return [...doubts.map((uncertainty) => `unknown: ${uncertainty}`), ...unmatched, ...misses];
}

/** Returns the list of a rule in the object of its policy. */
function listOf({ policy }: PolicyObject, { list }: Partial<RuleAtEnd>): RuleList {
  return { inSpecs: policy.inSpecs, ...(list !== undefined && { list }) };
}

/** Returns the location of a policy's rule; the location of the policy if no rule is given, or if the rule is not in its file. */
function locationOf({ shownPath, cluster }: ProofContext, at: PolicyAtEnd & Partial<RuleAtEnd>) {
  const policy = cluster.policies[at.policy];
  if (policy === undefined) return { file: '', line: 1 };
  const { file, object } = policy.where;
  const part = at.rule === undefined ? undefined : ruleAt(object, at.direction, at.rule, listOf(policy, at));
  const isHere = part !== undefined && part.origin === undefined;
  const offset = isHere ? part.at : object.kindSpan.start;
  return { file: shownPath(file.uri), line: offsetToPosition(file.lines, offset).line + 1 };
}
