/** How are files read from disk? */

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileContent, FileSource, FileStat, ReadText } from '../workspace/load.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { hereOrAside } from './here-or-aside.ts';
import { listFolder } from './list-folder.ts';
import { decode, decodeAny, readTextAside, readTextHere, statOf } from './read-text.ts';
import { turns } from './turns.ts';

export { decode, decodeAny };

/** The files of `file:` URIs. */
export const diskFiles: FileSource = {
  list: (folder, limit, filter) => listFolder(fileURLToPath(folder), folder, limit, filter),
  stat: (uris) => ofEach(uris, statHere, statAside),
  read: (uris, maximumBytes) =>
    ofEach(
      uris,
      (path) => readTextHere(path, maximumBytes),
      (path) => readTextAside(path, maximumBytes),
    ),
  contents: (folder, uris, maximumBytes) => Promise.all(uris.map((uri) => contentIn(folder, uri, maximumBytes))),
  pause: turns(),
};

/** One of them without waiting. */
export function readNow(uri: string, maximumBytes: number): ReadText {
  return readTextHere(fileURLToPath(uri), maximumBytes);
}

/** What a file holds that lies in a folder, also where links lead. */
async function contentIn(folder: string, uri: string, maximumBytes: number): Promise<FileContent | undefined> {
  try {
    const path = await realpath(fileURLToPath(uri));
    if (!path.startsWith((await realpath(fileURLToPath(folder))) + sep)) return undefined;
    const found = await stat(path);
    if (!found.isFile() || found.size > maximumBytes) return undefined;
    const bytes = await readFile(path);
    return isUtf8(bytes) ? { bytes, text: bytes.toString('utf8') } : { bytes };
  } catch {
    return undefined;
  }
}

export function fileUri(path: string): string {
  return canonicalUri(pathToFileURL(path).href);
}

async function ofEach<T>(
  uris: readonly string[],
  here: (path: string) => T,
  aside: (path: string) => Promise<T>,
): Promise<readonly T[]> {
  const ask = hereOrAside(here, aside);
  return await Promise.all(uris.map((uri) => ask(pathOf(uri))));
}

/** Of most names nothing has to be decoded, and to find that out otherwise takes as long as to ask the disk. */
function pathOf(uri: string): string {
  return sep === '/' && /^file:\/\/\/[\w./-]*$/.test(uri) ? uri.slice(7) : fileURLToPath(uri);
}

function statHere(path: string): FileStat | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? statOf(found) : undefined;
  } catch {
    return undefined;
  }
}

async function statAside(path: string): Promise<FileStat | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? statOf(found) : undefined;
}

export type { ReadText };
