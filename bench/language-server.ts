/** Runs the bundled server as an editor does: as a process, over standard input and output. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CompletionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type Position,
  type ProtocolConnection,
  type Range,
  RenameRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import {
  type BaseParams,
  baseNotification,
  type Changes,
  changesRequest,
  whenReadyRequest,
} from '../server/src/protocol.ts';

const bundle = fileURLToPath(new URL('../dist/server/node.js', import.meta.url));

/** The options with which VS Code starts the server. */
const smallHeap = ['--max-semi-space-size=4', '--max-old-space-size=1536'];

/** The cost of a response. */
export interface RequestCost {
  /** The time until the response, in milliseconds. */
  readonly time: number;
  /** The CPU time of the server's main thread in milliseconds; NaN if the system does not provide it. */
  readonly work: number;
}

export class LanguageServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #connection: ProtocolConnection;
  #version = 1;

  constructor() {
    this.#process = spawn(process.execPath, [...smallHeap, bundle, '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process.stderr.pipe(process.stderr);
    const { stdin, stdout } = this.#process;
    this.#connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.#connection.onUnhandledNotification(() => {});
    this.#connection.listen();
  }

  async initialize(folder: string): Promise<void> {
    const uri = pathToFileURL(folder).href;
    await this.#connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'bench' }],
      capabilities: { textDocument: { diagnostic: {}, hover: { contentFormat: ['markdown'] } } },
    });
    await this.#connection.sendNotification(InitializedNotification.type, {});
  }

  whenReady(): Promise<unknown> {
    return this.#connection.sendRequest(whenReadyRequest);
  }

  async open(uri: string, text: string): Promise<void> {
    const textDocument = { uri, languageId: 'yaml', version: this.#version, text };
    await this.#connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  }

  /** Sends the state to which the workspace is compared. */
  async compare(params: BaseParams): Promise<void> {
    await this.#connection.sendNotification(baseNotification, params);
  }

  /** Requests what has changed since that state. */
  changes(): Promise<RequestCost & { readonly answer: Changes }> {
    return this.#costOf(() => this.#connection.sendRequest<Changes>(changesRequest));
  }

  /** Waits for the diagnostics of a document. */
  diagnose(uri: string): Promise<RequestCost> {
    return this.#costOf(() => this.#connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } }));
  }

  /** Changes the text, and waits for the new diagnostics. */
  type(uri: string, range: Range, text: string): Promise<RequestCost> {
    return this.#costOf(async () => {
      await this.#connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version: ++this.#version },
        contentChanges: [{ range, text }],
      });
      await this.#connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    });
  }

  async hover(uri: string, position: Position): Promise<RequestCost & { readonly text: string }> {
    const { answer, ...taken } = await this.#costOf(() =>
      this.#connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position }),
    );
    return { ...taken, text: JSON.stringify(answer?.contents ?? '') };
  }

  async rename(uri: string, position: Position, newName: string): Promise<RequestCost & { readonly edits: number }> {
    const { answer, ...taken } = await this.#costOf(() =>
      this.#connection.sendRequest(RenameRequest.type, { textDocument: { uri }, position, newName }),
    );
    return { ...taken, edits: Object.values(answer?.changes ?? {}).flat().length };
  }

  async complete(uri: string, position: Position): Promise<RequestCost & { readonly items: number }> {
    const { answer, ...taken } = await this.#costOf(() =>
      this.#connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position }),
    );
    return { ...taken, items: (Array.isArray(answer) ? answer : (answer?.items ?? [])).length };
  }

  /** Sends a request at a position. */
  ask(method: string, uri: string, position: Position, more: object = {}): Promise<RequestCost> {
    return this.#costOf(() => this.#connection.sendRequest(method, { textDocument: { uri }, position, ...more }));
  }

  async #costOf<T>(ask: () => Promise<T>): Promise<RequestCost & { readonly answer: T }> {
    const worked = this.#worked();
    const start = performance.now();
    const answer = await ask();
    return { time: performance.now() - start, work: this.#worked() - worked, answer };
  }

  /** The CPU time of the main thread so far, in milliseconds. */
  #worked(): number {
    return Number(this.#told('schedstat').split(' ')[0] || Number.NaN) / 1e6;
  }

  async close(uri: string): Promise<void> {
    await this.#connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** The peak memory of the server in bytes; undefined if the system does not provide it. */
  peakMemory(): number | undefined {
    const found = /VmHWM:\s+(\d+) kB/.exec(this.#told('status'));
    return found === null ? undefined : Number(found[1]) * 1024;
  }

  /** The CPU time of the server so far, in milliseconds; undefined if the system does not provide it. */
  workedFor(): number | undefined {
    const fields = this.#told('stat')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.length < 13 ? undefined : (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.#connection.sendRequest(ShutdownRequest.type);
    await this.#connection.sendNotification(ExitNotification.type);
    await exited;
  }

  #told(what: 'status' | 'stat' | 'schedstat'): string {
    try {
      return readFileSync(`/proc/${this.#process.pid}/${what}`, 'utf8');
    } catch {
      return '';
    }
  }
}
