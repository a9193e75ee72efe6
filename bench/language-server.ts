/** How does the bundled server answer an editor? A process of its own, over standard input and output. */

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
import { whenReadyRequest } from '../server/src/protocol.ts';

const bundle = fileURLToPath(new URL('../dist/extension/server-node.js', import.meta.url));

export class LanguageServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #connection: ProtocolConnection;
  #version = 1;

  constructor() {
    this.#process = spawn(process.execPath, [bundle, '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
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

  /** Types, and waits for what is wrong with the document then; in milliseconds. */
  async type(uri: string, range: Range, text: string): Promise<number> {
    const start = performance.now();
    await this.#connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: ++this.#version },
      contentChanges: [{ range, text }],
    });
    await this.#connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
    return performance.now() - start;
  }

  async hover(uri: string, position: Position): Promise<{ readonly time: number; readonly text: string }> {
    const start = performance.now();
    const found = await this.#connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
    return { time: performance.now() - start, text: JSON.stringify(found?.contents ?? '') };
  }

  async rename(
    uri: string,
    position: Position,
    newName: string,
  ): Promise<{ readonly time: number; readonly edits: number }> {
    const start = performance.now();
    const found = await this.#connection.sendRequest(RenameRequest.type, { textDocument: { uri }, position, newName });
    const time = performance.now() - start;
    return { time, edits: Object.values(found?.changes ?? {}).flat().length };
  }

  async complete(uri: string, position: Position): Promise<{ readonly time: number; readonly items: number }> {
    const start = performance.now();
    const found = await this.#connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    return { time: performance.now() - start, items: (Array.isArray(found) ? found : (found?.items ?? [])).length };
  }

  /** What a request about a place takes, in milliseconds. */
  async ask(method: string, uri: string, position: Position, more: object = {}): Promise<number> {
    const start = performance.now();
    await this.#connection.sendRequest(method, { textDocument: { uri }, position, ...more });
    return performance.now() - start;
  }

  async close(uri: string): Promise<void> {
    await this.#connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** The most memory that the server ever had, in bytes; undefined where the system does not tell. */
  peakMemory(): number | undefined {
    const found = /VmHWM:\s+(\d+) kB/.exec(this.#told('status'));
    return found === null ? undefined : Number(found[1]) * 1024;
  }

  /** How long the server has worked so far, in milliseconds; undefined where the system does not tell. */
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

  #told(what: 'status' | 'stat'): string {
    try {
      return readFileSync(`/proc/${this.#process.pid}/${what}`, 'utf8');
    } catch {
      return '';
    }
  }
}
