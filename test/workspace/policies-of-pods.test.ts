/** Tests that the policies which are listed for a pod are the policies that decide its connections, in small random worlds. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { roleOf } from '../../server/src/features/presentation/selecting-roles.ts';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { clusterOfScope } from '../../server/src/workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../server/src/workspace/reach/cluster.ts';
import { podEnds } from '../../server/src/workspace/reach/summaries.ts';
import { possiblySelectingObjectsOf } from '../../server/src/workspace/selection/selecting-objects.ts';
import { story } from './stories/story.ts';

type Answer = 'yes' | 'no' | 'maybe';

const values = fc.constantFrom('a', 'b');
const namespaces = ['ops', 'shop'];
const labelMap = fc.dictionary(fc.constantFrom('x', 'y'), values, { maxKeys: 2 });

const requirement = fc.oneof(
  fc.record({ key: fc.constantFrom('x', 'y'), operator: fc.constantFrom('In', 'NotIn'), values: fc.constant(['a']) }),
  fc.record({ key: fc.constantFrom('x', 'y'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const selector = fc.oneof(
  fc.constant({}),
  labelMap.map((matchLabels) => ({ matchLabels })),
  requirement.map((each) => ({ matchExpressions: [each] })),
);
const namespaceSelector = fc.oneof(
  selector,
  fc.constantFrom(...namespaces).map((name) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } })),
);
const calico = fc.oneof(
  fc.constantFrom('', 'all()', 'has(x)', "projectcalico.org/namespace == 'shop'", '!has(y)'),
  fc.constantFrom("x == 'a'", "x != 'a' && has(y)", "y in {'a', 'b'} || x == 'b'", "x not in {'a'}"),
);
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] });

/** An object without its name. */
interface Policy {
  readonly type: string;
  readonly spec: object;
}

function policy(type: string, ...specs: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Policy> {
  return fc.oneof(...specs).map((spec) => ({ type, spec }));
}

const subject = fc
  .oneof(
    fc.record({ namespaces: namespaceSelector }),
    fc.record({ pods: fc.record({ namespaceSelector, podSelector: selector }) }),
  )
  .map((chosen) => ({ priority: 1, subject: chosen }));
const ingress = [{ action: 'Deny', from: [{ namespaces: {} }] }];
const peers = [{ fromEndpoints: [{}] }];
const cilium = [
  selector.map((endpointSelector) => ({ endpointSelector, ingress: peers })),
  fc
    .constantFrom('k8s:x', 'any:y', 'io.cilium.k8s.namespace.labels.x', 'io.kubernetes.pod.namespace')
    .chain((key) => values.map((value) => ({ endpointSelector: { matchLabels: { [key]: value } }, ingress: peers }))),
  fc.constantFrom('main', 'other').map((name) => ({
    endpointSelector: { matchLabels: { 'io.cilium.k8s.policy.serviceaccount': name } },
    ingress: peers,
  })),
];
const ofCalico = (spec: object) => ({ ...spec, order: 1, types: ['Ingress'] });
const labels = labelMap.map((matchLabels) => ({ matchLabels }));

const policies = fc.oneof(
  policy('networking.k8s.io/v1/NetworkPolicy', optional({ podSelector: selector })),
  policy(
    'policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy',
    subject.map((spec) => ({ ...spec, tier: 'Admin', ingress })),
  ),
  policy(
    'policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy',
    subject.map((spec) => ({ ...spec, ingress })),
  ),
  policy(
    'policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy',
    subject.map((spec) => ({ ...spec, ingress })),
  ),
  policy('cilium.io/v2/CiliumNetworkPolicy', ...cilium),
  policy('cilium.io/v2/CiliumClusterwideNetworkPolicy', ...cilium),
  policy(
    'projectcalico.org/v3/NetworkPolicy',
    optional({ selector: calico, serviceAccountSelector: calico }).map(ofCalico),
  ),
  policy(
    'projectcalico.org/v3/GlobalNetworkPolicy',
    optional({ selector: calico, namespaceSelector: calico, serviceAccountSelector: calico }).map(ofCalico),
  ),
  policy('security.istio.io/v1/AuthorizationPolicy', optional({ selector: labels })),
  policy(
    'security.istio.io/v1/PeerAuthentication',
    optional({ selector: labels }).map((spec) => ({ ...spec, mtls: { mode: 'STRICT' } })),
  ),
  policy(
    'policy.linkerd.io/v1beta3/Server',
    selector.map((podSelector) => ({ podSelector, port: 80 })),
  ),
  policy('networking.gke.io/v1alpha1/FQDNNetworkPolicy', fc.record({ podSelector: selector })),
);

const world = fc.record({
  labels: fc.record({ ops: labelMap, shop: labelMap }),
  accounts: fc.dictionary(fc.constantFrom('ops/main', 'shop/main', 'shop/other'), labelMap),
  pods: fc.array(
    fc.record({
      namespace: fc.constantFrom(...namespaces),
      labels: labelMap,
      account: fc.constantFrom(undefined, 'main', 'other'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  of: fc.constantFrom(...namespaces, 'istio-system'),
  policy: policies,
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function object(type: string, metadata: object, content: object = {}): object {
  const at = type.lastIndexOf('/');
  return { apiVersion: type.slice(0, at), kind: type.slice(at + 1), metadata, ...content };
}

function workspaceOf({ labels: ofNamespaces, accounts, pods, of, policy: { type, spec } }: World): Workspace {
  const objects = [
    ...Object.entries(ofNamespaces).map(([name, given]) => object('v1/Namespace', { name, labels: given })),
    ...Object.entries(accounts).map(([place, given]) => {
      const [namespace, name] = place.split('/');
      return object('v1/ServiceAccount', { namespace, name, labels: given });
    }),
    ...pods.map(({ namespace, labels: given, account: serviceAccountName }, index) =>
      object('v1/Pod', { name: `pod-${index}`, namespace, labels: given }, { spec: { serviceAccountName } }),
    ),
    object(type, { name: 'guard', namespace: of }, { spec }),
  ];
  return story(`==> all.json <==\n${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })}\n`);
}

function best(answers: readonly Answer[]): Answer {
  return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
}

/** Whether the policy is listed for each pod, by the name of the pod. */
function listed(workspace: Workspace): Readonly<Record<string, Answer>> {
  const found = [...workspace.files.values()].flatMap((file) =>
    file.manifest.objects.map((each) => ({ file, object: each })),
  );
  return Object.fromEntries(
    found
      .filter(({ object: { kind, name } }) => kind === 'Pod' && name !== undefined)
      .map((pod) => {
        const answers = labeledObjectsOf(pod.object)
          .flatMap((labeledObject) => possiblySelectingObjectsOf(workspace, catalogue, { ...pod, labeledObject }))
          .filter((each) => each.object.name?.text === 'guard' && roleOf(each.site.path) === 'selected')
          .map(({ certain }): Answer => (certain ? 'yes' : 'maybe'));
        return [pod.object.name?.text, best(answers)];
      }),
  );
}

/** Whether the policy decides connections of each pod, by the name of the pod. */
function applied(cluster: Cluster): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    podEnds(cluster).map(({ workload, peer }) => {
      const answers = cluster.policies.map(({ policy: each }) => cluster.reachability.selects(each, peer));
      return [workload.name, best(answers)];
    }),
  );
}

describe('the policies that are listed for a pod', () => {
  it('are those that decide its connections', () => {
    let compared = 0;
    fc.assert(
      fc.property(world, (given) => {
        const workspace = workspaceOf(given);
        const [scope] = workspace.scopes().all();
        assert.ok(scope);
        const cluster = clusterOfScope(workspace, catalogue, scope);
        if (cluster.rejected.length > 0) return;
        compared++;
        assert.deepEqual(listed(workspace), applied(cluster));
      }),
      { numRuns: 300 },
    );
    assert.ok(compared > 100, `only ${compared} worlds`);
  });
});
