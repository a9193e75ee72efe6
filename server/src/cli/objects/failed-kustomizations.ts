/** Finds the kustomizations that kustomize certainly cannot build. */

import { offsetToPosition } from '../../text/lines.ts';
import { rootsAt } from '../../workspace/references/targets.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { displayPath } from '../paths/display-path.ts';

/** The rules whose errors are those of `kustomize build`. */
const rules: readonly string[] = [
  'kustomize-cycle',
  'kustomize-object-missing',
  'kustomize-patch-target',
  'kustomize-resource-missing',
  'kustomize-unknown-field',
];

/** Returns the selected scopes that kustomize cannot build, each with the first reason. Requires that the rules are loaded. */
export function failedKustomizations(
  world: World,
  { session, selection, readText }: Indexed,
): ReadonlyMap<Scope, string> {
  const workspace = session.snapshot();
  const scopes = workspace.scopes();
  const failed = new Map<Scope, string>();
  for (const [uri, { kustomization }] of scopes.facts()) {
    const file = workspace.files.get(uri);
    if (file === undefined || (kustomization === undefined && !scopes.isPatch(uri))) continue;
    const affected = rootsAt(workspace, uri).filter((scope) => !failed.has(scope) && selection.mayApply(scope));
    if (affected.length === 0) continue;
    const findings = rules.flatMap((rule) => session.check(file, () => readText(file), rule));
    const error = findings.find(({ severity }) => severity === 'error');
    if (error === undefined) continue;
    const { line } = offsetToPosition(file.lines, error.span.start);
    for (const scope of affected) failed.set(scope, `${displayPath(world, uri)}:${line + 1}: ${error.message}`);
  }
  return failed;
}
