/** Which objects are there in the end? Those that kustomizations build, and all others as they are written. */

import type { Service } from '../service.ts';
import { seenBy } from '../workspace/kustomize/view.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import type { Scope } from '../workspace/scopes.ts';
import { type ObjectInFile, objectsOf, type Workspace } from '../workspace/workspace.ts';

/** An object as a kustomization builds it, or as it is written where none does. */
export interface AppliedObject extends ObjectInFile {
  /** The kustomization that builds it. */
  readonly builtBy?: Scope;
  /** What the objects around it are then. */
  readonly workspace: Workspace;
}

/** Every object of the workspace, once for each kustomization that builds it. */
export function* appliedObjects(service: Service): Iterable<AppliedObject> {
  const workspace = service.workspace();
  const scopes = workspace.scopes();
  const built = new Set<Scope>();
  for (const scope of scopes.all()) {
    const catalogue = service.catalogueOf(scope.path);
    const view = seenBy(workspace, catalogue, scope);
    const rendering = view && workspace.rendering(scope.path, catalogue);
    if (view === undefined || rendering === undefined) continue;
    built.add(scope);
    for (const where of rendering.objects)
      if (where.object.forCluster) yield { ...where, builtBy: scope, workspace: view };
  }
  for (const file of workspace.files.values()) {
    if (file.config !== undefined || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      if (!scopes.of(placeOf(where)).some((scope) => built.has(scope))) yield { ...where, workspace };
    }
  }
}
