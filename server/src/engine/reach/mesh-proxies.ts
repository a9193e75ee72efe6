/** Determines whether pods have a proxy of Istio. Source: pkg/kube/inject of Istio. */

import { labelOf } from '../evaluate.ts';
import { type Answer, isUnknown, type LabelSet, type Value } from '../types.ts';
import type { ReachPod } from './types.ts';

const injectKey = 'sidecar.istio.io/inject';
const namespaceKey = 'istio-injection';
const revisionKey = 'istio.io/rev';
const modeKey = 'istio.io/dataplane-mode';

/** Whether a pod has a proxy. A pod on the network of its node has none. */
export function hasProxy(pod: ReachPod, namespaceLabels: LabelSet): Answer {
  const { labels, injection, hostNetwork = 'no' } = pod;
  if (hostNetwork === 'yes') return 'no';
  const own = labelOf(labels.labels, injectKey) ?? injection;
  const ofNamespace = (key: string) => labelOf(namespaceLabels.labels, key);
  const mode = labelOf(labels.labels, modeKey) ?? ofNamespace(modeKey);
  const revision = labelOf(labels.labels, revisionKey) ?? ofNamespace(revisionKey);
  const answer = decided(own, ofNamespace(namespaceKey), revision, mode);
  const isOpen = hostNetwork === 'maybe' || labels.open || namespaceLabels.open || mayBeChanged(labels);
  return isOpen ? 'maybe' : answer;
}

/** Whether the labels that decide on the proxy may be changed. */
function mayBeChanged({ changeable }: LabelSet): boolean {
  return changeable?.some((key) => ['*', injectKey, modeKey, revisionKey].includes(key)) ?? false;
}

function decided(
  own: Value | undefined,
  injection: Value | undefined,
  revision: Value | undefined,
  mode: Value | undefined,
): Answer {
  if ([own, injection, revision, mode].some(isUnknown)) return 'maybe';
  const isAmbient = mode === 'ambient';
  if (own === 'false') return isAmbient ? 'maybe' : 'no';
  // In a namespace without injection, neither a pod nor a revision certainly turns it on.
  if (injection === 'disabled') return own === 'true' || isAmbient || revision !== undefined ? 'maybe' : 'no';
  if (own === 'true' || injection === 'enabled' || isAmbient) return 'yes';
  return revision !== undefined && revision !== '' ? 'yes' : 'maybe';
}
