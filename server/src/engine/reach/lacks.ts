/** The conditions that keep a rule from matching a connection. */

import { type EndpointSelector, requirementOn } from '../cilium/endpoint-selector.ts';
import { namespaceKey, namespaceLabelPrefix } from '../cilium/label-keys.ts';
import { evaluateRequirement, labelOf } from '../evaluate.ts';
import type { LabelSet, Requirement, Selector, Value } from '../types.ts';
import type { PortSet } from './ports.ts';
import type { ReachPod } from './types.ts';

/** The missing condition of a near miss: a property of the peer, or a match of the rule. */
export type Lack =
  | {
      readonly what: 'pod label' | 'namespace label';
      readonly requirement: Requirement;
      readonly value: Value | undefined;
      /** Set if there is no Namespace object that could have the label. */
      readonly isWithoutObject?: true;
    }
  /** A peer without a namespace selector includes only pods in the namespace of the policy. */
  | { readonly what: 'namespace'; readonly wanted: Value; readonly value: Value }
  /** The ports that the rule matches instead. */
  | { readonly what: 'port'; readonly ports: PortSet };

/** Returns the requirements of a selector of Cilium that a pod certainly does not satisfy; undefined if no pod can satisfy them. */
export function endpointLacks(
  { requirements }: EndpointSelector,
  pod: ReachPod,
  namespaceLabels: LabelSet,
): readonly Lack[] | undefined {
  const { namespace, labels, serviceAccount, isOfController } = pod;
  if (pod.hostNetwork === 'yes') return undefined;
  const endpoint = { namespace, labels, namespaceLabels, serviceAccount, isOfController };
  const lacks = requirements
    .filter((requirement) => requirementOn(requirement, endpoint) === 'no')
    .map(({ source, ...requirement }): Lack | undefined => {
      if (source !== 'k8s' && source !== 'any') return undefined;
      const { key, operator, values } = requirement;
      const [wanted, ...others] = values;
      if (
        key === namespaceKey &&
        (operator === '=' || operator === 'in') &&
        wanted !== undefined &&
        others.length === 0
      )
        return { what: 'namespace', wanted, value: namespace };
      if (key === namespaceKey) return { what: 'pod label', requirement, value: namespace };
      if (!key.startsWith(namespaceLabelPrefix))
        return { what: 'pod label', requirement, value: labelOf(labels.labels, key) };
      const plain = { ...requirement, key: key.slice(namespaceLabelPrefix.length) };
      return { what: 'namespace label', requirement: plain, value: labelOf(namespaceLabels.labels, plain.key) };
    });
  return lacks.every((each) => each !== undefined) ? lacks : undefined;
}

/** Returns the requirements that labels certainly do not satisfy; undefined for a selector that selects nothing. */
export function failing(
  selector: Selector,
  labelSet: LabelSet,
): readonly { readonly requirement: Requirement; readonly value: Value | undefined }[] | undefined {
  if (selector.kind !== 'all') return selector.kind === 'everything' ? [] : undefined;
  return selector.requirements
    .filter((requirement) => evaluateRequirement(requirement, labelSet) === 'no')
    .map((requirement) => ({ requirement, value: labelOf(labelSet.labels, requirement.key) }));
}
