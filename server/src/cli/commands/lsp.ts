/** `selector-lens lsp`: the language server, for any editor. */

import type { World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';
import type { Arguments, Command } from './command.ts';

export const lsp: Command = {
  name: 'lsp',
  summary: 'Serves an editor as a language server.',
  details: ['It speaks the Language Server Protocol; docs/protocol.md tells what it offers beyond it.'],
  options: [
    { name: 'stdio', required: true, says: 'Over standard input and output; the only way, and it must be given.' },
    {
      name: 'clientProcessId',
      value: 'PID',
      says: 'The process of the editor, as the protocol lets editors say it; the server ends with its input in any case.',
    },
  ],
  examples: [{ line: 'selector-lens lsp --stdio', says: 'What an editor starts.' }],
  run: async (world: World, given: Arguments) => {
    if (!given.flags.has('stdio')) throw new UsageError("The option '--stdio' must be given.");
    await world.serveEditor();
    return 0;
  },
};
