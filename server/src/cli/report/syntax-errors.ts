/** Reports syntax errors that may hide objects, for commands that do not report findings: their results must not look complete. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import type { Session } from '../../session.ts';
import { offsetToPosition } from '../../text/lines.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { hasErrors } from '../../workspace/snapshot.ts';
import type { World } from '../environment.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { PathSelection } from '../paths/path-selection.ts';
import { takingPartIn } from '../paths/taking-part.ts';

/** Whether a file has syntax errors, by file. The result is cached, because computing it deserializes the file, and a server needs it for each answer. */
const broken = new WeakMap<WorkspaceFile, boolean>();

function isBroken(file: WorkspaceFile): boolean {
  return file.config === undefined && getOrAdd(broken, file, hasErrors);
}

/** Returns the files of a snapshot with syntax errors, which may hide objects. */
export function filesWithSyntaxErrors(snapshot: Workspace): readonly WorkspaceFile[] {
  return takingPartIn(snapshot).filesWith(isBroken);
}

/** Returns the URIs of the files of a snapshot with documents that are too large to be parsed. A rule other than `syntax-error` reports them. */
export function filesWithLargeDocuments(snapshot: Workspace): readonly string[] {
  const files = filesWithSyntaxErrors(snapshot);
  return files.filter(({ manifest }) => manifest.tooLargeAt !== undefined).map(({ uri }) => uri);
}

type SyntaxError = Pick<Finding, 'span' | 'message'>;

/** The syntax errors of files, cached with the inputs that they depend on: a server for agents needs them for each answer. */
const known = new WeakMap<
  WorkspaceFile,
  { readonly inputs: readonly unknown[]; readonly errors: readonly SyntaxError[] }
>();

function syntaxErrorsIn(
  { clock }: World,
  session: Session,
  file: WorkspaceFile,
  readText: (file: WorkspaceFile) => string,
): readonly SyntaxError[] {
  const { workspace, choices } = session;
  const { settings, complete } = workspace;
  const snapshot = session.snapshot();
  const inputs = [
    ...[snapshot.scopes(), snapshot.configs(), workspace.catalogueOf(file.uri), settings, complete],
    ...[choices.level, choices.folderSettings, choices.typing, clock?.today()],
  ];
  const before = known.get(file);
  if (before?.inputs.every((input, index) => input === inputs[index])) return before.errors;
  const findings = session.check(file, () => readText(file), 'syntax-error');
  const errors = findings.map(({ span, message }) => ({ span, message }));
  known.set(file, { inputs, errors });
  return errors;
}

/** Returns the files of a snapshot whose syntax errors are reported: an error in a template may be one of its parser only. */
export function unparsedFiles(
  world: World,
  session: Session,
  readText: (file: WorkspaceFile) => string,
): readonly WorkspaceFile[] {
  const files = filesWithSyntaxErrors(session.snapshot());
  return files.filter((file) => syntaxErrorsIn(world, session, file, readText).length > 0);
}

/** Reports the syntax errors of the selected files on standard error; returns the URIs of these files. `reportConfigFaults` reports the errors in configuration files. */
export function reportSyntaxErrors(
  world: World,
  { session, selection }: { readonly session: Session; readonly selection: PathSelection },
  readText: (file: WorkspaceFile) => string,
): readonly string[] {
  const unread = new Set<string>();
  for (const file of filesWithSyntaxErrors(session.snapshot())) {
    if (!selection.holds(file.uri)) continue;
    for (const { span, message } of syntaxErrorsIn(world, session, file, readText)) {
      const { line, character } = offsetToPosition(file.lines, span.start);
      world.err(tame(`selector-lens: ${displayPath(world, file.uri)}:${line + 1}:${character + 1}: ${message}`));
      unread.add(file.uri);
    }
  }
  return [...unread];
}
