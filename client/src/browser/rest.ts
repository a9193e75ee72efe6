/** Starts the language server in a browser, as a web worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';

/** The only browser API that this file needs. The DOM library would declare all browser APIs, in the Node.js code as well. */
declare class Worker {
  constructor(script: string);
}

/** Starts the session with a language server in a web worker. */
export function start(context: ExtensionContext): Promise<Session> {
  const script = Uri.joinPath(context.extensionUri, 'dist/extension/server-browser.js').toString(true);
  // The language client recognizes a worker by its class. The web extension host replaces this class, so the client is
  // given a reader and a writer instead.
  const connect = async () => {
    const worker = new Worker(script);
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  return startSession(context, (options) => new LanguageClient('selectorLens', 'Selector Lens', connect, options));
}
