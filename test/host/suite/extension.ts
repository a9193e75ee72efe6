/** The extension under test, and its exports. */
import * as vscode from 'vscode';
import type { SelectorLens } from '../../../client/src/activation.ts';

/** Returns the extension under test. */
export function extension(): vscode.Extension<SelectorLens> {
  const found = vscode.extensions.getExtension<SelectorLens>('selector-lens.selector-lens');
  if (found === undefined) throw new Error('VS Code does not know the extension.');
  return found;
}
