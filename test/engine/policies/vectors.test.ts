/** Tests that policies of other systems apply to the objects to which these systems apply them, line by line. */

import { type AdmissionPart, admissionAnswer } from '../../../server/src/engine/policies/admission.ts';
import { gatekeeperAnswer } from '../../../server/src/engine/policies/gatekeeper.ts';
import { type IstioPolicy, type IstioWorkload, istioAnswer } from '../../../server/src/engine/policies/istio.ts';
import { kyvernoAnswer } from '../../../server/src/engine/policies/kyverno.ts';
import { serverAnswer } from '../../../server/src/engine/policies/linkerd.ts';
import type { PolicyAnswer, PolicyResource } from '../../../server/src/engine/policies/types.ts';
import { checkVectors, policyVectors } from '../../harness/policy-vectors.ts';

interface Vector {
  readonly id: string;
  readonly verdict: 'yes' | 'no' | 'unknown' | 'invalid';
}

type Labels = Readonly<Record<string, string>>;

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
}

const verdictOf = ({ answer, isInvalid }: PolicyAnswer) =>
  isInvalid ? 'invalid' : answer === 'maybe' ? 'unknown' : answer;

function namespaceLabels(name: string | undefined, labels: Labels | null | undefined) {
  const own = name === undefined ? {} : { 'kubernetes.io/metadata.name': name };
  return labels === null ? { labels: own, open: true } : { labels: { ...own, ...labels } };
}

function resourceOf({ apiVersion, kind, metadata }: Resource, ofNamespace: Labels | null | undefined): PolicyResource {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const { name, generateName, namespace, labels = {}, annotations = {} } = metadata;
  return {
    group: group ?? '',
    version: version ?? '',
    kind,
    isNamespaced: namespace !== undefined,
    name,
    generateName,
    namespace,
    labels: { labels },
    annotations: { labels: annotations },
    namespaceLabels: namespaceLabels(namespace, ofNamespace),
  };
}

interface KyvernoVector extends Vector {
  readonly policy: {
    readonly namespace?: string;
    readonly annotations?: Labels;
    readonly match: unknown;
    readonly exclude?: unknown;
    readonly rule?: string;
  };
  readonly resource: Resource;
  readonly namespaceLabels?: Labels | null;
  readonly operation?: string;
  readonly subresource?: string;
  readonly via?: string;
}

function ofKyverno({ policy, resource, operation = 'CREATE', subresource, ...line }: KyvernoVector) {
  const { namespace, annotations = {}, match, exclude, rule: type = 'validate' } = policy;
  const content = type === 'patchesJson6902' || type === 'json' ? { mutate: { patchesJson6902: '-' } } : { [type]: {} };
  const rule = { match, exclude, ...content };
  const request = { operation, ...(subresource !== undefined && { subresource }) };
  const given = { namespace, annotations, rules: [rule] };
  return kyvernoAnswer(given, rule, resourceOf(resource, line.namespaceLabels), request);
}

interface AdmissionVector extends Vector {
  readonly kind: AdmissionPart;
  readonly config: unknown;
  readonly namespaceLabels?: Labels | null;
  readonly request: {
    readonly operation: string;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly object?: Resource;
    readonly oldObject?: Resource;
  };
}

function ofAdmission({ kind, config, request, namespaceLabels: labels }: AdmissionVector) {
  const labelsOf = (object: Resource | undefined) => object && { labels: object.metadata.labels ?? {} };
  return admissionAnswer(kind, config, {
    ...request,
    labels: labelsOf(request.object),
    oldLabels: labelsOf(request.oldObject),
    namespaceLabels: namespaceLabels(request.namespace, labels),
  });
}

interface GatekeeperVector extends Vector {
  readonly match: unknown;
  readonly resource: Resource;
  readonly namespaceLabels?: Labels | null;
  readonly source?: 'Original' | 'Generated';
}

interface IstioVector extends Vector {
  readonly policy: IstioPolicy;
  readonly rootNamespace: string;
  readonly workload: Omit<IstioWorkload, 'labels'> & { readonly labels: Labels };
}

interface ServerVector extends Vector {
  readonly serverNamespace: string;
  readonly spec: unknown;
  readonly port: number;
  readonly pod: {
    readonly namespace: string;
    readonly labels: Labels;
    readonly ports: readonly { readonly name?: string; readonly containerPort: number }[];
  };
}

describe('vectors of policies', () => {
  it('of Kyverno agree', () => {
    checkVectors(
      policyVectors<KyvernoVector>('kyverno-match'),
      (line) => {
        const answer = ofKyverno(line);
        const via = answer.answer === 'no' ? undefined : answer.isGenerated ? 'autogen' : 'rule';
        return [verdictOf(answer), via];
      },
      ({ verdict, via }) => [verdict, via],
    );
  });

  it('of Gatekeeper agree', () => {
    checkVectors(
      policyVectors<GatekeeperVector>('gatekeeper-match'),
      (line) => verdictOf(gatekeeperAnswer(line.match, resourceOf(line.resource, line.namespaceLabels), line.source)),
      ({ verdict }) => verdict,
    );
  });

  it('of the admission of Kubernetes agree', () => {
    checkVectors(
      policyVectors<AdmissionVector>('admission-match'),
      (line) => verdictOf(ofAdmission(line)),
      ({ verdict }) => verdict,
    );
  });

  it('of Istio agree', () => {
    checkVectors(
      policyVectors<IstioVector>('istio-select'),
      ({ policy, workload, rootNamespace }) =>
        verdictOf(istioAnswer(policy, { ...workload, labels: { labels: workload.labels } }, rootNamespace)),
      ({ verdict }) => verdict,
    );
  });

  it('of Servers of Linkerd agree', () => {
    checkVectors(
      policyVectors<ServerVector>('linkerd-servers'),
      ({ serverNamespace, spec, pod, port }) =>
        verdictOf(serverAnswer(serverNamespace, spec, { ...pod, labels: { labels: pod.labels } }, port)),
      ({ verdict }) => verdict,
    );
  });
});
