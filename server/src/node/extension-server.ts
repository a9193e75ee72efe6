/** Entry point of the server in the extension. It serves the editor or, with the argument `mcp`, the AI agents that the editor starts. Its imports are static: in a bundle, modules that are imported dynamically are wrapped in functions, which makes them slower. */

import { main } from './cli-main.ts';
import { serveEditor } from './editor-server.ts';

if (process.argv[2] === 'mcp') void main(['mcp']);
else serveEditor();
