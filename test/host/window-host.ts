/**
 * Kinds of VS Code whose windows a browser can open: one like the desktop, whose extensions run in Node.js, and VS Code
 * for the Web, whose extensions run in a web worker, with and without a search of files.
 */
import { cp, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { windowAddress } from './browser.ts';
import { type CodeServerOptions, root, startCodeServer } from './code-server.ts';
import { commitAll } from './commit-all.ts';
import { newFolder, removeFolder } from './folders.ts';
import { startWebServer } from './web/server.ts';

export type HostKind = 'desktop-like' | 'web' | 'web without search';

export interface WindowHostOptions extends CodeServerOptions {
  /** By default `desktop-like`. */
  readonly host?: HostKind;
  /** Whether our extension is installed; otherwise it runs from its sources. */
  readonly installed?: boolean;
  /** Whether the folder of each window is a git repository with one commit. */
  readonly committed?: boolean;
}

export interface WindowHost extends AsyncDisposable {
  /**
   * The address of a new window with an open file. Each window has its own copy of the folder, so that tests share
   * nothing.
   */
  address(file: string): Promise<string>;
  /** The output of the server so far. */
  log(): string;
}

/** Starts a VS Code for windows on copies of a folder. */
export function startWindowHost(
  workspace: string,
  { host = 'desktop-like', ...options }: WindowHostOptions,
): Promise<WindowHost> {
  return host === 'desktop-like' ? desktopLike(workspace, options) : web(workspace, host === 'web', options);
}

async function desktopLike(
  workspace: string,
  { installed = false, committed = false, ...options }: WindowHostOptions,
): Promise<WindowHost> {
  await using belongings = new AsyncDisposableStack();
  const windows = belongings.adopt(await newFolder('ui'), removeFolder);
  const server = belongings.use(await startCodeServer(options));
  const kept = belongings.move();
  return {
    log: server.log,
    async address(file) {
      const folder = join(await mkdtemp(join(windows, 'window-')), basename(workspace));
      await cp(workspace, folder, { recursive: true });
      if (committed) commitAll(folder);
      return windowAddress(server.authority, {
        folder,
        file: join(folder, file),
        ...(!installed && { extension: root }),
      });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function web(workspace: string, search: boolean, { settings = {} }: CodeServerOptions): Promise<WindowHost> {
  const server = await startWebServer({ extensions: [root], workspace, settings, search });
  return {
    log: () => '',
    address: async (file) => server.address(file),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
