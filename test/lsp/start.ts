/** Starts servers for tests, each with its own process and a temporary folder. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { built } from '../harness/built.ts';
import { Client, type ClientOptions } from './client.ts';

const bundle = built('server/node.js');

/** A folder on disk. Names are paths with slashes. */
export interface Folder {
  readonly uri: string;
  write(name: string, content: string | Uint8Array): string;
  remove(name: string): string;
  uriOf(name: string): string;
}

interface Running {
  readonly client: Client;
  readonly process: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  readonly complaints: string[];
}

/** In milliseconds: a server that does not stop in this time hangs. */
const patience = 5_000;

const running: Running[] = [];
const folders: string[] = [];

/** Starts the built server as an editor does, over standard input and output, and initializes it. */
export async function startServer(options: ClientOptions & { readonly nodeOptions?: readonly string[] } = {}) {
  const client = connectServer(options);
  await client.initialize();
  return client;
}

/** Starts the server without initializing it. */
export function connectServer(options: ClientOptions & { readonly nodeOptions?: readonly string[] } = {}): Client {
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), bundle, '--stdio']);
  const client = new Client(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin), options);
  const complaints: string[] = [];
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  running.push({ client, process: child, exited, complaints });
  return client;
}

/** Creates a temporary folder with files. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-lsp-')));
  folders.push(path);
  const uriOf = (name: string) => pathToFileURL(join(path, name)).href;
  const folder: Folder = {
    uri: pathToFileURL(path).href,
    uriOf,
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
      return uriOf(name);
    },
    remove(name) {
      rmSync(join(path, name), { recursive: true });
      return uriOf(name);
    },
  };
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  return folder;
}

/**
 * Stops everything that a test started. A server that logged an error, wrote to standard error or did not exit fails
 * the test.
 */
export async function stopEverything(): Promise<void> {
  const started = running.splice(0);
  try {
    for (const { client, process, exited, complaints } of started) {
      // A server that hangs is killed; its test fails, and the next one runs.
      const hung = setTimeout(() => process.kill('SIGKILL'), patience);
      const code = await Promise.race([client.stop().then(() => exited), exited]);
      clearTimeout(hung);
      assert.equal(code, 0, 'the server hung or failed');
      assert.deepEqual(complaints, [], 'the server wrote to standard error');
    }
  } finally {
    for (const each of started) each.process.kill();
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  }
}
