/**
 * VS Code for the Web on this machine: an HTTP server for its pages, for extensions and for the files of a workspace.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { installCodeServer, root, windowSettings } from '../code-server.ts';
import { filesIn, sendFile, sendNothing, sendText } from './files.ts';
import { type MemoryFilesOptions, memoryScheme } from './memory-scheme.ts';
import { memoryExtension, type PageOptions, workbenchPage, workbenchScript } from './workbench-page.ts';

export interface WebServerOptions {
  /** Folders of extensions whose package.json names a `browser` file. */
  readonly extensions: readonly string[];
  /** The folder whose files a window shows; they are in memory, so nothing is written to the disk. */
  readonly workspace: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether files of the workspace can be searched. */
  readonly search: boolean;
}

export interface WebServer extends AsyncDisposable {
  /** The address of a window on the workspace with an open file. */
  address(file: string): string;
}

/** Starts a server on a free port. */
export async function startWebServer({
  extensions,
  workspace,
  settings,
  search,
}: WebServerOptions): Promise<WebServer> {
  const vscode = await installCodeServer();
  const [script, provider, files] = await Promise.all([workbenchScript(vscode), bundledProvider(), filesIn(workspace)]);
  const name = basename(workspace);
  const inFolder = Object.entries(files).map(([path, content]) => [`/${name}/${path}`, content] as const);
  const memory: MemoryFilesOptions = { files: Object.fromEntries(inFolder), search };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new Error('The web server has no port.');
  const authority = `localhost:${listening.port}`;
  const page: PageOptions = {
    authority,
    vscode,
    extensions: extensions.length,
    settings: { ...windowSettings, ...settings },
    workspace: name,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? '/', `http://${authority}`).pathname);
    if (path === '/') return sendText(response, 'index.html', await workbenchPage(page));
    if (path === '/empty.js' || path === '/manifest.json') return sendText(response, path, '');
    if (path === '/memory-files/package.nls.json') return sendText(response, path, '{}');
    if (path === '/memory-files/package.json') return sendText(response, path, JSON.stringify(manifestOf(search)));
    if (path === '/memory-files/options.json') return sendText(response, path, JSON.stringify(memory));
    if (path === '/memory-files/main.js') return sendText(response, path, provider);
    if (path === '/static/out/vs/code/browser/workbench/workbench.js') return sendText(response, path, script);
    const [, from, below = ''] = /^\/(static|extension\/\d+)\/(.*)$/.exec(path) ?? [];
    const folder = from === 'static' ? vscode : extensions[Number(from?.split('/')[1])];
    return folder === undefined ? sendNothing(response) : sendFile(response, folder, below);
  }

  return {
    address(file) {
      const folder = `${memoryScheme}:/${name}`;
      const query = new URLSearchParams({ folder, payload: JSON.stringify([['openFile', `${folder}/${file}`]]) });
      return `http://${authority}/?${query}`;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function manifestOf(search: boolean): object {
  return {
    ...memoryExtension,
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    browser: './main.js',
    activationEvents: [`onFileSystem:${memoryScheme}`, `onSearch:${memoryScheme}`],
    ...(search && { enabledApiProposals: ['fileSearchProvider'] }),
  };
}

async function bundledProvider(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/host/web/memory-files.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'cjs',
    target: 'es2022',
    external: ['vscode'],
  });
  return outputFiles[0]?.text ?? '';
}
