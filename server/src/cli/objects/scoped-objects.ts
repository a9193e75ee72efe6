/** Lists the selected objects, each once for every scope that applies it. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Narrowing } from '../../workspace/reach/applied-clusters.ts';
import { everyCluster, isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { hasNoNamespace, namespaceOf } from '../../workspace/selection/namespaces.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Indexed } from '../indexed-workspace.ts';
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
  for (const file of filesInOrder([...workspace.files.values()].filter(({ uri }) => narrowing.mayHold(uri)))) {
    // External objects that a configuration declares are not in any of its scopes.
    if (file.config !== undefined || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      for (const scope of workspace.scopes().of(placeOf(where)))
        if (selection.selectsObject(file.uri, scope) && !isBuilt(scope)) yield scoped(session, scope, where);
    }
  }
}

function filesInOrder<F extends { readonly uri: string }>(files: Iterable<F>): readonly F[] {
  return [...files].filter(({ uri }) => uri !== everyCluster).toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
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
