/** What happens after a key was chosen? Its values are offered at once. */
import type * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import type { CompletionData } from '../../server/src/protocol.ts';

type Items = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/** Asks again after an item behind which something is to be chosen. */
export const completionMiddleware: Middleware = {
  async provideCompletionItem(document, position, context, token, next) {
    const found: Items = await next(document, position, context, token);
    for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
      if (goesOn(item)) item.command = { title: 'Suggest the next part', command: 'editor.action.triggerSuggest' };
    }
    return found;
  },
};

/** The language client keeps what the server said of an item. */
function goesOn(item: vscode.CompletionItem & { readonly data?: Partial<CompletionData> }): boolean {
  return item.data?.goesOn === true;
}
