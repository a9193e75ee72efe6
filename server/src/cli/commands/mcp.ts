/** `selector-lens mcp`: starts a Model Context Protocol server for agents. */

import type { World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';
import { locate } from '../paths/requested-paths.ts';
import type { Arguments, Command } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serves coding agents with tools that answer questions about the manifests.',
  details: [
    'The server implements the Model Context Protocol over standard input and output. Each tool corresponds to a command that only reads files, and returns the JSON output of this command, shortened to 4,000 bytes by default. The server indexes the folders that the client opens (roots). If it opens none, the server indexes each FOLDER, by default the current folder unless this is the home folder. docs/agents.md describes the tools and how to set up an agent.',
  ],
  operand: {
    shown: '[FOLDER...]',
    description: 'The folders to index if the client opens none.',
    completes: 'paths',
  },
  options: [],
  examples: [
    { line: 'selector-lens mcp', description: 'Start the server for an agent.' },
    { line: 'selector-lens mcp ~/manifests', description: 'Start it for an agent that does not name its folder.' },
  ],
  run: async (world: World, { paths }: Arguments) => {
    await world.serveAgents(await Promise.all(paths.map((path) => folderAt(world, path))));
    return 0;
  },
};

async function folderAt(world: World, path: string): Promise<string> {
  const { kind, uri } = await locate(world, path);
  if (kind !== 'folder') throw new UsageError(`'${path}' is not a folder.`);
  return uri;
}
