/** Finds the folder whose objects Flux deletes and recreates if the API server rejects an update of them. */

import { scalarData } from '../yaml/scalar-types.ts';
import { childOf, type Node } from '../yaml/tree.ts';

/** Returns the `spec.path` of a Flux Kustomization with `spec.force: true`, without `./` and slashes at its ends; the empty string represents the whole repository. Undefined for all other objects, and for a path that is not known completely. Source: Flux kustomize-controller `docs/spec/v1/kustomizations.md` (Force). */
export function forcedFolderOf(group: string, kind: string, root: Node): string | undefined {
  if (group !== 'kustomize.toolkit.fluxcd.io' || kind !== 'Kustomization') return undefined;
  const spec = childOf(root, 'spec');
  const force = childOf(spec, 'force');
  if (force?.kind !== 'scalar' || scalarData(force.text, force.type) !== true) return undefined;
  const path = childOf(spec, 'path');
  if (path === undefined) return '';
  if (path.kind !== 'scalar' || path.pattern !== undefined) return undefined;
  const steps = path.text.split('/').filter((step) => step !== '' && step !== '.');
  return steps.join('/');
}
