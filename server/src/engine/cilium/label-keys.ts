/** Interprets the keys of selectors of Cilium, which name the source of a label. Source: pkg/labels and pkg/labelsfilter of Cilium. */

/** A key of a selector: `k8s:app` has the source `k8s` and the key `app`. */
export interface SourcedKey {
  /** The source of the label; `any` means every source. */
  readonly source: string;
  readonly key: string;
}

/** The key whose value is the namespace of a pod. */
export const namespaceKey = 'io.kubernetes.pod.namespace';
/** The prefix of the keys of labels of the pod's namespace. */
export const namespaceLabelPrefix = 'io.cilium.k8s.namespace.labels.';
/** The key whose value is the service account of a pod. */
export const serviceAccountKey = 'io.cilium.k8s.policy.serviceaccount';
/** The key whose value is the name of the cluster, which is a setting. */
export const clusterKey = 'io.cilium.k8s.policy.cluster';

/** Splits a key of a selector at its first colon. Without a colon, the source is `any`; `reserved.KEY` and `$KEY` have the source `reserved`. */
export function sourcedKey(text: string): SourcedKey {
  if (text.startsWith('$')) return { source: 'reserved', key: text.slice(1) };
  if (text.startsWith('reserved.')) return { source: 'reserved', key: text.slice('reserved.'.length) };
  const colon = text.indexOf(':');
  return colon === -1 ? { source: 'any', key: text } : { source: text.slice(0, colon), key: text.slice(colon + 1) };
}

/** Whether a requirement on a source can match labels of pods. */
export function isPodSource(source: string): boolean {
  return source === 'k8s' || source === 'any';
}

/** Labels of pods that belong to the identity of an endpoint although a pattern of ignored keys matches them. */
const kept = /^(?:app\.kubernetes\.io|io\.kubernetes\.pod\.namespace|io\.cilium\.k8s\.)/;

/** Labels of pods that do not belong to the identity of an endpoint by default. */
const ignored =
  /^(?:io\.kubernetes|kubernetes\.io|.*beta\.kubernetes\.io|k8s\.io|topology\.kubernetes\.io|statefulset\.kubernetes\.io\/pod-name|apps\.kubernetes\.io\/pod-index|batch\.kubernetes\.io\/(?:job-completion-index|controller-uid)|pod-template-(?:generation|hash)|controller-(?:revision-hash|uid)|annotation|etcd_node)/;

/** Whether Cilium ignores a label of a pod by default. The list of ignored keys is a setting. */
export function isIgnoredLabel(key: string): boolean {
  return !kept.test(key) && ignored.test(key);
}

/** Labels of pods that controllers and the cluster add, so that no template contains them. */
const added =
  /^(?:pod-template-(?:hash|generation)|controller-(?:revision-hash|uid)|job-name|statefulset\.kubernetes\.io\/pod-name|apps\.kubernetes\.io\/pod-index|batch\.kubernetes\.io\/(?:job-name|controller-uid|job-completion-index)|topology\.kubernetes\.io\/.*)$/;

/** Whether a cluster adds a label to pods that controllers create. */
export function isAddedLabel(key: string): boolean {
  return added.test(key);
}

/** Whether new versions of Kubernetes add a label to pods when they assign them to a node. Labels that controllers add are among the labels of their pods, with unknown values. */
export function isAddedLater(key: string): boolean {
  return key.startsWith('topology.kubernetes.io/');
}
