/** Provides the commands that edit several objects. */

import { LSPErrorCodes, Position, ResponseError, TextDocumentIdentifier } from 'vscode-languageserver';
import { labelMatches } from '../features/refactor/label-matches.ts';
import {
  adoptCommand,
  fixRuleCommand,
  type IndexParams,
  indexCommand,
  type Labelled,
  type LabelParams,
  labelCommand,
} from '../protocol.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { adoptLabels, isAdoptParams } from './adoption.ts';
import { fixRuleInWorkspace, isFixRuleParams } from './fix-rule.ts';
import type { Indexing } from './indexing.ts';
import { refusal } from './refusal.ts';
import { readAnew } from './rename.ts';
import { guard } from './request-guard.ts';
import type { RequestContext } from './request-helpers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

interface CommandContext extends RequestContext {
  /** Called after a file was indexed anyway. */
  readonly indexed: () => void;
  readonly source: FileSource;
  readonly indexing: Indexing;
}

/** Provides `workspace/executeCommand` for four commands: one indexes an ignored file, one adds labels to the objects that a selector matches, one fixes all findings of a rule, and one adopts recommended labels. The editor applies the edits. */
export function provideCommands(context: CommandContext): void {
  const { connection, log, abilities, indexing } = context;
  connection.onExecuteCommand(async ({ command, arguments: given }, token) => {
    const [params] = given ?? [];
    if (command === indexCommand && isIndexParams(params)) {
      await indexing.start();
      return guard(log, command, null, token, () => indexAnyway(context, params));
    }
    if (!abilities.applyEdits) return refused(command);
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
      return refused(command);
    }
    await indexing.start();
    return guard<ReturnType<typeof label> | null>(log, command, null, token, () => label(context, params));
  });
}

function refused(command: string): ResponseError<void> {
  const text = localize`The command ${command} cannot be run with these arguments.`;
  return new ResponseError(LSPErrorCodes.RequestFailed, text);
}

function indexAnyway({ documents, session, indexed }: CommandContext, { textDocument }: IndexParams): null {
  const document = documents.get(textDocument.uri);
  const uri = canonicalUri(textDocument.uri);
  if (document === undefined || !(session.workspace.isUnread(uri) || session.workspace.unindexed(uri))) return null;
  session.workspace.indexedAnyway.add(uri);
  session.workspace.edit(uri, document.getText(), false, document.languageId);
  indexed();
  return null;
}

async function label(
  context: CommandContext,
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
  { session, source }: CommandContext,
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

function isIndexParams(given: unknown): given is IndexParams {
  if (typeof given !== 'object' || given === null || !('textDocument' in given)) return false;
  return TextDocumentIdentifier.is(given.textDocument);
}

function isLabelParams(given: unknown): given is LabelParams {
  if (typeof given !== 'object' || given === null) return false;
  const { textDocument, position, change } = given as Partial<Record<keyof LabelParams, unknown>>; // all are validated
  const isPosition = textDocument !== null && TextDocumentIdentifier.is(textDocument) && Position.is(position);
  return isPosition && typeof change === 'string';
}
