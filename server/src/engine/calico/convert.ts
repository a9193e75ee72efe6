/** Converts selectors of Calico to selectors of the algebra, if they are conjunctions of requirements. */

import { allOf, everything, nothing } from '../selector.ts';
import type { Requirement, Selector, Value } from '../types.ts';
import { isDerivedCalicoKey } from './endpoint.ts';
import type { CalicoComparison, CalicoNode, CalicoTree } from './types.ts';

/** Returns a selector that matches the same labels; undefined if there is none, or if the text has problems or is unknown. Alternatives on one key become one requirement: `a == '1' || a == '2'` is `a in (1,2)`. */
export function calicoToSelector(tree: CalicoTree): Selector | undefined {
  return tree.root ? calicoNodeToSelector(tree.root) : undefined;
}

/** Returns a selector that matches the same labels as the node, if there is one. */
function calicoNodeToSelector(node: CalicoNode): Selector | undefined {
  const parts = conjunction(node, false);
  if (parts === undefined) return undefined;
  if (parts.includes('nothing')) return nothing;
  const requirements = parts.filter((part) => part !== 'nothing');
  return requirements.length === 0 ? everything : allOf(requirements, false);
}

/** A selector in two parts, which must both match. */
export interface SplitCalico {
  /** The requirements on the object's own labels. */
  readonly own: Selector;
  /** The conditions on derived labels, and those that are not requirements, such as alternatives on several keys. */
  readonly rest?: CalicoNode;
}

/** Splits a selector without problems into requirements on the object's own labels and other conditions. */
export function splitCalico({ root, open }: CalicoTree): SplitCalico {
  if (root === undefined) return { own: open ? { kind: 'all', requirements: [], open: true } : nothing };
  const own: Requirement[] = [];
  const rest: CalicoNode[] = [];
  for (const node of root.kind === 'and' ? root.operands : [root]) {
    const parts = conjunction(node, false);
    const requirements = (parts ?? []).filter((part) => part !== 'nothing');
    if (parts?.includes('nothing')) return { own: nothing };
    if (parts === undefined || requirements.some(({ key }) => isDerivedCalicoKey(key))) rest.push(node);
    else own.push(...requirements);
  }
  const selector = own.length === 0 ? everything : allOf(own, false);
  if (rest.length === 0) return { own: selector };
  return { own: selector, rest: { kind: 'and', operands: rest, start: root.start, end: root.end } };
}

type Part = Requirement | 'nothing';

/** Returns the parts of a node, or of its negation, that are ANDed; undefined if it is not a conjunction. */
function conjunction(node: CalicoNode, isNegated: boolean): readonly Part[] | undefined {
  switch (node.kind) {
    case 'all':
    case 'global':
      return isNegated ? ['nothing'] : [];
    case 'not':
      return conjunction(node.operand, !isNegated);
    case 'comparison': {
      return ofComparison(node, isNegated);
    }
    case 'and':
    case 'or': {
      const operands = node.operands.map((operand) => conjunction(operand, isNegated));
      if ((node.kind === 'and') !== isNegated) {
        return operands.every((operand) => operand !== undefined) ? operands.flat() : undefined;
      }
      return disjunction(operands);
    }
  }
}

/** Returns alternatives as one part: those that never match are dropped, and values of one key are merged. */
function disjunction(operands: readonly (readonly Part[] | undefined)[]): readonly Part[] | undefined {
  if (operands.some((operand) => operand?.length === 0)) return [];
  const values: Value[] = [];
  let key: string | undefined;
  for (const operand of operands) {
    if (operand?.length !== 1) return undefined;
    const [part] = operand;
    if (part === undefined || part === 'nothing') continue;
    if ((part.operator !== '=' && part.operator !== 'in') || (key !== undefined && part.key !== key)) return undefined;
    key = part.key;
    values.push(...part.values);
  }
  return key === undefined ? ['nothing'] : [{ key, operator: 'in', values: sorted(values) }];
}

const opposites = { '=': '!=', '!=': '=', in: 'notin', notin: 'in', exists: '!', '!': 'exists' } as const;

function ofComparison({ operator, requirement }: CalicoComparison, isNegated: boolean): readonly Part[] | undefined {
  if (requirement === undefined) {
    if (operator === 'in') return isNegated ? [] : ['nothing'];
    if (operator === 'not in') return isNegated ? ['nothing'] : [];
    return undefined;
  }
  const { key, values } = requirement;
  const own = requirement.operator;
  if (own === 'gt' || own === 'lt' || own === '==') return undefined;
  return [{ key, operator: isNegated ? opposites[own] : own, values: values.length > 1 ? sorted(values) : values }];
}

/** Sorts values and removes duplicates, as the algebra expects; unknown values come last. */
function sorted(values: readonly Value[]): readonly Value[] {
  const known = new Set(values.filter((value) => typeof value === 'string').sort());
  const unknown = new Map(values.flatMap((value) => (typeof value === 'string' ? [] : [[value.unknown, value]])));
  return [...known, ...unknown.values()];
}
