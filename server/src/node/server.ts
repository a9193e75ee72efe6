/** Entry point of the language server if it is not bundled with the extension. */

import { serveEditor } from './editor-server.ts';

serveEditor();
