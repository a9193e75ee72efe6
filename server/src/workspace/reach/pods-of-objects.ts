/** Converts the pods of objects to the model of the engine. */

import type { ReachPod, Value } from '../../engine/index.ts';
import { podPart } from '../../manifests/label-sets.ts';
import type { LabeledObject, ManifestObject } from '../../manifests/model.ts';
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
  const { ports, fieldValues: values } = podPart(object, labeledObject) ?? {};
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
  };
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
