/** The selections of NetworkPolicies as network plugins read them, if Kubernetes may read them differently. Sources: pkg/k8s/network_policy.go of Cilium, libcalico-go/lib/backend/k8s/conversion of Calico. */

import { isDerivedCalicoKey } from '../calico/endpoint.ts';
import type { CalicoNode } from '../calico/types.ts';
import { type EndpointSelector, matchesIdentity, type SourcedRequirement } from '../cilium/endpoint-selector.ts';
import { isIgnoredLabel, namespaceKey, namespaceLabelPrefix } from '../cilium/label-keys.ts';
import { isDerivedCiliumKey } from '../cilium/own-requirements.ts';
import { everything } from '../selector.ts';
import type { Requirement, Selector, Value } from '../types.ts';
import type { CalicoExpression, CalicoPeer, Peer, Plugin, ReachWorld } from './types.ts';

/** A selection of pods by a NetworkPolicy: its subject, or a peer of one of its rules. */
export type PodPeer = Extract<Peer, { kind: 'pods' }>;

/** A selection by a network plugin. */
export type Reading = Extract<Peer, { kind: 'endpoints' }> | CalicoPeer;

/** Returns the network plugins that may run. */
export function pluginsOf({ policies, plugins = [] }: Pick<ReachWorld, 'policies' | 'plugins'>): ReadonlySet<Plugin> {
  const evaluated = policies.flatMap(({ tier }) => (tier === 'Cilium' || tier === 'Calico' ? [tier] : []));
  return new Set([...evaluated, ...plugins]);
}

/** Returns the readings of network plugins that may differ from the reading of Kubernetes, without unknown requirements. `own` is the namespace of the policy. */
export function readingsOf(peer: PodPeer, own: Value, plugins: ReadonlySet<Plugin>): readonly Reading[] {
  const pods = requirementsOf(peer.pods);
  const namespaces = peer.namespaces && requirementsOf(peer.namespaces);
  if (plugins.size === 0 || pods === undefined || (peer.namespaces !== undefined && namespaces === undefined))
    return [];
  const readings: Reading[] = [];
  if (plugins.has('Cilium')) {
    const selector = ofCilium(pods, namespaces, own);
    const isSpecial = pods.some(({ key }) => isIgnoredLabel(key) || isDerivedCiliumKey(key));
    // Before version 1.19, Cilium also compares addresses and nodes with peers that allow the absence of all labels.
    if (isSpecial || matchesIdentity(selector, 'node') !== 'no') readings.push({ kind: 'endpoints', selector });
  }
  const isOfCalico = [...pods, ...(namespaces ?? [])].some(({ key }) => isDerivedCalicoKey(key));
  if (plugins.has('Calico') && isOfCalico) readings.push(ofCalico(pods, namespaces, own));
  return readings;
}

/** Returns the requirements of a selector; undefined if it selects nothing. */
function requirementsOf(selector: Selector): readonly Requirement[] | undefined {
  if (selector.kind === 'nothing') return undefined;
  return selector.kind === 'all' ? selector.requirements : [];
}

function ofCilium(
  pods: readonly Requirement[],
  namespaces: readonly Requirement[] | undefined,
  own: Value,
): EndpointSelector {
  const place: readonly Requirement[] =
    namespaces === undefined
      ? [{ key: namespaceKey, operator: '=', values: [own] }]
      : namespaces.length === 0
        ? [{ key: namespaceKey, operator: 'exists', values: [] }]
        : namespaces.map((each) => ({ ...each, key: `${namespaceLabelPrefix}${each.key}` }));
  return { requirements: [...pods, ...place].map((each): SourcedRequirement => ({ ...each, source: 'k8s' })) };
}

function ofCalico(
  pods: readonly Requirement[],
  namespaces: readonly Requirement[] | undefined,
  own: Value,
): CalicoPeer {
  // This label, which Calico adds, limits the selection to pods.
  const isPod: Requirement = { key: 'projectcalico.org/orchestrator', operator: '=', values: ['k8s'] };
  return {
    kind: 'calico',
    selector: expressionOf([isPod, ...pods]),
    ...(namespaces !== undefined && { namespaceSelector: expressionOf(namespaces) }),
    namespace: namespaces === undefined ? { is: own } : 'any',
  };
}

const nowhere = { start: 0, end: 0 };

function expressionOf(requirements: readonly Requirement[]): CalicoExpression {
  const operands = requirements.map((requirement): CalicoNode => {
    const key = { role: 'key', text: requirement.key, ...nowhere } as const;
    return { kind: 'comparison', operator: '==', key, values: [], known: [], requirement, ...nowhere };
  });
  return { text: requirements.map(({ key }) => key).join(' '), root: { kind: 'and', operands, ...nowhere } };
}

/** Whether a selection has requirements that are not known. */
export function isPartlyKnown({ pods, namespaces = everything }: PodPeer): boolean {
  return [pods, namespaces].some((each) => each.kind === 'all' && each.open === true);
}
