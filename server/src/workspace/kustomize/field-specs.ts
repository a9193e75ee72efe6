/** The field specs of kustomize's transformers (tables of v5.5.0), and functions that find and set their fields. */

import type { FieldSpec } from '../../manifests/kustomize/model.ts';
import { childOf, isNull, type MapNode, maximumDepth, type Node } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import { fileNameOf } from '../uri.ts';
import { listOf, mapOf, scalarOf, withValue } from './edit-tree.ts';

const create = true;

export interface Field extends FieldSpec {
  readonly parts: readonly string[];
}

/** Compiles the field specs of a file once for all objects. Specs with paths that are deeper than any object are omitted. */
export function fieldsOf(specs: readonly FieldSpec[]): readonly Field[] {
  return specs
    .map((each) => ({ ...each, parts: partsOf(each.path) }))
    .filter(({ parts }) => parts.length <= maximumDepth);
}

function spec(path: string, kind: string, more: Partial<FieldSpec> = {}): Field {
  return { group: '', version: '', kind, path, create: false, ...more, parts: partsOf(path) };
}

export const ownLabels = spec('metadata/labels', '', { create });

export const ownAnnotations = spec('metadata/annotations', '', { create });

export const names = spec('metadata/name', '');

export const ownNamespace = spec('metadata/namespace', '', { create });

/** The fields that the namespace of a kustomization sets. They include the name of a Namespace. */
export const namespaces: readonly Field[] = [spec('metadata/name', 'Namespace', { create })];

function templates(field: 'labels' | 'annotations'): readonly Field[] {
  return [
    spec(`spec/template/metadata/${field}`, 'ReplicationController', { version: 'v1', create }),
    ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) =>
      spec(`spec/template/metadata/${field}`, kind, { create }),
    ),
    spec(`spec/template/metadata/${field}`, 'StatefulSet', { group: 'apps', create }),
    spec(`spec/template/metadata/${field}`, 'Job', { group: 'batch', create }),
    spec(`spec/jobTemplate/metadata/${field}`, 'CronJob', { group: 'batch', create }),
    spec(`spec/jobTemplate/spec/template/metadata/${field}`, 'CronJob', { group: 'batch', create }),
  ];
}

export const templateLabels: readonly Field[] = [
  ...templates('labels'),
  spec('spec/volumeClaimTemplates[]/metadata/labels', 'StatefulSet', { group: 'apps', create }),
];

const podSpec = 'spec/template/spec';
const podTerms = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `${podSpec}/affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `${podSpec}/affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

const selectors: readonly Field[] = [
  spec('spec/selector', 'Service', { version: 'v1', create }),
  spec('spec/selector', 'ReplicationController', { version: 'v1', create }),
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) => spec('spec/selector/matchLabels', kind, { create })),
  spec('spec/selector/matchLabels', 'StatefulSet', { group: 'apps', create }),
  ...['Deployment', 'StatefulSet'].flatMap((kind) =>
    [...podTerms, `${podSpec}/topologySpreadConstraints/labelSelector/matchLabels`].map((path) =>
      spec(path, kind, { group: 'apps' }),
    ),
  ),
  spec('spec/selector/matchLabels', 'Job', { group: 'batch' }),
  spec('spec/jobTemplate/spec/selector/matchLabels', 'CronJob', { group: 'batch' }),
  spec('spec/selector/matchLabels', 'PodDisruptionBudget', { group: 'policy' }),
  ...['spec/podSelector', 'spec/ingress/from/podSelector', 'spec/egress/to/podSelector'].map((path) =>
    spec(`${path}/matchLabels`, 'NetworkPolicy', { group: 'networking.k8s.io' }),
  ),
];

export const commonLabels: readonly Field[] = [ownLabels, ...templateLabels, ...selectors];

export const commonAnnotations: readonly Field[] = [ownAnnotations, ...templates('annotations')];

/** Whether the names of a kind get no prefix and no suffix. */
export function keepsName({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace') return true;
  return kind === 'APIService' && group === 'apiregistration.k8s.io';
}

/** The kinds that kustomize knows to be cluster-scoped; it treats all other kinds as namespaced. */
const clusterScoped: ReadonlySet<string> = new Set([
  ...['v1/ComponentStatus', 'v1/Namespace', 'v1/Node', 'v1/PersistentVolume'],
  ...['v1', 'v1beta1'].flatMap((version) => [
    `admissionregistration.k8s.io/${version}/MutatingWebhookConfiguration`,
    `admissionregistration.k8s.io/${version}/ValidatingWebhookConfiguration`,
    `apiextensions.k8s.io/${version}/CustomResourceDefinition`,
    `apiregistration.k8s.io/${version}/APIService`,
    `certificates.k8s.io/${version}/CertificateSigningRequest`,
    `networking.k8s.io/${version}/IngressClass`,
    `node.k8s.io/${version}/RuntimeClass`,
    `rbac.authorization.k8s.io/${version}/ClusterRole`,
    `rbac.authorization.k8s.io/${version}/ClusterRoleBinding`,
    `scheduling.k8s.io/${version}/PriorityClass`,
    `storage.k8s.io/${version}/CSIDriver`,
    `storage.k8s.io/${version}/CSINode`,
    `storage.k8s.io/${version}/StorageClass`,
    `storage.k8s.io/${version}/VolumeAttachment`,
  ]),
  'flowcontrol.apiserver.k8s.io/v1beta1/FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration',
  'policy/v1beta1/PodSecurityPolicy',
]);

const clusterScopedKinds: ReadonlySet<string> = new Set(Array.from(clusterScoped, (type) => fileNameOf(type)));

/** Whether kustomize treats a kind as cluster-scoped. */
export function isClusterScoped({ group, version, kind }: Type): boolean {
  return clusterScopedKinds.has(kind) && clusterScoped.has(`${group === '' ? '' : `${group}/`}${version}/${kind}`);
}

type Type = Pick<FieldSpec, 'group' | 'version' | 'kind'>;

export function concerns(field: FieldSpec, { group, version, kind }: Type): boolean {
  return isOne(field.kind, kind) && isOne(field.group, group) && isOne(field.version, version);
}

function isOne(wanted: string, is: string): boolean {
  return wanted === '' || wanted === is;
}

/** Splits `spec/template` into its parts; a slash in a part is written `\/`. */
function partsOf(path: string): readonly string[] {
  return path
    .replace(/^\//, '')
    .split(/(?<!\\)\//)
    .map((part) => part.replaceAll('\\/', '/'));
}

/** Returns the tree after `set` replaced every node that a field spec finds or creates. */
export function atField(
  root: MapNode,
  { parts, create }: Field,
  anchor: Span,
  set: (node: Node) => Node,
  kind: 'map' | 'scalar' = 'map',
): MapNode {
  const changed = visit(root, 0, { parts, create, anchor, set, kind });
  return changed.kind === 'map' ? changed : root;
}

interface Visit {
  readonly parts: readonly string[];
  readonly create: boolean;
  readonly anchor: Span;
  readonly set: (node: Node) => Node;
  readonly kind: 'map' | 'scalar';
}

function visit(node: Node, depth: number, how: Visit): Node {
  const part = how.parts[depth];
  if (part === undefined) return how.set(node);
  if (node.kind === 'list') {
    const items = node.items.map((item) => visit(item, depth, how));
    return items.every((item, index) => item === node.items[index]) ? node : listOf(items, node.span, node.open);
  }
  if (node.kind !== 'map') return node;
  const isList = part.endsWith('[]');
  const isLast = depth === how.parts.length - 1;
  const name = isList ? part.slice(0, -2) : part;
  const found = childOf(node, name);
  const isMade = how.create && !isList && (found === undefined || isNull(found));
  const child = isMade ? newNode(isLast ? how.kind : 'map', how.anchor) : found;
  if (child === undefined) return node;
  const changed = visit(child, depth + 1, how);
  if (changed === found) return node;
  return withValue(node, name, changed, how.anchor);
}

function newNode(kind: 'map' | 'scalar', anchor: Span): Node {
  return kind === 'map' ? mapOf([], anchor) : scalarOf('', anchor);
}
