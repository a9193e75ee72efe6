/** Tracks the active scope, which the user selects in the editor and whose results are shown first. */

import { TextDocumentIdentifier } from 'vscode-languageserver';
import { scopesOfFile } from '../features/environments.ts';
import { activeScopeNotification, type ScopesResult, scopesRequest } from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';
import { inDocument, type RequestContext } from './request-helpers.ts';

/** Handles the selection of the active scope. `initial` is the selection that the client restores at startup; `changed` is called when the selection changes. */
export function provideActiveScope(context: RequestContext, initial: unknown, changed: () => void): void {
  const { connection, session } = context;
  if (typeof initial === 'string') session.choose({ activeScope: initial });
  connection.onNotification(activeScopeNotification, (given: unknown) => {
    const path = typeof given === 'object' && given !== null && 'path' in given ? given.path : null;
    const chosen = typeof path === 'string' ? path : undefined;
    if (session.choices.activeScope === chosen) return;
    session.choose({ activeScope: chosen });
    changed();
  });
  connection.onRequest(scopesRequest, (given: unknown, token) => {
    const textDocument = typeof given === 'object' && given !== null && 'textDocument' in given && given.textDocument;
    const none: ScopesResult = [];
    if (!TextDocumentIdentifier.is(textDocument)) return none;
    return inDocument(context, scopesRequest, none, { textDocument }, token, (view) =>
      scopesOfFile(view).map((scope) => ({ ...scope, name: replaceControls(scope.name) })),
    );
  });
}
