/** How does the language server run in a browser? As a worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';

/** The one thing of a browser that we name; its full library would let the node side name it too. */
declare class Worker {
  constructor(script: string);
}

export function start(context: ExtensionContext): Promise<Session> {
  const script = Uri.joinPath(context.extensionUri, 'dist/extension/server-browser.js').toString(true);
  return startSession(
    context,
    (options) => new LanguageClient('selectorLens', 'Selector Lens', async () => new Worker(script), options),
  );
}
