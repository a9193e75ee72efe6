/** Types of the policies of admission controllers: the objects to which they apply, and the answers. */

import type { Answer, LabelSet, Value } from '../types.ts';

/** An object at the moment when it is created, changed or deleted. */
export interface PolicyResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Whether the object is in a namespace; a Namespace is not. */
  readonly isNamespaced: boolean;
  /** The name; absent if the API server generates it. */
  readonly name?: Value | undefined;
  readonly generateName?: Value | undefined;
  readonly namespace?: Value | undefined;
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  /** The labels of the namespace of the object, with the label `kubernetes.io/metadata.name`. */
  readonly namespaceLabels: LabelSet;
}

/** Whether a policy applies to an object. */
export interface PolicyAnswer {
  readonly answer: Answer;
  /** What decides an answer of *maybe*, without a period. */
  readonly reason?: string;
  /** Set if the system rejects the policy, so that it applies to nothing. */
  readonly isInvalid?: true;
  /** Set if Kyverno generates the rule that applies from a rule for pods. */
  readonly isGenerated?: true;
}

/** Whether an object is a Namespace, whose own name counts as its namespace. */
export function isNamespace({ group, kind }: Pick<PolicyResource, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Namespace';
}
