/** Reports the charts that Helm cannot install, or that take too long to be executed. */

import { offsetToPosition } from '../../text/lines.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';

/** Reports the failures of the charts in the selected scopes on standard error: no object of these charts is certain. */
export function reportFailedCharts(world: World, { session, selection }: Indexed): void {
  const workspace = session.snapshot();
  for (const scope of workspace.scopes().all()) {
    if (!isRendered(scope) || !selection.mayApply(scope)) continue;
    const rendering = workspace.rendering(scope.path, session.workspace.catalogueOf(scope.path));
    const { failures = [], isCut } = rendering ?? {};
    const chart = displayPath(world, scope.path);
    if (isCut)
      world.err(
        tame(`selector-lens: executing the templates of ${chart} takes too many steps, so some objects are unknown`),
      );
    for (const { uri, at, reason } of failures) {
      const file = workspace.files.get(uri);
      const line = file === undefined ? 1 : offsetToPosition(file.lines, at).line + 1;
      const where = `${displayPath(world, uri)}:${line}`;
      world.err(tame(`selector-lens: Helm cannot install ${chart}, so its objects may not exist: ${where}: ${reason}`));
    }
  }
}
