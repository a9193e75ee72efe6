/** Computes the label by which Argo CD recognizes the objects of an Application. Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/, `util/argo/resource_tracking.go`. */

import { maxValueBytes } from '../../../engine/index.ts';

/** How an Argo CD instance marks the objects of its Applications. */
export interface Tracking {
  readonly method: 'annotation' | 'annotation+label' | 'label';
  readonly key: string;
}

const usualKey = 'app.kubernetes.io/instance';

/** The key that old versions used. Pod templates also get this label. */
const legacyKey = 'applications.argoproj.io/app-name';

/** Returns the tracking settings in the data of the ConfigMap `argocd-cm`. */
export function trackingOf(data: Readonly<Record<string, string | undefined>>): Tracking {
  const method = data['application.resourceTrackingMethod'];
  return {
    method: method === 'label' || method === 'annotation+label' ? method : 'annotation',
    key: data['application.instanceLabelKey'] || usualKey,
  };
}

/** Returns the name of an Application as it occurs in labels; `controlPlane` is the namespace of Argo CD, or empty if it is unknown. */
export function instanceName(name: string, namespace: string, controlPlane: string): string {
  return namespace === '' || controlPlane === '' || namespace === controlPlane ? name : `${namespace}_${name}`;
}

/** Returns the value of the tracking label that the objects of an Application get; undefined if they get no such label. */
export function trackingLabel({ method }: Tracking, instance: string): string | undefined {
  if (method === 'annotation') return undefined;
  if (method === 'label' || instance.length <= maxValueBytes) return instance;
  let end = maxValueBytes;
  while (end > 0 && !/[A-Za-z0-9]/.test(instance[end - 1] ?? '')) end--;
  return instance.slice(0, end);
}

/** Whether the label is also set in pod templates. */
export function isInTemplates({ method, key }: Tracking): boolean {
  return method !== 'annotation' && key === legacyKey;
}
