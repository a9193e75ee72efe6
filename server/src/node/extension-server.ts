/** Entry point of the server in the extension. It serves the editor or, with the argument `mcp`, the AI agents that the editor starts. Its imports are static: in a bundle, modules that are imported dynamically are wrapped in functions, which makes them slower. */

import { isMainThread, Worker } from 'node:worker_threads';
import { main } from './cli-main.ts';
import { serveEditor } from './editor-server.ts';

const [, path = '', command] = process.argv;

if (command === 'mcp') void main(['mcp'], (options) => new Worker(path, options));
else if (isMainThread) serveEditor();
