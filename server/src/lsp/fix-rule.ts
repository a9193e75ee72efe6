/** Fixes all findings of a rule in a file (code action) or in the workspace (command). */

import { type CancellationToken, type CodeAction, CodeActionKind, type ResponseError } from 'vscode-languageserver';
import { isWorthChecking } from '../features/diagnostics/all-problems.ts';
import { chosenFix, separateFixes } from '../features/refactor/fix-all.ts';
import type { LookNote } from '../features/rename/annotated-edits.ts';
import { type FixRuleParams, fixRuleCommand, type RuleFixed } from '../protocol.ts';
import type { Finding } from '../rules/framework/rule.ts';
import type { Session } from '../session.ts';
import type { Edit } from '../text/edit.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { type ActionContext, shownOf } from './convert.ts';
import { refusal } from './refusal.ts';
import type { RequestContext } from './request-helpers.ts';
import { problemsOf } from './workspace-diagnostics.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/** The data of an unresolved action, which identifies the action when the client requests its edits. */
interface ActionData {
  readonly fixRule: string;
  readonly uri: string;
  readonly version: number;
}

/** The maximum number of findings whose fixes are computed in advance for an editor that cannot resolve the edits of an action later. */
const maximumAtOnce = 100;

/** Returns an action for each rule in `shown` that has a fixable finding there; the action fixes all findings of the rule. `all` contains all findings of the file. */
export function fixRuleActions(
  context: RequestContext,
  action: ActionContext,
  shown: readonly Finding[],
  all: readonly Finding[],
): readonly CodeAction[] {
  const { abilities, session } = context;
  const { document } = action;
  const fixable = new Map<string, Finding>();
  for (const finding of shown) {
    if (!fixable.has(finding.rule) && chosenFix(finding, true) !== undefined) fixable.set(finding.rule, finding);
  }
  const isElsewhere = hasOtherFiles(session, canonicalUri(document.uri));
  return [...fixable].flatMap(([rule, finding]): readonly CodeAction[] => {
    const ofRule = all.filter((each) => each.rule === rule);
    const title = localize`Fix all ${rule} in this file`;
    const kind = CodeActionKind.QuickFix;
    const diagnostics = [shownOf(action, finding)];
    const data: ActionData = { fixRule: rule, uri: document.uri, version: document.version };
    const inFile: readonly CodeAction[] =
      ofRule.length < 2
        ? []
        : abilities.resolveActions
          ? [{ title, kind, diagnostics, data }]
          : ofRule.length > maximumAtOnce
            ? []
            : [{ title, kind, diagnostics, edit: editOf(context, canonicalUri(document.uri), ofRule) }];
    if (!isElsewhere || !abilities.applyEdits || !abilities.changeAnnotations) return inFile;
    const everywhere = localize`Fix all ${rule} in the workspace\u2026`;
    const params: FixRuleParams = { rule };
    const command = { title: everywhere, command: fixRuleCommand, arguments: [params] };
    return [...inFile, { title: everywhere, kind, diagnostics, command }];
  });
}

/** Whether any file other than the given one may have findings. */
function hasOtherFiles(session: Session, uri: string): boolean {
  for (const file of session.snapshot().files.values()) if (file.uri !== uri && isWorthChecking(file)) return true;
  return false;
}

/** Resolves the edits of a chosen action; the action has no edits if its document has changed since. Returns undefined for an action of a different kind. */
export function resolveFixRule(context: RequestContext, action: CodeAction): CodeAction | undefined {
  const data: unknown = action.data;
  if (!isActionData(data)) return undefined;
  if (context.documents.get(data.uri)?.version !== data.version) return action;
  const uri = canonicalUri(data.uri);
  const ofRule = context.session.findings(uri).filter(({ rule }) => rule === data.fixRule);
  return { ...action, edit: editOf(context, uri, ofRule) };
}

function editOf(context: RequestContext, uri: string, findings: readonly Finding[]) {
  const text = context.session.workspace.textOf(uri);
  const edits = separateFixes(findings, true, text).flatMap((fix) => fix.edits.map((edit) => ({ ...edit, look: '' })));
  const abilities = { ...context.abilities, changeAnnotations: false };
  return toWorkspaceEdit({ ...context, abilities }, { edits: new Map([[uri, edits]]), notes: {} });
}

type Look = 'safe' | 'review';

/** Fixes all findings of a rule in the workspace. If several files are affected, the user sees a preview first. */
export async function fixRuleInWorkspace(
  context: RequestContext & { readonly source: FileSource },
  { rule }: FixRuleParams,
  token: CancellationToken,
): Promise<RuleFixed | ResponseError<void>> {
  const { connection, session, source } = context;
  const edits = new Map<string, readonly (Edit & { readonly look: Look })[]>();
  const collect = (uri: string, findings: readonly Finding[]) => {
    const fixes = separateFixes(
      findings.filter((finding) => finding.rule === rule),
      true,
      session.workspace.textOf(uri),
    );
    const inFile = fixes.flatMap(({ edits, safe }) =>
      edits.map((edit) => ({ ...edit, look: safe === true ? ('safe' as const) : ('review' as const) })),
    );
    if (inFile.length > 0) edits.set(uri, inFile);
  };
  // Rules that depend on other files run only after a pause in typing. The user has stopped typing to choose the
  // action, so these rules run immediately.
  session.choose({ typing: false });
  for (const { uri } of context.documents.all()) collect(canonicalUri(uri), session.findings(canonicalUri(uri)));
  const problems = problemsOf(session, source);
  const isDone = await problems.run(
    (uri, checked) => collect(uri, checked?.findings ?? []),
    () => token.isCancellationRequested,
  );
  if (!isDone) return { applied: false, files: 0 };
  if (edits.size === 0) return refusal(localize`no finding of ${rule} has a fix`);
  const notes = notesOf(rule, edits.size > 1);
  const edit = toWorkspaceEdit(context, { edits, notes });
  const { applied } = await connection.workspace.applyEdit({ label: notes.safe.label, edit });
  return { applied, files: edits.size };
}

function notesOf(rule: string, several: boolean): Readonly<Record<Look, LookNote>> {
  const label = localize`Fix all ${rule}`;
  return {
    safe: { label, description: localize`No selector changes what it matches.`, needsConfirmation: several },
    review: { label, description: localize`A selector may match something else.`, needsConfirmation: several },
  };
}

/** Whether the arguments of a command are the parameters of the command that fixes a rule. */
export function isFixRuleParams(given: unknown): given is FixRuleParams {
  return typeof given === 'object' && given !== null && 'rule' in given && typeof given.rule === 'string';
}

function isActionData(data: unknown): data is ActionData {
  return (
    typeof data === 'object' &&
    data !== null &&
    'fixRule' in data &&
    typeof data.fixRule === 'string' &&
    'uri' in data &&
    typeof data.uri === 'string' &&
    'version' in data
  );
}
