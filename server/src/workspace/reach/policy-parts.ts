/** Locates the rules, peers and ports of a network policy in its text. */

import {
  type Direction,
  type Parsed,
  type ReachPolicy,
  type Rule,
  readClusterNetworkPolicy,
  readNetworkPolicy,
} from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { policyKindOf } from '../../manifests/kinds/network-policy.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { policyData } from '../../manifests/sites/policy-data.ts';
import { childOf, entryOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { type Span, touches } from '../../text/span.ts';

export interface PolicyPart {
  readonly node: Node;
  /** The start offset, in the file of the policy or in `origin`. */
  readonly at: number;
  readonly origin?: { readonly uri: string; readonly span: Span };
}

/** The part of a policy at an offset: a direction, a rule, or a peer or port of a rule. */
export interface PolicyTarget {
  readonly direction: Direction;
  readonly rule?: number;
  readonly part?: 'peer' | 'port';
  readonly index?: number;
  readonly span: Span;
}

type ParsedPolicies = WeakMap<Node, Parsed<ReachPolicy>>;

/** The parsed policies by their `spec`, which the versions of an object share if kustomizations do not change it. */
const networkPolicies: ParsedPolicies = new WeakMap();
const clusterPolicies: ParsedPolicies = new WeakMap();

/** Parses the policy in an object, without its namespace, or returns the problems for which the API server rejects it. */
export function policyIn(object: ManifestObject): Parsed<ReachPolicy> {
  const isNetworkPolicy = policyKindOf(object) === 'NetworkPolicy';
  const read = (spec?: Node) => {
    const data = spec && policyData(spec);
    return isNetworkPolicy ? readNetworkPolicy('', data) : readClusterNetworkPolicy(data);
  };
  const { policySpec } = object;
  return policySpec === undefined
    ? read()
    : getOrAdd(isNetworkPolicy ? networkPolicies : clusterPolicies, policySpec, read);
}

const directions: readonly Direction[] = ['ingress', 'egress'];

/** The list of a rule, if it is not `ingress` or `egress` of `spec`. */
export interface RuleList {
  readonly list?: Rule['list'];
  /** The index of the policy in `specs`. */
  readonly inSpecs?: number | undefined;
}

export function rulesOf(
  { policySpec, networkSpec }: ManifestObject,
  direction: Direction,
  { list, inSpecs }: RuleList = {},
): readonly Node[] {
  const inList = inSpecs === undefined ? undefined : itemsOf(childOf(networkSpec, 'specs'))[inSpecs];
  // The rules of an AuthorizationPolicy of Istio concern incoming connections.
  const spec = policySpec ?? (inSpecs === undefined ? childOf(networkSpec, 'spec') : inList);
  return itemsOf(childOf(spec, list ?? direction));
}

/** Returns the name of the field that lists the peers of a rule. */
export function peerField(direction: Direction): 'from' | 'to' {
  return direction === 'ingress' ? 'from' : 'to';
}

export function portsOf(rule: Node): readonly Node[] {
  return itemsOf(childOf(rule, 'ports'));
}

/** Returns the rule with the given index; undefined if a template generates it. */
export function ruleAt(
  object: ManifestObject,
  direction: Direction,
  index: number,
  list?: RuleList,
): PolicyPart | undefined {
  const node = rulesOf(object, direction, list)[index];
  return node && partOf(node);
}

/** Returns the part at an offset in the file of a policy; undefined if the offset is not in its rules. */
export function policyTargetAt(object: ManifestObject, offset: number): PolicyTarget | undefined {
  for (const direction of directions) {
    const entry = entryOf(object.policySpec, direction);
    if (entry === undefined) continue;
    if (touches(entry.key.span, offset)) return { direction, span: entry.key.span };
    for (const [rule, node] of rulesOf(object, direction).entries()) {
      if (!touches(node.span, offset)) continue;
      for (const [part, fields] of [
        ['peer', [peerField(direction)]],
        ['port', ['ports', 'protocols']],
      ] as const)
        for (const field of fields) {
          const list = entryOf(node, field);
          if (list !== undefined && touches(list.key.span, offset)) return { direction, rule, span: list.key.span };
          for (const [index, item] of itemsOf(childOf(node, field)).entries())
            if (touches(item.span, offset)) return { direction, rule, part, index, span: firstKey(item) };
        }
      return { direction, rule, span: firstKey(node) };
    }
  }
  return undefined;
}

/** Returns the range of the first key of a node, because the node itself can have several lines. */
function firstKey(node: Node): Span {
  const [entry] = node.kind === 'map' ? node.entries : [];
  return entry?.key.span ?? { start: node.span.start, end: node.span.start + 1 };
}

function partOf(node: Node): PolicyPart {
  const origin = originIn(node);
  return { node, at: node.span.start, ...(origin && { origin }) };
}

/** Returns the position in a different file from which a node originates. Only scalars have such an origin, so the first scalar with an origin decides. */
function originIn(node: Node): PolicyPart['origin'] {
  if (node.kind === 'scalar') return node.origin;
  const below = node.kind === 'list' ? node.items : node.entries.flatMap(({ key, value }) => [key, value]);
  for (const each of below) {
    const origin = originIn(each);
    if (origin !== undefined) return origin;
  }
  return undefined;
}
