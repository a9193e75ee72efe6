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
  // Injectors of service meshes set these labels.
  'linkerd.io/control-plane-ns',
  'linkerd.io/workload-ns',
  'security.istio.io/tlsMode',
  'service.istio.io/canonical-name',
  'service.istio.io/canonical-revision',
]);

const controllerPrefixes: readonly string[] = ['batch.kubernetes.io/', 'job-name.', 'linkerd.io/proxy-'];

/** Whether a Kubernetes controller, or a widely used other controller, sets labels with the given key. */
export function isSetByController(key: string): boolean {
  return controllerKeys.has(key) || controllerPrefixes.some((prefix) => key.startsWith(prefix));
}
