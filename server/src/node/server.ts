/** The main of the server as a process: over IPC from VS Code, over standard input and output from other editors. */

import { join } from 'node:path';
import { format } from 'node:util';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startServer } from '../lsp/server.ts';
import { version } from '../version.ts';
import { cacheFile } from './cache-file.ts';
import { clock } from './clock.ts';
import { filesOf } from './files.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { keepHeapSmall } from './small-heap.ts';

// The server reads much at once and then waits: it collects its garbage early instead of keeping room for more.
keepHeapSmall(20, 4e6);

const connection = createConnection(ProposedFeatures.all);
// Standard output belongs to the protocol: what a library prints goes to the editor's log.
console.log = console.info = (...words) => connection.console.info(format(...words));
console.warn = (...words) => connection.console.warn(format(...words));
console.error = (...words) => connection.console.error(format(...words));

startServer(connection, {
  loadCatalogue,
  version,
  clock,
  files: filesOf,
  // The permissions of the editor's folder are the editor's business; ours is inside.
  cache: (storage, folders) => cacheFile(join(storage, 'cache'), folders, console.warn),
});
