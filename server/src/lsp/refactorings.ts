/** Provides refactorings as code actions, and the command that labels matching objects. */

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
import { type Labelled, type LabelParams, labelCommand } from '../protocol.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { effectiveSelector } from '../workspace/selection/effective-selector.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { rangeToSpan, spanToRange } from './convert.ts';
import type { Indexing } from './indexing.ts';
import { readAnew, refusal } from './rename.ts';
import { guard } from './request-guard.ts';
import type { Door } from './request-helpers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/** The kinds of the provided code actions. */
export const refactorKinds: readonly string[] = [
  CodeActionKind.Refactor,
  CodeActionKind.RefactorRewrite,
  CodeActionKind.RefactorExtract,
];

interface RefactorDoor extends Door {
  readonly source: FileSource;
  readonly indexing: Indexing;
}

/** Says which action was meant when its edits are asked for. */
interface ActionData {
  readonly uri: string;
  readonly version: number;
  readonly offset: number;
  readonly id: string;
}

/** Returns the refactorings at a range; `isAsked` tests whether the editor requests a kind. */
export function refactorActions(
  door: Door,
  view: FileView,
  document: TextDocument,
  { range }: Pick<CodeActionParams, 'range'>,
  isAsked: (kind: string) => boolean,
): readonly CodeAction[] {
  const span = rangeToSpan(document, range);
  const found = refactorings(view, span).filter(({ kind }) => isAsked(kind));
  const actions = found.map((each): CodeAction => {
    const { id, title, kind } = each;
    if (!door.abilities.resolveActions) return { title, kind, edit: editOf(door, view, each) };
    const data: ActionData = { uri: document.uri, version: document.version, offset: span.start, id };
    return { title, kind, data };
  });
  return [...actions, ...commandActions(door, view, document, span.start, isAsked)];
}

/** Resolves the edits of a chosen action; without edits if its document has changed. */
export function resolveRefactoring(door: Door, action: CodeAction): CodeAction {
  const data: unknown = action.data;
  if (!isActionData(data)) return action;
  const document = door.documents.get(data.uri);
  const view = door.session.fileView(canonicalUri(data.uri));
  if (view === undefined || document?.version !== data.version) return action;
  const found = refactorings(view, { start: data.offset, end: data.offset }).find(({ id }) => id === data.id);
  return found === undefined ? action : { ...action, edit: editOf(door, view, found) };
}

function editOf(door: Door, { file }: FileView, refactoring: Refactoring) {
  const edits = (refactoring.edits() ?? []).map((edit) => ({ ...edit, look: '' }));
  return toWorkspaceEdit(
    { ...door, abilities: { ...door.abilities, changeAnnotations: false } },
    {
      edits: new Map([[file.uri, edits]]),
      notes: {},
    },
  );
}

/** What the editor itself does: it knows these commands where it said so. */
function commandActions(
  { abilities }: Door,
  view: FileView,
  document: TextDocument,
  offset: number,
  isAsked: (kind: string) => boolean,
): readonly CodeAction[] {
  const asked = selectorAt(view, offset);
  if (asked === undefined) return [];
  const { label, insert } = abilities.commands;
  const actions: CodeAction[] = [];
  const selector = effectiveSelector(asked.site);
  if (insert !== undefined && selector !== undefined && asked.object.inline && isAsked(CodeActionKind.Refactor)) {
    const title = 'Insert into a manifest as matchLabels';
    actions.push({ title, kind: CodeActionKind.Refactor, command: { title, command: insert } });
  }
  if (label !== undefined && selector !== undefined && isAsked(CodeActionKind.RefactorRewrite)) {
    const title = 'Label matching objects…';
    const at = { uri: document.uri, position: spanToRange(document, { start: offset, end: offset }).start };
    const command = { title, command: label, arguments: [at] };
    actions.push({ title, kind: CodeActionKind.RefactorRewrite, command });
  }
  return actions;
}

/**
 * Provides `workspace/executeCommand`: adds labels to the objects that a selector matches, by edits that the editor
 * applies.
 */
export function provideCommands(door: RefactorDoor): void {
  const { connection, log, abilities, indexing } = door;
  if (!abilities.applyEdits) return;
  connection.onExecuteCommand(async ({ command, arguments: given }, token) => {
    const [params] = given ?? [];
    if (command !== labelCommand || !isLabelParams(params)) {
      return new ResponseError(
        LSPErrorCodes.RequestFailed,
        `The command ${command} cannot be run with these arguments.`,
      );
    }
    await indexing.start();
    return guard<ReturnType<typeof label> | null>(log, command, null, token, () => label(door, params));
  });
}

async function label(
  door: RefactorDoor,
  { textDocument, position, change }: LabelParams,
): Promise<Labelled | ResponseError<void>> {
  const { connection, documents, session } = door;
  const ask = () => {
    const document = documents.get(textDocument.uri);
    const view = session.fileView(canonicalUri(textDocument.uri));
    return document && view && labelMatches(view, document.offsetAt(position), change);
  };
  const first = ask();
  if (first === undefined) return refusal('there is no selector at this place');
  if ('refused' in first) return refusal(first.refused);
  await readAnew(door, first.uris);
  const plan = ask();
  if (plan === undefined || 'refused' in plan) return refusal(plan?.refused ?? 'the file has changed in the meantime');
  const texts = await textsOf(door, plan.uris);
  const edits = plan.edits((uri) => texts.get(uri));
  if (edits.edits.size === 0) {
    return refusal(
      edits.left.length === 0 ? 'nothing needs to be changed' : `nothing can be changed: ${edits.left.join('; ')}`,
    );
  }
  const applied = await connection.workspace.applyEdit({
    label: edits.notes.label?.label ?? '',
    edit: toWorkspaceEdit(door, edits),
  });
  return { applied: applied.applied, left: edits.left.length, reasons: edits.left };
}

async function textsOf(
  { session, source }: RefactorDoor,
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
  const { textDocument, position, change } = given as Partial<Record<keyof LabelParams, unknown>>; // each is looked at
  const isPlace = textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position);
  return isPlace && typeof change === 'string';
}
