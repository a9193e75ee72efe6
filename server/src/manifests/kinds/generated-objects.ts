/** Recognizes policies of Kyverno that generate objects. Source: the API types of Kyverno. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { globMatcher } from '../../text/glob.ts';
import { childOf, itemsOf, type Node, nodeAt, textOf } from '../yaml/tree.ts';

/** An object that a policy generates. */
export interface GeneratedObject {
  readonly kind: string;
  /** A glob of the name; expressions of the policy match any text. */
  readonly name: string;
}

/** Returns the objects that a policy generates; undefined if it generates none. */
export function generatedObjects({ group, kind }: GroupKind, root: Node): readonly GeneratedObject[] | undefined {
  if (group !== 'kyverno.io' || (kind !== 'ClusterPolicy' && kind !== 'Policy')) return undefined;
  const rules = itemsOf(nodeAt(root, 'spec', 'rules')).flatMap((rule) => childOf(rule, 'generate') ?? []);
  const found = rules.flatMap((rule) => [rule, ...itemsOf(childOf(rule, 'foreach'))]).flatMap(objectsIn);
  return found.length === 0 ? undefined : found;
}

function objectsIn(target: Node): readonly GeneratedObject[] {
  const kind = textOf(childOf(target, 'kind'));
  const copied = itemsOf(nodeAt(target, 'cloneList', 'kinds')).flatMap((each) => textOf(each)?.split('/').at(-1) ?? []);
  const name = textOf(childOf(target, 'name'))?.replaceAll(/\{\{[^}]{0,300}\}\}/g, '*') ?? '*';
  return [...(kind === undefined ? [] : [{ kind, name }]), ...copied.map((each) => ({ kind: each, name: '*' }))];
}

/** Whether a generated object may be an object of one of the kinds with a name. */
export function mayBeGenerated(generated: GeneratedObject, kinds: readonly string[], name: string): boolean {
  return kinds.includes(generated.kind) && globMatcher([generated.name])(name);
}
