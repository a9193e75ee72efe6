/** Finds files that kustomizations and GitOps objects use and that are not in the workspace. */

import { isRendered, type Scope, type Scopes } from '../../workspace/scopes/model.ts';

/** A scope that was not loaded completely. */
interface Missing {
  readonly scope: Scope;
  /** A sentence about files that are missing. */
  readonly why: string;
}

/** Returns sentences about files that some scopes use and that are missing. Missing files of a chart are not reported, because charts are not built. */
export function missingFiles(scopes: Scopes, isWanted: (scope: Scope) => boolean): readonly Missing[] {
  return scopes.all().flatMap((scope) => {
    if (!isRendered(scope) || scope.closed === true || !isWanted(scope)) return [];
    return scope.closed.openBecause.map((why) => ({ scope, why }));
  });
}
