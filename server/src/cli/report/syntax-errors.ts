/** Reports syntax errors that may hide objects, for commands without findings: their result must not look complete. */

import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { hasErrors } from '../../workspace/snapshot.ts';
import type { World } from '../environment.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { PathSelection } from '../paths/path-selection.ts';

/**
 * Reports the syntax errors of the selected files on standard error; false if there are none. `reportConfigFaults`
 * reports those of configurations.
 */
export function reportSyntaxErrors(
  world: World,
  { session, selection }: { readonly session: Session; readonly selection: PathSelection },
  readText: (file: WorkspaceFile) => string,
): boolean {
  let isUnread = false;
  for (const file of session.snapshot().files.values()) {
    if (file.config !== undefined || !selection.holds(file.uri) || !hasErrors(file)) continue;
    for (const { rule, span, message } of session.check(file, () => readText(file))) {
      if (rule !== 'syntax-error') continue;
      const { line, character } = offsetToPosition(file.lines, span.start);
      world.err(tame(`selector-lens: ${displayPath(world, file.uri)}:${line + 1}:${character + 1}: ${message}`));
      isUnread = true;
    }
  }
  return isUnread;
}
