/** Which objects does each scope apply? The one place that takes them out of the workspace for a list. */

import { hasNoNamespace, namespaceOf } from '../workspace/namespaces.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import type { Scope } from '../workspace/scopes.ts';
import { type ObjectInFile, objectsOf } from '../workspace/workspace.ts';
import type { Indexed } from './indexed.ts';

export interface ScopedObject extends ObjectInFile {
  readonly scope: Scope;
  /** The namespace that it will be in, as far as the files or the command line say. */
  readonly namespace: string | undefined;
}

/** The objects of the files that are reported on, each once for every scope of its place: as a kustomization builds them. */
export function* scopedObjects({ service, reported }: Indexed): Iterable<ScopedObject> {
  const workspace = service.workspace();
  const asked = new Set(reported.map(({ uri }) => uri));
  const built = new Set<Scope>();
  for (const scope of workspace.scopes().all()) {
    const rendering =
      scope.kind === 'kustomization' ? workspace.rendering(scope.path, service.catalogueOf(scope.path)) : undefined;
    if (rendering === undefined) continue;
    built.add(scope);
    for (const where of rendering.objects)
      if (asked.has(where.file.uri) && where.object.forCluster) yield scoped(service, scope, where);
  }
  for (const file of reported) {
    // What a team tells of the rest of its cluster is in none of its scopes.
    if (file.config !== undefined || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      for (const scope of workspace.scopes().of(placeOf(where)))
        if (!built.has(scope)) yield scoped(service, scope, where);
    }
  }
}

function scoped(service: Indexed['service'], scope: Scope, { file, object }: ObjectInFile): ScopedObject {
  if (hasNoNamespace(service.catalogueOf(file.uri), { object })) return { file, object, scope, namespace: undefined };
  return {
    file,
    object,
    scope,
    namespace: (object.namespace ?? namespaceOf(service.workspace(), { file, object }))?.text,
  };
}
