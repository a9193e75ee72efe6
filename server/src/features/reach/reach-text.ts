/** Describes reachability in hovers and on the page about an object. */

import {
  type Action,
  cidrsOf,
  type Direction,
  type Peer,
  type PortSet,
  policiesIn,
  portsByProtocol,
  type Rule,
} from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import type { Cluster, Workload } from '../../workspace/reach/cluster.ts';
import { type ConnectionRow, rowsOfRules, rowsOfWorkload } from '../../workspace/reach/decisions.ts';
import type { Endpoint, WorkloadEnd } from '../../workspace/reach/endpoints.ts';
import { type PolicyTarget, policyTargetAt } from '../../workspace/reach/policy-parts.ts';
import { otherPolicyText, portsText, ruleText } from '../../workspace/reach/sentences.ts';
import {
  type Allowed,
  allowedBy,
  alsoAllowedBy,
  subjectsOf,
  unevaluatedPeers,
} from '../../workspace/reach/summaries.ts';
import { areStoredAsOne } from '../../workspace/same-object.ts';
import { maximumShown, moreLine, objectLine, objectLink } from '../presentation/object-lines.ts';
import { objectName } from '../presentation/object-names.ts';
import { type Block, type Line, paragraph, sentence } from '../presentation/rich-text.ts';
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
    if (subject.workload.hostNetwork) return [onHostNetwork()];
    return (['ingress', 'egress'] as const).flatMap((direction): readonly Block[] => {
      const isIsolated = cluster.reachability.policiesOn(subject.peer, direction).key !== '';
      return isIsolated ? connectionsOf(view, cluster, subject, direction) : [];
    });
  });
}

function onHostNetwork(): Block {
  return paragraph(
    localize`The pods of this workload may use the host network, where the effect of network policies is undefined.`,
  );
}

/** Describes all sources that may connect to the pods of a workload, whether or not policies isolate them. */
export function aboutSources(view: FileView, cluster: Cluster, subject: WorkloadEnd): readonly Block[] {
  if (subject.workload.hostNetwork) return [onHostNetwork()];
  const isIsolated = cluster.reachability.policiesOn(subject.peer, 'ingress').key !== '';
  const open = paragraph(localize`No policy in the indexed files restricts the ingress of this workload.`);
  return [...(isIsolated ? [] : [open]), ...connectionsOf(view, cluster, subject, 'ingress', maximumSources)];
}

/** The maximum number of sources on a page. */
const maximumSources = 1000;

function connectionsOf(
  view: FileView,
  cluster: Cluster,
  subject: WorkloadEnd,
  direction: Direction,
  most?: number,
): readonly Block[] {
  const policies = policiesIn(cluster.reachability.policiesOn(subject.peer, direction));
  const others = policies.flatMap(({ index }) => otherPolicyText(cluster, { policy: index, direction }) ?? []);
  const rows = rowsOfWorkload(cluster, subject, direction);
  const title = direction === 'ingress' ? localize`Reachable from` : localize`Can reach`;
  const unevaluated = new Set(
    policies.flatMap(({ index, policy }) => unevaluatedPeers(cluster, index, policy[direction].rules)),
  );
  return [
    ...(rows.length === 0 && unevaluated.size > 0 ? [] : onlyTheseText(cluster, direction, policies, rows)),
    ...unevaluatedText([...unevaluated]).map((text) => paragraph(localize`Connections are unknown: ${text}.`)),
    ...others.map((other) => paragraph(localize`Connections are unknown: ${other}.`)),
    ...tableOf(view, title, direction, rows, subject.workload.where.object.kindSpan.start, most),
  ];
}

/** What a policy, or a part of it, allows. */
interface AboutPolicy {
  /** The span of the part. */
  readonly span: Span | undefined;
  /** Sentences. */
  readonly verdict: readonly Block[];
  /** Tables of connections, and sentences about single rules. */
  readonly details: readonly Block[];
}

/** Describes the connections that a policy, or the part of it at an offset, allows; undefined if there is no policy, or if it has no effect. */
export function aboutPolicy(view: FileView, object: ManifestObject, offset?: number): AboutPolicy | undefined {
  if (object.policySpec === undefined) return undefined;
  const written = offset === undefined ? undefined : policyTargetAt(object, offset);
  if (offset !== undefined && written === undefined) return undefined;
  const cluster = clusterAround(view, object);
  const policy = cluster === undefined ? -1 : policyAt(view, cluster, object);
  if (cluster === undefined) return undefined;
  if (policy === -1) return offset === undefined ? aboutNamesake(view, cluster, object) : undefined;
  const scope = cluster.policies[policy]?.where.workspace.appliedBy;
  // The values of a chart decide which rules, peers and ports the policy has, and so their indexes.
  const isOfChart = scope?.kind === 'chart' && offset !== undefined;
  const applied = isOfChart ? cluster.policies[policy]?.where.object : undefined;
  const target = applied === undefined || offset === undefined ? written : policyTargetAt(applied, offset);
  if (written !== undefined && (target === undefined || target.part !== written.part))
    return {
      span: written.span,
      verdict: [paragraph(localize`The values of the chart do not create this part of the policy.`)],
      details: [],
    };
  const directions = target === undefined ? (['ingress', 'egress'] as const) : [target.direction];
  const found = directions.map((direction) => aboutDirection(view, cluster, policy, direction, target));
  const verdict = found.flatMap((each) => each.verdict);
  const details = found.flatMap((each) => each.details);
  return verdict.length + details.length === 0 ? undefined : { span: target?.span, verdict, details };
}

/** States that a policy is not evaluated, because another file defines it, too; undefined if none does. */
function aboutNamesake(view: FileView, { policies }: Cluster, object: ManifestObject): AboutPolicy | undefined {
  const other = policies.find(({ where }) => where.file.uri !== view.file.uri && areStoredAsOne(where.object, object));
  if (other === undefined) return undefined;
  const where: Line = objectLine(view, other.where, nameSpan(other.where.object));
  return {
    span: undefined,
    verdict: [paragraph(localize`Its connections are not evaluated, because another file defines it, too: `, ...where)],
    details: [],
  };
}

type AboutDirection = Pick<AboutPolicy, 'verdict' | 'details'>;

function aboutDirection(
  view: FileView,
  cluster: Cluster,
  policy: number,
  direction: Direction,
  target: PolicyTarget | undefined,
): AboutDirection {
  const found = cluster.policies[policy];
  if (found === undefined || found.policy[direction].covers === 'no') {
    const isWritten = found !== undefined && found.policy[direction].rules.length > 0;
    const unused = localize`\`policyTypes\` does not include ${direction}, so these rules have no effect.`;
    return { verdict: isWritten ? [paragraph(unused)] : [], details: [] };
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
  // Without rules, a policy denies the same for any pods.
  const deniesAll =
    found.policy.tier === 'NetworkPolicy' && all.length === 0 && found.policy[direction].covers === 'yes';
  if (subjects.length === 0 && !deniesAll) return { verdict: [], details: [] };
  // In the tiers of administrators, the first rule that matches decides, so that the rules are not united.
  if (found.policy.tier !== 'NetworkPolicy' && target?.rule === undefined) {
    const [first, ...others] = narrowed.slice(0, maximumRules).map((rule) => {
      const allowed = allowedBy(cluster, policy, direction, [rule]);
      return paragraph(localize`Rule ${rule.index + 1}: `, ...sentences(subjects, direction, [rule], allowed));
    });
    return { verdict: first === undefined ? [] : [first], details: others };
  }
  // Peers are compared by identity, so they are not copied.
  const allowed = allowedBy(cluster, policy, direction, narrowed);
  const rows = rowsOfRules(cluster, policy, direction, narrowed);
  const title =
    direction === 'ingress' ? localize`Sources that the policy allows` : localize`Targets that the policy allows`;
  const offset = target?.span.start ?? found.where.object.kindSpan.start;
  const isRule = target?.rule !== undefined && target.part === undefined;
  return {
    verdict: [
      paragraph(...sentences(subjects, direction, narrowed, allowed)),
      ...(isRule ? alreadyAllowed(cluster, policy, direction, rules) : []),
    ],
    details: tableOf(view, title, direction, rows, offset),
  };
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

/** Returns sentences such as `Deployment/web may connect to Deployment/db on TCP 5432.` */
function sentences(
  subjects: readonly Endpoint[],
  direction: Direction,
  rules: readonly Rule[],
  allowed: Allowed,
): readonly string[] {
  const pods = peersText(subjects) ?? localize`the pods that it selects`;
  const [first] = rules;
  if (first === undefined) return [localize`Denies all ${direction} of ${pods}, except what other policies allow.`];
  const { full } =
    first.action === 'Accept'
      ? phraseOf(direction, rules, allowed, pods)
      : { full: effectText(first.action, direction, [pods, othersText(direction, rules, allowed)], allowed) };
  const unevaluated = isAnyone(rules) ? [] : unevaluatedText(allowed.unevaluated);
  return [
    `${full.charAt(0).toUpperCase()}${full.slice(1)}.`,
    allowed.isOpen ? localize` There may be more.` : '',
    ...unevaluated.map((text) => ` ${text.charAt(0).toUpperCase()}${text.slice(1)}.`),
  ];
}

/** States that the pods of workloads are no ends of connections; empty if there are none. */
function unevaluatedText(workloads: readonly Workload[]): readonly string[] {
  const pods = podsOf(workloads);
  return pods === undefined ? [] : [localize`${pods} are not evaluated`];
}

/** Returns a phrase such as `pods of Prometheus/k8s and 2 more objects`; undefined if there are none. */
function podsOf([first, ...others]: readonly Workload[]): string | undefined {
  if (first === undefined) return undefined;
  const name = objectName(first.where.object);
  if (others.length === 0) return localize`pods of ${name}`;
  return localize`pods of ${name} and ${counted(others.length, 'more object', 'more objects')}`;
}

/** Describes what a rule of a policy in a tier of administrators does, unless it allows connections. */
function effectText(
  action: Action | undefined,
  direction: Direction,
  [pods, others]: readonly [pods: string, others: string],
  { peers, ports }: Allowed,
): string {
  const [from, to] = direction === 'ingress' ? [others, pods] : [pods, others];
  const on = peers.length === 0 ? '' : localize` on ${shortPorts(ports)}`;
  switch (action) {
    case 'Deny':
      return localize`denies connections of ${from} to ${to}${on}`;
    case 'Pass':
      return localize`leaves connections of ${from} to ${to}${on} to the policies of developers`;
    default:
      return localize`allows, denies or passes on connections of ${from} to ${to}${on}`;
  }
}

/** A phrase with and without the ports: `3 workloads may connect on TCP 8080`. */
interface Phrase {
  readonly full: string;
  readonly short: string;
}

/** Returns what rules of a policy allow, in the same words in hovers, pages and lenses. A lens does not name the pods of the policy, because it also names what the policy selects. */
function phraseOf(direction: Direction, rules: readonly Rule[], allowed: Allowed, pods?: string): Phrase {
  const { peers, ports, inEveryCluster } = allowed;
  const others = othersText(direction, rules, allowed, pods === undefined);
  const hasPorts = peers.length > 0 || (inEveryCluster.length > 0 && ports !== undefined);
  const on = hasPorts ? shortPorts(ports) : '';
  const arePods = peers.every(({ end }) => end.kind === 'workload');
  if (direction === 'ingress' && arePods && !isAnyone(rules)) {
    const short = pods === undefined ? localize`${others} may connect` : localize`${others} may connect to ${pods}`;
    return { full: on === '' ? short : localize`${short} on ${on}`, short };
  }
  const what = pods === undefined ? direction : localize`${direction} of ${pods}`;
  const dns = direction === 'egress' && ports !== undefined ? dnsText(ports) : undefined;
  if (dns !== undefined) {
    const full = localize`${what}: ${dns} to ${others}`;
    return { full, short: full };
  }
  const short = direction === 'ingress' ? localize`${what} from ${others}` : localize`${what} to ${others}`;
  return { full: on === '' ? short : `${short}, ${on}`, short };
}

/** Describes ports on which only DNS is expected. */
function dnsText(ports: PortSet): string | undefined {
  const shown = portsByProtocol(ports).map((each) => `${each.protocol} ${each.ports}`);
  if (shown.join() === 'TCP 53,UDP 53') return localize`DNS (port 53)`;
  return shown.join() === 'UDP 53' ? localize`DNS (UDP 53)` : undefined;
}

function isAnyone(rules: readonly Rule[]): boolean {
  return rules.every(({ anyPeer }) => anyPeer === 'yes');
}

function othersText(
  direction: Direction,
  rules: readonly Rule[],
  { peers, unevaluated, inEveryCluster }: Allowed,
  isShort = false,
): string {
  if (isAnyone(rules)) return localize`anywhere`;
  const isEveryone = rules.some(({ peers: given }) => given.some(isEveryPod));
  const here = peers.filter(({ end }) => end.kind === 'workload').length;
  const everyone = isShort
    ? localize`any pod`
    : localize`every pod in the cluster (${counted(here, 'workload', 'workloads')} here)`;
  const known = peersText(
    peers.map(({ end }) => end),
    isEveryone ? everyone : undefined,
  );
  const pods = known === undefined ? podsOf(unevaluated) : undefined;
  if (pods !== undefined) return isShort ? localize`${pods} (not evaluated)` : pods;
  const [pod] = inEveryCluster;
  if (known === undefined && pod !== undefined)
    return isShort ? podName(pod) : localize`${podName(pod)} (in every cluster)`;
  return known ?? (direction === 'ingress' ? localize`no known workload` : localize`no known target`);
}

function podName({ where: { object } }: Workload): string {
  return objectName(object);
}

function isEveryPod(peer: Peer): boolean {
  return peer.kind === 'pods' && peer.namespaces?.kind === 'everything' && peer.pods.kind === 'everything';
}

/** Returns a phrase for workloads and addresses, such as `Deployment/web and 10.0.0.0/8`; undefined if there are none. `everyone` replaces the workloads if they are all pods of a cluster. */
function peersText(ends: readonly Endpoint[], everyone?: string): string | undefined {
  const workloads = ends.flatMap((end) => (end.kind === 'workload' ? [end.workload] : []));
  const cidrs = ends.flatMap(({ peer }) => (peer.kind === 'addresses' ? cidrsOf(peer.ranges) : []));
  const addresses =
    cidrs.length <= maximumBlocks && !isEverything(cidrs) ? cidrs.join(', ') : localize`addresses outside the cluster`;
  const [only, ...others] = workloads;
  if (only === undefined && everyone === undefined) return cidrs.length === 0 ? undefined : addresses;
  const some =
    only === undefined || others.length > 0 ? localize`${workloads.length} workloads` : objectName(only.where.object);
  const text = everyone ?? some;
  return cidrs.length === 0 ? text : localize`${text} and ${addresses}`;
}

function isEverything(cidrs: readonly string[]): boolean {
  return cidrs.includes('0.0.0.0/0') && cidrs.includes('::/0');
}

/** Returns the text of the code lens of a policy; undefined if it is unknown. */
export function policyTitle(view: FileView, object: ManifestObject): Phrase | undefined {
  if (object.policySpec === undefined) return undefined;
  const cluster = clusterAround(view, object, maximumFilesOfLens);
  const policy = cluster === undefined ? -1 : policyAt(view, cluster, object);
  const found = cluster?.policies[policy];
  if (cluster === undefined || found === undefined || found.policy.tier !== 'NetworkPolicy') return undefined;
  const subjects = subjectsOf(cluster, policy).length;
  if (subjects === 0) return undefined;
  const covered = (['ingress', 'egress'] as const).filter((each) => found.policy[each].covers === 'yes');
  const denied = covered.filter((each) => found.policy[each].rules.length === 0);
  const pods = counted(subjects, 'workload', 'workloads');
  if (denied.length === 2) return onlyPhrase(localize`denies all traffic of ${pods}`);
  const parts = covered.map((direction): Phrase => {
    const { rules } = found.policy[direction];
    if (rules.length === 0) return onlyPhrase(localize`denies all ${direction} of ${pods}`);
    const allowed = allowedBy(cluster, policy, direction, rules);
    const { full, short } = phraseOf(direction, rules, allowed);
    const hasMore = allowed.isOpen || (allowed.unevaluated.length > 0 && allowed.peers.length > 0 && !isAnyone(rules));
    return { full: hasMore ? localize`${full}, possibly more` : full, short };
  });
  if (parts.length === 0) return undefined;
  return { full: parts.map(({ full }) => full).join('; '), short: parts.map(({ short }) => short).join('; ') };
}

/** The maximum number of files in a scope for a CodeLens, which is requested while the user types. */
const maximumFilesOfLens = 300;

function onlyPhrase(text: string): Phrase {
  return { full: text, short: text };
}

function shortPorts(ports: PortSet | undefined): string {
  return ports === undefined ? localize`different ports` : portsText(ports);
}

/** States that no other connections than those in the table are allowed, and names the policies that decide; empty if no policy is evaluated. */
function onlyTheseText(
  cluster: Cluster,
  direction: Direction,
  selecting: ReturnType<typeof policiesIn>,
  rows: readonly ConnectionRow[],
): readonly Block[] {
  const names = selecting.flatMap(({ index }) => {
    const policy = cluster.policies[index];
    if (policy === undefined || otherPolicyText(cluster, { policy: index, direction }) !== undefined) return [];
    // A policy of Cilium with `enableDefaultDeny: false` denies nothing else.
    if (policy.policy[direction].isolates === 'no') return [];
    return [objectName(policy.where.object)];
  });
  const [name, ...others] = new Set(names);
  if (name === undefined) return [];
  const by = others.length === 0 ? name : localize`${name} and ${others.length} more`;
  const isIngress = direction === 'ingress';
  const allowed = rows.every(({ certain }) => certain) ? localize`allowed` : localize`allowed or unknown`;
  if (rows.length > 0)
    return [
      paragraph(
        isIngress
          ? localize`Ingress: only the connections below are ${allowed} (${by}).`
          : localize`Egress: only the connections below are ${allowed} (${by}).`,
      ),
    ];
  return [
    paragraph(
      isIngress
        ? localize`No known source may connect (${by}).`
        : localize`Connections to no known target are allowed (${by}).`,
    ),
  ];
}

/** Returns a title with the number of other ends, and a table of connections, which is truncated if there are too many. */
function tableOf(
  view: FileView,
  title: string,
  direction: Direction,
  rows: readonly ConnectionRow[],
  offset: number,
  most = maximumShown,
): readonly Block[] {
  if (rows.length === 0) return [];
  const ends = new Set(rows.map(({ end }) => (end.kind === 'workload' ? end.workload : end.peer)));
  const shown = rows.slice(0, most);
  const left = rows.length - shown.length;
  return [
    paragraph({ kind: 'strong', text: title }, ` (${ends.size})`),
    {
      kind: 'table',
      head: [direction === 'ingress' ? localize`From` : localize`To`, localize`Ports`, localize`Why`],
      rows: shown.map(({ end, ports, why }) => [endCell(view, end), [ports], sentence(why)]),
    },
    ...(left > 0 ? [paragraph(...moreLine(view, left, offset))] : []),
  ];
}

function endCell(view: FileView, end: Endpoint): Line {
  if (end.kind === 'workload') {
    const { where } = end.workload;
    return objectLink(view, where, nameSpan(where.object));
  }
  const cidrs = end.peer.kind === 'addresses' ? cidrsOf(end.peer.ranges) : [];
  if (isEverything(cidrs)) return [localize`addresses outside the cluster`];
  const more = cidrs.length > maximumBlocks ? localize` and ${cidrs.length - maximumBlocks} more blocks` : '';
  return [{ kind: 'code', text: cidrs.slice(0, maximumBlocks).join(', ') }, more];
}

const maximumBlocks = 3;

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
