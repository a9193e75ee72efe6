/** Serves editors as a Node.js process. It communicates over IPC in VS Code, and over standard input and output in other editors. */

import { Console } from 'node:console';
import { join } from 'node:path';
import { format } from 'node:util';
import type { Connection } from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { loadCatalogue } from '../load-catalogue.ts';
import { clientFiles } from '../lsp/client-files.ts';
import { checkingMessages } from '../lsp/message-check.ts';
import { startServer } from '../lsp/server.ts';
import { version } from '../version.ts';
import type { FileSource, ReadText } from '../workspace/live/load.ts';
import { schemeOf } from '../workspace/uri.ts';
import { cacheFile } from './cache-file.ts';
import { clock } from './clock.ts';
import { decode } from './decode.ts';
import { diskFiles } from './disk-files.ts';
import { editorTools } from './editor-tools.ts';
import { FramedReader, FramedWriter } from './message-framing.ts';

/** Serves the editor that started this process until it exits. */
export function serveEditor(): void {
  const isOnStdio = process.argv.includes('--stdio');

  const messageStrategy = checkingMessages((message) => connection.console.warn(message));
  const connection = isOnStdio
    ? createConnection(
        ProposedFeatures.all,
        standardInput(messageStrategy.isShutDown),
        new FramedWriter(process.stdout),
        { messageStrategy },
      )
    : createConnection(ProposedFeatures.all, { messageStrategy });
  // Standard output is reserved for the protocol, so the output of libraries is sent to the editor's log.
  globalThis.console = new Console(process.stderr);
  console.log = console.info = console.debug = (...words) => connection.console.info(format(...words));
  console.warn = (...words) => connection.console.warn(format(...words));
  console.error = (...words) => connection.console.error(format(...words));

  // An unhandled rejection must not end the server. It is not logged through the connection, because the connection may
  // have caused it.
  process.on('unhandledRejection', (error) => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Internal error, please report it. ${what}\n`);
  });

  startServer(connection, {
    loadCatalogue,
    version,
    clock,
    files: filesOf,
    tools: editorTools,
    // The cache is in a folder of the editor, so the editor is responsible for its permissions.
    cache: (storage, folders) => cacheFile(join(storage, 'cache'), folders, console.warn),
  });
}

/** Returns the reader of standard input. At the end of the input, or if its framing is invalid, the process ends. */
function standardInput(isShutDown: () => boolean): FramedReader {
  const end = () => process.exit(isShutDown() ? 0 : 1);
  process.stdin.on('end', end).on('close', end);
  return new FramedReader(process.stdin, (problem) => {
    process.stderr.write(`selector-lens: ${problem}; the language server ends.\n`);
    process.exit(1);
  });
}

/** Returns the file source of a server process: `file:` URIs are read from disk, all other URIs through the connection. */
function filesOf(connection: Connection): FileSource {
  const disk = diskFiles();
  const remote = clientFiles(connection, decodeBase64, disk.pause);
  const sourceOf = (uri: string): FileSource => (schemeOf(uri) === 'file' ? disk : remote);
  return {
    pause: disk.pause,
    contents: async (folder, uris, maximumBytes) => {
      return (await sourceOf(folder).contents?.(folder, uris, maximumBytes)) ?? uris.map(() => undefined);
    },
    list: (folder, limit, filter) => sourceOf(folder).list(folder, limit, filter),
    stat: (uris) => ofEach(uris, sourceOf, (source, theirs) => source.stat(theirs)),
    async read(uris, maximumBytes) {
      const answers = await ofEach(uris, sourceOf, (source, theirs) => source.read(theirs, maximumBytes));
      return answers.map((answer) => answer ?? { skipped: 'it could not be read' });
    },
  };
}

/** Calls each file source with the URIs that it is responsible for, and returns the results in the order of `uris`. */
async function ofEach<T>(
  uris: readonly string[],
  sourceOf: (uri: string) => FileSource,
  ask: (source: FileSource, uris: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly (T | undefined)[]> {
  const answers = new Map<string, T | undefined>();
  for (const source of new Set(uris.map(sourceOf))) {
    const theirs = uris.filter((uri) => sourceOf(uri) === source);
    const theirAnswers = await ask(source, theirs);
    for (const [index, uri] of theirs.entries()) answers.set(uri, theirAnswers[index]);
  }
  return uris.map((uri) => answers.get(uri));
}

function decodeBase64(base64: string): ReadText {
  return decode(Buffer.from(base64, 'base64'));
}
