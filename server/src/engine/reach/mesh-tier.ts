/** Evaluates policies of Istio at the target of a connection. Sources: pilot/pkg/security/authz and pilot/pkg/security/authn of Istio. */

import { and, not, or } from '../answers.ts';
import { getOrAdd } from '../memoize.ts';
import { type Answer, isUnknown, type Value } from '../types.ts';
import { isSame } from '../unknowns.ts';
import type { Allowance, End } from './cilium-tier.ts';
import { hasProxy } from './mesh-proxies.ts';
import type { PeerClass } from './peers.ts';
import { maxPort, type PortSet } from './ports.ts';
import type { Selecting } from './profiles.ts';
import type { RuleMatches } from './rule-matches.ts';
import type { MatchedPorts } from './target-ports.ts';
import type {
  MeshAuthentication,
  MeshAuthorization,
  MeshCondition,
  MeshMode,
  MeshRule,
  ReachPod,
  ReachWorld,
} from './types.ts';

/** The decision of one policy about some ports. */
export interface MeshEffect {
  readonly policy: number;
  readonly rule?: number;
  /** `allows` and `denies`: a rule matches. `isolates`: the policy denies what no rule of any policy allows. */
  readonly effect: 'allows' | 'denies' | 'isolates';
  readonly ports: MatchedPorts;
}

/** The source of a connection, as the proxy of the target identifies it. */
interface Source {
  /** The pod; undefined for addresses. */
  readonly pod: ReachPod | undefined;
  readonly hasProxy: Answer;
}

export class MeshTier {
  readonly #rules: RuleMatches;
  readonly #effects = new Map<string, readonly MeshEffect[]>();
  /** Whether sources may send without mutual TLS although they have a proxy. */
  readonly #hasTlsSettings: boolean;
  /** The ports of TCP; connections of other protocols do not pass through proxies. */
  readonly #all: PortSet;

  constructor(rules: RuleMatches, { hasTlsSettings }: ReachWorld) {
    this.#rules = rules;
    this.#hasTlsSettings = hasTlsSettings === true;
    this.#all = rules.sets.range('TCP', 1, maxPort);
  }

  /** Returns the decision of the policies of Istio that apply to the target. */
  decide(policies: readonly Selecting[], end: End): Allowance {
    const { sets } = this.#rules;
    let [allow, deny] = [sets.all, sets.none];
    if (end.direction === 'egress') return { allow, deny };
    const effects = this.effects(policies, end);
    const of = (effect: MeshEffect['effect']) => effects.filter((each) => each.effect === effect);
    let [allowed, mayBeAllowed] = [sets.none, sets.none];
    for (const { ports } of of('allows')) {
      allowed = sets.union(allowed, ports.certain);
      mayBeAllowed = sets.union(mayBeAllowed, ports.possible);
    }
    for (const { ports } of of('isolates')) {
      deny = sets.union(deny, sets.difference(ports.possible, allowed));
      allow = sets.difference(allow, sets.difference(ports.certain, mayBeAllowed));
    }
    for (const { ports } of of('denies')) {
      deny = sets.union(deny, ports.possible);
      allow = sets.difference(allow, ports.certain);
    }
    return { allow, deny };
  }

  /** Returns what each policy decides. */
  effects(policies: readonly Selecting[], { subject, other }: End): readonly MeshEffect[] {
    const key = `${subject.place} ${other.kind} ${other.place}`;
    return getOrAdd(this.#effects, key, () => {
      const isProxied = this.#proxyOf(subject.pod);
      if (isProxied === 'no') return [];
      const source = this.#sourceOf(other);
      const { modes, found } = this.#authentication(policies, source);
      const identity = this.#identity(source, modes);
      const effects = [
        ...found,
        ...policies.flatMap((each) => {
          const { mesh } = each.policy;
          return mesh?.kind === 'authorization' ? this.#authorization(each, mesh, source, identity) : [];
        }),
      ];
      if (isProxied === 'yes') return effects;
      // Without a proxy, no policy has an effect.
      return effects.map((each) =>
        each.effect === 'allows' ? each : { ...each, ports: { ...each.ports, certain: this.#rules.sets.none } },
      );
    });
  }

  #proxyOf(pod: ReachPod): Answer {
    return hasProxy(pod, this.#rules.peers.namespaceLabels(pod.namespace));
  }

  #sourceOf(other: PeerClass): Source {
    if (other.kind === 'addresses') return { pod: undefined, hasProxy: 'no' };
    const isProxied = this.#proxyOf(other.pod);
    return { pod: other.pod, hasProxy: this.#hasTlsSettings ? and(isProxied, 'maybe') : isProxied };
  }

  /** Returns the possible modes of mutual TLS by ports, and what they deny: a source without a proxy cannot use it. */
  #authentication(
    policies: readonly Selecting[],
    source: Source,
  ): { readonly modes: readonly (readonly [PortSet, ReadonlySet<MeshMode>])[]; readonly found: readonly MeshEffect[] } {
    const { sets } = this.#rules;
    let modes: (readonly [PortSet, ReadonlySet<MeshMode>])[] = [[this.#all, new Set<MeshMode>(['PERMISSIVE'])]];
    let last: Selecting | undefined;
    for (const level of ['mesh', 'namespace', 'workload'] as const) {
      const own = policies.flatMap((each) =>
        each.policy.mesh?.kind === 'authentication' && each.policy.mesh.level === level
          ? [[each, each.policy.mesh] as const]
          : [],
      );
      if (own.length === 0) continue;
      last = own[0]?.[0];
      modes = modes.flatMap(([ports, inherited]) => this.#atLevel(ports, inherited, own));
    }
    const strict = (isCertain: boolean) =>
      modes
        .filter(([, each]) => each.has('STRICT') && (!isCertain || each.size === 1))
        .reduce((ports, [each]) => sets.union(ports, each), sets.none);
    if (last === undefined || source.hasProxy === 'yes') return { modes, found: [] };
    const ports = { certain: source.hasProxy === 'no' ? strict(true) : sets.none, possible: strict(false) };
    return { modes, found: [{ policy: last.index, effect: 'denies', ports }] };
  }

  /** Returns the modes after the policies of one level. Of several policies on one level, the oldest one decides. */
  #atLevel(
    ports: PortSet,
    inherited: ReadonlySet<MeshMode>,
    policies: readonly (readonly [Selecting, MeshAuthentication])[],
  ): readonly (readonly [PortSet, ReadonlySet<MeshMode>])[] {
    const { sets } = this.#rules;
    const singles = new Set(policies.flatMap(([, { ports: own }]) => own.map(([port]) => port)));
    const parts = [...singles].map((port) => sets.intersection(ports, sets.range('TCP', port, port)));
    const rest = parts.reduce((left, part) => sets.difference(left, part), ports);
    const isCertain = policies.some(([{ answer }]) => answer === 'yes');
    const modesAt = (port: number | undefined): ReadonlySet<MeshMode> => {
      const found = new Set<MeshMode>(isCertain ? [] : inherited);
      for (const [, { mode, ports: own, isOpen }] of policies) {
        const general = mode === 'inherited' ? inherited : possible(mode);
        const single = own.find(([each]) => each === port);
        const at = single === undefined || single[1] === 'inherited' ? general : possible(single[1]);
        for (const each of isOpen ? possible(undefined) : at) found.add(each);
      }
      return found;
    };
    const all = [
      [rest, modesAt(undefined)] as const,
      ...[...singles].map((port, at) => [parts[at] ?? rest, modesAt(port)] as const),
    ];
    return all.filter(([each]) => each !== sets.none);
  }

  /** Returns the ports on which the source certainly has an identity, and on which it may have one. */
  #identity(source: Source, modes: readonly (readonly [PortSet, ReadonlySet<MeshMode>])[]): MatchedPorts {
    const { sets } = this.#rules;
    const united = (isIn: (modes: ReadonlySet<MeshMode>) => boolean) =>
      modes.filter(([, each]) => isIn(each)).reduce((ports, [each]) => sets.union(ports, each), sets.none);
    return {
      certain: source.hasProxy === 'yes' ? united((each) => !each.has('DISABLE')) : sets.none,
      possible: source.hasProxy === 'no' ? sets.none : united((each) => !each.has('DISABLE') || each.size > 1),
    };
  }

  #authorization(
    { index, answer, policy }: Selecting,
    { action, rules }: MeshAuthorization,
    source: Source,
    identity: MatchedPorts,
  ): readonly MeshEffect[] {
    const { sets } = this.#rules;
    const matched = rules.map((rule): MeshEffect => {
      const ports = this.#matched(rule, source, identity, policy.namespace ?? '');
      const certain = answer === 'yes' ? ports.certain : sets.none;
      return { policy: index, rule: rule.index, effect: 'denies', ports: { certain, possible: ports.possible } };
    });
    const uncertain = (each: MeshEffect) => ({ ...each, ports: { ...each.ports, certain: sets.none } });
    // A policy that possibly applies certainly allows what its own rules allow.
    const ownCertain = this.#certainlyMatched(rules, source, identity, policy.namespace ?? '');
    const isolation: MeshEffect = {
      policy: index,
      effect: 'isolates',
      ports: {
        certain: answer === 'yes' ? this.#all : sets.none,
        possible: answer === 'yes' ? this.#all : sets.difference(this.#all, ownCertain),
      },
    };
    switch (action) {
      case 'DENY':
        return matched;
      case 'CUSTOM':
        return matched.map(uncertain);
      case 'ALLOW':
        return [...matched.map((each): MeshEffect => ({ ...each, effect: 'allows' })), isolation];
      default:
        return [{ policy: index, effect: 'denies', ports: { certain: sets.none, possible: this.#all } }];
    }
  }

  #certainlyMatched(rules: readonly MeshRule[], source: Source, identity: MatchedPorts, own: Value): PortSet {
    const { sets } = this.#rules;
    return rules.reduce(
      (ports, rule) => sets.union(ports, this.#matched(rule, source, identity, own).certain),
      sets.none,
    );
  }

  /** Returns the ports on which a rule matches, with and without an identity of the source. */
  #matched(rule: MeshRule, source: Source, identity: MatchedPorts, own: Value): MatchedPorts {
    const { sets } = this.#rules;
    const withIdentity = this.#matchedBy(rule, source.pod, own);
    const without = this.#matchedBy(rule, undefined, own);
    const both = sets.intersection(withIdentity.certain, without.certain);
    return {
      certain: sets.union(
        both,
        sets.union(
          sets.intersection(withIdentity.certain, identity.certain),
          sets.difference(without.certain, identity.possible),
        ),
      ),
      possible: sets.union(
        sets.intersection(withIdentity.possible, identity.possible),
        sets.difference(without.possible, identity.certain),
      ),
    };
  }

  #matchedBy({ from, to, when }: MeshRule, source: ReachPod | undefined, own: Value): MatchedPorts {
    const { sets } = this.#rules;
    const fromAnswer =
      from === undefined ? 'yes' : from.map((parts) => this.#holds(parts, source, own)).reduce(or, 'no');
    const answer = and(fromAnswer, this.#holds(when, source, own));
    if (answer === 'no') return { certain: sets.none, possible: sets.none };
    const operations = (to ?? [[]]).map((parts) => this.#portsOf(parts, this.#holds(parts, source, own)));
    const union = (kind: keyof MatchedPorts) =>
      operations.reduce((ports, each) => sets.union(ports, each[kind]), sets.none);
    const inWhen = this.#portsOf(when, 'yes');
    const certain = sets.intersection(union('certain'), inWhen.certain);
    return {
      certain: answer === 'yes' ? certain : sets.none,
      possible: sets.intersection(union('possible'), inWhen.possible),
    };
  }

  /** Whether all conditions hold that do not concern the port. */
  #holds(conditions: readonly MeshCondition[], source: ReachPod | undefined, own: Value): Answer {
    return conditions
      .map(({ of, values, isNegated }): Answer => {
        if (of === 'port') return 'yes';
        if (of === 'other') return 'maybe';
        const answer =
          source === undefined ? 'no' : values.map((value) => isOf(of, value, source, own)).reduce(or, 'no');
        return isNegated ? not(answer) : answer;
      })
      .reduce(and, 'yes');
  }

  /** Returns the ports on which all conditions on the port hold, if the others have the given answer. */
  #portsOf(conditions: readonly MeshCondition[], answer: Answer): MatchedPorts {
    const { sets } = this.#rules;
    let [certain, possible] = [this.#all, this.#all];
    for (const { of, values, isNegated } of conditions) {
      if (of !== 'port') continue;
      const known = values.filter((value) => typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value)).map(Number);
      const ports = known.reduce((all, port) => sets.union(all, sets.range('TCP', port, port)), sets.none);
      const isOpen = known.length < values.length;
      const wide = isOpen ? this.#all : ports;
      certain = isNegated ? sets.difference(certain, wide) : sets.intersection(certain, ports);
      possible = isNegated ? sets.difference(possible, ports) : sets.intersection(possible, wide);
    }
    if (answer === 'no') return { certain: sets.none, possible: sets.none };
    return { certain: answer === 'yes' ? certain : sets.none, possible };
  }
}

function possible(mode: MeshMode | 'inherited' | undefined): ReadonlySet<MeshMode> {
  return new Set<MeshMode>(mode === undefined || mode === 'inherited' ? ['STRICT', 'PERMISSIVE', 'DISABLE'] : [mode]);
}

/** Whether a property of a source, which its certificate contains, has a value. */
function isOf(
  of: MeshCondition['of'],
  value: Value,
  { namespace, serviceAccount = 'default' }: ReachPod,
  own: Value,
): Answer {
  if (isUnknown(value)) return 'maybe';
  if (of === 'namespace') return matchesPattern(value, namespace);
  if (of === 'account') {
    if (value.includes('*')) return 'maybe';
    const slash = value.indexOf('/');
    const [wanted, name] = slash === -1 ? [own, value] : [value.slice(0, slash), value.slice(slash + 1)];
    return and(isSame(wanted, namespace), isSame(name, serviceAccount));
  }
  if (isUnknown(namespace) || isUnknown(serviceAccount)) return value === '*' ? 'yes' : 'maybe';
  const identity = `/ns/${namespace}/sa/${serviceAccount}`;
  const [, domain = '', rest = ''] = /^([^/*]+)(\/.*)$/.exec(value) ?? [];
  if (domain === '' || domain === 'cluster.local') return matchesPattern(value, `cluster.local${identity}`);
  // The trust domain of a mesh is a setting.
  return and(matchesPattern(rest, identity), 'maybe');
}

/** Whether a text matches a pattern, in which a star at the beginning or at the end, or alone, matches any text. */
function matchesPattern(pattern: string, text: Value): Answer {
  if (pattern === '*') return 'yes';
  if (!pattern.startsWith('*') && !pattern.endsWith('*')) return isSame(pattern, text);
  if (isUnknown(text)) return 'maybe';
  const isMatch = pattern.startsWith('*') ? text.endsWith(pattern.slice(1)) : text.startsWith(pattern.slice(0, -1));
  return isMatch ? 'yes' : 'no';
}
