/** Serves AI agents: connects the tools to the disk and to a Model Context Protocol server. */

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { callTool } from '../agents/call-tool.ts';
import { reviewPrompt } from '../agents/review-prompt.ts';
import { rulePages } from '../agents/rule-pages.ts';
import type { AgentServices } from '../agents/services.ts';
import { tools } from '../agents/tools.ts';
import type { World } from '../cli/environment.ts';
import type { FileSource, Listed } from '../workspace/live/load.ts';
import { isWithin } from '../workspace/uri.ts';
import type { Bounds } from './bounds.ts';
import { fileUri } from './disk-files.ts';
import { outside, pathIn } from './tool-paths.ts';
import { WarmWorkspaces } from './warm-workspaces.ts';

/** Serves one MCP client over standard input and output until the client disconnects. */
export async function serveAgents(world: World, bounds: Bounds): Promise<void> {
  const { serve } = await import('./mcp-server.ts');
  await serve(agentServices(world, bounds));
}

/** Creates the services for AI agents. `world` is the environment of a command, and `bounds` limits the files that it can access. With `isUnwatched`, changed files are detected by size and time. */
export function agentServices(world: World, bounds: Bounds, isUnwatched = false): AgentServices {
  const bug = (where: string, error: unknown) =>
    world.err(`This should not happen, please report it. ${where}: ${error}`);
  const warm = new WarmWorkspaces({ ...world, bounds, isUnwatched, bug });
  const current = fileUri(realpathSync(fileURLToPath(world.currentFolder)));
  let roots: readonly string[] = [current];
  const toolWorld: World = {
    ...world,
    warm,
    status: () => {},
    files: withKeptListings(world.files, warm),
    locate(path) {
      const found = pathIn(roots, path);
      return found === undefined ? Promise.resolve({ kind: 'unreadable', reason: outside }) : world.locate(found);
    },
    repositoryOf: (folder) => Promise.resolve(roots.find((root) => isWithin(folder, root))),
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    version: world.version,
    tools,
    pages: rulePages,
    prompt: reviewPrompt,
    call(name, input) {
      const work = () => callTool({ world: toolWorld, roots, now: () => performance.now() }, name, input);
      const answer = last.then(work);
      // The index of the roots is prepared for the next call, even if a cached result answered this call.
      last = answer.then(() => warm.session(roots, [], undefined)).catch((error: unknown) => bug('index', error));
      return answer;
    },
    open(uris) {
      const folders = uris.flatMap((uri) => folderAt(uri) ?? []);
      roots = folders.length === 0 ? [current] : [...new Set(folders)];
    },
  };
}

/** Returns the canonical URI of a folder that a client opened; undefined if the folder does not exist, or if it is or contains the home folder of the user and so is too large to be indexed. */
function folderAt(uri: string): string | undefined {
  try {
    const path = realpathSync(fileURLToPath(uri));
    return isWithin(fileUri(homedir()), fileUri(path)) ? undefined : fileUri(path);
  } catch {
    return undefined;
  }
}

/** Caches the listings of files that may contain commands until a file is added or removed. */
function withKeptListings(files: FileSource, warm: WarmWorkspaces): FileSource {
  const kept = new Map<string, { readonly structure: number; readonly listed: Listed }>();
  return {
    ...files,
    async list(folder, limit, filter) {
      const structure = filter.wanted === 'commands' ? warm.structureOf(folder) : undefined;
      if (structure === undefined) return await files.list(folder, limit, filter);
      const known = kept.get(folder);
      if (known?.structure === structure) return known.listed;
      const listed = await files.list(folder, limit, filter);
      kept.set(folder, { structure, listed });
      return listed;
    },
  };
}
