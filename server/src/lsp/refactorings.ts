/** Provides refactorings as code actions. */

import { type CodeAction, CodeActionKind, type CodeActionParams } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Refactoring } from '../features/refactor/model.ts';
import { refactorings, selectorAt } from '../features/refactor/refactor.ts';
import type { FileView } from '../features/view.ts';
import { localize } from '../text/localize.ts';
import { effectiveSelector } from '../workspace/selection/effective-selector.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { rangeToSpan, spanToRange } from './convert.ts';
import type { RequestContext } from './request-helpers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

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
