/** Entry point of the server in a web worker of the editor. */

import { loadCatalogue } from '../load-catalogue.ts';
import { startWorkerServer } from './worker-server.ts';

startWorkerServer({ loadCatalogue });
