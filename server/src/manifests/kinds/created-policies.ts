/** Recognizes objects whose controllers create network policies. Sources: the API types of each project. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { childOf, effectiveEntries, isOpen, itemsOf, knownTextOf, type Node, nodeAt } from '../yaml/tree.ts';
import type { AdmissionRules } from './admission-rules.ts';
import type { GeneratedObject } from './generated-objects.ts';
import type { Mutation } from './mutations.ts';
import type { PluginSetting } from './plugin-settings.ts';

/** The network policies that the controller of an object creates. */
export interface CreatedPolicies {
  /** Set for the policy of Linkerd for pods without another policy, which only denies connections. */
  readonly isMeshDefault?: true;
  readonly areInOwnNamespace?: true;
  /** The namespace of the policies; absent if they may be in any namespace. */
  readonly namespace?: string;
}

/** Facts about an object that affects other objects: the connections that policies allow, and what admission policies change. */
export interface PolicyFacts {
  /** For an object whose controller creates network policies: the policies, as far as they are known. */
  readonly createdPolicies?: CreatedPolicies;
  /** For a policy of a network plugin or mesh, and for objects to which it refers: all fields except its type, metadata and status. */
  readonly networkSpec?: Node;
  /** For a policy: the objects that it generates. */
  readonly generates?: readonly GeneratedObject[];
  /** For an admission policy: what it changes in other objects. */
  readonly mutations?: readonly Mutation[];
  /** For an admission policy: what decides to which objects it applies. */
  readonly admissionRules?: AdmissionRules;
  /** For a Service, Pod or Node: the fields that contain its addresses. */
  readonly addresses?: Node;
  /** For an object that installs or runs a network plugin: the settings that it changes. */
  readonly installedSettings?: readonly PluginSetting[];
  /** For a ConfigMap with the configuration of a mesh of Istio: the configuration. */
  readonly meshConfig?: Node;
  /** For the configuration of a mesh of Istio: the namespaces that may be its root namespace. */
  readonly meshRoots?: readonly string[];
}

/** Facts about a kind whose controller creates objects. */
interface CreatorKind {
  /** The path of the field that defines the created objects. */
  readonly path: readonly string[];
  readonly areInOwnNamespace?: true;
  /** Set if every value of the field defines network policies; otherwise, the field must mention a kind of them. */
  readonly always?: true;
}

const kinds: ReadonlyMap<string, CreatorKind> = new Map<string, CreatorKind>([
  ['policies.kyverno.io/GeneratingPolicy', { path: ['spec'] }],
  ['policies.kyverno.io/NamespacedGeneratingPolicy', { path: ['spec'], areInOwnNamespace: true }],
  ['capsule.clastix.io/Tenant', { path: ['spec', 'networkPolicies', 'items'], always: true }],
  ['capsule.clastix.io/TenantResource', { path: ['spec', 'resources'] }],
  ['capsule.clastix.io/GlobalTenantResource', { path: ['spec', 'resources'] }],
  // The template itself may be in another scope.
  ['config.openshift.io/Project', { path: ['spec', 'projectRequestTemplate'], always: true }],
  ['redhatcop.redhat.io/NamespaceConfig', { path: ['spec', 'templates'] }],
  ['policy.open-cluster-management.io/ConfigurationPolicy', { path: ['spec'] }],
]);

/** Matches the names of kinds and resources of network policies, including those of network plugins. */
const mentioned = /network-?polic(?:y|ies)/i;

/** Returns the network policies that the controller of an object creates; undefined if it certainly creates none. */
export function createdPolicies({ group, kind }: GroupKind, root: Node): CreatedPolicies | undefined {
  if (group === 'kyverno.io') return generatedByKyverno(kind, root);
  if (group === 'hnc.x-k8s.io') return propagatedByHnc(kind, root);
  if (installers.has(`${group}/${kind}`)) return deniesByDefault(root) ? { isMeshDefault: true } : undefined;
  const found = kinds.get(`${group}/${kind}`);
  const field = found && nodeAt(root, ...found.path);
  if (found === undefined || field === undefined) return undefined;
  const isCreator = found.always ? !isEmpty(field) : mentions(field);
  if (!isCreator) return undefined;
  return found.areInOwnNamespace ? { areInOwnNamespace: true } : {};
}

/** The kinds whose objects may contain the values with which Linkerd is installed. */
const installers: ReadonlySet<string> = new Set([
  'helm.toolkit.fluxcd.io/HelmRelease',
  'argoproj.io/Application',
  'helm.cattle.io/HelmChart',
]);

/** Whether values set a default inbound policy of Linkerd that does not allow all connections. */
function deniesByDefault(root: Node): boolean {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'list') waiting.push(...next.items);
    if (next.kind === 'scalar' && isDenying(inboundPolicy.exec(next.text)?.[1])) return true;
    if (next.kind !== 'map') continue;
    for (const { key, value } of effectiveEntries(next)) {
      if (key.text === 'defaultInboundPolicy' && value.kind === 'scalar' && isDenying(value.text)) return true;
      waiting.push(value);
    }
  }
  return false;
}

const inboundPolicy = /\bdefaultInboundPolicy: {0,9}["']?([\w-]{1,40})/;

/** Whether a default inbound policy of Linkerd denies some connections. */
export function isDenying(policy: string | undefined): boolean {
  return policy !== undefined && policy !== 'all-unauthenticated' && policy !== 'audit';
}

function generatedByKyverno(kind: string, root: Node): CreatedPolicies | undefined {
  if (kind !== 'ClusterPolicy' && kind !== 'Policy') return undefined;
  const rules = itemsOf(nodeAt(root, 'spec', 'rules')).flatMap((rule) => childOf(rule, 'generate') ?? []);
  const targets = rules.flatMap((rule) => [rule, ...itemsOf(childOf(rule, 'foreach'))]).filter(generatesPolicies);
  if (targets.length === 0) return undefined;
  // A Policy generates objects only in its own namespace.
  if (kind === 'Policy') return { areInOwnNamespace: true };
  const [namespace, ...others] = new Set(targets.map((each) => knownTextOf(childOf(each, 'namespace'))));
  const isKnown = namespace !== undefined && others.length === 0 && !namespace.includes('{{');
  return isKnown ? { namespace } : {};
}

/** Whether a target of a generate rule is a network policy, or may be one. */
function generatesPolicies(target: Node): boolean {
  const kind = childOf(target, 'kind');
  const isOne = kind !== undefined && (mentions(kind) || (knownTextOf(kind)?.includes('{{') ?? true));
  return isOne || itemsOf(nodeAt(target, 'cloneList', 'kinds')).some(mentions);
}

/** The modes of a resource in which HNC does not propagate its objects. */
const withoutPropagation = ['Ignore', 'Remove'];

function propagatedByHnc(kind: string, root: Node): CreatedPolicies | undefined {
  if (kind !== 'HNCConfiguration') return undefined;
  const isPropagated = itemsOf(nodeAt(root, 'spec', 'resources')).some(
    (each) =>
      mentions(childOf(each, 'resource')) && !withoutPropagation.includes(knownTextOf(childOf(each, 'mode')) ?? ''),
  );
  return isPropagated ? {} : undefined;
}

/** Whether a field certainly has no content. */
function isEmpty(node: Node): boolean {
  if (isOpen(node)) return false;
  if (node.kind === 'map') return effectiveEntries(node).length === 0;
  return node.kind === 'list' ? node.items.length === 0 : node.text === '';
}

/** Whether a value in a tree contains the name of a kind of network policies. */
function mentions(node: Node | undefined): boolean {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'scalar' && mentioned.test(next.text)) return true;
    if (next.kind === 'list') waiting.push(...next.items);
    if (next.kind === 'map') waiting.push(...effectiveEntries(next).map(({ value }) => value));
  }
  return false;
}
