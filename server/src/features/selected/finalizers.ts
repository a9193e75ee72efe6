/** The well-known finalizers, and the finalizers that an object has. */

import { objectAt } from '../../manifests/cursor/cursor-target.ts';
import { itemsOf, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { treeOf } from '../../rules/helpers/object-trees.ts';
import { touches } from '../../text/span.ts';
import type { FileView } from '../view.ts';

/** What each finalizer waits for. */
export const knownFinalizers: ReadonlyMap<string, string> = new Map([
  ['foregroundDeletion', 'The garbage collector deletes the dependents of the object first.'],
  ['orphan', 'The garbage collector removes the object from the owners of its dependents, which stay.'],
  ['kubernetes.io/pv-protection', 'A PersistentVolume is not deleted while a PersistentVolumeClaim is bound to it.'],
  ['kubernetes.io/pvc-protection', 'A PersistentVolumeClaim is not deleted while a Pod uses it.'],
  ['batch.kubernetes.io/job-tracking', 'A Pod of a Job is not deleted before the Job has counted it.'],
  ['service.kubernetes.io/load-balancer-cleanup', 'A Service is not deleted before its load balancer is.'],
  ['customresourcecleanup.apiextensions.k8s.io', 'A definition is not deleted before its custom resources are.'],
  ['external-provisioner.volume.kubernetes.io/finalizer', 'A PersistentVolume is not deleted before its storage is.'],
  ['resources-finalizer.argocd.argoproj.io', 'Argo CD deletes the resources of the Application first.'],
  ['finalizers.fluxcd.io', 'Flux deletes what it has applied first.'],
]);

/** Returns the finalizer at an offset of an object's metadata. */
export function finalizerAt(view: FileView, offset: number): ScalarNode | undefined {
  const object = objectAt(view.file.manifest, offset);
  if (object === undefined || !view.text.slice(object.span.start, object.span.end).includes('finalizers'))
    return undefined;
  const { text, workspace, file } = view;
  const list = nodeAt(treeOf({ text, workspace, uri: file.uri }, object), 'metadata', 'finalizers');
  const items = itemsOf(list);
  return items.find((item): item is ScalarNode => item.kind === 'scalar' && touches(item.span, offset));
}
