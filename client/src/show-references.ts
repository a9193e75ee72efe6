/** Shows references when the user clicks a CodeLens. */
import * as vscode from 'vscode';

/** Opens the references view for the position in `argument`, `{ uri, position }`; ignores any other value. */
export async function showReferences(argument: unknown): Promise<void> {
  if (typeof argument !== 'object' || argument === null || !('uri' in argument) || !('position' in argument)) return;
  const { uri, position } = argument;
  if (typeof uri !== 'string' || typeof position !== 'object' || position === null) return;
  if (!('line' in position) || !('character' in position)) return;
  const at = new vscode.Position(Number(position.line), Number(position.character));
  await vscode.commands.executeCommand('editor.action.findReferences', vscode.Uri.parse(uri, true), at);
}
