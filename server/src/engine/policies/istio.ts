/** Evaluates which workloads the policies of Istio select. Source: pilot/pkg/model and pkg/config/validation of Istio. */

import { evaluate } from '../evaluate.ts';
import { fromMap } from '../label-selector.ts';
import { fieldOf, isRecord } from '../structured.ts';
import type { LabelSet, Value } from '../types.ts';
import { all, because, dependsOnTemplate, invalid, isFilled, itemsOf, maybe, no, yes } from './three-valued.ts';
import type { PolicyAnswer } from './types.ts';

/** A workload with a proxy; `proxy` is absent for a sidecar. */
export interface IstioWorkload {
  readonly namespace: Value;
  readonly labels: LabelSet;
  readonly proxy?: 'sidecar' | 'gateway' | 'waypoint' | undefined;
}

export interface IstioPolicy {
  readonly kind: string;
  readonly namespace: Value;
  readonly spec: unknown;
}

/** Whether a policy selects a workload. The root namespace is a setting of the mesh. */
export function istioAnswer(policy: IstioPolicy, workload: IstioWorkload, rootNamespace: string): PolicyAnswer {
  const { kind, spec } = policy;
  if (dependsOnTemplate(spec)) return maybe('it depends on a template');
  const labels = labelsOf(kind, spec);
  if (kind === 'ServiceEntry' && labels === undefined) return no;
  const place = () => istioPlace(policy, isFilled(labels), workload, rootNamespace);
  const bySelector = () => all([labelsAnswer(labels, workload.labels), place()]);
  return withReferences.has(kind) ? ofPolicy(policy, workload, rootNamespace, bySelector) : bySelector();
}

/** The kinds that can refer to gateways and Services instead of selecting workloads. */
const withReferences: ReadonlySet<string> = new Set([
  'AuthorizationPolicy',
  'RequestAuthentication',
  'Telemetry',
  'WasmPlugin',
  'EnvoyFilter',
]);

/** Whether a policy without references applies to the namespace and to the kind of proxy of a workload. */
export function istioPlace(
  { kind, namespace }: Pick<IstioPolicy, 'kind' | 'namespace'>,
  hasLabels: boolean,
  workload: Pick<IstioWorkload, 'namespace' | 'proxy'>,
  rootNamespace: string,
): PolicyAnswer {
  const isRoot = namespace === rootNamespace;
  const isOwn = namespace === workload.namespace;
  const own: PolicyAnswer = { answer: isOwn ? 'yes' : 'no' };
  const near: PolicyAnswer = { answer: isOwn || isRoot ? 'yes' : 'no' };
  switch (kind) {
    case 'PeerAuthentication':
      return isRoot && hasLabels ? no : near;
    case 'Sidecar':
      if (workload.proxy === 'gateway' || workload.proxy === 'waypoint') return no;
      return hasLabels ? own : near;
    case 'DestinationRule':
    case 'ServiceEntry':
      return own;
    case 'Gateway':
      return yes;
    default:
      return withReferences.has(kind) && workload.proxy === 'waypoint' ? no : near;
  }
}

function ofPolicy(
  { namespace, spec, kind }: IstioPolicy,
  workload: IstioWorkload,
  rootNamespace: string,
  bySelector: () => PolicyAnswer,
): PolicyAnswer {
  const single = fieldOf(spec, 'targetRef');
  const references = [...(isRecord(single) ? [single] : []), ...itemsOf(fieldOf(spec, 'targetRefs'))];
  if (references.length === 0) return bySelector();
  if (isFilled(fieldOf(spec, kind === 'EnvoyFilter' ? 'workloadSelector' : 'selector'))) return invalid;
  if (workload.proxy !== 'gateway' && workload.proxy !== 'waypoint') return no;
  let answer = no;
  for (const reference of references) {
    const one = referenceAnswer(reference, namespace, workload, rootNamespace);
    if (one.answer === 'yes') return one;
    if (one.answer === 'maybe') answer = one;
  }
  return answer;
}

const gatewayName = 'gateway.networking.k8s.io/gateway-name';

function referenceAnswer(
  reference: unknown,
  namespace: Value,
  { labels, namespace: own, proxy }: IstioWorkload,
  rootNamespace: string,
): PolicyAnswer {
  const field = (name: string) => fieldOf(reference, name);
  const group = field('group') ?? '';
  const kind = field('kind');
  const isHere = namespace === own && (field('namespace') ?? namespace) === namespace;
  if (group === 'gateway.networking.k8s.io' && kind === 'Gateway')
    return { answer: isHere && labels.labels[gatewayName] === field('name') ? 'yes' : 'no' };
  if (proxy !== 'waypoint') return no;
  if (group === 'gateway.networking.k8s.io' && kind === 'GatewayClass')
    return { answer: namespace === rootNamespace && field('name') === 'istio-waypoint' ? 'yes' : 'no' };
  if (kind === 'Service' || kind === 'ServiceEntry')
    return maybe('it depends on the Services that the waypoint serves');
  return no;
}

/** Returns the labels that a policy requires. */
function labelsOf(kind: string, spec: unknown): unknown {
  switch (kind) {
    case 'EnvoyFilter':
    case 'Sidecar':
    case 'ServiceEntry':
      return fieldOf(fieldOf(spec, 'workloadSelector'), 'labels');
    case 'DestinationRule':
      return fieldOf(fieldOf(spec, 'workloadSelector'), 'matchLabels');
    case 'Gateway':
      return fieldOf(spec, 'selector');
    default:
      return fieldOf(fieldOf(spec, 'selector'), 'matchLabels');
  }
}

/** Whether the injection of proxies or the cluster adds a label. */
export function isAddedByIstio(key: string): boolean {
  return added.test(key);
}

/** Labels that the injection of proxies or the cluster adds. */
const added = /^(?:service\.istio\.io\/canonical-|topology\.istio\.io\/|security\.istio\.io\/tlsMode$)/;

function labelsAnswer(labels: unknown, own: LabelSet): PolicyAnswer {
  if (!isFilled(labels)) return yes;
  if (!isRecord(labels) || Object.entries(labels).some((entry) => entry.some((text) => String(text).includes('*'))))
    return invalid;
  return all(
    Object.entries(labels).map(([key, value]) => {
      const read = fromMap({ [key]: value });
      if (!read.ok) return invalid;
      const isAdded = added.test(key) && !Object.hasOwn(own.labels, key);
      const answer = evaluate(read.value, isAdded ? { ...own, open: true } : own);
      return because(answer, isAdded ? 'a label is added in the cluster' : 'its labels are unknown');
    }),
  );
}
