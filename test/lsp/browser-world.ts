/** Runs the server for the browser in a context with the globals of a web worker, and without Node. */
import assert from 'node:assert/strict';
import { createContext, runInContext, Script } from 'node:vm';
import { buildSync } from 'esbuild';
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

/** The built modules of the server as one script: a context of Node cannot load modules without an experimental option. */
const script = new Script(scriptOf(built('server/browser.js')), { filename: 'server/browser.js' });

function scriptOf(module: string): string {
  const { outputFiles } = buildSync({ entryPoints: [module], bundle: true, format: 'iife', write: false });
  return outputFiles[0]?.text ?? '';
}

/** The APIs of a web worker that the server may use; all other globals belong to the language. */
const workerWorld = {
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
  /** Closes the connection, and ends the worker with its timers. */
  terminate(): void;
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
  const timers = new Set<NodeJS.Timeout>();
  const startTimer = (action: () => void, milliseconds: number) => {
    const timer = setTimeout(action, milliseconds);
    timers.add(timer);
    return timer;
  };
  const world = createContext({ ...workerWorld, setTimeout: startTimer, console, postMessage });
  runInContext('globalThis.self = globalThis', world);
  for (const name of ['process', 'require', 'Buffer', 'global', 'module', 'window', 'setImmediate']) {
    assert.equal(runInContext(`typeof ${name}`, world), 'undefined', `the world has ${name}`);
  }
  script.runInContext(world);
  const deliver: (text: string) => void = runInContext('(text) => self.onmessage({ data: JSON.parse(text) })', world);
  const client = new Client(reader, new PortWriter(deliver), options);
  const terminate = () => {
    client.connection.dispose();
    for (const timer of timers) clearTimeout(timer);
  };
  return { client, printed, terminate };
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
