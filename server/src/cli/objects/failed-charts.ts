/** Reports the charts that Helm cannot install, that take too long to be executed, or whose dependencies are missing. */

import { offsetToPosition } from '../../text/lines.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

/** The maximum number of charts whose missing parts are named. */
const mostNamed = 3;

/** Reports the failures of the charts in the selected scopes on standard error: no object of these charts is certain. */
export function reportFailedCharts(world: World, { session, selection }: Indexed): void {
  const workspace = session.snapshot();
  const scopes = workspace.scopes().all();
  const isPartial = (scope: Scope) => missingPart(scope) !== undefined && selection.mayApply(scope);
  const partial = scopes.filter(isPartial);
  for (const scope of partial.slice(0, mostNamed))
    world.err(
      tame(`selector-lens: ${displayPath(world, scope.path)} is known only in part: ${missingPart(scope) ?? ''}`),
    );
  if (partial.length > mostNamed)
    world.err(`selector-lens: ${partial.length - mostNamed} more charts are known only in part.`);
  for (const scope of scopes) {
    if (!isRendered(scope) || !selection.mayApply(scope)) continue;
    const rendering = workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path));
    const chart = displayPath(world, scope.path);
    if (rendering?.isCut)
      world.err(
        tame(`selector-lens: executing the templates of ${chart} takes too many steps, so some objects are unknown`),
      );
  }
  for (const failure of failuresOfCharts(world, { session, selection })) world.err(tame(`selector-lens: ${failure}`));
}

/** Yields a sentence for each reason why Helm cannot install a chart in the selected scopes. */
export function* failuresOfCharts(
  world: World,
  { session, selection }: Pick<Indexed, 'session' | 'selection'>,
  isWanted: (scope: Scope) => boolean = isRendered,
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
      yield `Helm cannot install ${chart}, so its objects may not exist: ${where}: ${reason}`;
    }
  }
}

/** Returns a sentence about the first part of a chart that is not in the workspace; undefined if there is none. Ignored files are named in a note. */
function missingPart({ kind, release, closed }: Scope): string | undefined {
  if (kind !== 'chart' || release === undefined || closed === true) return undefined;
  return closed.openBecause.find((why) => !closed.leftOut?.includes(why));
}
