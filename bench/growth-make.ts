/** Generates the manifests in the shapes of `growth-shapes.ts`. */

/** A file by its path. */
export type Files = readonly (readonly [path: string, text: string])[];

export interface Shape {
  readonly name: string;
  /** The smallest of the three sizes. */
  readonly size: number;
  /** The files; requests are about the first one. */
  files(size: number): Files;
}

/** The numbers from 0 to below `size`. */
export const numbers = (size: number): readonly number[] => Array.from({ length: size }, (_, number) => number);

/** The concatenated texts of all numbers below `size`. */
export const list = (size: number, text: (number: number) => string): string => numbers(size).map(text).join('');

/** Like `list`, with a document separator between the texts. */
export const documents = (size: number, text: (number: number) => string): string =>
  numbers(size).map(text).join('---\n');

/** A Service with a selector. */
export const service = (name: string, selector: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  selector: {${selector}}\n`;

/** A Pod with labels. */
export const pod = (name: string, labels: string, namespace = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n${namespace && `  namespace: ${namespace}\n`}  labels: {${labels}}\n`;

/** A Node with labels. */
export const node = (name: string, labels: string) =>
  `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}, labels: {${labels}}}\n`;

export const deployment = (name: string, selector: string, labels = selector) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  selector: {matchLabels: {${selector}}}\n  template:\n    metadata: {labels: {${labels}}}\n`;

/** A PodDisruptionBudget with a selector. */
export const budget = (name: string, selector: string) =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: ${name}}\nspec:\n  selector: {matchLabels: {${selector}}}\n`;

/** A NetworkPolicy with a selector and ingress rules. */
export const policy = (name: string, selector: string, ingress = '[]') =>
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: ${name}}\nspec:\n  podSelector: {matchLabels: {${selector}}}\n  ingress: ${ingress}\n`;

/** A workspace with one file. */
export const one = (text: string): Files => [['a.yaml', text]];

/** A PodDisruptionBudget with `size` items of `matchExpressions`. */
export const expressions = (size: number, text: (number: number) => string) =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec:\n  selector:\n    matchExpressions:\n${list(size, text)}`;

export const chart = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
