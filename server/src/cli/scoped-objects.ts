/** Which objects does each scope apply? The one place that takes them out of the workspace for a list. */

import { appliedVersions } from '../workspace/kustomize/view.ts';
import { namespaceOf } from '../workspace/namespaces.ts';
import { placeOf } from '../workspace/scope-facts.ts';
import type { Scope } from '../workspace/scopes.ts';
import { type ObjectInFile, objectsOf } from '../workspace/workspace.ts';
import type { Indexed } from './indexed.ts';

export interface ScopedObject extends ObjectInFile {
  readonly scope: Scope;
  /** The namespace that it will be in, as far as the files or the command line say. */
  readonly namespace: string | undefined;
}

/** The objects of the files that are reported on, each once for every scope of its place, as that applies it. */
export function* scopedObjects({ service, reported }: Indexed): Iterable<ScopedObject> {
  const workspace = service.workspace();
  for (const file of reported) {
    // What a team tells of the rest of its cluster is in none of its scopes.
    if (file.config !== undefined) continue;
    const catalogue = service.catalogueOf(file.uri);
    const versions = appliedVersions(workspace, catalogue, file.uri);
    for (const { scope, file: applied, workspace: view } of versions) {
      for (const object of objectsOf(view, applied))
        yield {
          file: applied,
          object,
          scope,
          namespace: object.namespace?.text ?? givenNamespace(service, { file, object }),
        };
    }
    if (versions.length > 0 || file.objects === 0) continue;
    for (const object of objectsOf(workspace, file)) {
      const where = { file, object };
      const named = object.namespace?.text ?? givenNamespace(service, where);
      for (const scope of workspace.scopes().of(placeOf(where))) yield { ...where, scope, namespace: named };
    }
  }
}

/** What lives in no namespace is given none. */
function givenNamespace(service: Indexed['service'], where: ObjectInFile): string | undefined {
  const { group, version, kind } = where.object;
  const fact = service.catalogueOf(where.file.uri).kind(group, version, kind);
  return fact?.namespaced === false ? undefined : namespaceOf(service.workspace(), where)?.text;
}
