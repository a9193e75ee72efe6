/** Parses the policies of network plugins in objects, and the objects to which these policies refer. */

import {
  type AddressGroup,
  type Answer,
  appliesToForwarded,
  type CalicoTierObject,
  type IstioPolicySource,
  isUnknown,
  type LabelSet,
  type Parsed,
  type Problem,
  type ReachPolicy,
  readCalicoPolicy,
  readCiliumPolicy,
  readIstioPolicy,
  readNet,
  type Value,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { validateName } from '../../engine/names.ts';
import { fieldOf, StructuredParser } from '../../engine/structured.ts';
import { anyRoot } from '../../manifests/kinds/mesh-roots.ts';
import { type NetworkRole, networkRoleOf } from '../../manifests/kinds/network-spec.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { policyData } from '../../manifests/sites/policy-data.ts';
import { childOf, isOpen as isOpenNode, itemsOf, type Node } from '../../manifests/yaml/tree.ts';

/** The parsed policies by their content, which the versions of an object share if kustomizations do not change it, and by their namespace. */
const policies = new WeakMap<Node, Map<string, Parsed<readonly ReachPolicy[]>>>();

/** Whether an object is a policy of a network plugin or mesh whose rules are evaluated. */
export function isPluginPolicy(object: ManifestObject): boolean {
  return policyRoles.has(networkRoleOf(object) ?? '');
}

const policyRoles: ReadonlySet<string> = new Set<NetworkRole>([
  'cilium policy',
  'calico policy',
  'istio authorization',
  'istio authentication',
]);

/** Returns the name of the system to which a policy belongs; undefined for other objects. */
export function pluginOf(object: ManifestObject): string | undefined {
  const role = networkRoleOf(object);
  return role === undefined ? undefined : systems[role.slice(0, role.indexOf(' '))];
}

const systems: Readonly<Record<string, string>> = { cilium: 'Cilium', calico: 'Calico', istio: 'Istio' };

/** Whether a policy belongs to a namespace. */
export function isNamespaced({ kind }: ManifestObject): boolean {
  return !/^(?:CiliumClusterwide|Global)/.test(kind);
}

/** What determines the policies of an object besides its content. */
interface PolicyContext {
  readonly name: string;
  /** The namespaces that may be the root namespace of Istio; undefined if no configuration of a mesh is known. */
  readonly meshRoots: ReadonlySet<string> | undefined;
}

/** The root namespace of Istio, unless a configuration of the mesh names another one. */
const defaultRoot = 'istio-system';

function isRootNamespace(namespace: Value, roots: ReadonlySet<string> = new Set([defaultRoot])): Answer {
  if (isUnknown(namespace) || roots.has(anyRoot)) return 'maybe';
  if (!roots.has(namespace)) return 'no';
  return roots.size === 1 ? 'yes' : 'maybe';
}

const dryRunKey = 'istio.io/dry-run';

/** Returns the policies of Istio in an object; none if the policy is not enforced. */
function ofIstio(object: ManifestObject, source: IstioPolicySource, spec: unknown): Parsed<readonly ReachPolicy[]> {
  const dryRun = annotationOf(object, 'metadata.annotations', dryRunKey);
  if (dryRun === 'true') return { ok: true, value: [] };
  const read = readIstioPolicy(source, spec);
  if (!read.ok || dryRun === undefined || dryRun === 'false') return read;
  return { ok: true, value: read.value.map((policy) => ({ ...policy, isOptional: true })) };
}

/** Returns the value of an annotation in the map at a path. */
function annotationOf({ labelSites }: ManifestObject, path: string, key: string): Value | undefined {
  const site = labelSites.find((each) => each.place.holds === 'annotations' && each.path === path);
  const entry = site?.entries.findLast((each) => each.key.text === key);
  if (entry !== undefined) return entry.value.value;
  return site?.open ? { unknown: key } : undefined;
}

/** Returns the policies that an object defines; undefined if it defines none. */
export function pluginPoliciesIn(
  object: ManifestObject,
  namespace: Value,
  { name, meshRoots }: PolicyContext,
): Parsed<readonly ReachPolicy[]> | undefined {
  const { networkSpec } = object;
  if (networkSpec === undefined || !isPluginPolicy(object)) return undefined;
  const own = isNamespaced(object) ? namespace : undefined;
  const roots = [...(meshRoots ?? [])].toSorted().join();
  const read = () => {
    const data = policyData(networkSpec);
    const role = networkRoleOf(object);
    if (role === 'cilium policy') return readCiliumPolicy(own, data);
    if (role !== 'calico policy') {
      const kind = role === 'istio authorization' ? 'authorization' : 'authentication';
      const source = { kind, namespace, isRoot: isRootNamespace(namespace, meshRoots) } as const;
      return ofIstio(object, source, isUnknown(data) ? data : (fieldOf(data, 'spec') ?? {}));
    }
    const { kind, group } = object;
    const source = { namespace: own, name, kind, isStoredDirectly: group === 'crd.projectcalico.org' };
    return readCalicoPolicy(source, isUnknown(data) ? data : (fieldOf(data, 'spec') ?? {}));
  };
  if (isUnknown(own)) return read();
  const byNamespace = getOrAdd(policies, networkSpec, () => new Map<string, Parsed<readonly ReachPolicy[]>>());
  return getOrAdd(byNamespace, `${object.group}/${object.kind} ${own ?? ''} ${name} ${roots}`, read);
}

/** Whether an object is a policy of Calico that may apply to what hosts forward, by the labels of their endpoints. */
export function isOfForwarded(object: ManifestObject, hosts: readonly LabelSet[]): boolean {
  const { networkSpec, kind } = object;
  if (networkSpec === undefined || networkRoleOf(object) !== 'calico policy' || kind !== 'GlobalNetworkPolicy')
    return false;
  const data = policyData(networkSpec);
  return appliesToForwarded(isUnknown(data) ? data : (fieldOf(data, 'spec') ?? {}), hosts);
}

/** The versions of the groups in which Cilium and Calico have policies. */
const versions: Readonly<Record<string, string>> = {
  'cilium.io': 'v2',
  'projectcalico.org': 'v3',
  'crd.projectcalico.org': 'v1',
};

/** Returns the problems of the name and the version of a policy of Calico or Cilium, for which the API server rejects it. */
export function identityProblemsOf(object: ManifestObject): readonly Problem[] {
  const role = networkRoleOf(object);
  if (role !== 'cilium policy' && role !== 'calico policy') return [];
  const { group, version, name } = object;
  const served = versions[group];
  const nameProblems = typeof name?.value === 'string' ? validateName('dns1123Subdomain', name.value) : [];
  const problems = nameProblems.map(({ code, message }): Problem => ({ code, message, path: ['metadata', 'name'] }));
  if (served === undefined || version === served) return problems;
  const message = `must be '${group}/${served}', not '${group}/${version}'`;
  return [...problems, { code: 'value-unsupported', message, path: ['apiVersion'] }];
}

/** Returns what rejects a policy because of a problem. */
export function rejecterOf(object: ManifestObject, problem: Problem | undefined): string {
  const isOfObject = ['metadata', 'apiVersion'].includes(String(problem?.path?.[0]));
  return (isOfObject ? undefined : pluginOf(object)) ?? 'the API server';
}

/** Returns the problems for which Calico or Cilium rejects a policy, or Calico a tier. Policies of Istio are not checked. */
export function rejectionsOf(object: ManifestObject): readonly Problem[] {
  const { networkSpec, kind } = object;
  const role = networkRoleOf(object);
  if (role === 'calico tier') return tierProblems(object);
  if (networkSpec === undefined || (role !== 'cilium policy' && role !== 'calico policy')) return [];
  const namespace = isNamespaced(object) ? { unknown: 'namespace' } : undefined;
  const data = policyData(networkSpec);
  const spec = isUnknown(data) ? data : (fieldOf(data, 'spec') ?? {});
  const read =
    role === 'cilium policy'
      ? readCiliumPolicy(namespace, data)
      : readCalicoPolicy({ namespace, name: '', kind, isStoredDirectly: false }, spec);
  return read.ok ? [] : read.problems;
}

/** Returns the named addresses that an object defines. An object that is possibly applied to another cluster may contain any. */
export function addressGroupIn(object: ManifestObject, name: string, isPossible: boolean): AddressGroup {
  const role = networkRoleOf(object);
  const field = role === 'cilium addresses' ? 'externalCIDRs' : role === 'calico host' ? 'expectedIPs' : 'nets';
  const list = childOf(childOf(object.networkSpec, 'spec'), field);
  const parser = new StructuredParser();
  const ranges = itemsOf(list).map((item) => readNet(parser, policyData(item), []));
  const isListOpen = list !== undefined && (list.kind !== 'list' || list.open);
  const isOpen = isPossible || isOpenNode(object.networkSpec) || isListOpen || ranges.includes(undefined);
  const blocks = isPossible ? [] : ranges.flatMap((range) => (range === undefined ? [] : [{ range, except: [] }]));
  return { name, labels: ownLabels(object), blocks, isOpen };
}

export function tierIn({ networkSpec }: ManifestObject, name: string): CalicoTierObject {
  const data = networkSpec === undefined ? undefined : policyData(networkSpec);
  const spec = fieldOf(data, 'spec');
  const order = fieldOf(spec, 'order') ?? Number.POSITIVE_INFINITY;
  const action = fieldOf(spec, 'defaultAction') ?? 'Deny';
  const isKnown = !isUnknown(data) && !isUnknown(spec) && !isOpenNode(networkSpec);
  return {
    name,
    order: isKnown && typeof order === 'number' ? order : undefined,
    defaultAction: isKnown && (action === 'Deny' || action === 'Pass') ? action : undefined,
  };
}

/** Returns the problem of the tier `default`, which must deny what no policy decides. Source: the validation rules of `Tier` in api/pkg/apis/projectcalico/v3 of Calico. */
function tierProblems({ networkSpec, group, name }: ManifestObject): readonly Problem[] {
  if (networkSpec === undefined || group !== 'projectcalico.org' || name?.value !== 'default') return [];
  const path = ['spec', 'defaultAction'];
  const action = fieldOf(fieldOf(policyData(networkSpec), 'spec'), 'defaultAction');
  const message = "must be 'Deny' for the tier 'default', not 'Pass'";
  return action === 'Pass' ? [{ code: 'value-unsupported', path, message }] : [];
}

export function ownLabels(object: ManifestObject): LabelSet {
  const [itself] = labeledObjectsOf(object);
  if (itself === undefined) return { labels: {} };
  const { labels, open } = itself;
  return open ? { labels, open } : { labels };
}
