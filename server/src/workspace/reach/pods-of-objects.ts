/** Converts the pods of objects to the model of the engine. */

import { type Answer, isUnknown, type ReachPod, type Value } from '../../engine/index.ts';
import { podPart } from '../../manifests/label-sets.ts';
import type { FieldValues, LabeledObject, ManifestObject, TemplateSite } from '../../manifests/model.ts';
import { anyField } from '../../manifests/sites/field-values.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { labelSetIn } from '../mutations.ts';
import { podNetworkOf } from './pod-network.ts';

/** Returns the controller of an object. A mirror pod is owned by its Node, but is treated as a separate pod. */
export function ownerOf({ controller }: ManifestObject): ManifestObject['controller'] {
  return controller?.kind === 'Node' ? undefined : controller;
}

/** Returns a pod of an object, in the given namespace. */
export function podOf(
  workspace: Workspace,
  where: ObjectInFile,
  labeledObject: LabeledObject,
  namespace: Value,
): ReachPod {
  const { object } = where;
  const part = podPart(object, labeledObject);
  const { ports, fieldValues: values } = part ?? {};
  const { via = '' } = labeledObject;
  const annotations = via === '' ? 'metadata.annotations' : `${via}.metadata.annotations`;
  const injection = injectionOf(object, annotations);
  const serviceAccount = values?.[serviceAccountField] ?? values?.[anyField];
  return {
    namespace,
    labels: labelSetIn(workspace, where, labeledObject),
    ...(serviceAccount !== undefined && serviceAccount !== '' && { serviceAccount }),
    ...(injection !== undefined && { injection }),
    ...((labeledObject.via !== undefined || ownerOf(object) !== undefined) && { isOfController: true as const }),
    ...podNetworkOf(ports),
    ...(part !== undefined && hasFieldValues(part) && { hostNetwork: hostNetworkIn(values) }),
  };
}

/** Whether the values of fields of a pod are collected: not for a template of an unusual form. */
function hasFieldValues(part: ManifestObject | TemplateSite): boolean {
  return !('fact' in part) || (part.fact.labelsAt === undefined && part.path !== '');
}

function hostNetworkIn(values: FieldValues | undefined): Answer {
  const value = values?.['spec.hostNetwork'] ?? values?.[anyField];
  if (value === undefined) return 'no';
  if (isUnknown(value)) return 'maybe';
  return /^(?:y|yes|true|on)$/i.test(value) ? 'yes' : 'no';
}

/** Returns the value of the annotation that turns the injection of a proxy of Istio on or off. Which ports a proxy intercepts may depend on other annotations, which are not evaluated. */
function injectionOf({ labelSites }: ManifestObject, path: string): Value | undefined {
  const site = labelSites.find((each) => each.place.holds === 'annotations' && each.path === path);
  if (site === undefined) return undefined;
  if (site.open || site.entries.some(({ key }) => key.text.startsWith('traffic.sidecar.istio.io/')))
    return { unknown: injectionKey };
  return site.entries.findLast(({ key }) => key.text === injectionKey)?.value.value;
}

const injectionKey = 'sidecar.istio.io/inject';

/** The field of a pod that names its service account. */
const serviceAccountField = 'spec.serviceAccountName';
