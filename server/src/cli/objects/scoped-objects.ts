/** Lists the selected objects, each once for every scope that applies it. */

import type { ObjectInFile } from '../../workspace/model.ts';
import { everyCluster, isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { hasNoNamespace, namespaceOf } from '../../workspace/selection/namespaces.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import type { Indexed } from '../indexed-workspace.ts';

export interface ScopedObject extends ObjectInFile {
  readonly scope: Scope;
  /** The namespace of the applied object, if the files or the command line define it. */
  readonly namespace: string | undefined;
}

/**
 * Lists the selected objects as their scopes apply them, each once for every scope; for a kustomization as it builds
 * them.
 */
export function* scopedObjects({ session, selection }: Indexed): Iterable<ScopedObject> {
  const workspace = session.snapshot();
  const built = new Set<Scope>();
  for (const scope of workspace.scopes().all()) {
    const rendering =
      isRendered(scope) && selection.mayApply(scope)
        ? workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path))
        : undefined;
    if (rendering === undefined) continue;
    built.add(scope);
    for (const where of rendering.objects)
      if (where.object.forCluster && selection.selectsObject(where.file.uri, scope, where.transformers))
        yield scoped(session, scope, where);
  }
  const isLeft = (scope: Scope) => !built.has(scope) && selection.mayApply(scope);
  const files = [...workspace.files.values()].filter(({ uri }) => workspace.scopes().ofFile(uri).some(isLeft));
  for (const file of filesInOrder(files)) {
    // External objects of a configuration are in none of its scopes.
    if (file.config !== undefined || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      for (const scope of workspace.scopes().of(placeOf(where)))
        if (!built.has(scope) && selection.selectsObject(file.uri, scope)) yield scoped(session, scope, where);
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
