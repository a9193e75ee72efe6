/** Reports network policy peers and types that the API server rejects: peers without any field, peers that combine an `ipBlock` with a selector, exceptions outside of an `ipBlock`, and types other than `Ingress` and `Egress`. */

import { isWithin, parseCidr } from '../../engine/reach/index.ts';
import type { Written } from '../../manifests/model.ts';
import { isEmptyPeer, peerSelectorPaths } from '../../manifests/sites/network-policy-peers.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import {
  childOf,
  entryOf,
  itemsOf,
  knownTextOf,
  type MapEntry,
  mayHoldMore,
  type Node,
} from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface RejectedPeer extends Fact {
  /** The selector next to an `ipBlock`; undefined for a peer without any field. */
  readonly selector?: string;
}

interface RejectedType extends Fact {
  readonly type: Written;
  /** The type that was probably intended. */
  readonly near?: string | undefined;
}

/** An exception that is not a smaller part of its `ipBlock`. */
interface RejectedException extends Fact {
  readonly except: string;
  readonly cidr: string;
}

export const networkPolicyPeer = rule<RejectedPeer | RejectedType | RejectedException>({
  id: 'network-policy-peer',
  severity: 'error',
  needs: 'policies',
  summary: 'A network policy peer or type that the API server rejects.',
  why: 'An exception in `except` must be a smaller part of its `cidr`. A peer must have an `ipBlock`, or a `podSelector`, a `namespaceSelector` or both of these. Null is the same as absent, so the API server rejects `{}` and `podSelector: null`. It also rejects an `ipBlock` next to a selector, and all types except `Ingress` and `Egress`. Peers have no fix, because only the author knows whether all pods, pods with certain labels, or an address range is intended.',
  bad: [
    {
      title: 'A peer without any field, which does not mean all peers.',
      text: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: basket
spec:
  podSelector: {}
  ingress:
    - from:
        - {}
`,
    },
    {
      title: 'An address range and a selector in one peer.',
      text: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: basket
spec:
  podSelector: {}
  egress:
    - to:
        - ipBlock:
            cidr: 10.0.0.0/8
          podSelector:
            matchLabels:
              app: cache
`,
    },
  ],
  good: [
    {
      title: 'A peer with an empty selector, which allows all pods of the namespace.',
      change: ['- {}', '- podSelector: {}'],
    },
  ],
  *check(context) {
    // After a syntax error, a field may be in the wrong map.
    if (context.manifest.unresolved || context.manifest.syntaxErrors > 0) return;
    const seen = new Set<number>();
    for (const { node, list, selectors } of peersIn(context)) {
      for (const fact of exceptionsIn(node))
        if (!seen.has(fact.span.start)) {
          seen.add(fact.span.start);
          yield fact;
        }
      const fact = isEmptyPeer(node) ? emptyPeer(node, list) : mixedPeer(node, selectors);
      // Aliases may repeat one peer at several sites.
      if (fact === undefined || seen.has(fact.span.start)) continue;
      seen.add(fact.span.start);
      yield fact;
    }
    for (const { policySpec } of context.stored) if (policySpec !== undefined) yield* rejectedTypes(policySpec);
  },
  message(fact) {
    if ('type' in fact)
      return localize`A policy type must be 'Ingress' or 'Egress', not '${shorten(fact.type.text)}'; the API server rejects it.`;
    if ('except' in fact)
      return localize`'${shorten(fact.except)}' must be a smaller part of '${shorten(fact.cidr)}'; the API server rejects the exception.`;
    const { selector } = fact;
    if (selector === undefined)
      return localize`A peer must have \`ipBlock\`, \`podSelector\` or \`namespaceSelector\`; the API server rejects an empty peer.`;
    return localize`A peer must not have both \`ipBlock\` and \`${selector}\`; use two peers.`;
  },
  fixes(fact) {
    if (!('type' in fact) || fact.near === undefined) return [];
    const edits = [replaceScalar(fact.type, fact.near)];
    return [{ title: localize`Change the type to '${fact.near}'`, edits, preferred: true }];
  },
});

/** Yields the exceptions that are not strict subsets of their block: `ValidateIPBlock` in k8s.io/kubernetes/pkg/apis/networking/validation. */
function* exceptionsIn(peer: Node): Iterable<RejectedException> {
  const block = childOf(peer, 'ipBlock');
  const cidr = knownTextOf(childOf(block, 'cidr'));
  const range = cidr === undefined ? undefined : parseCidr(cidr);
  if (cidr === undefined || range === undefined) return;
  for (const item of itemsOf(childOf(block, 'except'))) {
    const except = knownTextOf(item);
    const part = except === undefined ? undefined : parseCidr(except);
    if (except === undefined || part === undefined) continue;
    const isSubset = isWithin(part, range) && part.last - part.first < range.last - range.first;
    if (!isSubset) yield { span: item.span, except, cidr };
  }
}

const policyTypes = ['Ingress', 'Egress'];

function* rejectedTypes(policySpec: Node): Iterable<RejectedType> {
  const entry = entryOf(policySpec, 'policyTypes');
  if (entry === undefined || entry.conditional) return;
  for (const item of itemsOf(entry.value)) {
    if (item.kind !== 'scalar' || item.pattern !== undefined || item.type !== 'string') continue;
    if (policyTypes.includes(item.text)) continue;
    const near = policyTypes.find((type) => misspelling(type, item.text) !== undefined);
    yield { span: item.span, type: written(item), near };
  }
}

interface Peer {
  readonly node: Node;
  /** The field of the list that contains the peer. */
  readonly list: MapEntry;
  readonly selectors: readonly string[];
}

function* peersIn({ stored, catalogue }: RuleContext): Iterable<Peer> {
  for (const { group, version, kind, policySpec } of stored) {
    const facts = policySpec && catalogue.kind(group, version, kind);
    if (policySpec === undefined || facts === undefined) continue;
    const paths = Array.from(peerSelectorPaths(facts), (path) => path.slice('spec.'.length));
    const lists = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('[]'))));
    for (const list of lists) {
      const selectors = paths.flatMap((path) => (path.startsWith(`${list}[].`) ? [path.slice(list.length + 3)] : []));
      for (const entry of entriesAt(policySpec, list.split('.'))) {
        if (entry.value.kind !== 'list' || mayHoldMore(entry.value)) continue;
        for (const node of entry.value.items) yield { node, list: entry, selectors };
      }
    }
  }
}

/** Yields the entries at a path below `spec`, such as `ingress[].from`. */
function* entriesAt(node: Node, [step = '', ...steps]: readonly string[]): Iterable<MapEntry> {
  const entry = entryOf(node, step.replace('[]', ''));
  if (entry === undefined || entry.conditional) return;
  if (steps.length === 0) yield entry;
  else if (!step.endsWith('[]')) yield* entriesAt(entry.value, steps);
  else if (entry.value.kind === 'list') for (const item of entry.value.items) yield* entriesAt(item, steps);
}

function emptyPeer(node: Node, list: MapEntry): RejectedPeer {
  const [first] = node.kind === 'map' ? node.entries : [];
  if (first !== undefined) return { span: first.key.span };
  return { span: node.span.end > node.span.start ? node.span : list.key.span };
}

function mixedPeer(node: Node, selectors: readonly string[]): RejectedPeer | undefined {
  if (mayHoldMore(node) || !isSet(entryOf(node, 'ipBlock'))) return undefined;
  for (const selector of selectors) {
    const entry = entryOf(node, selector);
    if (entry !== undefined && isSet(entry)) return { span: entry.key.span, selector };
  }
  return undefined;
}

function isSet(entry: MapEntry | undefined): boolean {
  if (entry === undefined || entry.conditional) return false;
  return entry.value.kind !== 'scalar' || (entry.value.type !== 'null' && entry.value.pattern === undefined);
}
