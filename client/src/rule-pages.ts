/** Where can one read about a rule without a network? The pages come with the extension. */
import * as vscode from 'vscode';

/** Opens the page of a rule, or without one the list of all rules. */
export async function openRulePage(extension: vscode.Uri, rule: unknown): Promise<void> {
  const name = typeof rule === 'string' && /^[a-z-]+$/.test(rule) ? rule : 'README';
  const page = vscode.Uri.joinPath(extension, 'docs', 'rules', `${name}.md`);
  try {
    await vscode.commands.executeCommand('markdown.showPreview', page);
  } catch {
    // Without the extension for Markdown the page is shown as it is written.
    await vscode.commands.executeCommand('vscode.open', page);
  }
}
