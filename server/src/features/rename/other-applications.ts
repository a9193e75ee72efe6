/** Finds the GitOps objects other than those of the starting point that apply what a rename changes. */

import { kindNames } from '../../workspace/gitops/model.ts';
import type { Workspace } from '../../workspace/model.ts';

/** Returns the names of the GitOps objects that apply some of the changed files, and none of the files in which the rename starts: `Application/web`. Empty if no GitOps object applies the starting point. */
export function otherApplications(
  workspace: Workspace,
  starts: readonly string[],
  changed: Iterable<string>,
): readonly string[] {
  const scopes = workspace.scopes();
  const applying = (uri: string) =>
    [...scopes.ofFile(uri), ...scopes.building(uri)].flatMap((scope) => (scope.gitops === undefined ? [] : [scope]));
  const own = new Set(starts.flatMap(applying));
  if (own.size === 0) return [];
  const names = new Set<string>();
  for (const uri of changed) {
    const others = applying(uri);
    if (others.some((scope) => own.has(scope))) continue;
    for (const { gitops } of others) if (gitops) names.add(`${kindNames[gitops.kind]}/${gitops.facts.name}`);
  }
  return [...names].toSorted();
}
