/** States what a chart may learn about a cluster of a supported Kubernetes release: `.Capabilities`. */

import { OneOf, TemplateMap, type TemplateValue, Unknown } from './template-value.ts';

/** The minor versions of the supported releases, the newest four. */
const supportedMinors: readonly string[] = ['33', '34', '35', '36'];

/** The minor version of the oldest supported release. */
export const oldestMinor = Number(supportedMinors[0]);

/** The API versions that every supported release serves by default. */
const served = new Set([
  'v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'apiregistration.k8s.io/v1',
  'apps/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'batch/v1',
  'certificates.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'networking.k8s.io/v1',
  'node.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'storage.k8s.io/v1',
]);

/** The API versions that no supported release serves, so that no cluster has their kinds. Source: https://kubernetes.io/docs/reference/using-api/deprecation-guide/. */
const removed = new Set([
  'apiextensions.k8s.io/v1beta1',
  'apps/v1beta1',
  'apps/v1beta2',
  'autoscaling/v2beta1',
  'autoscaling/v2beta2',
  'batch/v1beta1',
  'batch/v2alpha1',
  'discovery.k8s.io/v1beta1',
  'events.k8s.io/v1beta1',
  'extensions/v1beta1',
  'node.k8s.io/v1beta1',
  'policy/v1beta1',
  'rbac.authorization.k8s.io/v1alpha1',
  'rbac.authorization.k8s.io/v1beta1',
  'scheduling.k8s.io/v1beta1',
]);

/** Whether a cluster serves an API version; undefined if this depends on the release, or on what is installed. */
export function isBuiltIn(version: string): boolean | undefined {
  const group = /^((?:[\w.-]+\/)?v\d\w*)\/[A-Z]\w*$/.exec(version)?.[1];
  // Without a cluster, Helm has a list of its own, which contains versions that no cluster serves, but no kinds.
  if (group !== undefined && removed.has(group)) return false;
  return served.has(version) ? true : undefined;
}

/** A version of each supported release, and of one with a suffix, as providers have. */
const versions = supportedMinors.flatMap((minor) => [`v1.${minor}.0`, `v1.${minor}.4-gke.1247000`]);

/** A version of each supported minor release of Helm. */
const helmVersions = ['v3.17.0', 'v3.18.0', 'v3.19.0', 'v3.20.0', 'v3.21.0', 'v4.0.0', 'v4.1.0', 'v4.2.0'];

/** Returns `.Capabilities` of a cluster with a supported release. */
export function capabilities(): TemplateValue {
  const helm = new OneOf(helmVersions, '.Capabilities.HelmVersion.Version');
  return new TemplateMap(
    [
      ['HelmVersion', new TemplateMap([['Version', helm]], '.Capabilities.HelmVersion')],
      ['KubeVersion', new OneOf(versions, '.Capabilities.KubeVersion')],
      ['APIVersions', new Unknown('.Capabilities.APIVersions', { filled: true })],
    ],
    '.Capabilities',
  );
}

/** Returns a field of the version of the cluster. */
export function versionField(version: OneOf, name: string): TemplateValue {
  if (name === 'Major') return '1';
  if (name === 'Minor') return new OneOf(supportedMinors, `${version.code}.Minor`);
  return version;
}
