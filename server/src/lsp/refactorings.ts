/** Provides refactorings as code actions, and the commands that edit several objects. */

import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  LSPErrorCodes,
  Position,
  ResponseError,
  TextDocumentIdentifier,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { labelMatches } from '../features/refactor/label-matches.ts';
import type { Refactoring } from '../features/refactor/model.ts';
import { refactorings, selectorAt } from '../features/refactor/refactor.ts';
import type { FileView } from '../features/view.ts';
import { adoptCommand, fixRuleCommand, type Labelled, type LabelParams, labelCommand } from '../protocol.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { effectiveSelector } from '../workspace/selection/effective-selector.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { adoptLabels, isAdoptParams } from './adoption.ts';
import { rangeToSpan, spanToRange } from './convert.ts';
import { fixRuleInWorkspace, isFixRuleParams } from './fix-rule.ts';
import type { Indexing } from './indexing.ts';
import { refusal } from './refusal.ts';
import { readAnew } from './rename.ts';
import { guard } from './request-guard.ts';
import type { RequestContext } from './request-helpers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

export const refactorKinds: readonly string[] = [
  CodeActionKind.Refactor,
  CodeActionKind.RefactorRewrite,
  CodeActionKind.RefactorExtract,
];

interface RefactorContext extends RequestContext {
  readonly source: FileSource;
  readonly indexing: Indexing;
}

/** The data of an unresolved action, which identifies the action when the client requests its edits. */
interface ActionData {
  readonly uri: string;
  readonly version: number;
  readonly offset: number;
  readonly id: string;
}

/** Returns the refactorings at a range; `isRequested` determines whether the editor requests a kind of action. */
export function refactorActions(
  context: RequestContext,
  view: FileView,
  document: TextDocument,
  { range }: Pick<CodeActionParams, 'range'>,
  isRequested: (kind: string) => boolean,
): readonly CodeAction[] {
  const span = rangeToSpan(document, range);
  const found = refactorings(view, span).filter(({ kind }) => isRequested(kind));
  const actions = found.map((each): CodeAction => {
    const { id, title, kind } = each;
    if (!context.abilities.resolveActions) return { title, kind, edit: editOf(context, view, each) };
    const data: ActionData = { uri: document.uri, version: document.version, offset: span.start, id };
    return { title, kind, data };
  });
  return [...actions, ...commandActions(context, view, document, span.start, isRequested)];
}

/** Resolves the edits of a chosen action; the action has no edits if its document has changed since. */
export function resolveRefactoring(context: RequestContext, action: CodeAction): CodeAction {
  const data: unknown = action.data;
  if (!isActionData(data)) return action;
  const document = context.documents.get(data.uri);
  const view = context.session.fileView(canonicalUri(data.uri));
  if (view === undefined || document?.version !== data.version) return action;
  const found = refactorings(view, { start: data.offset, end: data.offset }).find(({ id }) => id === data.id);
  return found === undefined ? action : { ...action, edit: editOf(context, view, found) };
}

function editOf(context: RequestContext, { file }: FileView, refactoring: Refactoring) {
  const edits = (refactoring.edits() ?? []).map((edit) => ({ ...edit, look: '' }));
  return toWorkspaceEdit(
    { ...context, abilities: { ...context.abilities, changeAnnotations: false } },
    {
      edits: new Map([[file.uri, edits]]),
      notes: {},
    },
  );
}

/** Returns the actions that run a command of the editor, if the client provides the command. */
function commandActions(
  { abilities }: RequestContext,
  view: FileView,
  document: TextDocument,
  offset: number,
  isRequested: (kind: string) => boolean,
): readonly CodeAction[] {
  const asked = selectorAt(view, offset);
  if (asked === undefined) return [];
  const { label, insert } = abilities.commands;
  const actions: CodeAction[] = [];
  const selector = effectiveSelector(asked.site);
  if (insert !== undefined && selector !== undefined && asked.object.inline && isRequested(CodeActionKind.Refactor)) {
    const title = localize`Insert into a manifest as matchLabels`;
    actions.push({ title, kind: CodeActionKind.Refactor, command: { title, command: insert } });
  }
  if (label !== undefined && selector !== undefined && isRequested(CodeActionKind.RefactorRewrite)) {
    const title = localize`Label matching objects\u2026`;
    const at = { uri: document.uri, position: spanToRange(document, { start: offset, end: offset }).start };
    const command = { title, command: label, arguments: [at] };
    actions.push({ title, kind: CodeActionKind.RefactorRewrite, command });
  }
  return actions;
}

/** Provides `workspace/executeCommand` for three commands: one adds labels to the objects that a selector matches, one fixes all findings of a rule, and one adopts recommended labels. The editor applies the edits. */
export function provideCommands(context: RefactorContext): void {
  const { connection, log, abilities, indexing } = context;
  if (!abilities.applyEdits) return;
  connection.onExecuteCommand(async ({ command, arguments: given }, token) => {
    const [params] = given ?? [];
    if (command === fixRuleCommand && isFixRuleParams(params)) {
      await indexing.start();
      const fix = () => fixRuleInWorkspace(context, params, token);
      return guard<ReturnType<typeof fix> | null>(log, command, null, token, fix);
    }
    if (command === adoptCommand && isAdoptParams(params)) {
      await indexing.start();
      const adopt = () => adoptLabels(context, params);
      return guard<ReturnType<typeof adopt> | null>(log, command, null, token, adopt);
    }
    if (command !== labelCommand || !isLabelParams(params)) {
      return new ResponseError(
        LSPErrorCodes.RequestFailed,
        localize`The command ${command} cannot be run with these arguments.`,
      );
    }
    await indexing.start();
    return guard<ReturnType<typeof label> | null>(log, command, null, token, () => label(context, params));
  });
}

async function label(
  context: RefactorContext,
  { textDocument, position, change }: LabelParams,
): Promise<Labelled | ResponseError<void>> {
  const { connection, documents, session } = context;
  const handle = () => {
    const document = documents.get(textDocument.uri);
    const view = session.fileView(canonicalUri(textDocument.uri));
    return document && view && labelMatches(view, document.offsetAt(position), change);
  };
  const first = handle();
  if (first === undefined) return refusal(localize`there is no selector at this position`);
  if ('refused' in first) return refusal(first.refused);
  await readAnew(context, first.uris);
  const plan = handle();
  if (plan === undefined || 'refused' in plan)
    return refusal(plan?.refused ?? localize`the file has changed in the meantime`);
  const texts = await textsOf(context, plan.uris);
  const edits = plan.edits((uri) => texts.get(uri));
  if (edits.edits.size === 0) {
    return refusal(
      edits.left.length === 0
        ? localize`nothing needs to be changed`
        : localize`nothing can be changed: ${edits.left.join('; ')}`,
    );
  }
  const applied = await connection.workspace.applyEdit({
    label: edits.notes.label?.label ?? '',
    edit: toWorkspaceEdit(context, edits),
  });
  return { applied: applied.applied, left: edits.left.length, reasons: edits.left };
}

async function textsOf(
  { session, source }: RefactorContext,
  uris: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(
    uris.flatMap((uri) => {
      const text = session.workspace.textOf(uri);
      return text === undefined ? [] : [[uri, text] as const];
    }),
  );
  const closed = uris.filter((uri) => !texts.has(uri));
  const read = closed.length === 0 ? [] : await source.read(closed, session.workspace.settings.maximumFileSize);
  for (const [index, uri] of closed.entries()) {
    const found = read[index];
    if (found !== undefined && 'text' in found) texts.set(uri, found.text);
  }
  return texts;
}

function isActionData(data: unknown): data is ActionData {
  return (
    typeof data === 'object' &&
    data !== null &&
    'id' in data &&
    'offset' in data &&
    typeof data.offset === 'number' &&
    'uri' in data &&
    typeof data.uri === 'string'
  );
}

function isLabelParams(given: unknown): given is LabelParams {
  if (typeof given !== 'object' || given === null) return false;
  const { textDocument, position, change } = given as Partial<Record<keyof LabelParams, unknown>>; // all are validated
  const isPosition = textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position);
  return isPosition && typeof change === 'string';
}
