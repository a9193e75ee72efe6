/** Starts the language server in a browser, as a web worker. */
import { type ExtensionContext, Uri } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import type { Session } from '../activation.ts';
import { startSession } from '../session.ts';

/** The only browser API that this file needs. The DOM library would declare all browser APIs, in the Node.js code as well. */
declare class Worker {
  constructor(script: string);
  onmessage: ((event: { readonly data: LoadResult }) => void) | null;
  postMessage(message: string): void;
}

/** What the script of the worker answers to the URL of the server. */
interface LoadResult {
  readonly isReady: boolean;
  readonly reason?: string;
}

/** Starts the session with a language server in a web worker. */
export function start(context: ExtensionContext): Promise<Session> {
  const urlOf = (path: string) => Uri.joinPath(context.extensionUri, path).toString(true);
  // The language client recognizes a worker by its class. The web extension host replaces this class, so the client is
  // given a reader and a writer instead.
  const connect = async () => {
    const worker = new Worker(urlOf('dist/extension/worker.js'));
    await loadServer(worker, urlOf('dist/server/browser.js'));
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  return startSession(context, (options) => new LanguageClient('selectorLens', 'Selector Lens', connect, options));
}

function loadServer(worker: Worker, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { isReady, reason } }) => {
      worker.onmessage = null;
      if (isReady) resolve();
      else reject(new Error(`The language server could not be loaded: ${reason}`));
    };
    worker.postMessage(url);
  });
}
