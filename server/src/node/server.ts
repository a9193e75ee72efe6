/** The main of the server as a process: over IPC from VS Code, over standard input and output from other editors. */

import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startServer } from '../lsp/server.ts';
import { version } from '../version.ts';
import { filesOf } from './files.ts';
import { loadCatalogue } from './load-catalogue.ts';

const connection = createConnection(ProposedFeatures.all);
// Standard output belongs to the protocol: what a library prints goes to the editor's log.
console.log = console.info = connection.console.info.bind(connection.console);
console.warn = connection.console.warn.bind(connection.console);
console.error = connection.console.error.bind(connection.console);

startServer(connection, { loadCatalogue, version, files: filesOf });
