/** Recognizes objects that create a namespace, by the label with the name of the namespace. */

import type { ManifestObject } from '../../manifests/model.ts';

/** The API server labels every namespace with its name, and nothing else with this label. */
export const nameLabel = 'kubernetes.io/metadata.name';

export function makesNamespace({ nameLabels }: ManifestObject): boolean {
  return nameLabels?.includes(nameLabel) ?? false;
}
