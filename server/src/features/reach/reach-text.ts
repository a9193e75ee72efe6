/** Describes reachability in hovers and on the page about an object. */

import { type Action, cidrsOf, type Direction, type PortSet, policiesIn, type Rule } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import type { Endpoint } from '../../workspace/reach/endpoints.ts';
import { type PolicyTarget, policyTargetAt } from '../../workspace/reach/policy-parts.ts';
import { connectionsText, otherPolicyText, portsText, ruleText } from '../../workspace/reach/sentences.ts';
import {
  type Allowed,
  type AllowedPeer,
  allowedBy,
  alsoAllowedBy,
  type Reached,
  reachedFrom,
  subjectsOf,
} from '../../workspace/reach/summaries.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { objectName } from '../presentation/object-names.ts';
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
      const policies = policiesIn(profile);
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
  const subjects = subjectsOf(cluster, policy);
  if (subjects.length === 0) return [];
  // In the tiers of administrators, the first rule that matches decides, so that the rules are not united.
  if (found.policy.tier !== 'NetworkPolicy' && target?.rule === undefined)
    return narrowed.slice(0, maximumRules).map((rule) => {
      const allowed = allowedBy(cluster, policy, direction, [rule]);
      return paragraph(localize`Rule ${rule.index + 1}: `, ...sentences(subjects, direction, [rule], allowed));
    });
  // Peers are compared by identity, so they are not copied.
  const allowed = allowedBy(cluster, policy, direction, narrowed);
  const lines = allowed.peers.map((peer) => allowedLine(view, peer, allowed.ports === undefined));
  const title = direction === 'ingress' ? 'Sources' : 'Targets';
  const offset = target?.span.start ?? found.where.object.kindSpan.start;
  return [
    paragraph(...sentences(subjects, direction, narrowed, allowed)),
    ...(target?.rule !== undefined && target.part === undefined
      ? alreadyAllowed(cluster, policy, direction, rules)
      : []),
    ...group(view, title, lines, offset),
  ];
}

/** The maximum number of described rules. */
const maximumRules = 10;

/** Names another rule that allows the same as the rule at the cursor. */
function alreadyAllowed(
  cluster: Cluster,
  policy: number,
  direction: Direction,
  [rule]: readonly Rule[],
): readonly Block[] {
  if (rule?.action !== 'Accept') return [];
  const also = alsoAllowedBy(cluster, policy, direction, rule);
  if (also === undefined) return [];
  const other = ruleText(cluster, { ...also, direction, rule: also.rule.index });
  return [paragraph(localize`Everything that this rule allows is also allowed by ${other}.`)];
}

/** Returns sentences such as `Allows 3 workloads to connect to 2 workloads, on TCP 8080.` */
function sentences(
  subjects: readonly Endpoint[],
  direction: Direction,
  rules: readonly Rule[],
  { peers, ports, isOpen }: Allowed,
): readonly string[] {
  const pods = peersText(subjects) ?? '';
  const [first] = rules;
  if (first === undefined) return [localize`Denies all ${direction} of ${pods}, except what other policies allow.`];
  const others = othersText(rules, peers);
  const [from, to] = direction === 'ingress' ? [others, pods] : [pods, others];
  const on = peers.length === 0 || ports === undefined ? '' : localize`, on ${portsText(ports)}`;
  return [
    `${effectText(first.action, from, to)}${on}.`,
    ports === undefined && peers.length > 0 ? localize` The ports differ.` : '',
    isOpen ? localize` There may be more.` : '',
  ];
}

function effectText(action: Action | undefined, from: string, to: string): string {
  switch (action) {
    case 'Accept':
      return localize`Allows ${from} to connect to ${to}`;
    case 'Deny':
      return localize`Denies connections of ${from} to ${to}`;
    case 'Pass':
      return localize`Leaves connections of ${from} to ${to} to the policies of developers`;
    default:
      return localize`Allows, denies or passes on connections of ${from} to ${to}`;
  }
}

function othersText(rules: readonly Rule[], peers: readonly AllowedPeer[]): string {
  if (rules.every(({ anyPeer }) => anyPeer === 'yes')) return localize`everything`;
  return peersText(peers.map(({ end }) => end)) ?? localize`no known workload`;
}

/** Returns a phrase for workloads and addresses, such as `Deployment/web and 10.0.0.0/8`; undefined if there are none. */
function peersText(ends: readonly Endpoint[]): string | undefined {
  const workloads = ends.flatMap((end) => (end.kind === 'workload' ? [end.workload] : []));
  const cidrs = ends.flatMap(({ peer }) => (peer.kind === 'addresses' ? cidrsOf(peer.ranges) : []));
  const addresses =
    cidrs.length <= maximumBlocks && !isEverything(cidrs) ? cidrs.join(', ') : localize`addresses outside the cluster`;
  const [only, ...others] = workloads;
  if (only === undefined) return cidrs.length === 0 ? undefined : addresses;
  const text = others.length === 0 ? objectName(only.where.object) : localize`${workloads.length} workloads`;
  return cidrs.length === 0 ? text : localize`${text} and ${addresses}`;
}

function isEverything(cidrs: readonly string[]): boolean {
  return cidrs.includes('0.0.0.0/0') && cidrs.includes('::/0');
}

/** The text of the code lens of a policy, with and without the ports: `allows 3 workloads to 2 workloads, on TCP 8080`. */
export interface PolicyTitle {
  readonly full: string;
  readonly short: string;
}

/** Returns the text of the code lens of a policy; undefined if it is unknown. */
export function policyTitle(view: FileView, object: ManifestObject): PolicyTitle | undefined {
  if (object.policySpec === undefined) return undefined;
  const cluster = clusterAround(view, object, maximumFilesOfLens);
  const policy = cluster === undefined ? -1 : policyAt(view, cluster, object);
  const found = cluster?.policies[policy];
  if (cluster === undefined || found === undefined || found.policy.tier !== 'NetworkPolicy') return undefined;
  const subjects = subjectsOf(cluster, policy).length;
  if (subjects === 0) return undefined;
  const parts = (['ingress', 'egress'] as const).flatMap((direction) => {
    if (found.policy[direction].covers !== 'yes') return [];
    const { rules } = found.policy[direction];
    return [partOfTitle(direction, subjects, rules, allowedBy(cluster, policy, direction, rules))];
  });
  if (parts.length === 0) return undefined;
  return { full: parts.map(({ full }) => full).join('; '), short: parts.map(({ short }) => short).join('; ') };
}

/** The maximum number of files in a scope for a CodeLens, which is requested while the user types. */
const maximumFilesOfLens = 300;

function partOfTitle(
  direction: Direction,
  subjects: number,
  rules: readonly Rule[],
  { peers, ports, isOpen }: Allowed,
): PolicyTitle {
  const perhaps = isOpen ? localize`, possibly more` : '';
  const pods = counted(subjects, 'workload', 'workloads');
  if (rules.length === 0) {
    const text = localize`denies all ${direction} of ${pods}`;
    return { full: text, short: text };
  }
  const others = othersText(rules, peers);
  const short =
    direction === 'ingress' ? localize`allows ${others} to ${subjects}` : localize`allows ${pods} to ${others}`;
  const isEmpty = peers.length === 0;
  return { full: isEmpty ? `${short}${perhaps}` : localize`${short}, on ${shortPorts(ports)}${perhaps}`, short };
}

function shortPorts(ports: PortSet | undefined): string {
  return ports === undefined ? localize`different ports` : portsText(ports);
}

/** Returns a line for a peer, with its ports if they are not the same for all peers. */
function allowedLine(view: FileView, { end, ports, variesByPod }: AllowedPeer, withPorts: boolean): Line {
  const line = endLine(view, end);
  if (!withPorts) return line;
  return [...line, variesByPod ? localize`: ${portsText(ports)}, but not on every pod` : `: ${portsText(ports)}`];
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
  if (isEverything(cidrs)) return [localize`addresses outside the cluster`];
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
