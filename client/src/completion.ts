/** Triggers the next suggestions after an accepted completion item, such as the values of a key. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { CompletionData } from '../../server/src/protocol.ts';

type Items = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/** Triggers suggestions again after an item that needs a next part. */
export const completionMiddleware: Middleware = {
  async provideCompletionItem(document, position, context, token, next) {
    const found: Items = await next(document, position, context, token);
    for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
      if (goesOn(item))
        item.command = { title: vscode.l10n.t('Suggest the next part'), command: 'editor.action.triggerSuggest' };
    }
    return found;
  },
};

/** Whether an item needs a next part, from its data, which the language client preserves. */
function goesOn(item: vscode.CompletionItem & { readonly data?: Partial<CompletionData> }): boolean {
  return item.data?.goesOn === true;
}
