/** Starts the language server with all its features. */

import type { Connection } from 'vscode-languageserver';
import { type Environment, startCore } from './core.ts';
import { provideFeatures } from './features.ts';

/** Runs the server on a connection until the connection closes. */
export function startServer(connection: Connection, environment: Environment): void {
  startCore(connection, environment, provideFeatures);
}
