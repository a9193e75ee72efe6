/** Evaluates selectors of Calico on labels that may be partly unknown. */

import { not } from '../answers.ts';
import { evaluateRequirement, isChangeable, labelOf } from '../evaluate.ts';
import type { Answer, LabelSet, Value } from '../types.ts';
import type { CalicoComparison, CalicoNode, CalicoTree } from './types.ts';

/** Labels, or the labels that decide on a key: labels of namespaces and service accounts have prefixes. */
export type CalicoLabels = LabelSet | ((key: string) => LabelSet);

/** Whether the selector matches the labels. A text with problems, or with an unknown part outside of strings, gives *maybe*. */
export function evaluateCalico(tree: Pick<CalicoTree, 'root'>, labels: CalicoLabels): Answer {
  return tree.root ? evaluateNode(tree.root, labels) : 'maybe';
}

/** Returns the answer of one node of the tree. */
function evaluateNode(node: CalicoNode, labels: CalicoLabels): Answer {
  switch (node.kind) {
    case 'all':
    case 'global':
      return 'yes';
    case 'not':
      return not(evaluateNode(node.operand, labels));
    case 'and':
    case 'or': {
      const decisive = node.kind === 'and' ? 'no' : 'yes';
      let answer: Answer = node.kind === 'and' ? 'yes' : 'no';
      for (const operand of node.operands) {
        const one = evaluateNode(operand, labels);
        if (one === decisive) return decisive;
        if (one === 'maybe') answer = 'maybe';
      }
      return answer;
    }
    case 'comparison':
      return evaluateComparison(node, labels);
  }
}

function evaluateComparison(comparison: CalicoComparison, all: CalicoLabels): Answer {
  const labels = typeof all === 'function' ? all(comparison.key.text) : all;
  if (comparison.requirement) return evaluateRequirement(comparison.requirement, labels);
  const { operator, key, known } = comparison;
  if (labels.changeable !== undefined && isChangeable(labels.changeable, key.text)) return 'maybe';
  if (operator === 'in') return 'no';
  if (operator === 'not in') return 'yes';
  const value = labelOf(labels.labels, key.text);
  if (value === undefined) return labels.open ? 'maybe' : 'no';
  return textAnswer(operator, value, known[0] ?? '');
}

/** Whether a value contains, starts with or ends with a text. The known parts of unknown values can decide. */
function textAnswer(operator: CalicoComparison['operator'], value: Value, wanted: Value): Answer {
  if (typeof wanted !== 'string')
    return typeof value !== 'string' && value.unknown === wanted.unknown ? 'yes' : 'maybe';
  if (typeof value === 'string') {
    if (operator === 'contains') return value.includes(wanted) ? 'yes' : 'no';
    return (operator === 'starts with' ? value.startsWith(wanted) : value.endsWith(wanted)) ? 'yes' : 'no';
  }
  if (wanted === '') return 'yes';
  const parts = (value.pattern ?? '*').split('*');
  if (operator === 'contains') return parts.some((part) => part.includes(wanted)) ? 'yes' : 'maybe';
  if (operator === 'starts with') {
    const head = parts[0] ?? '';
    if (head.startsWith(wanted)) return 'yes';
    return wanted.startsWith(head) ? 'maybe' : 'no';
  }
  const tail = parts.at(-1) ?? '';
  if (tail.endsWith(wanted)) return 'yes';
  return wanted.endsWith(tail) ? 'maybe' : 'no';
}
