/** Public interface of Calico's selector language. */

export { calicoToSelector } from './convert.ts';
export { evaluateCalico } from './evaluate.ts';
export { parseCalicoSelector } from './syntax.ts';
