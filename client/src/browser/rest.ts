/** Starts the language server in a browser, as a web worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';

/** The one thing of a browser that is named here; its full library would let the node side name it too. */
declare class Worker {
  constructor(script: string);
}

export function start(context: ExtensionContext): Promise<Session> {
  const script = Uri.joinPath(context.extensionUri, 'dist/extension/server-browser.js').toString(true);
  // The language client recognizes a worker by its class, which the web extension host replaces: so it gets the two
  // ends of the connection instead.
  const connect = async () => {
    const worker = new Worker(script);
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  return startSession(context, (options) => new LanguageClient('selectorLens', 'Selector Lens', connect, options));
}
