/** States with which values Helm renders nothing of a chart, and why. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { localize } from '../../text/localize.ts';
import { kindNames } from '../gitops/model.ts';
import type { Workspace } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { fileNameOf, relativePath } from '../uri.ts';

/** The maximum length of a reason in a clause. The message of a template may be long. */
const mostOfReason = 60;

/** Returns a clause such as `with values.yaml alone, Helm stops at pod.yaml: a host is required` for the first of some scopes whose charts Helm does not render; undefined if there is none. Other values may allow the installation. */
export function firstFailure(workspace: Workspace, catalogue: Catalogue, scopes: readonly Scope[]): string | undefined {
  for (const scope of scopes) {
    const [failure] = workspace.rendering(scope.path, catalogue)?.failures ?? [];
    if (failure === undefined) continue;
    const reason = failure.reason.replaceAll(/\s+/g, ' ').trim();
    const shown = reason.length > mostOfReason ? `${reason.slice(0, mostOfReason - 1)}…` : reason;
    return localize`with ${valuesOf(scope)}, Helm stops at ${fileNameOf(failure.uri)}: ${shown}`;
  }
  return undefined;
}

/** Names the values with which the charts of a scope are installed. */
export function valuesOf({ path, files, gitops, release }: Scope): string {
  if (gitops !== undefined) return localize`the values of ${`${kindNames[gitops.kind]}/${gitops.facts.name}`}`;
  const [first] = release?.values ?? [];
  if (first !== undefined) return (release?.values ?? []).map((each) => relativePath(path, each)).join(', ');
  return files.has(`${path}/values.yaml`) ? localize`values.yaml alone` : localize`no values`;
}
