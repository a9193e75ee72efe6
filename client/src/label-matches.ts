/** Sets or removes a label on all objects that the selector at the cursor matches. The user enters the label in an input box; the server applies the edits. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type Labelled,
  type LabelParams,
  labelCommand,
  type ProtocolPosition,
  withoutMarkup,
} from '../../server/src/protocol.ts';
import { activeManifest } from './active-manifest.ts';

interface DocumentPosition {
  readonly uri: string;
  readonly position: ProtocolPosition;
}

/** Labels the objects that a selector matches: the selector at the position that a code action passes in `argument`, otherwise the selector at the cursor. */
export async function labelMatches(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const place = isPosition(argument) ? argument : atCursor(client);
  if (place === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Place the cursor in a selector to label the objects that it matches.'),
    );
    return;
  }
  const change = await vscode.window.showInputBox({
    title: vscode.l10n.t('Label Matching Objects'),
    prompt: vscode.l10n.t(
      "Write 'key=value' to set a label, or 'key-' to remove it. You see every change before it is made.",
    ),
    placeHolder: 'team=blue',
  });
  if (change === undefined || change.trim() === '') return;
  const params: LabelParams = { textDocument: { uri: place.uri }, position: place.position, change };
  try {
    const done = await client.sendRequest<Labelled | null>('workspace/executeCommand', {
      command: labelCommand,
      arguments: [params],
    });
    if (done !== null && done.left > 0) {
      void vscode.window.showWarningMessage(withoutMarkup(unchanged(done)));
    }
  } catch (error) {
    void vscode.window.showErrorMessage(withoutMarkup(error instanceof Error ? error.message : String(error)));
  }
}

/** The maximum number of reasons in a notification. */
const maximumReasons = 3;

function unchanged({ left, reasons }: Labelled): string {
  const more = left > maximumReasons ? vscode.l10n.t('; and {0} more', left - maximumReasons) : '';
  return vscode.l10n.t(
    '{0} of the matching objects {1} not changed. {2}{3}.',
    left,
    left === 1 ? 'was' : 'were',
    reasons.slice(0, maximumReasons).join('; '),
    more,
  );
}

function atCursor(client: BaseLanguageClient): DocumentPosition | undefined {
  const editor = activeManifest();
  if (editor === undefined) return undefined;
  const { asUri, asPosition } = client.code2ProtocolConverter;
  return { uri: asUri(editor.document.uri), position: asPosition(editor.selection.active) };
}

/** Whether the argument of a command is a document URI with a position, as in the protocol. */
export function isPosition(argument: unknown): argument is DocumentPosition {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'uri' in argument &&
    typeof argument.uri === 'string' &&
    'position' in argument
  );
}
