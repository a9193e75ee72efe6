/** Reports the scopes whose objects are known only in part: charts with whose values Helm stops or whose dependencies are missing, and scopes that exceed a limit. */

import { offsetToPosition } from '../../text/lines.ts';
import { valuesOf } from '../../workspace/charts/helm-stops.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

/** The maximum number of scopes that are named for one reason. */
const mostNamed = 3;

/** Reports on standard error which of the selected scopes are known only in part, and why: no object of these scopes is certain. */
export function reportPartialScopes(world: World, { session, selection }: Indexed): void {
  const workspace = session.snapshot();
  const scopes = workspace.scopes().all();
  const name = ({ path }: Scope) => displayPath(world, path);
  const report = (some: readonly Scope[], sentence: (scope: Scope) => string, more: (count: number) => string) => {
    for (const scope of some.slice(0, mostNamed)) world.err(tame(`selector-lens: ${sentence(scope)}`));
    if (some.length > mostNamed) world.err(`selector-lens: ${more(some.length - mostNamed)}`);
  };
  report(
    scopes.filter((scope) => missingPart(scope) !== undefined && selection.mayApply(scope)),
    (scope) => `${name(scope)} is known only in part: ${missingPart(scope) ?? ''}`,
    (count) => `${count} more charts are known only in part.`,
  );
  const rendered = scopes.filter((scope) => isRendered(scope) && selection.mayApply(scope));
  const catalogueOf = ({ path }: Scope) => session.workspace.catalogueOf(path);
  report(
    rendered.filter((scope) => workspace.rendering(scope.path, catalogueOf(scope))?.isCut),
    (scope) => `executing the templates of ${name(scope)} takes too many steps, so some objects are unknown`,
    (count) => `some objects of ${count} more charts are unknown.`,
  );
  report(
    rendered.filter((scope) => workspace.unrendered(scope.path, catalogueOf(scope)) !== undefined),
    (scope) => `${name(scope)} exceeds a limit of the analysis, so its objects are known only as written`,
    (count) => `the objects of ${count} more scopes are known only as written.`,
  );
  for (const failure of failuresOfCharts(world, { session, selection })) world.err(tame(`selector-lens: ${failure}`));
}

/** Returns a clause for each reason why Helm stops with the values of a chart in the selected scopes. A line of a template may create many objects. */
export function failuresOfCharts(
  world: World,
  indexed: Pick<Indexed, 'session' | 'selection'>,
  isWanted: (scope: Scope) => boolean = isRendered,
): ReadonlySet<string> {
  return new Set(failuresIn(world, indexed, isWanted));
}

function* failuresIn(
  world: World,
  { session, selection }: Pick<Indexed, 'session' | 'selection'>,
  isWanted: (scope: Scope) => boolean,
): Iterable<string> {
  const workspace = session.snapshot();
  for (const scope of workspace.scopes().all()) {
    if (!isWanted(scope) || !selection.mayApply(scope)) continue;
    const rendering = workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path));
    const chart = displayPath(world, scope.path);
    for (const { uri, at, reason } of rendering?.failures ?? []) {
      const file = workspace.files.get(uri);
      const line = file === undefined ? 1 : offsetToPosition(file.lines, at).line + 1;
      const where = `${displayPath(world, uri)}:${line}`;
      yield `with ${valuesOf(scope)}, Helm stops, so the objects of ${chart} are uncertain: ${where}: ${reason}`;
    }
  }
}

/** Returns a sentence about the first part of a chart that is not in the workspace; undefined if there is none. Ignored files are named in a note. */
function missingPart({ kind, release, closed }: Scope): string | undefined {
  if (kind !== 'chart' || release === undefined || closed === true) return undefined;
  return closed.openBecause.find((why) => !closed.leftOut?.includes(why));
}
