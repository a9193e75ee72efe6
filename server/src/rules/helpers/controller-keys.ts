/** Recognizes pod labels that are not in any file because a controller sets them. */

const controllerKeys: ReadonlySet<string> = new Set([
  'job-name',
  'controller-uid',
  'controller-revision-hash',
  'pod-template-hash',
  'pod-template-generation',
  'rollouts-pod-template-hash',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'kubernetes.io/metadata.name',
]);

const controllerPrefixes: readonly string[] = ['batch.kubernetes.io/', 'job-name.'];

/** Whether a Kubernetes controller, or a widely used other controller, sets labels with the given key. */
export function isSetByController(key: string): boolean {
  return controllerKeys.has(key) || controllerPrefixes.some((prefix) => key.startsWith(prefix));
}
