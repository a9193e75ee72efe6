/** A client that sends arbitrary bytes to the built server over standard input, for tests of malformed messages. */

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { StreamMessageReader } from 'vscode-languageserver/node';
import { built } from '../harness/built.ts';

const bundle = built('server/node.js');

export interface RawAnswer {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: unknown;
}

/** In milliseconds: a server without any message for this time hangs. */
const patience = 10_000;

export class RawClient {
  readonly process: ChildProcessWithoutNullStreams;
  /** The output on standard error. */
  complaints = '';
  /** All received messages, except responses that were waited for. */
  readonly received: RawAnswer[] = [];
  readonly exited: Promise<number | null>;
  readonly #waiting = new Map<unknown, (answer: RawAnswer) => void>();
  #id = 0;

  constructor(nodeOptions: readonly string[] = []) {
    this.process = spawn(process.execPath, [...nodeOptions, bundle, '--stdio']);
    this.process.stdin.on('error', () => undefined);
    this.process.stderr.on('data', (chunk) => {
      this.complaints += String(chunk);
    });
    this.exited = new Promise((resolve) => this.process.once('exit', resolve));
    new StreamMessageReader(this.process.stdout).listen((message) => this.#receive(message as RawAnswer)); // unchecked
  }

  #receive(message: RawAnswer): void {
    const wake = message.method === undefined ? this.#waiting.get(message.id) : undefined;
    this.#waiting.delete(message.id);
    if (wake !== undefined) wake(message);
    else this.received.push(message);
    // Requests of the server are answered with an error, as by an editor that does not know the method.
    if (message.method !== undefined && message.id !== undefined)
      this.send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown' } });
  }

  /** Sends bytes unchanged. */
  bytes(bytes: string | Uint8Array): void {
    this.process.stdin.write(bytes);
  }

  /** Sends a body with its header. */
  body(body: string): void {
    this.bytes(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  send(message: unknown): void {
    this.body(JSON.stringify(message));
  }

  notify(method: string, params: unknown): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request and waits for its response. */
  async request(method: string, params: unknown): Promise<RawAnswer> {
    const id = `own ${++this.#id}`;
    const answered = new Promise<RawAnswer>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params });
    let timer: NodeJS.Timeout | undefined;
    const lazy = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer to ${method}: ${this.complaints}`)), patience);
    });
    const ended = this.exited.then((code) => {
      throw new Error(`the server ended with ${code} at ${method}: ${this.complaints}`);
    });
    try {
      return await Promise.race([answered, lazy, ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  async initialize(capabilities: object = {}, folders: readonly string[] = []): Promise<void> {
    const workspaceFolders = folders.map((uri) => ({ uri, name: 'folder' }));
    const { error } = await this.request('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
      workspaceFolders,
    });
    assert.equal(error, undefined);
    this.notify('initialized', {});
  }

  /** The messages that the server logged as errors. */
  get errors(): readonly string[] {
    return this.received.flatMap(({ method, params }) => {
      const { type, message } = (params ?? {}) as { readonly type?: number; readonly message?: string }; // of LSP
      return method === 'window/logMessage' && type === 1 ? [String(message)] : [];
    });
  }

  async stop(): Promise<void> {
    this.process.kill();
    await this.exited;
  }
}
