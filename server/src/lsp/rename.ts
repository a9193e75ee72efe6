/** Provides the rename of labels: the range to rename at a position, and the edits in all files. */

import {
  type CancellationToken,
  MessageType,
  type RenameParams,
  ShowMessageNotification,
  type ShowMessageParams,
} from 'vscode-languageserver';
import { withNearMisses } from '../features/rename/near-misses.ts';
import { prepareRename, type Renamed, rename, renamedKey } from '../features/rename/rename.ts';
import { localize } from '../text/localize.ts';
import type { FileSource } from '../workspace/live/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { positionToOffset, spanToRange } from './convert.ts';
import type { Indexing } from './indexing.ts';
import { closedCommandFiles } from './navigation.ts';
import { chosenPlan, movedSelectors } from './planned-rename.ts';
import { refusal } from './refusal.ts';
import { guard } from './request-guard.ts';
import { atPosition, type RequestContext } from './request-helpers.ts';
import { shownText } from './shown-text.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

interface RenameContext extends RequestContext {
  readonly source: FileSource;
  readonly indexing: Indexing;
}

/** Handles `textDocument/prepareRename` and `textDocument/rename`. */
export function provideRename(context: RenameContext): void {
  const { connection, documents, session, log, abilities, indexing } = context;
  if (abilities.prepareRename) providePrepareRename(context);
  // The last rename that was refused. If the same rename is requested again, it is performed, and each edit needs
  // confirmation.
  let refused = '';
  const renameAll = async (params: RenameParams, token: CancellationToken) => {
    // A rename would miss files that are not yet loaded, so it waits until indexing is complete.
    await indexing.start();
    const again = refused;
    const key = atPosition(context, 'textDocument/rename', undefined, params, token, renamedKey);
    const closed = key === undefined ? [] : await closedCommandFiles(context, key);
    const handle = () => {
      const document = documents.get(params.textDocument.uri);
      const view = document && session.fileView(canonicalUri(document.uri), closed);
      if (document === undefined || view === undefined) return undefined;
      const offset = positionToOffset(document, params.position);
      const found = rename(view, offset, params.newName);
      if (found === undefined || !('insisted' in found)) {
        const isPlanned = found !== undefined && 'edits' in found && abilities.changeAnnotations;
        return isPlanned ? withNearMisses(view, offset, params.newName, found) : found;
      }
      const word = prepareRename(view, positionToOffset(document, params.position));
      const start = word !== undefined && 'span' in word ? word.span.start : undefined;
      refused = JSON.stringify([document.uri, document.version, start, params.newName]);
      if (refused === again) return found.insisted;
      return { refused: localize`${found.refused}; to rename it anyway, repeat the rename with the same name` };
    };
    const first = guard(log, 'textDocument/rename', undefined, token, handle);
    if (first === undefined) return null;
    if ('refused' in first) {
      const moved = await movedSelectors(context, first, params.newName);
      return moved === undefined ? refusal(first.refused) : toWorkspaceEdit(context, moved, closed);
    }
    const snapshot = session.snapshot();
    const edited = [...first.edits.keys()].filter((uri) => snapshot.files.has(uri));
    await readAnew(context, edited);
    const renamed =
      session.snapshot() === snapshot ? first : guard(log, 'textDocument/rename', undefined, token, handle);
    if (renamed === undefined) return null;
    if ('refused' in renamed) return refusal(renamed.refused);
    const choice = await chosenPlan(context, renamed, params.newName);
    if (choice === undefined) return null;
    if (choice !== renamed)
      return 'edits' in choice ? toWorkspaceEdit(context, choice, closed) : refusal(choice.refused);
    explain(context, renamed);
    return toWorkspaceEdit(context, renamed, closed);
  };
  connection.onRenameRequest((params, token) =>
    guard<ReturnType<typeof renameAll> | null>(log, 'textDocument/rename', null, token, () => renameAll(params, token)),
  );
}

/** Handles `textDocument/prepareRename`. */
function providePrepareRename({ connection, documents, session, log }: RenameContext): void {
  connection.onPrepareRename((params, token) =>
    guard(log, 'textDocument/prepareRename', null, token, () => {
      const document = documents.get(params.textDocument.uri);
      if (document === undefined) return null;
      const view = session.fileView(canonicalUri(document.uri));
      const found = view && prepareRename(view, positionToOffset(document, params.position));
      if (found === undefined) return null;
      if ('refused' in found) return refusal(found.refused);
      return { range: spanToRange(document, found.span), placeholder: found.text };
    }),
  );
}

/** Says what remains to do after a rename, or why nothing has changed yet if every edit needs confirmation: no edit is selected in the preview, and the preview shows the reasons only if the user groups the edits by type. */
function explain({ connection, abilities }: RenameContext, { edits, notes }: Renamed): void {
  const looks = new Set([...edits.values()].flatMap((inFile) => inFile.map(({ look }) => look)));
  const reasons = [...looks].flatMap((look) => notes[look] ?? []);
  const areAllUnselected = abilities.changeAnnotations && reasons.every(({ needsConfirmation }) => needsConfirmation);
  const sentences = areAllUnselected
    ? reasons.map(({ label, description }) => `${label}: ${description}`)
    : reasons.flatMap(({ afterwards }) => afterwards ?? []);
  if (sentences.length === 0) return;
  const message = sentences.join(' ');
  const params: ShowMessageParams = {
    type: areAllUnselected ? MessageType.Info : MessageType.Warning,
    message: shownText(areAllUnselected ? localize`${message} Check the changes that you want.` : message),
  };
  void connection.sendNotification(ShowMessageNotification.method, params);
}

/** Reads files again before they are edited if they changed on disk, because the notification about the change may not have arrived yet. */
export async function readAnew(
  { session, source }: Pick<RenameContext, 'session' | 'source'>,
  uris: readonly string[],
): Promise<void> {
  const closed = uris.filter((uri) => !session.workspace.isOpen(uri));
  const changes = await session.workspace.versions.changes(source, closed);
  if (changes.length > 0) await session.workspace.refresh(source, changes);
}
