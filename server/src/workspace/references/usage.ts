/** Determines whether an object is used, if its kind has an effect only through the objects that use it. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { selectingObjectsOf } from '../selection/selecting-objects.ts';
import { filesThatName } from './names.ts';

/** Core kinds whose objects have no effect unless another object names them. */
const passiveKinds: readonly string[] = ['ConfigMap', 'Secret', 'ServiceAccount', 'PersistentVolumeClaim'];

/** Names that Kubernetes itself uses. */
const ownNames = /^(?:default|kube-root-ca\.crt|extension-apiserver-authentication|cluster-info|coredns|kube-.*)$/;

/** Labels and annotations that describe what an object belongs to, but by which no program finds it. */
const describing =
  /^(?:app|k8s-app|name|chart|release|heritage|component|tier|version|team|env|environment|role)$|^(?:app\.kubernetes\.io|helm\.sh|kustomize\.toolkit\.fluxcd\.io|argocd\.argoproj\.io\/(?:instance|sync-wave|tracking-id)|meta\.helm\.sh|kubectl\.kubernetes\.io)/;

/** Whether something may use an object. True if its kind is not ConfigMap, Secret, ServiceAccount or PersistentVolumeClaim, if another object names it, or if a selector or a program may find it by its labels or its type. */
export function mayBeUsed(workspace: Workspace, catalogue: Catalogue, where: ObjectInFile): boolean {
  const { object } = where;
  const { name } = object;
  if (!isPassive(object) || typeof name?.value !== 'string' || ownNames.test(name.text)) return true;
  if (object.labelSites.some((site) => site.open || site.entries.some(({ key }) => !describing.test(key.text))))
    return true;
  // The metadata of the object refers to an owner or a controller, which uses the object.
  if ((object.references ?? []).some(({ path }) => path.startsWith('metadata.'))) return true;
  // A reference to the same name for another kind, or in another namespace, may refer to the object.
  if (filesThatName(workspace, name.text).length > 0) return true;
  if (namesUnknown(workspace, where)) return true;
  return labeledObjectsOf(object).some(
    (labeledObject) => selectingObjectsOf(workspace, catalogue, { ...where, labeledObject }).length > 0,
  );
}

/** Whether an object of this kind has no effect unless another object names it. */
export function isPassive({ group, kind }: Pick<ManifestObject, 'group' | 'kind'>): boolean {
  return group === '' && passiveKinds.includes(kind);
}

/** Whether a reference to the kind in the scope has a name that depends on a template. */
function namesUnknown(workspace: Workspace, where: ObjectInFile): boolean {
  const { kind } = where.object;
  const isUnknown = ({ references = [] }: ManifestObject) =>
    references.some(
      ({ name, fact }) => typeof name.value !== 'string' && fact.targets.some((each) => each.kind === kind),
    );
  for (const uri of workspace.scopes().filesAround(placeOf(where)))
    if (workspace.files.get(uri)?.manifest.objects.some(isUnknown)) return true;
  return false;
}
