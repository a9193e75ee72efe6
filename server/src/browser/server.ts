/** Entry point of the server in a web worker of the editor. */

import { loadCatalogue } from '../load-catalogue.ts';
import { startServer } from '../lsp/server.ts';
import { workerConnection, workerEnvironment } from './worker-server.ts';

startServer(workerConnection(), { ...workerEnvironment, loadCatalogue });
