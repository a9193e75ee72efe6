/** Public interface of Calico's selector language. */

export { calicoToSelector, splitCalico } from './convert.ts';
export { calicoLabelsOf, calicoLabelsOfNamed, calicoLabelsOfSet } from './endpoint.ts';
export { type CalicoLabels, evaluateCalico } from './evaluate.ts';
export { parseCalicoSelector } from './syntax.ts';
export type { CalicoTree } from './types.ts';
