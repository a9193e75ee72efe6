/** How are files read from disk? */

import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isKustomizationName } from '../manifests/kustomization.ts';
import type { FileSource, ReadText } from '../workspace/load.ts';
import { canonicalUri } from '../workspace/uri.ts';

/** The files of `file:` URIs. Links are not followed into folders, so that a loop of links ends. */
export const diskFiles: FileSource = {
  list: listFolder,
  read: (uris, maximumBytes) => Promise.all(uris.map((uri) => readText(fileURLToPath(uri), maximumBytes))),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
};

const skippedFolders = new Set(['.git', 'node_modules', '.terraform', '.vscode-test']);

async function listFolder(
  folder: string,
  limit: number,
): Promise<{ readonly files: readonly string[]; readonly more: boolean }> {
  const files: string[] = [];
  const waiting = [fileURLToPath(folder)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && mayBeManifest(entry.name)) {
        if (files.length === limit) return { files, more: true };
        files.push(fileUri(path));
      }
    }
  }
  return { files, more: false };
}

/** A folder that cannot be read is one without files. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** By its name: what `kubectl -f` reads of a folder, and kustomizations. */
export function mayBeManifest(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) || isKustomizationName(name);
}

export function fileUri(path: string): string {
  return canonicalUri(pathToFileURL(path).href);
}

/** Reads a file at most once and never more than `maximumBytes` of it, even if it grows meanwhile. */
export async function readText(path: string, maximumBytes: number): Promise<ReadText> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > maximumBytes) return { skipped: `it is larger than ${maximumBytes} bytes` };
      return decode(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    return { skipped: `it could not be read (${codeOf(error)})` };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The decoder leaves out the byte order mark. */
export function decode(bytes: Uint8Array): ReadText {
  if (bytes.subarray(0, 8000).includes(0)) return { skipped: 'it is not text' };
  try {
    return { text: utf8.decode(bytes) };
  } catch {
    return { skipped: 'it is not UTF-8 text' };
  }
}
