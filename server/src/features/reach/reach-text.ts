/** Describes reachability in hovers and on the page about an object. */

import { cidrsOf, type Direction } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import type { Endpoint } from '../../workspace/reach/endpoints.ts';
import { type PolicyTarget, policyTargetAt } from '../../workspace/reach/policy-parts.ts';
import { connectionsText, otherPolicyText, portsText, ruleText } from '../../workspace/reach/sentences.ts';
import {
  type Allowed,
  allowedBy,
  alsoAllowedBy,
  type Reached,
  reachedFrom,
  subjectsOf,
} from '../../workspace/reach/summaries.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { type Block, type Line, paragraph } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';
import { clusterAround, policyAt, workloadsAt } from './cluster-around.ts';

/**
 * Describes the sources and destinations that the pods of a workload can communicate with; empty if no policies isolate
 * them.
 */
export function aboutReach(view: FileView, object: ManifestObject): readonly Block[] {
  const cluster = object.templates.length === 0 && object.ports === undefined ? undefined : clusterAround(view, object);
  if (cluster === undefined) return [];
  return workloadsAt(view, cluster, object).flatMap((subject) => {
    if (subject.workload.hostNetwork)
      return [
        paragraph(
          localize`The pods of this workload may use the host network, where the effect of network policies is undefined.`,
        ),
      ];
    return (['ingress', 'egress'] as const).flatMap((direction): readonly Block[] => {
      const profile = cluster.reachability.policiesOn(subject.peer, direction);
      if (profile.key === '') return [];
      const policies = [...profile.network, ...profile.admin.flat(), ...profile.baseline.flat(), ...profile.unplaced];
      const others = policies.flatMap(({ index }) => otherPolicyText(cluster, { policy: index, direction }) ?? []);
      const count = policies.length - others.length;
      const isolated = localize`${direction === 'ingress' ? 'Ingress' : 'Egress'} is controlled by ${counted(count, 'policy', 'policies')}.`;
      const reached = reachedFrom(cluster, subject, direction);
      const title = direction === 'ingress' ? localize`Reachable from` : localize`Can reach`;
      const lines = reached.map((each) => reachedLine(view, each));
      const found = group(view, title, lines, object.kindSpan.start);
      return [
        paragraph(isolated),
        ...others.map((other) => paragraph(localize`Connections are unknown: ${other}.`)),
        ...(found.length > 0 ? found : [paragraph({ kind: 'strong', text: localize`${title} nothing` }, '.')]),
      ];
    });
  });
}

/** Describes the connections that a policy, or the part of it at an offset, allows; undefined if there is no policy, or if it has no effect. */
export function aboutPolicy(view: FileView, object: ManifestObject, offset?: number) {
  if (object.policySpec === undefined) return undefined;
  const target = offset === undefined ? undefined : policyTargetAt(object, offset);
  if (offset !== undefined && target === undefined) return undefined;
  const cluster = clusterAround(view, object);
  const policy = cluster === undefined ? -1 : policyAt(view, cluster, object);
  if (cluster === undefined || policy === -1) return undefined;
  const directions = target === undefined ? (['ingress', 'egress'] as const) : [target.direction];
  const blocks = directions.flatMap((direction) => aboutDirection(view, cluster, policy, direction, target));
  return blocks.length === 0 ? undefined : { span: target?.span, blocks };
}

function aboutDirection(
  view: FileView,
  cluster: Cluster,
  policy: number,
  direction: Direction,
  target: PolicyTarget | undefined,
): readonly Block[] {
  const found = cluster.policies[policy];
  if (found === undefined || found.policy[direction].covers === 'no') {
    const isWritten = found !== undefined && found.policy[direction].rules.length > 0;
    return isWritten
      ? [paragraph(localize`\`policyTypes\` does not include ${direction}, so these rules have no effect.`)]
      : [];
  }
  const all = found.policy[direction].rules;
  const rules = target?.rule === undefined ? all : all.filter(({ index }) => index === target.rule);
  const narrowed = rules.map((rule) => {
    if (target?.part === 'peer')
      return { ...rule, peers: rule.peers.filter((_, index) => index === target.index), anyPeer: 'no' as const };
    if (target?.part === 'port')
      return { ...rule, ports: rule.ports.filter((_, index) => index === target.index), anyPort: 'no' as const };
    return rule;
  });
  // If a policy selects no known workload, its pods may come from a custom resource, whose controller creates them.
  if (subjectsOf(cluster, policy).length === 0) return [];
  // Peers are compared by identity, so they are not copied.
  const allowed = allowedBy(cluster, policy, direction, narrowed);
  const [rule] = target?.rule === undefined || target.part !== undefined ? [] : rules;
  const also = rule && alsoAllowedBy(cluster, policy, direction, rule);
  const already: readonly Block[] =
    also === undefined
      ? []
      : [
          paragraph(
            localize`Everything that this rule allows is also allowed by ${ruleText(cluster, { ...also, direction, rule: also.rule.index })}.`,
          ),
        ];
  const lines = allowed.peers.map((end) => endLine(view, end));
  const title = direction === 'ingress' ? 'Sources' : 'Targets';
  const offset = target?.span.start ?? found.where.object.kindSpan.start;
  return [
    paragraph(
      allowsSentence(cluster, policy, direction, allowed),
      allowed.isOpen ? localize` The policy may allow more.` : '',
    ),
    ...already,
    ...group(view, title, lines, offset),
  ];
}

/** Returns a sentence such as `Allows 3 workloads to connect to 2, on TCP 8080.` */
function allowsSentence(cluster: Cluster, policy: number, direction: Direction, allowed: Allowed): string {
  const subjects = counted(subjectsOf(cluster, policy).length, 'workload', 'workloads');
  const { peers, ports } = allowed;
  if (ports.bounds.length === 0)
    return direction === 'ingress'
      ? localize`Allows nothing to connect to ${subjects}.`
      : localize`Allows ${subjects} to connect to nothing.`;
  const others = peersText(peers);
  return direction === 'ingress'
    ? localize`Allows ${others} to connect to ${subjects}, on ${portsText(ports)}.`
    : localize`Allows ${subjects} to connect to ${others}, on ${portsText(ports)}.`;
}

function peersText(peers: readonly Endpoint[]): string {
  const workloads = peers.filter(({ kind }) => kind === 'workload').length;
  const hasAddresses = peers.length > workloads;
  if (workloads === 0) return hasAddresses ? localize`addresses outside the cluster` : 'nothing';
  const text = counted(workloads, 'workload', 'workloads');
  return hasAddresses ? localize`${text} and addresses outside the cluster` : text;
}

/**
 * Returns the text of the code lens of a policy: `allows 3 workloads to 2, on TCP 8080`; undefined if it is unknown.
 */
export function policyTitle(view: FileView, object: ManifestObject): string | undefined {
  if (object.policySpec === undefined) return undefined;
  const cluster = clusterAround(view, object, maximumFilesOfLens);
  const policy = cluster === undefined ? -1 : policyAt(view, cluster, object);
  const found = cluster?.policies[policy];
  if (cluster === undefined || found === undefined || found.policy.tier !== 'NetworkPolicy') return undefined;
  const subjects = subjectsOf(cluster, policy).length;
  if (subjects === 0) return undefined;
  const parts = (['ingress', 'egress'] as const).flatMap((direction) => {
    if (found.policy[direction].covers !== 'yes') return [];
    const allowed = allowedBy(cluster, policy, direction, found.policy[direction].rules);
    return [partOfTitle(direction, allowed, subjects)];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** The maximum number of files in a scope for a CodeLens, which is requested while the user types. */
const maximumFilesOfLens = 300;

function partOfTitle(direction: Direction, { peers, ports, isOpen }: Allowed, subjects: number): string {
  const perhaps = isOpen ? localize`, possibly more` : '';
  const count = counted(subjects, 'workload', 'workloads');
  if (ports.bounds.length === 0)
    return direction === 'ingress'
      ? localize`allows nothing to ${count}${perhaps}`
      : localize`allows ${count} to nothing${perhaps}`;
  const others = peersText(peers);
  const on = localize`on ${portsText(ports)}${perhaps}`;
  return direction === 'ingress'
    ? localize`allows ${others} to ${subjects}, ${on}`
    : localize`allows ${count} to ${others}, ${on}`;
}

function reachedLine(view: FileView, { end, connections }: Reached): Line {
  return [...endLine(view, end), `: ${connectionsText(connections)}`];
}

function endLine(view: FileView, end: Endpoint): Line {
  if (end.kind === 'workload') {
    const { where } = end.workload;
    return objectLine(view, where, nameSpan(where.object));
  }
  const cidrs = end.peer.kind === 'addresses' ? cidrsOf(end.peer.ranges) : [];
  const isEverything = cidrs.length === 2 && cidrs[0] === '0.0.0.0/0' && cidrs[1] === '::/0';
  if (isEverything) return [localize`addresses outside the cluster`];
  const more = cidrs.length > maximumBlocks ? localize` and ${cidrs.length - maximumBlocks} more blocks` : '';
  return [
    localize`addresses outside the cluster in `,
    { kind: 'code', text: cidrs.slice(0, maximumBlocks).join(', ') },
    more,
  ];
}

const maximumBlocks = 3;

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
