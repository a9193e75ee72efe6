/** The rules, peers and ports of a network policy as they are written. */

import type { Direction } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';

/** Where a part of a policy is written. */
export interface PolicyPart {
  readonly node: Node;
  /** Its first character, in the file of the policy, or in the file that wrote it. */
  readonly at: number;
  readonly origin?: { readonly uri: string; readonly span: Span };
}

/** The rules of a direction, in order. */
function rulesOf({ policySpec }: ManifestObject, direction: Direction): readonly Node[] {
  return itemsOf(policySpec, direction);
}

/** A rule by its place; undefined if a template writes it. */
export function ruleAt(object: ManifestObject, direction: Direction, index: number): PolicyPart | undefined {
  const node = rulesOf(object, direction)[index];
  return node && partOf(node);
}

/** A node with the place at which it is written. */
function partOf(node: Node): PolicyPart {
  const origin = originIn(node);
  return { node, at: node.span.start, ...(origin && { origin }) };
}

function itemsOf(node: Node | undefined, field: string): readonly Node[] {
  const list = childOf(node, field);
  return list?.kind === 'list' ? list.items : [];
}

/** What another file wrote says so at its scalars. */
function originIn(node: Node): PolicyPart['origin'] {
  if (node.kind === 'scalar') return node.origin;
  if (node.kind === 'list') {
    for (const item of node.items) {
      const origin = originIn(item);
      if (origin !== undefined) return origin;
    }
    return undefined;
  }
  for (const { key, value } of node.entries) {
    const origin = key.origin ?? originIn(value);
    if (origin !== undefined) return origin;
  }
  return undefined;
}
