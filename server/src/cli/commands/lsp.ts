/** `selector-lens lsp`: starts the language server, for any editor. */

import type { World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';
import type { Arguments, Command } from './command.ts';

export const lsp: Command = {
  name: 'lsp',
  summary: 'Starts the language server.',
  details: [
    'The server implements the Language Server Protocol; docs/protocol.md describes its extensions to the protocol.',
  ],
  options: [
    { name: 'stdio', required: true, description: 'Communicate over standard input and output. Required.' },
    {
      name: 'clientProcessId',
      value: 'PID',
      description: 'The process id of the editor, accepted for compatibility; the server ends when its input ends.',
    },
  ],
  examples: [{ line: 'selector-lens lsp --stdio', description: 'Start the server for an editor.' }],
  run: async (world: World, given: Arguments) => {
    if (!given.flags.has('stdio')) throw new UsageError("The option '--stdio' must be given.");
    await world.serveEditor();
    return 0;
  },
};
