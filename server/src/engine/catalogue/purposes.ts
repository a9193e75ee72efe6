/** The purposes of policies that select pods: what they govern, and what each kind does. */

import type { GroupKind } from './types.ts';

/** What a policy governs, in the order in which policies are listed. */
export const purposes = ['network', 'mesh', 'admission', 'monitoring', 'disruption'] as const;

export type Purpose = (typeof purposes)[number];

/** The purpose of a kind, and what its objects do, as the predicate of a sentence. */
export interface PolicyPurpose {
  readonly purpose: Purpose;
  readonly does: string;
}

const allowsConnections = 'limits which connections are allowed';

/** The kinds whose objects govern pods, by group; `*` means all kinds of a group. */
const kinds: Readonly<Record<string, Readonly<Record<string, readonly [Purpose, string]>>>> = {
  'networking.k8s.io': { NetworkPolicy: ['network', allowsConnections] },
  'k8s.cni.cncf.io': { MultiNetworkPolicy: ['network', allowsConnections] },
  'policy.networking.k8s.io': { '*': ['network', allowsConnections] },
  'cilium.io': {
    CiliumNetworkPolicy: ['network', allowsConnections],
    CiliumClusterwideNetworkPolicy: ['network', allowsConnections],
    CiliumEgressGatewayPolicy: ['network', 'sends connections to the outside through a gateway'],
    CiliumLocalRedirectPolicy: ['network', 'redirects connections to pods of the same node'],
  },
  'projectcalico.org': ofCalico(),
  'crd.projectcalico.org': ofCalico(),
  'security.istio.io': {
    AuthorizationPolicy: ['mesh', 'allows or denies requests'],
    PeerAuthentication: ['mesh', 'sets the mode of mutual TLS'],
    RequestAuthentication: ['mesh', 'validates tokens of requests'],
  },
  'networking.istio.io': {
    Sidecar: ['mesh', 'configures the sidecar proxy'],
    EnvoyFilter: ['mesh', 'changes the configuration of the proxy'],
    ProxyConfig: ['mesh', 'configures the proxy'],
  },
  'telemetry.istio.io': { '*': ['mesh', 'configures metrics, logs and traces'] },
  'extensions.istio.io': { WasmPlugin: ['mesh', 'extends the proxy'] },
  'policy.linkerd.io': { Server: ['mesh', 'sets who may connect to a port'] },
  'kyverno.io': {
    ClusterPolicy: ['admission', 'validates or changes objects'],
    Policy: ['admission', 'validates or changes objects'],
  },
  'policies.kyverno.io': ofKyverno(),
  'constraints.gatekeeper.sh': { '*': ['admission', 'validates objects'] },
  'mutations.gatekeeper.sh': { '*': ['admission', 'changes objects'] },
  'admissionregistration.k8s.io': {
    ValidatingWebhookConfiguration: ['admission', 'calls a webhook that validates objects'],
    MutatingWebhookConfiguration: ['admission', 'calls a webhook that changes objects'],
    ValidatingAdmissionPolicy: ['admission', 'validates objects'],
    MutatingAdmissionPolicy: ['admission', 'changes objects'],
    ValidatingAdmissionPolicyBinding: ['admission', 'limits where a policy applies'],
    MutatingAdmissionPolicyBinding: ['admission', 'limits where a policy applies'],
  },
  'monitoring.coreos.com': { PodMonitor: ['monitoring', 'scrapes metrics'] },
  policy: { PodDisruptionBudget: ['disruption', 'limits voluntary evictions'] },
};

function ofCalico(): Readonly<Record<string, readonly [Purpose, string]>> {
  return {
    NetworkPolicy: ['network', allowsConnections],
    GlobalNetworkPolicy: ['network', allowsConnections],
    StagedNetworkPolicy: ['network', 'previews a policy, without effect'],
    StagedGlobalNetworkPolicy: ['network', 'previews a policy, without effect'],
    StagedKubernetesNetworkPolicy: ['network', 'previews a policy, without effect'],
  };
}

/** The policies of Kyverno with CEL, each of which also exists for one namespace. */
function ofKyverno(): Readonly<Record<string, readonly [Purpose, string]>> {
  const does: Readonly<Record<string, string>> = {
    ValidatingPolicy: 'validates objects',
    ImageValidatingPolicy: 'validates images',
    MutatingPolicy: 'changes objects',
    GeneratingPolicy: 'creates further objects',
    DeletingPolicy: 'deletes objects on a schedule',
  };
  const entries = Object.entries(does).flatMap(([kind, text]) =>
    [kind, `Namespaced${kind}`].map((each) => [each, ['admission', text]] as const),
  );
  return Object.fromEntries(entries);
}

/** Returns the purpose of a kind of policy; undefined for kinds that are no policies for pods. */
export function purposeOf({ group, kind }: GroupKind): PolicyPurpose | undefined {
  const ofGroup = Object.hasOwn(kinds, group) ? kinds[group] : undefined;
  const found = ofGroup && (Object.hasOwn(ofGroup, kind) ? ofGroup[kind] : ofGroup['*']);
  return found && { purpose: found[0], does: found[1] };
}

/** Whether a selector selects the other end of connections, and so does not govern its objects: it is in the rules of a policy. */
export function isOfPeer(path: string): boolean {
  return /\.(?:ingress|egress)(?:Deny)?\[\d*\](?!\.appliedTo)/.test(path);
}
