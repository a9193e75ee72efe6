/** The files of the pages of a web host as HTTP responses: from folders of this machine, and generated texts. */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, relative, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.html': 'text/html',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.md': 'text/markdown',
};

/** The extension host is a worker of another origin, as on vscode.dev, and reads everything from there. */
const headers = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Sends a text as a file with this name. */
export function sendText(response: ServerResponse, name: string, text: string): void {
  response.writeHead(200, { ...headers, 'content-type': typeOf(name) }).end(text);
}

/** Sends a file below a folder; 404 for anything else. */
export async function sendFile(response: ServerResponse, folder: string, path: string): Promise<void> {
  const file = normalize(join(folder, path));
  const isWithin = file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
  const found = isWithin ? await stat(file).catch(() => undefined) : undefined;
  if (!found?.isFile()) return sendNothing(response);
  response.writeHead(200, { ...headers, 'content-type': typeOf(file) });
  createReadStream(file).pipe(response);
}

/** Sends 404. */
export function sendNothing(response: ServerResponse): void {
  response.writeHead(404, headers).end();
}

function typeOf(name: string): string {
  return types[extname(name)] ?? 'application/octet-stream';
}

/** The contents of all files below a folder in base64, by their paths below `/`. */
export async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (file) => {
    const path = relative(folder, file).split(sep).join('/');
    return [path, (await readFile(file)).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
