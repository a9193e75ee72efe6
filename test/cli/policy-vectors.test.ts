/** Tests that the command line gives the answers of the systems for the policies and objects of the vectors, written as manifests. */

import assert from 'node:assert/strict';
import { policyVectors } from '../harness/policy-vectors.ts';
import { runInMemory } from './memory-world.ts';

interface Vector {
  readonly id: string;
  readonly verdict: 'yes' | 'no' | 'unknown' | 'invalid';
}

type Labels = Readonly<Record<string, string>>;

/** An object in JSON, which is also YAML. */
type Manifest = Readonly<Record<string, unknown>>;

interface Answer {
  readonly selectors: readonly {
    readonly path: string;
    readonly matches: readonly { readonly kind: string; readonly answer: 'yes' | 'maybe' }[];
  }[];
}

function namespaceManifest(name: string, labels: Labels): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** Returns the answer for the objects of a kind, in the parts of a policy whose path matches a pattern. */
async function answerOf(
  policy: Manifest,
  others: readonly Manifest[],
  kind: string,
  path: RegExp,
): Promise<'yes' | 'no' | 'unknown'> {
  const files = { 'all.yaml': [policy, ...others].map((each) => `---\n${JSON.stringify(each, null, 2)}\n`).join('') };
  const word = `${policy['kind']}/policy`;
  const { json } = await runInMemory(['match', '--object', word, '--format', 'json'], { files });
  const found = (json as Answer).selectors
    .filter((each) => path.test(each.path))
    .flatMap(({ matches }) => matches)
    .filter((each) => each.kind === kind);
  if (found.some(({ answer }) => answer === 'yes')) return 'yes';
  return found.length > 0 ? 'unknown' : 'no';
}

interface PodOfVector {
  readonly namespace: string;
  readonly labels: Labels;
  readonly namespaceLabels?: Labels | null;
  readonly serviceAccount?: string;
  readonly serviceAccountLabels?: Labels;
  readonly hostNetwork?: boolean;
}

function podManifests(pod: PodOfVector): readonly Manifest[] {
  const { namespace, labels, namespaceLabels = {}, serviceAccount, serviceAccountLabels, hostNetwork } = pod;
  const spec = {
    containers: [{ name: 'main', image: 'example.com/web' }],
    ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
    ...(hostNetwork && { hostNetwork }),
  };
  const account = { name: serviceAccount ?? 'default', namespace, labels: serviceAccountLabels ?? {} };
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', namespace, labels }, spec },
    ...(namespaceLabels === null ? [] : [namespaceManifest(namespace, namespaceLabels)]),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
  ];
}

/** Checks each vector, and fails with all vectors that disagree. A policy that its system rejects applies to nothing. */
async function check<Line extends Vector>(
  lines: readonly Line[],
  answer: (line: Line) => Promise<'yes' | 'no' | 'unknown'>,
): Promise<void> {
  const wrong: string[] = [];
  for (const line of lines) {
    const expected = line.verdict === 'invalid' ? 'no' : line.verdict;
    const found = await answer(line);
    if (found !== expected) wrong.push(`${line.id}: ${found}, expected ${JSON.stringify(line)}`);
  }
  assert.equal(wrong.length, 0, wrong.join('\n'));
}

interface CiliumVector extends Vector {
  readonly place: 'endpointSelector' | 'fromEndpoints';
  readonly clusterwide: boolean;
  readonly policyNamespace: string | null;
  readonly selector: unknown;
  readonly pod: PodOfVector;
}

interface CalicoVector extends Vector {
  readonly kind: string;
  readonly policyNamespace: string | null;
  readonly spec: unknown;
  readonly pod: PodOfVector;
}

interface KyvernoVector extends Vector {
  readonly policy: {
    readonly kind: string;
    readonly namespace?: string;
    readonly annotations?: Labels;
    readonly match: unknown;
    readonly exclude?: unknown;
    readonly rule?: string;
  };
  readonly resource: Manifest & { readonly kind: string; readonly metadata: { readonly namespace?: string } };
  readonly namespaceLabels?: Labels | null;
  readonly operation?: string;
  readonly subresource?: string;
}

interface GatekeeperVector extends Vector {
  readonly match: unknown;
  readonly resource: KyvernoVector['resource'];
  readonly namespaceLabels?: Labels | null;
  readonly source?: string;
}

interface AdmissionVector extends Vector {
  readonly kind: 'webhook' | 'policy' | 'binding';
  readonly config: Readonly<Record<string, unknown>>;
  readonly namespaceLabels?: Labels | null;
  readonly request: {
    readonly operation: string;
    readonly group: string;
    readonly version: string;
    readonly name?: string;
    readonly subresource?: string;
    readonly object?: KyvernoVector['resource'];
  };
}

interface IstioVector extends Vector {
  readonly policy: { readonly kind: string; readonly namespace: string; readonly spec: unknown };
  readonly rootNamespace: string;
  readonly workload: { readonly namespace: string; readonly labels: Labels; readonly proxy?: string };
}

function withNamespace(resource: KyvernoVector['resource'], labels: Labels | null | undefined): readonly Manifest[] {
  const { namespace } = resource.metadata;
  return namespace === undefined || labels === null
    ? [resource]
    : [resource, namespaceManifest(namespace, labels ?? {})];
}

describe('match with the policies of the vectors', () => {
  it('of Cilium', async () => {
    await check(policyVectors<CiliumVector>('cilium-selectors'), (line) => {
      const kind = line.clusterwide ? 'CiliumClusterwideNetworkPolicy' : 'CiliumNetworkPolicy';
      const namespace = line.policyNamespace === null ? {} : { namespace: line.policyNamespace };
      const isSubject = line.place === 'endpointSelector';
      const spec = isSubject
        ? { endpointSelector: line.selector, ingress: [{}] }
        : { endpointSelector: { matchLabels: { other: 'x' } }, ingress: [{ fromEndpoints: [line.selector] }] };
      const policy = { apiVersion: 'cilium.io/v2', kind, metadata: { name: 'policy', ...namespace }, spec };
      return answerOf(policy, podManifests(line.pod), 'Pod', isSubject ? /endpointSelector$/ : /fromEndpoints/);
    });
  });

  it('of Calico', async () => {
    await check(policyVectors<CalicoVector>('calico-policies'), ({ kind, policyNamespace, spec, pod }) => {
      const namespace = policyNamespace === null ? {} : { namespace: policyNamespace };
      const policy = {
        apiVersion: 'projectcalico.org/v3',
        kind,
        metadata: { name: 'policy', ...namespace },
        spec,
      };
      return answerOf(policy, podManifests(pod), 'Pod', /^spec\.selector$/);
    });
  });

  it('of Kyverno', async () => {
    const lines = policyVectors<KyvernoVector>('kyverno-match').filter(
      ({ operation = 'CREATE', subresource }) => operation === 'CREATE' && subresource === undefined,
    );
    await check(lines, ({ policy: { kind, namespace, annotations, match, exclude, rule }, resource, ...line }) => {
      const content = rule === undefined || rule === 'validate' ? { validate: { message: 'a' } } : { [rule]: {} };
      const policy = {
        apiVersion: 'kyverno.io/v1',
        kind,
        metadata: { name: 'policy', namespace, annotations },
        spec: { rules: [{ name: 'a', match, exclude, ...content }] },
      };
      return answerOf(
        policy,
        withNamespace(resource, line.namespaceLabels),
        resource.kind,
        /^spec\.rules\[0\]\.match$/,
      );
    });
  });

  it('of Gatekeeper', async () => {
    const lines = policyVectors<GatekeeperVector>('gatekeeper-match').filter(({ source }) => source === undefined);
    await check(lines, ({ match, resource, namespaceLabels }) => {
      const policy = {
        apiVersion: 'constraints.gatekeeper.sh/v1beta1',
        kind: 'K8sRequiredLabels',
        metadata: { name: 'policy' },
        spec: match === null ? {} : { match },
      };
      return answerOf(policy, withNamespace(resource, namespaceLabels), resource.kind, /^spec\.match$/);
    });
  });

  it('of the admission of Kubernetes', async () => {
    const lines = policyVectors<AdmissionVector>('admission-match').filter(
      ({ request }) =>
        request.operation === 'CREATE' &&
        request.subresource === undefined &&
        request.object !== undefined &&
        request.name !== '',
    );
    await check(lines, ({ kind, config, request, namespaceLabels }) => {
      const { group, version } = request;
      assert.ok(request.object);
      const object = { ...request.object, apiVersion: group === '' ? version : `${group}/${version}` };
      const { matchConditions, ...constraints } = config;
      const [policyKind, content] = {
        webhook: ['ValidatingWebhookConfiguration', { webhooks: [{ name: 'a.example.com', ...config }] }],
        policy: ['ValidatingAdmissionPolicy', { spec: { matchConstraints: constraints, matchConditions } }],
        binding: ['ValidatingAdmissionPolicyBinding', { spec: { matchResources: config } }],
      }[kind] as [string, Manifest];
      const policy = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: policyKind,
        metadata: { name: 'policy' },
        ...content,
      };
      const path = /^(?:webhooks\[0\]|spec\.matchConstraints|spec\.matchResources)$/;
      return answerOf(policy, withNamespace(object, namespaceLabels), object.kind, path);
    });
  });

  it('of Istio, for workloads with a sidecar', async () => {
    const groups: Readonly<Record<string, string>> = {
      Telemetry: 'telemetry.istio.io/v1',
      WasmPlugin: 'extensions.istio.io/v1alpha1',
      EnvoyFilter: 'networking.istio.io/v1alpha3',
      Sidecar: 'networking.istio.io/v1',
      DestinationRule: 'networking.istio.io/v1',
      ServiceEntry: 'networking.istio.io/v1',
      Gateway: 'networking.istio.io/v1',
      ProxyConfig: 'networking.istio.io/v1beta1',
    };
    const lines = policyVectors<IstioVector>('istio-select').filter(
      ({ rootNamespace, workload: { proxy = 'sidecar' } }) => rootNamespace === 'istio-system' && proxy === 'sidecar',
    );
    await check(lines, ({ policy: { kind, namespace, spec }, workload }) => {
      const policy = {
        apiVersion: groups[kind] ?? 'security.istio.io/v1',
        kind,
        metadata: { name: 'policy', namespace },
        spec,
      };
      return answerOf(policy, podManifests(workload), 'Pod', /[sS]elector/);
    });
  });
});
