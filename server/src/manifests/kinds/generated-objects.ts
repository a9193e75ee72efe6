/** Recognizes policies of Kyverno that generate objects. Source: the API types of Kyverno. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { globMatcher } from '../../text/glob.ts';
import { childOf, itemsOf, type Node, nodeAt, textOf } from '../yaml/tree.ts';

export interface GeneratedObject {
  readonly kind: string;
  /** A glob of the name; expressions of the policy match any text. */
  readonly name: string;
}

/** Returns the objects that a policy generates; undefined if it generates none. */
export function generatedObjects({ group, kind }: GroupKind, root: Node): readonly GeneratedObject[] | undefined {
  if (group === 'policies.kyverno.io' && /^(?:Namespaced)?GeneratingPolicy$/.test(kind)) return ofExpressions(root);
  if (group !== 'kyverno.io' || (kind !== 'ClusterPolicy' && kind !== 'Policy')) return undefined;
  const rules = itemsOf(nodeAt(root, 'spec', 'rules')).flatMap((rule) => childOf(rule, 'generate') ?? []);
  const found = rules.flatMap((rule) => [rule, ...itemsOf(childOf(rule, 'foreach'))]).flatMap(objectsIn);
  return found.length === 0 ? undefined : found;
}

/** Returns the objects that expressions generate: those of the kinds in the expressions or, if these contain none, any objects. */
function ofExpressions(root: Node): readonly GeneratedObject[] {
  const code = ['variables', 'generate']
    .flatMap((field) => itemsOf(nodeAt(root, 'spec', field)))
    .map((item) => textOf(childOf(item, 'expression')) ?? '');
  const kinds = code.flatMap((each) => [...each.matchAll(kindInExpression)].map((found) => found[1] ?? '*'));
  const isCopied = code.some((each) => /\bresource\.(?:Get|List)\b/.test(each));
  return (kinds.length === 0 || isCopied ? ['*'] : kinds).map((kind) => ({ kind, name: '*' }));
}

const kindInExpression = /["']kind["']\s{0,9}:\s{0,9}(?:dyn\(\s{0,9})?["'](\w{1,100})["']/g;

function objectsIn(target: Node): readonly GeneratedObject[] {
  const kind = textOf(childOf(target, 'kind'));
  const copied = itemsOf(nodeAt(target, 'cloneList', 'kinds')).flatMap((each) => textOf(each)?.split('/').at(-1) ?? []);
  const name = textOf(childOf(target, 'name'))?.replaceAll(/\{\{[^}]{0,300}\}\}/g, '*') ?? '*';
  return [...(kind === undefined ? [] : [{ kind, name }]), ...copied.map((each) => ({ kind: each, name: '*' }))];
}

export function mayBeGenerated(generated: GeneratedObject, kinds: readonly string[], name: string): boolean {
  return (generated.kind === '*' || kinds.includes(generated.kind)) && globMatcher([generated.name])(name);
}
