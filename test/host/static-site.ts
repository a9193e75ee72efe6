/** A static web server for the files of a folder, as a host of pages serves them. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface StaticSite {
  /** The address, with a slash at the end. */
  readonly address: string;
  /** The paths that were requested. */
  readonly asked: string[];
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves a folder below a path, such as `/selector-lens/`. */
export function serveFolder(folder: string, base = '/'): Promise<StaticSite> {
  const asked: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    asked.push(url);
    const path = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length))) : '..';
    const file = join(folder, path === '.' || path.endsWith('/') ? join(path, 'index.html') : path);
    const type = types[extname(file)];
    if (path.startsWith('..') || type === undefined || !existsSync(file) || !statSync(file).isFile())
      response.writeHead(404, { 'content-type': 'text/html' }).end('Not found');
    else createReadStream(file).pipe(response.writeHead(200, { 'content-type': type }));
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // it listens on a port
      resolve({ address: `http://127.0.0.1:${port}${base}`, asked, close: () => server.close() });
    }),
  );
}
