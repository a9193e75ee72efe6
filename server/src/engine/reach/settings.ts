/** Evaluates settings of network plugins, which may change what policies decide at the pod at one end of a connection. */

import type { Allowance, End } from './cilium-tier.ts';
import type { PeerClass } from './peers.ts';
import type { PortSets } from './ports.ts';
import { type Profile, policiesIn } from './profiles.ts';
import type { ReachWorld, SettingEffect } from './types.ts';

/** Whether settings create endpoints of hosts to which policies of Calico may apply. Without such policies, their profiles allow everything. */
export function createsHostEndpoints({ settings = [], policies }: ReachWorld): boolean {
  return settings.includes('creates endpoints of hosts') && policies.some(({ tier }) => tier === 'Calico');
}

/** Returns what an end may allow and deny with a setting, if the setting may also have no effect. */
export function withSetting(
  effect: SettingEffect,
  decided: Allowance,
  profile: Profile,
  end: End,
  sets: PortSets,
): Allowance {
  if (end.subject.pod.hostNetwork === 'yes') return decided;
  const { all } = sets;
  const [allowing, denying] = [
    { ...decided, allow: all },
    { ...decided, deny: all },
  ];
  const both = { allow: all, deny: all };
  switch (effect) {
    case 'allows':
      return allowing;
    case 'denies':
      return denying;
    case 'denies to nodes':
      return end.direction === 'egress' && isOnNode(end.other) ? denying : decided;
    case 'isolates':
      return isIsolated(profile, end) ? decided : denying;
    case 'ignores NetworkPolicies':
      if (profile.network.length === 0) return decided;
      return profile.hasOthers ? both : allowing;
    case 'ignores policies of Cilium':
      return profile.cilium.length === 0 ? decided : both;
    case 'ignores labels':
      return both;
    case 'creates endpoints of hosts':
      return decided;
  }
}

/** Whether some policy certainly denies what no rule allows. */
function isIsolated(profile: Profile, { direction }: End): boolean {
  return policiesIn(profile).some(
    ({ policy, answer }) =>
      answer === 'yes' &&
      (policy.tier === 'NetworkPolicy' || (policy.tier === 'Cilium' && policy[direction].isolates === 'yes')),
  );
}

/** Whether the members of a class are, or may be, on the network of a node. */
export function isOnNode(peer: PeerClass): boolean {
  return peer.kind === 'pods' ? (peer.pod.hostNetwork ?? 'no') !== 'no' : peer.isOfHost === true;
}
