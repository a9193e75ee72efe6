/** The labels that Calico derives for pods: those of their namespace and service account, and labels of its own. Source: libcalico-go/lib/backend/k8s/conversion of Calico. */

import type { LabelSet, Value } from '../types.ts';
import type { CalicoLabels } from './evaluate.ts';

/** A pod as an endpoint of Calico. */
export interface CalicoEndpoint {
  readonly labels: LabelSet;
  readonly namespace: Value;
  readonly namespaceLabels: LabelSet;
  readonly serviceAccount: Value;
  readonly serviceAccountLabels: LabelSet;
}

/** Whether Calico derives the label with a key from something other than the labels of the pod. */
export function isDerivedCalicoKey(key: string): boolean {
  return /^(?:pcns\.|pcsa\.|projectcalico\.org\/)/.test(key);
}

/** Returns the labels of a pod with those that Calico derives. */
export function calicoLabelsOf(endpoint: CalicoEndpoint): (key: string) => LabelSet {
  const only = (key: string, value: Value): LabelSet => ({ labels: { [key]: value } });
  return (key) => {
    switch (key) {
      case 'projectcalico.org/namespace':
      case 'pcns.projectcalico.org/name':
        return only(key, endpoint.namespace);
      case 'projectcalico.org/serviceaccount':
      case 'pcsa.projectcalico.org/name':
        return only(key, endpoint.serviceAccount);
      case 'projectcalico.org/orchestrator':
        return only(key, 'k8s');
    }
    if (key.startsWith('pcns.')) return prefixed(key, endpoint.namespaceLabels);
    return key.startsWith('pcsa.') ? prefixed(key, endpoint.serviceAccountLabels) : endpoint.labels;
  };
}

/** Returns the labels of a set of addresses in a namespace, with those that Calico derives. */
export function calicoLabelsOfSet(labels: LabelSet, namespace: Value, namespaceLabels: LabelSet): CalicoLabels {
  const noAccount = { serviceAccount: '', serviceAccountLabels: { labels: {} } };
  const ofPod = calicoLabelsOf({ labels, namespace, namespaceLabels, ...noAccount });
  return (key) => (/^pcns\.|^projectcalico\.org\/namespace$/.test(key) ? ofPod(key) : labels);
}

/** Returns the labels of a namespace or service account, whose name is a label, for selectors of namespaces and service accounts. */
export function calicoLabelsOfNamed(name: Value, labels: LabelSet): CalicoLabels {
  return (key) => (key === 'projectcalico.org/name' ? { labels: { [key]: name } } : labels);
}

const prefixLength = 'pcns.'.length;

function prefixed(key: string, { labels, open }: LabelSet): LabelSet {
  const own = key.slice(prefixLength);
  const value = Object.hasOwn(labels, own) ? labels[own] : undefined;
  return { labels: value === undefined ? {} : { [key]: value }, ...(open && { open }) };
}
