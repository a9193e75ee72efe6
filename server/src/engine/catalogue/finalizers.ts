/** The well-known finalizers. */

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
