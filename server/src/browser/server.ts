/** Entry point of the server in a web worker of the editor. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { startWorkerServer } from './worker-server.ts';

startWorkerServer({ loadCatalogue });

/** Imports the catalogue, a bundle that the servers of all environments share. A worker does not always know its own address, so the client gives the URL. */
async function loadCatalogue(url: unknown): Promise<Catalogue> {
  if (typeof url !== 'string' || !url.endsWith('/catalogue.js'))
    throw new Error('The server needs the URL of catalogue.js in the initializationOptions.');
  const { catalogue }: { readonly catalogue: Catalogue } = await import(url);
  return catalogue;
}
