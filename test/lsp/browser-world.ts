/** Runs the server for the browser in a context with the globals of a web worker, and without Node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { constants, createContext, runInContext } from 'node:vm';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageserver/node';
import { built } from '../harness/built.ts';
import { Client, type ClientOptions } from './client.ts';

const bundle = built('extension/server-browser.js');

/** The APIs of a web worker that the server may use; all other globals belong to the language. */
const workerWorld = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  queueMicrotask,
  TextDecoder,
  TextEncoder,
  atob,
  btoa,
  URL,
  // The library listens for errors of the port, which do not occur here.
  addEventListener: () => undefined,
  performance: { now: () => performance.now() },
};

export interface Worker {
  readonly client: Client;
  /** The output on the worker's console. */
  readonly printed: readonly unknown[];
}

/**
 * Runs the built server as a worker and connects an editor to it. Messages are copied, as between a page and a worker.
 */
export function startWorker(options: ClientOptions): Worker {
  const printed: unknown[] = [];
  const print = (...words: readonly unknown[]) => void printed.push(...words);
  const console = { log: print, info: print, warn: print, error: print, debug: print, trace: print };
  const reader = new PortReader();
  const postMessage = (message: unknown) => reader.receive(JSON.stringify(message));
  const world = createContext({ ...workerWorld, console, postMessage });
  runInContext('globalThis.self = globalThis', world);
  for (const name of ['process', 'require', 'Buffer', 'global', 'module', 'window', 'setImmediate']) {
    assert.equal(runInContext(`typeof ${name}`, world), 'undefined', `the world has ${name}`);
  }
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  runInContext(readFileSync(bundle, 'utf8'), world, { filename: bundle, importModuleDynamically });
  const deliver: (text: string) => void = runInContext('(text) => self.onmessage({ data: JSON.parse(text) })', world);
  const initializationOptions = {
    catalogue: pathToFileURL(built('catalogue.js')).href,
    ...options.initializationOptions,
  };
  return { client: new Client(reader, new PortWriter(deliver), { ...options, initializationOptions }), printed };
}

class PortReader extends AbstractMessageReader implements MessageReader {
  #callback: DataCallback | undefined;

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    return { dispose: () => undefined };
  }

  receive(text: string): void {
    setImmediate(() => this.#callback?.(JSON.parse(text)));
  }
}

class PortWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #deliver: (text: string) => void;

  constructor(deliver: (text: string) => void) {
    super();
    this.#deliver = deliver;
  }

  write(message: Message): Promise<void> {
    const text = JSON.stringify(message);
    setImmediate(() => this.#deliver(text));
    return Promise.resolve();
  }

  end(): void {}
}
