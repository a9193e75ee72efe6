/** Describes reachability in words: connections, the policies that decide them, and the rules that would allow them after a small change. */

import {
  type Connections,
  format,
  formatRequirement,
  isUnknown,
  type Lack,
  type NearMiss,
  type PortSet,
  type Proof,
  portsByProtocol,
  type SettingEffect,
  type Uncertainty,
  type UnmatchedPeer,
  type Value,
} from '../../engine/index.ts';
import { memoized } from '../../engine/memoize.ts';
import { shownName } from '../../manifests/shown-name.ts';
import { localize } from '../../text/localize.ts';
import type { Cluster, PolicyObject, SettingObject } from './cluster.ts';
import { isPluginPolicy, rejecterOf } from './plugin-policies.ts';

/** The maximum number of ranges of ports in a sentence. */
const maximumRanges = 20;

/** Formats a set of ports: `TCP 80,443 and UDP 53`, `all ports`. */
export function portsText(set: PortSet): string {
  const parts = portsByProtocol(set);
  if (parts.length === 3 && parts.every(({ ports }) => ports === 'all')) return localize`all ports`;
  return joined(
    parts.map(({ protocol, ports }) =>
      ports === 'all' ? localize`all of ${protocol}` : `${protocol} ${shortened(ports)}`,
    ),
  );
}

function shortened(ports: string): string {
  const ranges = ports.split(',');
  if (ranges.length <= maximumRanges) return ports;
  return localize`${ranges.slice(0, maximumRanges).join()},... (${ranges.length} ranges, up to ${ranges.at(-1) ?? ''})`;
}

export function connectionsText({ allowed, unknown }: Connections): string {
  const parts = [
    allowed.bounds.length > 0 ? portsText(allowed) : undefined,
    unknown.bounds.length > 0 ? localize`unknown: ${portsText(unknown)}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

/** Returns the name of a policy: `shop/web`, or `web` for a cluster-scoped policy. */
export function policyName({ namespace, name }: Pick<PolicyObject, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Describes what prevents a rule from allowing a connection: "its selector wants role=frontend, but the pods have no role". */
export function lacksText(lacks: readonly Lack[]): string {
  return joined(lacks.map(lackText));
}

function lackText(lack: Lack): string {
  switch (lack.what) {
    case 'port':
      return lack.ports.bounds.length === 0
        ? localize`it matches no port of the target`
        : localize`it allows only ${portsText(lack.ports)}`;
    case 'namespace':
      return localize`it allows only namespace ${shown(lack.wanted)}, not ${shown(lack.value)}`;
    case 'pod label':
    case 'namespace label': {
      const wanted = formatRequirement(lack.requirement);
      if (lack.isWithoutObject)
        return localize`its selector wants ${wanted}, but the files contain no Namespace object of this namespace`;
      const owner = lack.what === 'pod label' ? localize`the pods have` : localize`the namespace has`;
      const has =
        lack.value === undefined
          ? localize`no ${lack.requirement.key}`
          : `${lack.requirement.key}=${shown(lack.value)}`;
      return localize`its selector wants ${wanted}, but ${owner} ${has}`;
    }
  }
}

function shown(value: Value): string {
  return isUnknown(value) ? value.unknown : value;
}

/** A policy at an end of a connection, and possibly one of its rules. */
type RuleReference = Pick<Uncertainty, 'policy' | 'direction' | 'rule' | 'list'>;

/** Describes a rule: `ingress rule 1 of shop/web`. The first rule has number 1. The name of a policy of another system contains its kind. */
export function ruleText({ policies }: Cluster, at: RuleReference): string {
  const policy = policies[at.policy];
  const name = policy === undefined ? '' : namedPolicy(policy);
  if (at.rule === undefined || at.rule < 0) return name;
  if (at.list === 'rules') return localize`rule ${at.rule + 1} of ${name}`;
  const rule = localize`${at.list ?? at.direction} rule ${at.rule + 1} of ${name}`;
  const { inSpecs } = policy?.policy ?? {};
  return inSpecs === undefined ? rule : localize`${rule} (item ${inSpecs + 1} of \`specs\`)`;
}

const namedPolicy = memoized((policy: PolicyObject): string => {
  const { kind } = policy.where.object;
  const name = policyName(policy);
  return isPluginPolicy(policy.where.object) ? `${kind} ${name}` : name;
});

/** Returns the closest near misses: at most three, with as few missing conditions as the first. */
export function closest(nearMisses: readonly NearMiss[]): readonly NearMiss[] {
  const least = nearMisses[0]?.lacks.length ?? 0;
  return least === 0 || least > 2 ? [] : nearMisses.filter(({ lacks }) => lacks.length === least).slice(0, 3);
}

/** Describes why a policy that is not evaluated, or an object that creates policies, makes connections unknown; undefined for other policies. */
export function otherPolicyText(cluster: Cluster, at: RuleReference): string | undefined {
  const { other, where, namespace } = cluster.policies[at.policy] ?? {};
  if (other === undefined || where === undefined) return undefined;
  const { kind, createdPolicies } = where.object;
  const rule = ruleText(cluster, at);
  if (other.because === 'several plugins')
    return localize`${rule} may concern these pods, but which network plugin runs is unknown: there are policies of Cilium and of Calico`;
  if (createdPolicies !== undefined && other.because !== 'default policy')
    return localize`${kind} ${rule} creates network policies, which may concern these pods`;
  if (other.because === 'syntax error') return localize`the file of ${rule} has a syntax error`;
  if (other.because === 'host endpoints')
    return localize`endpoints of hosts apply ${rule} to connections that they forward, which is not evaluated`;
  if (other.because === 'default policy')
    return localize`${kind} ${rule} sets the default inbound policy of Linkerd, which is not evaluated`;
  return other.because === 'possible root namespace'
    ? localize`${kind} ${rule} may concern these pods ('${namespace ?? ''}' may be the root namespace of Istio), and its rules are not evaluated`
    : localize`${kind} ${rule} may concern these pods, and its rules are not evaluated`;
}

/** Describes why an answer is unknown. */
export function uncertaintyText(cluster: Cluster, uncertainty: Uncertainty): string {
  const rule = ruleText(cluster, uncertainty);
  const other = otherPolicyText(cluster, uncertainty);
  if (other !== undefined) return other;
  const { possiblyBy, rejection, where } = cluster.policies[uncertainty.policy] ?? {};
  if (uncertainty.about === 'subject' && possiblyBy?.gitops !== undefined)
    return localize`${possiblyBy.gitops.facts.name} applies ${rule}, possibly to another cluster`;
  const isBroken = (cluster.policies[uncertainty.policy]?.where.file.manifest.syntaxErrors ?? 0) > 0;
  switch (uncertainty.about) {
    case 'subject':
      if (isBroken) return localize`the file of ${rule} has a syntax error`;
      return localize`it is not known whether ${rule} applies to these pods`;
    case 'acceptance':
      if (rejection !== undefined && where !== undefined) {
        const by = rejecterOf(where.object, rejection);
        const field = (rejection.path ?? []).join('.');
        return localize`${by} rejects ${rule} (${field}: ${rejection.message}), so only an earlier version of it may be in effect`;
      }
      return localize`the version or the settings of its system determine whether ${rule} is enforced`;
    case 'peer':
      return localize`it is not known whether ${rule} includes the peer`;
    case 'port':
      return localize`it is not known whether ${rule} matches the port`;
    case 'address of a pod':
      return localize`${rule} allows addresses; manifests do not contain the addresses of pods`;
    case 'requests':
      return localize`${rule} allows only some requests, or depends on settings of the connection`;
    case 'mesh':
      return localize`the effect of ${rule} depends on proxies, identities or requests that manifests do not determine`;
    case 'order':
      return localize`it is not known in which order ${rule} is evaluated`;
    case 'conditions':
      return localize`${rule} has conditions that are not evaluated`;
    case 'protocol':
      return localize`Cilium drops SCTP unless it is enabled in its settings`;
    case 'node':
      return localize`the node of a pod may connect to it, and the source is on a node`;
    case 'address in the cluster':
      return localize`the address belongs to an object in the cluster, and policies may decide by its labels instead of its address`;
    case 'setting':
      return settingText(cluster.settings[uncertainty.setting ?? -1]);
    case 'host': {
      const creating = cluster.settings.find(({ effect }) => effect === 'creates endpoints of hosts');
      if (creating !== undefined) return settingText(creating);
      return localize`an end of the connection belongs to a HostEndpoint, and what policies and profiles allow there is not evaluated`;
    }
    case 'rule':
      return localize`a template determines whether ${rule} exists`;
  }
}

/** Describes what a setting of a network plugin may change: "FelixConfiguration default sets `chainInsertMode`, so connections that policies deny may be allowed". */
function settingText(setting: SettingObject | undefined): string {
  if (setting === undefined) return localize`unknown`;
  const { where, name, effect } = setting;
  const { kind, name: of } = where.object;
  return localize`${kind} ${of === undefined ? '' : shownName(of)} sets \`${name}\`: ${effectText(effect)}`;
}

function effectText(effect: SettingEffect): string {
  switch (effect) {
    case 'allows':
      return localize`connections that policies deny may be allowed`;
    case 'denies':
      return localize`connections that policies allow may be denied`;
    case 'denies to nodes':
      return localize`connections of pods to their own node may be denied`;
    case 'isolates':
      return localize`pods that no policy isolates may be isolated`;
    case 'ignores NetworkPolicies':
      return localize`NetworkPolicies may have no effect`;
    case 'ignores policies of Cilium':
      return localize`policies of Cilium may have no effect`;
    case 'ignores labels':
      return localize`Cilium may ignore labels that selectors require`;
    case 'creates endpoints of hosts':
      return localize`nodes may have a HostEndpoint, and what policies allow there is not evaluated`;
  }
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : localize`${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Describes the pods that a peer matches: "pods with app=web in namespaces with team=x". */
export function peerText({ pods, namespaces }: UnmatchedPeer['peer'], own: string | undefined): string {
  const what = pods.kind === 'all' ? localize`pods with ${format(pods, 'canonical')}` : localize`pods`;
  if (namespaces?.kind === 'all') return localize`${what} in namespaces with ${format(namespaces, 'canonical')}`;
  return namespaces === undefined && own !== undefined ? localize`${what} in namespace ${own}` : what;
}

/** Describes the decision in one clause: "ingress isolated by shop/db; its selector wants app=web, but the pods have app=wep". */
export function proofText(cluster: Cluster, { allowedBy, deniedBy, notIsolated, nearMisses }: Proof): string {
  const allowed = allowedBy.map((each) => ruleText(cluster, each));
  const denied = deniedBy.map((each) =>
    each.rule === undefined
      ? localize`${each.direction} isolated by ${ruleText(cluster, each)}`
      : ruleText(cluster, each),
  );
  const parts = [...allowed, ...denied];
  const [miss] = closest(nearMisses);
  const text =
    parts.length === 0
      ? localize`no policy isolates ${notIsolated.length === 2 ? 'them' : 'it'}`
      : joined(parts.slice(0, 3));
  return miss === undefined ? text : `${text}; ${lacksText(miss.lacks)}`;
}
