/** Opens a scratch document next to the editor, to evaluate a selector without adding it to a manifest. */
import * as vscode from 'vscode';
import { selectorLanguage } from './languages.ts';
import type { MatchesView } from './matches-view.ts';

/** VS Code shows the first line as the name of the document. */
const introduction = `# Try a Selector
# One selector a line, as in kubectl -l.
# "Selector Matches" lists what it matches.
`;

/** Opens a scratch document that contains the selector shown in the view, and reveals the view of its matches. */
export async function trySelector(view: MatchesView): Promise<void> {
  const known = vscode.window.visibleTextEditors.find(({ document }) => isScratch(document));
  const begun = await view.selector();
  const document =
    known?.document ??
    (await vscode.workspace.openTextDocument({
      language: selectorLanguage,
      content: `${introduction}${begun === undefined ? '' : `${begun}\n`}`,
    }));
  const lines = begun === undefined || known !== undefined ? document.lineCount : document.lineCount - 1;
  const end = document.lineAt(lines - 1).range.end;
  const viewColumn = known?.viewColumn ?? vscode.ViewColumn.Beside;
  // The document is shown last, so that it has the focus for the first typed characters.
  await view.comeForward();
  await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(end, end) });
}

function isScratch(document: vscode.TextDocument): boolean {
  return document.languageId === selectorLanguage && document.isUntitled;
}
