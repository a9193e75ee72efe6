/** `selector-lens mcp`: starts a Model Context Protocol server for agents. */

import type { World } from '../environment.ts';
import type { Command } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serves coding agents with tools that answer questions about the manifests.',
  details: [
    'The server implements the Model Context Protocol over standard input and output. Each tool corresponds to a command that only reads files, and returns the JSON output of this command, shortened to 4,000 bytes by default. The server indexes the folders that the client names, or the current folder if it names none. docs/agents.md describes the tools and how to set up an agent.',
  ],
  options: [],
  examples: [{ line: 'selector-lens mcp', description: 'Start the server for an agent.' }],
  run: async (world: World) => {
    await world.serveAgents();
    return 0;
  },
};
