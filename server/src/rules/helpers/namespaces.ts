/** Recognizes objects that create a namespace, by the label whose value is the name of the namespace. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { ManifestObject } from '../../manifests/model.ts';

/** Whether an object creates a namespace, that is, whether it has the label whose value is the name of the namespace. */
export function makesNamespace({ nameLabels }: ManifestObject): boolean {
  return nameLabels?.includes(nameLabel) ?? false;
}
