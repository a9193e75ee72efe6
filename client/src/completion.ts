/** Triggers suggestions again after a completion item is accepted, for example to suggest the values of a key. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { CompletionData } from '../../server/src/protocol.ts';

type Items = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/** Language client middleware: after the user accepts a completion item that needs another part, such as a value, VS Code triggers suggestions again. */
export const completionMiddleware: Middleware = {
  async provideCompletionItem(document, position, context, token, next) {
    const found: Items = await next(document, position, context, token);
    for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
      if (goesOn(item))
        item.command = { title: vscode.l10n.t('Suggest Next Part'), command: 'editor.action.triggerSuggest' };
    }
    return found;
  },
};

/** Whether another part, such as a value, can follow the inserted item. The server stores this in the item's `data`, which the language client preserves. */
function goesOn(item: vscode.CompletionItem & { readonly data?: Partial<CompletionData> }): boolean {
  return item.data?.goesOn === true;
}
