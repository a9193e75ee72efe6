/** Finds the pods that the controller of an object creates from the template of another object, which its reference names. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { LabeledObjectInFile, ObjectInFile, Workspace } from '../model.ts';
import { targetsOf } from './targets.ts';

/** Returns the labeled objects that are created for an object from the templates of other objects in its scope. */
export function madeFromOthers(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
): readonly LabeledObjectInFile[] {
  const sites = from.object.references?.filter(({ fact }) => fact.runs) ?? [];
  return sites.flatMap((site) =>
    namedBy(workspace, catalogue, from, site).flatMap(({ file, object }) => {
      const made = labeledObjectsOf(object).filter(({ via }) => via !== undefined);
      return made.map((labeledObject) => ({ file, object, labeledObject }));
    }),
  );
}

/** Returns the objects that a reference names, as the kustomization or GitOps object of a view applies them. */
function namedBy(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly ObjectInFile[] {
  const { appliedBy } = workspace;
  const rendering = appliedBy && workspace.rendering(appliedBy.path, catalogue);
  if (rendering === undefined)
    return targetsOf(workspace, catalogue, from, site).flatMap(({ file, object, relation, answer }) =>
      object !== undefined && relation === 'here' && answer === 'yes' ? [{ file, object }] : [],
    );
  const [wanted] = targetKinds(site, catalogue);
  return rendering.objects.filter(
    ({ object }) =>
      object.kind === wanted?.kind &&
      object.name?.text === site.name.text &&
      object.namespace?.text === from.object.namespace?.text,
  );
}
