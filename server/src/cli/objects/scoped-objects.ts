/** Lists the selected objects, each once for every scope that applies it. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Narrowing } from '../../workspace/reach/applied-clusters.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { hasNoNamespace, namespaceOf } from '../../workspace/selection/namespaces.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { takingPartIn } from '../paths/taking-part.ts';
import { selectedOnly } from './narrowing.ts';

export interface ScopedObject extends ObjectInFile {
  readonly scope: Scope;
  /** The namespace of the applied object, if the files or the command line define it. */
  readonly namespace: string | undefined;
}

/** Lists the selected objects as their scopes apply them, once for each scope; objects of a kustomization are listed as it builds them. `narrowing` limits the scopes and files; by default it includes all selected objects. */
export function* scopedObjects(
  { session, selection }: Indexed,
  narrowing: Narrowing = selectedOnly({ session, selection }),
): Iterable<ScopedObject> {
  const workspace = session.snapshot();
  const renderingOf = (scope: Scope) =>
    isRendered(scope) ? workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path)) : undefined;
  const built = new Map<Scope, boolean>();
  const isBuilt = (scope: Scope) => getOrAdd(built, scope, () => renderingOf(scope) !== undefined);
  for (const scope of workspace.scopes().all()) {
    if (!narrowing.mayApply(scope)) continue;
    const rendering = renderingOf(scope);
    built.set(scope, rendering !== undefined);
    for (const where of rendering?.objects ?? [])
      if (where.object.forCluster && selection.selectsObject(where.file.uri, scope, where.transformers))
        yield scoped(session, scope, where);
  }
  const { files } = narrowing;
  for (const file of files === undefined ? takingPartIn(workspace).files() : takingPartIn(workspace).filesOf(files)) {
    // External objects that a configuration declares are not in any of the scopes of that configuration.
    if (file.config !== undefined || file.objects === 0 || !narrowing.mayHold(file.uri)) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      for (const scope of workspace.scopes().of(placeOf(where)))
        if (selection.selectsObject(file.uri, scope) && !isBuilt(scope)) yield scoped(session, scope, where);
    }
  }
}

/** Counts the objects that `scopedObjects` lists, without building most of them again. */
export function countScopedObjects({ session, selection }: Indexed): number {
  const workspace = session.snapshot();
  const scopes = workspace.scopes();
  const catalogueOf = (scope: Scope) => session.workspace.catalogueOf(scope.path);
  const termsOf = (scope: Scope) => (isRendered(scope) ? workspace.terms(scope.path, catalogueOf(scope)) : undefined);
  const built = new Map<Scope, boolean>();
  const isBuilt = (scope: Scope) => getOrAdd(built, scope, () => termsOf(scope) !== undefined);
  let count = 0;
  for (const scope of scopes.all().filter((each) => selection.mayApply(each))) {
    const terms = termsOf(scope);
    built.set(scope, terms !== undefined);
    if (terms === undefined) continue;
    if (selection.selectsScope(scope)) count += terms.objects;
    else
      for (const { file, object, transformers } of workspace.rendering(scope.path, catalogueOf(scope))?.objects ?? [])
        if (object.forCluster && selection.selectsObject(file.uri, scope, transformers)) count++;
  }
  const unbuilt = [...built].flatMap(([scope, isKnown]) => (isKnown ? [] : [...scope.files]));
  for (const file of takingPartIn(workspace).filesOf(unbuilt)) {
    if (file.config !== undefined || file.objects === 0) continue;
    const countIn = (place: string) =>
      scopes.of(place).filter((scope) => selection.selectsObject(file.uri, scope) && !isBuilt(scope)).length;
    // If a file contains OpenShift Templates, its objects can belong to different scopes.
    if (file.scope.templates.length > 0)
      for (const object of objectsOf(workspace, file)) count += countIn(placeOf({ file, object }));
    else if (!scopes.isPatch(file.uri)) count += file.objects * countIn(file.uri);
  }
  return count;
}

function scoped(session: Indexed['session'], scope: Scope, { file, object }: ObjectInFile): ScopedObject {
  if (hasNoNamespace(session.workspace.catalogueOf(file.uri), { object }))
    return { file, object, scope, namespace: undefined };
  return {
    file,
    object,
    scope,
    namespace: (object.namespace ?? namespaceOf(session.snapshot(), { file, object }))?.text,
  };
}
