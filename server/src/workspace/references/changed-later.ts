/** Recognizes objects to which programs in the cluster add parts, by the labels and annotations that request it. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';

/** Matches keys with which an injector is requested, such as `sidecar.opentelemetry.io/inject`, `linkerd.io/inject` and `dapr.io/enabled`. */
const injecting = /inject|sidecar|^dapr\.io\/enabled$/i;

/** Matches keys of programs that copy or generate the data of a Secret or ConfigMap, such as `replicator.v1.mittwald.de/replicate-from` and `service.beta.openshift.io/inject-cabundle`. */
const filling = /inject|reflect|replicat|generat|vault|^avp\.|sync|copy|mirror/i;

/** Matches the groups of the custom kinds whose controllers create pods exactly as their templates describe them. */
const unchanging = /^(?:argoproj\.io|apps\.kruise\.io)$/;

/** Whether a program may add containers or ports to the pods of an object: an injector, or the operator of a custom kind. */
export function mayGetContainers({ group, labelSites }: ManifestObject): boolean {
  if (!isBuiltIn(group) && !unchanging.test(group)) return true;
  return labelSites.some(({ entries }) => entries.some((entry) => isRequested(entry, injecting)));
}

/** Whether a program may add keys to the data of an object. */
export function mayGetKeys({ kind, name, labelSites }: ManifestObject): boolean {
  // k3s writes the key `NodeHosts` into the configuration of CoreDNS.
  if (kind === 'ConfigMap' && name?.value === 'coredns') return true;
  return labelSites.some(
    ({ path, entries }) => path.startsWith('metadata.') && entries.some((entry) => isRequested(entry, filling)),
  );
}

function isRequested({ key, value }: LabelEntry, wanted: RegExp): boolean {
  return wanted.test(key.text) && !/^(?:false|disabled|no)$/i.test(value.text);
}
