/** Serves AI agents: connects the tools to the disk and to a Model Context Protocol server. */

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { errorText } from '../agents/answer.ts';
import { callTool } from '../agents/call-tool.ts';
import { reviewPrompt } from '../agents/review-prompt.ts';
import { rulePages } from '../agents/rule-pages.ts';
import type { AgentServices } from '../agents/services.ts';
import { instructions, tools } from '../agents/tools.ts';
import type { World } from '../cli/environment.ts';
import { tame } from '../cli/output/terminal-escape.ts';
import type { FileSource, Listed } from '../workspace/live/load.ts';
import { isWithin } from '../workspace/uri.ts';
import type { Bounds } from './bounds.ts';
import { CallThread } from './call-thread.ts';
import { fileUri } from './disk-files.ts';
import { outside, pathIn } from './tool-paths.ts';
import { WarmWorkspaces } from './warm-workspaces.ts';

/** Serves one MCP client over standard input and output until the client disconnects. Calls are answered in the thread that `start` starts. */
export async function serveAgents(version: string, start: () => Worker): Promise<void> {
  const { serve } = await import('./mcp-server.ts');
  const thread = new CallThread(start);
  await serve({
    version,
    ...texts(),
    call: (name, input) => thread.call(name, input),
    open: (uris) => thread.open(uris),
  });
  await thread.close();
}

interface AgentOptions {
  /** URIs of the folders to index if the client opens none; if there are none, the current folder is indexed. */
  readonly named?: readonly string[];
  /** Whether changed files are detected by size and time. */
  readonly isUnwatched?: boolean;
  /** Returns the time in milliseconds since an arbitrary moment. */
  now?(): number;
}

/** The answer to each call if the client opened no folder and the server was started in a folder that is too large. */
const noFolder =
  "No folder is open, and the server was started in the home folder or the root of a file system, which is too large to be indexed. Start the server with a folder ('selector-lens mcp FOLDER'), or in the folder of the manifests, or open this folder in the client (MCP roots).";

const texts = () => ({ tools, instructions, pages: rulePages(), prompt: reviewPrompt });

/** Creates the services for AI agents. `world` is the environment of a command, and `bounds` limits the files that it can access. */
export function agentServices(
  world: World,
  bounds: Bounds,
  { named = [], isUnwatched = false, now = () => performance.now() }: AgentOptions = {},
): AgentServices {
  const bug = (where: string, error: unknown) =>
    world.err(tame(`This should not happen, please report it. ${where}: ${error}`));
  const warm = new WarmWorkspaces({ ...world, bounds, isUnwatched, now, bug, onChange: () => queue.prepareSoon() });
  const home = canonical(world.homeFolder ?? fileUri(homedir()));
  const current = canonical(world.currentFolder);
  // A user who names the home folder wants it to be indexed.
  const initial = named.length > 0 ? named.flatMap((uri) => usable(canonical(uri))) : usable(current, home);
  let roots = initial;
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
  /** The input of the last check, which agents usually repeat after an edit. */
  let lastCheck: unknown;
  /** The input of the last call, if it was of `impact`: the next proposal is probably for the same files. */
  let lastImpact: unknown;
  let isPrepared = false;
  const index = () => warm.session({ folders: roots, inside: [], namespace: undefined });
  const prepare = async (isStopped: () => boolean) => {
    isPrepared = true;
    // The index of labels is otherwise built when the first edit is checked.
    (await index())?.snapshot().indexUpdates();
    const context = { world: stoppable(toolWorld, isStopped), roots, now };
    if (lastCheck !== undefined) await callTool(context, 'check', lastCheck);
    if (lastImpact !== undefined) await callTool(context, 'impact', lastImpact);
  };
  const queue = new CallQueue(prepare, (error) => bug('index', error));
  return {
    version: world.version,
    ...texts(),
    call(name, input) {
      if (roots.length === 0) return Promise.resolve({ text: errorText(noFolder), isError: true });
      const work = () => {
        if (name === 'check') lastCheck = input;
        lastImpact = name === 'impact' ? input : undefined;
        return callTool({ world: toolWorld, roots, now }, name, input);
      };
      // The index of the roots is prepared for the next call, even if a cached result answered this call.
      const after = async () => {
        await index();
        if (!isPrepared && lastCheck !== undefined) queue.prepareSoon();
      };
      return queue.call(work, after);
    },
    open(uris) {
      const folders = uris.flatMap((uri) => usable(canonical(uri), home));
      roots = folders.length === 0 ? initial : [...new Set(folders)];
    },
  };
}

/** Returns a world in which checks stop after `isStopped` returns true. */
function stoppable(world: World, isStopped: () => boolean): World {
  const pause = () => (isStopped() ? Promise.reject(new Error('stopped')) : world.files.pause());
  return { ...world, files: { ...world.files, pause } };
}

/** Returns a folder (a canonical URI) unless it is the root of a file system, or is or contains `home`, and so is too large to be indexed. */
function usable(folder: string | undefined, home?: string): readonly string[] {
  if (folder === undefined || (home !== undefined && isWithin(home, folder))) return [];
  const path = fileURLToPath(folder);
  return dirname(path) === path ? [] : [folder];
}

/** Returns the canonical URI of a file or folder; undefined if it does not exist. */
function canonical(uri: string): string | undefined {
  try {
    return fileUri(realpathSync(fileURLToPath(uri)));
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

/** The time in milliseconds without further changes before a preparation begins. */
const delay = 30;

/** The maximum duration of a preparation in milliseconds. */
const longest = 2_000;

class CallQueue {
  readonly #prepare: (isStopped: () => boolean) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `prepare` should end soon after `isStopped` returns true. Its errors, and errors of `after`, are passed to `onError`. */
  constructor(prepare: (isStopped: () => boolean) => Promise<unknown>, onError: (error: unknown) => void) {
    this.#prepare = prepare;
    this.#onError = onError;
  }

  /** Processes a call after the calls before it, and then calls `after`, for which the answer does not wait. */
  call<Answer>(work: () => Promise<Answer>, after: () => Promise<unknown>): Promise<Answer> {
    this.#waiting++;
    const answer = this.#last.then(() => {
      this.#waiting--;
      return work();
    });
    this.#last = answer.then(after).catch(this.#onError);
    return answer;
  }

  /** Prepares for the next call soon, unless there is one before. */
  prepareSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#waiting > 0) return;
      const prepare = () => {
        const end = performance.now() + longest;
        return this.#prepare(() => this.#waiting > 0 || performance.now() > end);
      };
      this.#last = this.#last.then(prepare).catch(this.#onError);
    }, delay).unref();
  }
}
