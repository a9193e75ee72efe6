/** Extracts the requirements on the own labels of pods from selectors of Cilium. */

import { allowsAbsence } from '../evaluate.ts';
import { allOf, nothing } from '../selector.ts';
import type { Parsed, Requirement, Selector, Value } from '../types.ts';
import {
  type EndpointPlace,
  type EndpointSelector,
  parseEndpointSelector,
  type SourcedRequirement,
} from './endpoint-selector.ts';
import {
  clusterKey,
  isIgnoredLabel,
  isPodSource,
  namespaceKey,
  namespaceLabelPrefix,
  serviceAccountKey,
} from './label-keys.ts';

/** Parses a selector of Cilium to the requirements on the pod's own labels that every match meets, with keys without sources; other conditions may exclude further pods. */
export function ciliumOwnRequirements(data: unknown): Parsed<Selector> {
  const read = parseEndpointSelector(data, { field: 'peer', namespace: undefined });
  return read.ok ? { ok: true, value: ownPart(read.value) } : { ok: false, problems: read.problems };
}

function ownPart({ requirements, open }: EndpointSelector): Selector {
  const own: Requirement[] = [];
  for (const { source, key, operator, values } of requirements) {
    const requirement = { key, operator, values };
    if (isPodSource(source)) {
      if (!isDerivedCiliumKey(key) && !isIgnoredLabel(key)) own.push(requirement);
    } else if (!allowsAbsence(requirement)) return nothing;
  }
  return allOf(own, open === true);
}

/** Whether Cilium derives the label with a key from something other than the labels of the pod. */
export function isDerivedCiliumKey(key: string): boolean {
  return (
    key === namespaceKey || key === serviceAccountKey || key === clusterKey || key.startsWith(namespaceLabelPrefix)
  );
}

/** Represents the namespace of a policy. */
const ownNamespace: Value = { unknown: 'the namespace of the policy' };

/** A selector of Cilium apart from its limit to the namespace of its policy. */
export interface PlacedSelector {
  readonly selector: EndpointSelector;
  /** Whether the selector selects only pods in the namespace of its policy. */
  readonly isInOwnNamespace: boolean;
}

/** Parses a selector of Cilium, and separates the namespace of its policy from its other requirements; undefined if Cilium rejects it. */
export function placedSelector(
  data: unknown,
  field: EndpointPlace['field'],
  isClusterwide: boolean,
): PlacedSelector | undefined {
  const read = parseEndpointSelector(data, { field, namespace: isClusterwide ? undefined : ownNamespace });
  if (!read.ok) return undefined;
  const isOwn = ({ values }: SourcedRequirement) => values.includes(ownNamespace);
  const requirements = read.value.requirements.filter((each) => !isOwn(each));
  return {
    selector: { ...read.value, requirements },
    isInOwnNamespace: requirements.length < read.value.requirements.length,
  };
}
