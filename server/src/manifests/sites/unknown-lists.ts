/** Recognizes the parts of selectors of which a template writes the list, so that their requirements are unknown. */

import { isRecord } from '../../engine/structured.ts';
import { plainData } from '../yaml/plain-data.ts';
import { childOf, type Node } from '../yaml/tree.ts';

/** Returns the data of the expressions of a selector, in which a list of values that a template writes is one unknown value. */
export function expressionsData(expressions: Node): unknown {
  const data = plainData(expressions);
  if (expressions.kind !== 'list' || !Array.isArray(data)) return data;
  return data.map((item: unknown, index) => {
    const node = expressions.items[index];
    if (node === undefined || !isRecord(item) || !hasUnknownValues(node)) return item;
    return { ...item, values: [{ unknown: `values at ${node.span.start}` }] };
  });
}

/** Whether a template writes the values of an expression. */
function hasUnknownValues(expression: Node): boolean {
  const values = childOf(expression, 'values');
  if (values !== undefined && !(values.kind === 'scalar' && values.type === 'null')) return isUnknownList(values);
  // The output of a template in the column of `values` consists of other fields, or of the values.
  const operator = childOf(expression, 'operator');
  const takesValues = operator?.kind === 'scalar' && /^(?:Not)?In$/.test(operator.text);
  return takesValues && expression.kind === 'map' && expression.open;
}

/** Whether a template writes a list, of which no item is known: `{{ toYaml .Values.list | nindent 4 }}` is read as an empty map. */
export function isUnknownList(node: Node): boolean {
  if (node.kind === 'scalar') return node.pattern !== undefined;
  return node.open && (node.kind === 'map' || node.items.length === 0);
}
